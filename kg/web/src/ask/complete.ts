import { completeFromList, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { Term } from "../state/types";

const KEYWORDS =
  "SELECT CONSTRUCT DESCRIBE ASK WHERE FILTER OPTIONAL UNION MINUS BIND VALUES GRAPH DISTINCT REDUCED PREFIX BASE FROM NAMED LIMIT OFFSET HAVING AS IN NOT EXISTS UNDEF".split(" ").concat(["ORDER BY", "GROUP BY", "NOT EXISTS"]);
const FUNCTIONS =
  "COUNT SUM MIN MAX AVG SAMPLE GROUP_CONCAT STR LANG LANGMATCHES DATATYPE BOUND IRI BNODE ABS CEIL FLOOR ROUND CONCAT STRLEN UCASE LCASE ENCODE_FOR_URI CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER SUBSTR REPLACE REGEX YEAR MONTH DAY COALESCE IF SAMETERM ISIRI ISLITERAL ISNUMERIC".split(" ");

const words = completeFromList([
  ...[...new Set(KEYWORDS)].map((label): Completion => ({ label, type: "keyword" })),
  ...FUNCTIONS.map((label): Completion => ({ label, apply: `${label}(`, type: "function" })),
]);

/** Completion of prefixed terms, prefixes, variables of the query, keywords and functions. */
export function sparqlCompletion(terms: readonly Term[], prefixes: Record<string, string>) {
  const known: Completion[] = terms.map((t) => ({
    label: t.prefixed,
    detail: t.kind,
    info: [t.label, t.comment].filter(Boolean).join(". "),
    type: t.kind === "class" ? "class" : "property",
  }));
  const declared: Completion[] = Object.entries(prefixes).map(([p, iri]) => ({ label: `${p}: <${iri}>`, detail: "prefix", type: "namespace" }));
  return (context: CompletionContext): CompletionResult | null | Promise<CompletionResult | null> => {
    const prefix = context.matchBefore(/prefix\s+[\w-]*$/i);
    if (prefix) return { from: prefix.from + prefix.text.search(/[\w-]*$/), options: declared };
    const variable = context.matchBefore(/[?$]\w*$/);
    if (variable) {
      const seen = new Set(context.state.doc.toString().match(/[?$]\w+/g) ?? []);
      seen.delete(variable.text);
      return { from: variable.from, options: [...seen].map((label) => ({ label, type: "variable" })), validFor: /^[?$]\w*$/ };
    }
    const name = context.matchBefore(/[A-Za-z][\w-]*:[\w-]*$/);
    if (name) return { from: name.from, options: known, validFor: /^[\w:-]*$/ };
    const word = context.matchBefore(/[A-Za-z][\w-]*$/);
    if (!word && !context.explicit) return null;
    const from = word?.from ?? context.pos;
    const lower = word?.text.toLowerCase() ?? "";
    // a term is also found by its name alone: "proposes" gives kg:proposesMethod
    const local = known.filter((t) => lower.length > 1 && (t.label.toLowerCase().includes(lower) || (t.info as string).toLowerCase().startsWith(lower)));
    const plain = words(context);
    return Promise.resolve(plain).then((p) => ({
      from,
      options: [...(p?.options ?? []), ...local.map((t) => ({ ...t, boost: -1 }))],
      filter: true,
    }));
  };
}
