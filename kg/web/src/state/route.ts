import { computed, signal } from "@preact/signals";

export interface Route {
  path: string;
  params: URLSearchParams;
}

export const FILTERS = ["topic", "year_from", "year_to", "venue", "kinds", "has_code", "role", "min_confidence"] as const;
export type Filter = (typeof FILTERS)[number];
export const LISTS = ["pin", "hide", "expand"] as const;
/** What a click on the map adds, and going elsewhere takes away. */
const CHOICE = ["id", "a", "b", "q"];

const read = (): Route => ({ path: location.pathname === "/" ? "/map" : location.pathname, params: new URLSearchParams(location.search) });

export const route = signal<Route>(read());
addEventListener("popstate", () => (route.value = read()));

export type Changes = Record<string, string | number | string[] | null | undefined>;

/** URL for a page; `changes` set, replace (lists) or remove (null) parameters of `base`. */
export function href(path: string, changes: Changes = {}, base: URLSearchParams = new URLSearchParams()): string {
  const params = new URLSearchParams(base);
  for (const [key, value] of Object.entries(changes)) {
    params.delete(key);
    if (Array.isArray(value)) for (const one of value) params.append(key, one);
    else if (value !== null && value !== undefined && value !== "") params.set(key, String(value));
  }
  const text = params.toString().replaceAll("%2F", "/").replaceAll("%2C", ",");
  return text ? `${path}?${text}` : path;
}

export function go(url: string, replace = false): void {
  if (url === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", url);
  route.value = read();
}

/** Changes parameters of the present page. */
export function change(changes: Changes, replace = false): void {
  const { path, params } = route.value;
  go(href(path, changes, params), replace);
}

/** Chooses what the panel shows; the map and its filters stay. */
export function choose(what: { id?: string; a?: string; b?: string; q?: string }): void {
  const { path, params } = route.value;
  const next = new URLSearchParams(params);
  for (const key of CHOICE) next.delete(key);
  go(href(path === "/map" || !onGraph(path) ? "/map" : path, what, next));
}

export const onGraph = (path: string): boolean => ["/map", "/entity", "/link", "/paths"].includes(path);

export const list = (key: (typeof LISTS)[number]): string[] => route.value.params.getAll(key);

export function toggle(key: (typeof LISTS)[number], id: string): void {
  const now = list(key);
  change({ [key]: now.includes(id) ? now.filter((one) => one !== id) : [...now, id] });
}

export const param = (key: string): string => route.value.params.get(key) ?? "";

/** Where the whole map is to return to: its lens and filters survive a look at one entity. */
export const lastMap = signal("/map");
export const filterText = computed(() => {
  const out = new URLSearchParams();
  for (const key of FILTERS) {
    const value = route.value.params.get(key);
    if (value) out.set(key, value);
  }
  return out.toString();
});

/** Links inside the application are followed without a new page. */
export function followLinks(root: HTMLElement): void {
  root.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest?.("a");
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
    const path = link.pathname === "/" ? "/map" : link.pathname;
    if (!onGraph(path) && path !== "/ask" && path !== "/about") return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
