import { useEffect, useId, useRef, useState } from "preact/hooks";
import { kindLook } from "../map/palette";
import { query, useGet } from "../state/api";
import { recent } from "../state/app";
import type { Entity, Item, SearchPage } from "../state/types";
import { Chip, KindIcon } from "./small";

interface Props {
  label: string;
  placeholder: string;
  kind?: string;
  value?: Entity | null;
  /** Keep what was chosen in the box (a picker) or empty it (the one search box). */
  keep?: boolean;
  slash?: boolean;
  onChoose(entity: Entity): void;
  onAll?(q: string): void;
}

/** A combobox over everything in the graph: type, arrows, Enter. */
export function Search({ label, placeholder, kind = "", value, keep, slash, onChoose, onAll }: Props) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value?.label ?? "");
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const [only, setOnly] = useState("");
  const q = text.trim();
  const found = useGet<SearchPage>(open && q ? `/api/search.json${query({ q, kind: only || kind, limit: 8 })}` : null, 60);
  useEffect(() => setText(value?.label ?? ""), [value?.id]);
  useEffect(() => setAt(-1), [q, only]);
  useEffect(() => {
    if (!slash) return;
    const key = (e: KeyboardEvent): void => {
      if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey) return;
      const from = e.composedPath()[0] as HTMLElement;
      if (from.matches?.("input, textarea, select, [contenteditable=true]")) return;
      e.preventDefault();
      box.current?.focus();
      box.current?.select();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [slash]);

  const past: Item[] = q ? [] : recent.value.filter((e) => !kind || e.kind === kind).slice(0, 8);
  const items = q ? (found.data?.items ?? []) : past;
  const all = q && onAll ? 1 : 0;
  const rows = items.length + all;

  const choose = (entity: Entity): void => {
    setText(keep ? entity.label : "");
    setOpen(false);
    setAt(-1);
    onChoose(entity);
    if (!keep) box.current?.blur();
  };
  const enter = (): void => {
    if (at >= 0 && at < items.length) choose(items[at]!);
    else if (onAll && q) {
      setOpen(false);
      onAll(q);
    } else if (items.length) choose(items[0]!);
  };
  const keydown = (e: KeyboardEvent): void => {
    if (e.isComposing) return;
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      setOpen(true);
      if (rows) setAt((at + (e.key === "ArrowDown" ? 1 : -1) + (at < 0 && e.key === "ArrowUp" ? 1 : 0) + rows) % rows);
    } else if (e.key === "Enter") enter();
    else if (e.key === "Escape") {
      if (open && (q || past.length)) setOpen(false);
      else {
        setText("");
        box.current?.blur();
      }
    } else return;
    e.preventDefault();
  };
  const show = open && (q !== "" || past.length > 0);
  const facets = q && !kind ? (found.data?.facets["kind"] ?? []) : [];
  return (
    <div
      class="search"
      onFocusOut={(e) => {
        if (!(e.currentTarget as HTMLElement).contains(e.relatedTarget as Node | null)) setOpen(false);
      }}
    >
      <label class="sr" for={id}>{label}</label>
      <input
        id={id} ref={box} type="text" role="combobox" list={undefined} enterKeyHint="search" autocomplete="off" spellcheck={false} placeholder={placeholder} value={text}
        aria-expanded={show} aria-controls={`${id}-list`} aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        onInput={(e) => {
          setText(e.currentTarget.value);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)} onKeyDown={keydown}
      />
      {slash ? <kbd aria-hidden="true">/</kbd> : null}
      <div class="search-panel" hidden={!show}>
        {facets.length > 1 || only ? (
          <div class="chips" role="group" aria-label="Only this kind">
            {facets.map((f) => (
              <Chip key={String(f.value)} on={only === f.value} onMouseDown={(e) => e.preventDefault()} onClick={() => setOnly(only === f.value ? "" : String(f.value))}>
                {kindLook(String(f.value)).plural} {f.count.toLocaleString("en")}
              </Chip>
            ))}
            {only ? <Chip on={false} onClick={() => setOnly("")}>all kinds</Chip> : null}
          </div>
        ) : null}
        {!q ? <p class="hint">Looked at lately</p> : null}
        <ul id={`${id}-list`} role="listbox" aria-label={label}>
          {items.map((item, i) => (
            <li key={item.id} id={`${id}-${i}`} role="option" aria-selected={i === at} onMouseDown={(e) => e.preventDefault()} onClick={() => choose(item)}>
              <KindIcon kind={item.kind} />
              <span>
                <span class="name" dir="auto">{item.label}</span>
                {item.matched && item.matched !== item.label ? <span class="note"> also {item.matched}</span> : null}
                <span class="note"> {[kindLook(item.kind).title, item.note].filter(Boolean).join(" · ")}</span>
              </span>
            </li>
          ))}
          {all ? (
            <li id={`${id}-${items.length}`} role="option" aria-selected={at === items.length} class="all" onMouseDown={(e) => e.preventDefault()} onClick={() => { setOpen(false); onAll?.(q); }}>
              All results for “{q}”{found.data ? ` (${found.data.total.toLocaleString("en")})` : ""}, with facets
            </li>
          ) : null}
        </ul>
        {q && found.data && !items.length ? (
          <p class="hint">
            Nothing found.{found.data.suggestion ? <> Did you mean <button type="button" class="link" onMouseDown={(e) => e.preventDefault()} onClick={() => setText(found.data!.suggestion!)}>{found.data.suggestion}</button>?</> : null}
          </p>
        ) : null}
        {found.error ? <p class="hint">{found.error.message}</p> : null}
      </div>
    </div>
  );
}
