/** What the server answers; see the routes under kg/serve. */
export interface Entity {
  id: string;
  iri: string;
  kind: string;
  label: string;
}

export interface Lens {
  name: string;
  title: string;
  node: string;
  edge: string;
  size_hint?: string;
  empty?: string | null;
}

export interface Meta {
  version: string;
  graph: { path: string; built: string | null; counts: Record<string, number> };
  lenses: Lens[];
  kinds: string[];
  roles?: string[];
  years: [number, number] | null;
  venues: { id: string; label: string; count: number }[];
  prefixes: Record<string, string>;
  limits: { timeout_s: number; rows: number };
}

export interface Columns {
  lens?: string;
  node?: string;
  edge?: string;
  nodes: {
    id: string[];
    label: string[];
    kind: string[];
    x: number[];
    y: number[];
    size: number[];
    community: (number | null)[];
    year: (number | null)[];
  };
  edges: { source: number[]; target: number[]; weight: number[]; type: number[] };
  edge_types: string[];
  communities?: { id: number; label: string; size: number }[];
  total?: { nodes: number; edges: number };
  cut?: string | null;
  empty?: string | null;
}

export interface Mention {
  paper: Entity;
  field: string;
  before: string;
  text: string;
  after: string;
  confidence?: number | null;
  cue?: string | null;
  role?: string | null;
}

export interface Fact {
  label: string;
  value: string | number;
  entity?: Entity | null;
  href?: string | null;
  confidence?: number | null;
  evidence?: Mention[] | null;
}

export interface Item extends Entity {
  matched?: string | null;
  note?: string | null;
  year?: number | null;
  role?: string | null;
  confidence?: number | null;
}

export interface Group {
  title: string;
  relation: string;
  total: number;
  items: Item[];
}

export interface EntityPage {
  entity: Entity;
  aliases: string[];
  facts: Fact[];
  links_out: { label: string; href: string }[];
  groups: Group[];
  decided?: (string | Record<string, unknown>)[];
}

export interface FacetValue {
  value: string | number | boolean;
  label: string;
  count: number;
}

export interface SearchPage {
  q: string;
  total: number;
  took_ms?: number;
  items: Item[];
  facets: Record<string, FacetValue[]>;
  suggestion?: string | null;
}

export interface LinkPage {
  a: Entity;
  b: Entity;
  relation: string;
  count: number;
  years?: number[] | null;
  papers: { paper: Entity; year: number | null; confidence: number | null; mentions: Mention[] }[];
}

export interface PathsPage {
  a: Entity;
  b: Entity;
  paths: {
    cost: number;
    words: string;
    steps: { from: Entity; to: Entity; relation: string; words: string; papers: Entity[] }[];
  }[];
  why_none?: string | null;
}

export interface Param {
  name: string;
  type: string;
  example?: string | null;
  default?: string | null;
  optional?: boolean;
}

export interface CatalogueEntry {
  name: string;
  title: string;
  question: string;
  tags: string[];
  params: Param[];
  sparql: string;
}

export interface Term {
  prefixed: string;
  iri: string;
  kind: string;
  label: string;
  comment: string;
}

export interface RdfTerm {
  type: string;
  value: string;
  datatype?: string;
  "xml:lang"?: string;
}

export interface SparqlJson {
  head: { vars?: string[] };
  boolean?: boolean;
  results?: { bindings: Record<string, RdfTerm>[] };
  entities?: Record<string, Entity>;
}
