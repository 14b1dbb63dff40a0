import { AGES, AGE_BASE, GROUPS, GROUP_BASE, lookOf, kindLook } from "../map/palette";
import type { ColorBy, Graph } from "../map/graph";
import { isDark } from "../state/app";
import { change } from "../state/route";
import { KindIcon, plural } from "./small";

const COLORS: [ColorBy, string][] = [["kind", "kind"], ["community", "community"], ["year", "year"]];

const Swatch = ({ index }: { index: number }) => {
  const fill = lookOf(isDark.value).palette[index];
  return <svg class="swatch" width="12" height="12" aria-hidden="true"><rect width="12" height="12" rx="2" fill={fill} /></svg>;
};

/** What shapes and colours mean; a kind is a switch that hides and shows it. */
export function Legend({ graph, colorBy, hiddenKinds, onKind, onCommunity }: {
  graph: Graph;
  colorBy: ColorBy;
  hiddenKinds: ReadonlySet<string>;
  onKind(kind: string): void;
  onCommunity(id: number): void;
}) {
  const communities = (graph.columns.communities ?? []).slice(0, 8);
  const [from, to] = graph.years();
  const choices = COLORS.filter(([by]) => by === "kind" || (by === "community" ? communities.length > 1 : to > from));
  return (
    <details class="legend" open={innerWidth > 640}>
      <summary>Legend</summary>
      <ul>
        {graph.kinds().map(([kind, count]) => (
          <li key={kind}>
            <button type="button" class="chip" aria-pressed={!hiddenKinds.has(kind)} title={hiddenKinds.has(kind) ? "Show" : "Hide"} onClick={() => onKind(kind)}>
              <KindIcon kind={kind} /> {plural(count, kindLook(kind).title, kindLook(kind).plural)}
            </button>
          </li>
        ))}
      </ul>
      {choices.length > 1 ? (
        <label class="inline">
          Colour by{" "}
          <select value={colorBy} onChange={(e) => change({ color: e.currentTarget.value === "kind" ? "kind" : e.currentTarget.value }, true)}>
            {choices.map(([by, label]) => <option key={by} value={by}>{label}</option>)}
          </select>
        </label>
      ) : null}
      {colorBy === "community" ? (
        <ul class="communities">
          {communities.map((c, i) => (
            <li key={c.id}>
              <button type="button" class="link" onClick={() => onCommunity(c.id)} title="Show on the map">
                <Swatch index={GROUP_BASE + (i % GROUPS)} /> <span dir="auto">{c.label}</span> <span class="count">{c.size.toLocaleString("en")}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {colorBy === "year" ? (
        <p class="ages">{from} {Array.from({ length: AGES }, (_, i) => <Swatch key={i} index={AGE_BASE + i} />)} {to}</p>
      ) : null}
    </details>
  );
}
