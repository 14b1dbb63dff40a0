import { useEffect, useState } from "preact/hooks";

/** A failure as the server tells it: what happened, and what to try. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly hint: string,
    readonly status: number,
  ) {
    super(message);
  }
}

const cache = new Map<string, unknown>();
const MOST_KEPT = 60;

/** Turns an answer that is not 2xx into an ApiError. */
export async function failure(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { error: { message?: string; hint?: string } };
    return new ApiError(error.message ?? text, error.hint ?? "", response.status);
  } catch {
    return new ApiError(text.slice(0, 500) || response.statusText, "", response.status);
  }
}

/** GET of JSON; answers are kept for the life of the page, as the graph does not change under it. */
export async function get<T>(url: string, signal?: AbortSignal): Promise<T> {
  if (cache.has(url)) return cache.get(url) as T;
  let response: Response;
  try {
    response = await fetch(url, { headers: { accept: "application/json" }, ...(signal ? { signal } : {}) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("The server does not answer.", "See whether `kg serve` still runs, then load the page again.", 0);
  }
  if (!response.ok) throw await failure(response);
  const data = (await response.json()) as T;
  if (cache.size >= MOST_KEPT) cache.delete(cache.keys().next().value!);
  cache.set(url, data);
  return data;
}

export interface Loaded<T> {
  data: T | null;
  error: ApiError | null;
  loading: boolean;
}

/** Loads a URL while a component shows it; a newer URL stops an older request. `null` loads nothing. */
export function useGet<T>(url: string | null, wait = 0): Loaded<T> {
  const [state, set] = useState<Loaded<T> & { url: string | null }>({ data: null, error: null, loading: !!url, url });
  useEffect(() => {
    if (!url) return set({ data: null, error: null, loading: false, url });
    const stop = new AbortController();
    set((old) => ({ data: old.data, error: null, loading: true, url: old.url }));
    const timer = setTimeout(
      () => {
        get<T>(url, stop.signal).then(
          (data) => !stop.signal.aborted && set({ data, error: null, loading: false, url }),
          (error: unknown) =>
            !stop.signal.aborted && set({ data: null, error: asApiError(error), loading: false, url }),
        );
      },
      cache.has(url) ? 0 : wait,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [url]);
  return state;
}

export const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(String((error as Error)?.message ?? error), "", 0);

/** `type/key` as a path of the API; slashes inside a key stay. */
export const entityPath = (id: string): string => id.split("/").map(encodeURIComponent).join("/");

export function query(params: Record<string, string | number | null | undefined>): string {
  const out = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) if (value !== null && value !== undefined && value !== "") out.set(key, String(value));
  const text = out.toString();
  return text ? `?${text}` : "";
}
