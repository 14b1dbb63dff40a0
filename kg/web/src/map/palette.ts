import type { Look, Shape } from "./scene";

export interface KindLook {
  title: string;
  plural: string;
  shape: Shape;
  light: string;
  dark: string;
}

/** How each kind of entity is named, drawn and coloured; every colour keeps 3:1 against its ground. */
export const KINDS: Record<string, KindLook> = {
  paper: { title: "paper", plural: "papers", shape: "square", light: "#3b6fd4", dark: "#6ea0ff" },
  person: { title: "person", plural: "people", shape: "circle", light: "#b86a00", dark: "#f0a847" },
  method: { title: "method", plural: "methods", shape: "diamond", light: "#1f8a4c", dark: "#4fcf85" },
  dataset: { title: "data set", plural: "data sets", shape: "triangle", light: "#8e44c9", dark: "#c58bf7" },
  repository: { title: "repository", plural: "repositories", shape: "hexagon", light: "#c7344f", dark: "#ff7d93" },
  topic: { title: "topic", plural: "topics", shape: "ring", light: "#0e7f8c", dark: "#46c7d4" },
  venue: { title: "venue", plural: "venues", shape: "star", light: "#7a6224", dark: "#d9bd6a" },
  event: { title: "event", plural: "events", shape: "star", light: "#7a6224", dark: "#d9bd6a" },
};
const OTHER: KindLook = { title: "thing", plural: "things", shape: "circle", light: "#6b7280", dark: "#9aa3b2" };
export const kindLook = (kind: string): KindLook => KINDS[kind] ?? { ...OTHER, title: kind, plural: kind };
export const KIND_NAMES = Object.keys(KINDS);

const GROUPS_LIGHT = ["#3b6fd4", "#c4511d", "#1f8a4c", "#8e44c9", "#b3860b", "#c7344f", "#0e7f8c", "#7d5a3c", "#5a7d1f", "#a83a8f", "#4f5fa8", "#2c7a6b"];
const GROUPS_DARK = ["#6ea0ff", "#ff9664", "#4fcf85", "#c58bf7", "#e6bd4a", "#ff7d93", "#46c7d4", "#c9a182", "#a8d05c", "#ee86d4", "#97a6f0", "#68c9b5"];
export const GROUPS = GROUPS_LIGHT.length;
const AGES_LIGHT = ["#c9a227", "#b3862a", "#8a7d4a", "#5d7a70", "#3a6f8f", "#2a5b9e", "#2b3f94", "#35237d"];
const AGES_DARK = ["#7a6a3a", "#8f8245", "#8f9a62", "#79ab8c", "#62b3b8", "#6bb2e6", "#9cc0ff", "#d5e2ff"];
export const AGES = AGES_LIGHT.length;

/** One palette for all: kinds, then grey, then communities, then ages. */
export const OTHER_COLOR = KIND_NAMES.length;
export const GROUP_BASE = OTHER_COLOR + 1;
export const AGE_BASE = GROUP_BASE + GROUPS;

export const lookOf = (dark: boolean): Look => ({
  palette: [
    ...KIND_NAMES.map((k) => KINDS[k]![dark ? "dark" : "light"]),
    dark ? OTHER.dark : OTHER.light,
    ...(dark ? GROUPS_DARK : GROUPS_LIGHT),
    ...(dark ? AGES_DARK : AGES_LIGHT),
  ],
  edge: dark ? "#8b98ad" : "#5c6675",
  outline: dark ? "#12151b" : "#ffffff",
});
