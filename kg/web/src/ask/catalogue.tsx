import { useId, useMemo, useState } from "preact/hooks";
import { query, useGet } from "../state/api";
import type { CatalogueEntry, Param } from "../state/types";

/** The questions that come with the program, by tag, with a box to narrow them. */
export function Catalogue({ entries, chosen, onChoose }: { entries: CatalogueEntry[]; chosen: string; onChoose(entry: CatalogueEntry): void }) {
  const [text, setText] = useState("");
  const groups = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const found = new Map<string, CatalogueEntry[]>();
    for (const entry of entries) {
      const all = `${entry.name} ${entry.title} ${entry.question} ${entry.tags.join(" ")}`.toLowerCase();
      if (!words.every((w) => all.includes(w))) continue;
      const tag = entry.tags[0] ?? "other";
      if (!found.has(tag)) found.set(tag, []);
      found.get(tag)!.push(entry);
    }
    return [...found].sort((a, b) => a[0].localeCompare(b[0]));
  }, [entries, text]);
  return (
    <nav class="catalogue" aria-label="Catalogue of questions">
      <label>
        <span class="sr">Narrow the questions</span>
        <input type="search" placeholder={`Narrow ${entries.length} questions`} value={text} onInput={(e) => setText(e.currentTarget.value)} />
      </label>
      {groups.map(([tag, list]) => (
        <details key={tag} open={text !== "" || list.some((e) => e.name === chosen)}>
          <summary>{tag} <span class="count">{list.length}</span></summary>
          <ul>
            {list.map((entry) => (
              <li key={entry.name}>
                <button type="button" class="link" aria-current={entry.name === chosen ? "true" : undefined} title={entry.question} onClick={() => onChoose(entry)}>{entry.title}</button>
              </li>
            ))}
          </ul>
        </details>
      ))}
      {groups.length ? null : <p class="hint">No question with these words.</p>}
    </nav>
  );
}

/** The form of a question: one field a parameter, completed from the graph. */
export function ParamForm({ entry, values, busy, onChange, onRun, onEdit }: {
  entry: CatalogueEntry;
  values: Record<string, string>;
  busy: boolean;
  onChange(values: Record<string, string>): void;
  onRun(): void;
  onEdit(): void;
}) {
  const missing = entry.params.some((p) => !p.optional && !values[p.name]?.trim());
  return (
    <form class="question" onSubmit={(e) => { e.preventDefault(); if (!missing) onRun(); }}>
      <h2>{entry.title}</h2>
      <p>{entry.question}</p>
      {entry.params.map((p) => <Field key={`${entry.name} ${p.name}`} param={p} value={values[p.name] ?? ""} onChange={(v) => onChange({ ...values, [p.name]: v })} />)}
      <div class="actions">
        <button type="submit" class="primary" disabled={busy || missing}>Run</button>
        <button type="button" onClick={onEdit}>{entry.params.length ? "Copy to the editor" : "Edit as SPARQL"}</button>
      </div>
      <details class="sparql"><summary>SPARQL</summary><pre tabIndex={0}>{entry.sparql}</pre></details>
    </form>
  );
}

const NUMBERS: Record<string, string> = { integer: "1", decimal: "any" };
const COMPLETED = new Set(["person", "method", "dataset", "paper", "topic", "venue", "repository", "entity"]);

function Field({ param, value, onChange }: { param: Param; value: string; onChange(value: string): void }) {
  const id = useId();
  const completed = COMPLETED.has(param.type);
  const kind = param.type === "entity" ? "" : param.type;
  const found = useGet<{ value: string; label: string }[] | { items: { value: string; label: string }[] }>(
    completed && value.trim() ? `/api/complete.json${query({ kind, q: value.trim() })}` : null, 120);
  const options = Array.isArray(found.data) ? found.data : (found.data?.items ?? []);
  const step = NUMBERS[param.type];
  return (
    <label>
      {param.name.replaceAll("_", " ")} <span class="hint">{param.type === "dataset" ? "data set" : param.type}{param.optional ? ", may be left empty" : ""}</span>
      <input
        type={step ? "number" : "text"} step={step} value={value} required={!param.optional} autocomplete="off" list={completed ? id : undefined}
        placeholder={param.example != null ? `such as ${String(param.example)}` : ""}
        onInput={(e) => onChange(e.currentTarget.value)}
      />
      {completed ? <datalist id={id}>{options.map((o) => <option key={o.value} value={o.value}>{o.label}</option>)}</datalist> : null}
    </label>
  );
}
