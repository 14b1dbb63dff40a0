import { effect, signal } from "@preact/signals";
import { asApiError, get, type ApiError } from "./api";
import type { Entity, Meta } from "./types";

export const meta = signal<Meta | null>(null);
export const metaError = signal<ApiError | null>(null);

export async function loadMeta(): Promise<void> {
  try {
    meta.value = await get<Meta>("/api/meta.json");
  } catch (error) {
    metaError.value = asApiError(error);
  }
}

// --- light and dark -------------------------------------------------------------------------------------------------
export type Theme = "auto" | "light" | "dark";
const stored = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage may be forbidden; the page works without
  }
};
const store = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // as above
  }
};
const dark = matchMedia("(prefers-color-scheme: dark)");
const first = stored("paperkg.theme");
export const theme = signal<Theme>(first === "light" || first === "dark" ? first : "auto");
export const isDark = signal(dark.matches);
const applyTheme = (): void => {
  isDark.value = theme.value === "dark" || (theme.value === "auto" && dark.matches);
  document.documentElement.dataset["theme"] = isDark.value ? "dark" : "light";
};
dark.addEventListener("change", applyTheme);
effect(() => {
  store("paperkg.theme", theme.value);
  applyTheme();
});

// --- what was looked at ---------------------------------------------------------------------------------------------
const MOST = 12;
const readRecent = (): Entity[] => {
  try {
    const found = JSON.parse(sessionStorage.getItem("paperkg.recent") ?? "[]") as unknown;
    return Array.isArray(found) ? (found as Entity[]).filter((e) => typeof e?.id === "string" && typeof e?.label === "string") : [];
  } catch {
    return [];
  }
};
export const recent = signal<Entity[]>(readRecent());

export function looked(entity: Entity): void {
  if (recent.peek()[0]?.id === entity.id) return;
  recent.value = [entity, ...recent.peek().filter((e) => e.id !== entity.id)].slice(0, MOST);
  try {
    sessionStorage.setItem("paperkg.recent", JSON.stringify(recent.value)); // of this tab: another graph may come tomorrow
  } catch {
    // storage may be forbidden
  }
}

/** Told to a screen reader. */
export const spoken = signal("");
