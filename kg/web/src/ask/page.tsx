import { useEffect, useRef, useState } from "preact/hooks";
import { asApiError, useGet, type ApiError } from "../state/api";
import { meta, spoken } from "../state/app";
import { go, href, param, route } from "../state/route";
import type { CatalogueEntry, Term } from "../state/types";
import { Failure, Loading } from "../ui/small";
import { AnswerView } from "./answer";
import { Catalogue, ParamForm } from "./catalogue";
import { Editor } from "./editor";
import { isGraph, run, type Answer, type Ask } from "./run";

const START = `# Which methods are mentioned by most papers?
SELECT ?method ?name (COUNT(DISTINCT ?paper) AS ?papers) WHERE {
  ?paper kg:usesMethod|kg:proposesMethod ?method .
  ?method skos:prefLabel ?name .
}
GROUP BY ?method ?name
ORDER BY DESC(?papers)
LIMIT 20
`;
const P = "p.";

/** Parameter values in the address: `p.person=…`. */
const values = (): Record<string, string> => {
  const out: Record<string, string> = {};
  for (const [key, value] of route.value.params) if (key.startsWith(P)) out[key.slice(P.length)] = value;
  return out;
};

interface Shown {
  ask: Ask;
  answer: Answer | null;
  error: ApiError | null;
}

/** SPARQL and the catalogue; what is asked stands in the address. */
export function AskPage() {
  const catalogue = useGet<CatalogueEntry[]>("/api/queries.json");
  const terms = useGet<Term[]>("/api/terms.json");
  const name = param("name");
  const asked = param("query");
  const entry = catalogue.data?.find((e) => e.name === name) ?? null;
  const [put, setPut] = useState({ text: asked || START });
  const text = useRef(put.text);
  const replace = (now: string): void => {
    text.current = now;
    setPut({ text: now });
  };
  const [fields, setFields] = useState(values());
  const [shown, setShown] = useState<Shown | null>(null);
  const [busy, setBusy] = useState(false);
  const stop = useRef<AbortController | null>(null);
  const { params } = route.value;

  const execute = (ask: Ask, graph: boolean): void => {
    stop.current?.abort();
    const control = new AbortController();
    stop.current = control;
    setBusy(true);
    run(ask, graph, control.signal).then(
      (answer) => {
        setShown({ ask, answer, error: null });
        spoken.value = "Answer ready";
        setBusy(false);
      },
      (error: unknown) => {
        if (control.signal.aborted) return;
        setShown({ ask, answer: null, error: asApiError(error) });
        setBusy(false);
      },
    );
  };

  // the address decides what runs: also after back, forward, or from a link someone sent
  useEffect(() => {
    document.title = "Ask · paperkg";
    if (asked) {
      if (asked !== text.current) replace(asked);
      execute({ sparql: asked }, isGraph(asked));
    } else if (!name) setShown(null);
  }, [asked]);
  useEffect(() => {
    if (!entry) return;
    const given = values();
    setFields(given);
    if (params.get("run") === "1") execute({ name: entry.name, params: given }, isGraph(entry.sparql));
    else setShown(null);
  }, [entry?.name, name ? params.toString() : ""]);
  useEffect(() => () => stop.current?.abort(), []);

  const runText = (): void => {
    const now = text.current;
    if (now === asked) execute({ sparql: now }, isGraph(now));
    else go(href("/ask", { query: now }));
  };
  const runEntry = (): void => {
    const given = Object.fromEntries(Object.entries(fields).filter(([, v]) => v.trim()).map(([k, v]) => [P + k, v.trim()]));
    const url = href("/ask", { name, ...given, run: 1 });
    if (url === route.value.path + location.search) execute({ name, params: values() }, isGraph(entry!.sparql));
    else go(url);
  };
  const sample = (e: CatalogueEntry): Record<string, string> => Object.fromEntries(e.params.filter((p) => p.default).map((p) => [P + p.name, String(p.default)]));
  const limits = meta.value?.limits;
  return (
    <main class="ask-page" id="main">
      <aside class="ask-side">
        <h2>Questions</h2>
        {catalogue.error ? <Failure error={catalogue.error} /> : null}
        {catalogue.data ? <Catalogue entries={catalogue.data} chosen={name} onChoose={(e) => go(href("/ask", { name: e.name, ...sample(e), ...(e.params.some((p) => !p.optional) ? {} : { run: 1 }) }))} /> : null}
      </aside>
      <section class="ask-main" aria-labelledby="ask-title">
        <h1 id="ask-title">Ask</h1>
        {name ? (
          entry ? <ParamForm entry={entry} values={fields} busy={busy} onChange={setFields} onRun={runEntry} onEdit={() => { replace(entry.sparql); go(href("/ask")); }} />
          : catalogue.data ? <p class="message">No question is called {name}.</p> : <Loading />
        ) : (
          <>
            <Editor put={put} terms={terms.data ?? []} prefixes={meta.value?.prefixes ?? {}} fault={shown?.error?.message ?? ""} onChange={(now) => (text.current = now)} onRun={runText} />
            <div class="actions">
              <button type="button" class="primary" disabled={busy} onClick={runText}>Run <kbd>Ctrl Enter</kbd></button>
              {busy ? <button type="button" onClick={() => { stop.current?.abort(); setBusy(false); }}>Stop</button> : null}
              <span class="hint">All prefixes are bound.{limits ? ` At most ${limits.timeout_s} s and ${limits.rows.toLocaleString("en")} rows.` : ""}</span>
            </div>
          </>
        )}
        {name && entry ? <p><a href={href("/ask")}>Write a query of your own</a></p> : null}
        {busy ? <Loading what="Asking" /> : null}
        {!busy && shown?.error ? <Failure error={shown.error} /> : null}
        {!busy && shown?.answer ? <AnswerView key={JSON.stringify(shown.ask) + shown.answer.ms} answer={shown.answer} ask={shown.ask} /> : null}
      </section>
    </main>
  );
}
