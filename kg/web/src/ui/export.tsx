import { lookOf } from "../map/palette";
import { png, save, svg, type Shot } from "../map/picture";
import { isDark, spoken } from "../state/app";
import { param, route } from "../state/route";
import type { MapHandle } from "./mapcanvas";
import { Menu } from "./small";
import { mapUrl } from "./source";
import { query } from "../state/api";

const FILES: [string, string][] = [["gexf", "GEXF (Gephi)"], ["csv", "CSV of the edges"], ["ttl", "Turtle"], ["bib", "BibTeX of the papers"], ["html", "Standalone HTML"], ["json", "JSON"]];

const shot = ({ view, scene }: MapHandle): Shot => {
  const { camera, size, fitted, labels } = view.state();
  const style = getComputedStyle(view.canvas);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return { scene, look: lookOf(isDark.value), camera, size, fitted, labels, ink: token("--ink"), ground: token("--ground") };
};

/** Address of what the page shows in another format: the filtered map, or the neighbourhood. */
function fileUrl(format: string): string {
  if (route.value.path === "/map") return mapUrl(format);
  const around = param("centre") || param("id") || param("a");
  return `/api/map/all.${format}${query({ around, hops: param("hops") || 1 })}`;
}

/** Pictures are made here from what is seen; files come from the server with the same filters. */
export function ExportMenu({ handle }: { handle: MapHandle | null }) {
  const name = `paperkg-${route.value.path.slice(1)}`;
  const picture = async (kind: "svg" | "png"): Promise<void> => {
    if (!handle) return;
    const made = shot(handle);
    save(`${name}.${kind}`, kind === "svg" ? svg(made) : await png(made), "image/svg+xml");
    spoken.value = `${kind.toUpperCase()} saved`;
  };
  return (
    <Menu label="Export" align="right">
      <ul class="menu-list">
        <li><button type="button" disabled={!handle} onClick={() => void picture("svg")}>SVG of this view</button></li>
        <li><button type="button" disabled={!handle} onClick={() => void picture("png")}>PNG of this view</button></li>
        {FILES.map(([format, label]) => <li key={format}><a href={fileUrl(format)} download={`${name}.${format}`}>{label}</a></li>)}
      </ul>
    </Menu>
  );
}
