import { render } from "preact";
import { lazy, Suspense } from "preact/compat";
import "./styles/base.css";
import "./styles/map.css";
import "./styles/panel.css";
import "./styles/ask.css";
import { loadMeta, metaError, spoken } from "./state/app";
import { followLinks, onGraph, route } from "./state/route";
import { AboutPage } from "./ui/about";
import { Header } from "./ui/header";
import { MapPage } from "./ui/mappage";
import { Failure, Loading } from "./ui/small";

const AskPage = lazy(() => import("./ask/page").then((m) => ({ default: m.AskPage })));

function App() {
  const { path } = route.value;
  return (
    <>
      <Header />
      {metaError.value ? <Failure error={metaError.value} /> : null}
      {onGraph(path) ? <MapPage /> : path === "/ask" ? (
        <Suspense fallback={<main class="page" id="main"><Loading /></main>}><AskPage /></Suspense>
      ) : <AboutPage />}
      <p class="sr" role="status" aria-live="polite">{spoken.value}</p>
    </>
  );
}

const root = document.getElementById("app")!;
followLinks(document.body);
void loadMeta();
render(<App />, root);
