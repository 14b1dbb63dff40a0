import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { kindLook } from "../map/palette";
import { outlineOf } from "../map/sprites";
import type { ApiError } from "../state/api";
import { href, onGraph, route } from "../state/route";
import type { Entity } from "../state/types";

/** The symbol of a kind, as on the map. */
export function KindIcon({ kind }: { kind: string }) {
  const look = kindLook(kind);
  const points = outlineOf(look.shape, 5);
  return (
    <svg class={`kind kind-${kind in { paper: 1, person: 1, method: 1, dataset: 1, repository: 1, topic: 1, venue: 1, event: 1 } ? kind : "other"}`} viewBox="-8 -8 16 16" width="14" height="14" aria-hidden="true">
      {points ? <polygon points={points.map((p) => p.map((v) => v.toFixed(2)).join()).join(" ")} /> : <circle r="5" />}
    </svg>
  );
}

export const plural = (n: number, one: string, many = one + "s"): string => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
export const percent = (x: number): string => `${Math.round(x * 100)} %`;

/** Where a choice leads: beside the map it stays on the map, elsewhere it opens the entity's own page. */
export function entityHref(id: string): string {
  const { path, params } = route.value;
  if (!onGraph(path) || path === "/paths") return href("/entity", { id });
  return href(path, { id, a: null, b: null, q: null }, params);
}

export function EntityLink({ entity, note }: { entity: Entity; note?: string | null | undefined }) {
  return (
    <a class="entity" href={entityHref(entity.id)}>
      <KindIcon kind={entity.kind} />
      <span>
        <span class="name" dir="auto">{entity.label}</span>
        <span class="sr">, {kindLook(entity.kind).title}</span>
        {note ? <span class="note"> {note}</span> : null}
      </span>
    </a>
  );
}

export function Failure({ error }: { error: ApiError }) {
  return (
    <div class="message" role="alert">
      <p><strong>{error.message}</strong></p>
      {error.hint ? <p>{error.hint}</p> : null}
    </div>
  );
}

export const Loading = ({ what = "Loading" }: { what?: string }) => (
  <p class="loading" role="status">
    <span class="spinner" aria-hidden="true" /> {what}…
  </p>
);

/** Only links to the web leave the page; anything else is shown as text. */
export function OutLink({ to, children }: { to: string; children: ComponentChildren }) {
  if (!/^https?:\/\//i.test(to)) return <span>{children}</span>;
  return (
    <a href={to} target="_blank" rel="noopener noreferrer" class="out">
      {children}
      <span class="sr"> (opens elsewhere)</span>
    </a>
  );
}

/** A button with a panel that closes on Escape and on a click elsewhere. */
export function Menu({ label, title, children, align = "left" }: { label: ComponentChildren; title?: string; children: ComponentChildren; align?: "left" | "right" }) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const away = (e: Event): void => {
      if (!root.current?.contains(e.target as Node)) setOpen(false);
    };
    const key = (e: KeyboardEvent): void => {
      if (e.key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
      e.stopPropagation();
    };
    addEventListener("pointerdown", away);
    root.current?.addEventListener("keydown", key);
    const element = root.current;
    return () => {
      removeEventListener("pointerdown", away);
      element?.removeEventListener("keydown", key);
    };
  }, [open]);
  return (
    <div class="menu" ref={root}>
      <button type="button" ref={button} aria-expanded={open} title={title} onClick={() => setOpen(!open)}>{label}</button>
      {open ? <div class={`menu-panel ${align}`}>{children}</div> : null}
    </div>
  );
}

export const Chip = (props: Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> & { on: boolean; children: ComponentChildren }) => {
  const { on, children, ...rest } = props;
  return <button type="button" class="chip" aria-pressed={on} {...rest}>{children}</button>;
};
