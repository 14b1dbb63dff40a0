import { lookOf } from "../map/palette";
import { isDark, meta, theme, type Theme } from "../state/app";
import { choose, go, href, lastMap, onGraph, route } from "../state/route";
import type { Entity } from "../state/types";
import { Search } from "./search";

const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
const SIGN: Record<Theme, string> = { auto: "◐", light: "☀", dark: "☾" };

function opened(entity: Entity): void {
  const { path } = route.value;
  if (path === "/map") choose({ id: entity.id });
  else go(href("/entity", { id: entity.id }));
}

const all = (q: string): void => {
  if (route.value.path === "/map") choose({ q });
  else go(href("/map", { q }));
};

/** Name, pages, the one search box, light and dark. */
export function Header() {
  const { path } = route.value;
  const here = (name: string) => ((name === "/map" ? onGraph(path) && path !== "/paths" : path === name) ? "page" : undefined);
  const [first, second, third] = lookOf(isDark.value).palette;
  return (
    <header class="top">
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); document.querySelector<HTMLElement>("#main")?.focus(); document.querySelector<HTMLElement>("#main a, #main button, #main [tabindex]")?.focus(); }}>Skip to the content</a>
      <a class="brand" href={lastMap.value} title={meta.value ? `Graph ${meta.value.graph.path}` : ""}>
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path d="M6 17 12 6l6 10" fill="none" stroke="currentColor" stroke-width="1.5" />
          <circle cx="12" cy="6" r="3.2" fill={first} /><circle cx="6" cy="17" r="3.2" fill={second} /><circle cx="18" cy="16" r="3.2" fill={third} />
        </svg>
        <span>paperkg</span>
      </a>
      <nav aria-label="Pages">
        <a href={path === "/map" ? "/map" : lastMap.value} aria-current={here("/map")}>Map</a>
        <a href="/paths" aria-current={here("/paths")}>Paths</a>
        <a href="/ask" aria-current={here("/ask")}>Ask</a>
        <a href="/about" aria-current={here("/about")}>About</a>
      </nav>
      <Search label="Find a paper, person, method, data set or topic" placeholder="Find a paper, person, method, data set…" slash onChoose={opened} onAll={all} />
      <button type="button" class="theme" aria-label={`Colours: ${theme.value}. Change`} title={`Colours: ${theme.value}`} onClick={() => (theme.value = NEXT[theme.value])}>{SIGN[theme.value]}</button>
    </header>
  );
}

