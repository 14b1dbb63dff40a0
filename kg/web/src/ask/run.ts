import { ApiError, asApiError, failure, query } from "../state/api";
import type { SparqlJson } from "../state/types";

export type Answer =
  | { form: "table"; json: SparqlJson; ms: number }
  | { form: "boolean"; value: boolean; ms: number }
  | { form: "graph"; ntriples: string; ms: number };

export type Ask = { sparql: string } | { name: string; params: Record<string, string> };

/** SELECT, ASK, CONSTRUCT or DESCRIBE: the first such word outside comments, IRIs, strings and prologue. */
export function formOf(sparql: string): "SELECT" | "ASK" | "CONSTRUCT" | "DESCRIBE" | null {
  const bare = sparql.replace(/<[^<>"{}|^`\\\s]*>|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, " ").replace(/#[^\n]*/g, " ").replace(/prefix\s+[^\s:]*:/gi, " ");
  return (/\b(select|ask|construct|describe)\b/i.exec(bare)?.[1]?.toUpperCase() as "SELECT" | undefined) ?? null;
}

export const isGraph = (sparql: string): boolean => ["CONSTRUCT", "DESCRIBE"].includes(formOf(sparql) ?? "");

const ACCEPT: Record<string, string> = {
  json: "application/sparql-results+json", csv: "text/csv", tsv: "text/tab-separated-values", xml: "application/sparql-results+xml",
  ttl: "text/turtle", nt: "application/n-triples", jsonld: "application/ld+json",
};

/** Sends a query and returns the raw response; the body is a form, as the protocol has it. */
async function send(ask: Ask, format: string, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  const stop = signal ? { signal } : {};
  try {
    response =
      "sparql" in ask
        ? await fetch("/sparql", { method: "POST", body: new URLSearchParams({ query: ask.sparql }), headers: { accept: ACCEPT[format]! }, ...stop })
        : await fetch(`/api/query/${encodeURIComponent(ask.name)}.${format}${query(ask.params)}`, stop);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("The server does not answer.", "See whether `kg serve` still runs.", 0);
  }
  if (!response.ok) throw await failure(response);
  return response;
}

/** Runs a query and reads the answer in the form it has. */
export async function run(ask: Ask, graph: boolean, signal?: AbortSignal): Promise<Answer> {
  const start = performance.now();
  const response = await send(ask, graph ? "nt" : "json", signal);
  if (graph) return { form: "graph", ntriples: await response.text(), ms: performance.now() - start };
  let json: SparqlJson;
  try {
    json = (await response.json()) as SparqlJson;
  } catch (error) {
    throw asApiError(error);
  }
  const ms = performance.now() - start;
  return typeof json.boolean === "boolean" ? { form: "boolean", value: json.boolean, ms } : { form: "table", json, ms };
}

/** The answer in a file format. */
export const file = async (ask: Ask, format: string): Promise<Blob> => (await send(ask, format)).blob();
