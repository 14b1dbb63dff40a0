import type { Mention } from "../state/types";
import { percent } from "./small";

const FIELDS: Record<string, string> = { title: "From the title", abstract: "From the abstract" };

/** A sentence with the words that were marked, and what the reading of it rests on. */
export function Quote({ mention }: { mention: Mention }) {
  const { before, text, after, confidence, cue, role, field } = mention;
  return (
    <figure class="quote">
      <blockquote dir="auto">
        {before}
        <mark>{text}</mark>
        {after}
      </blockquote>
      <figcaption>
        {[FIELDS[field] ?? field, role, typeof confidence === "number" ? `${percent(confidence)} sure` : null, cue ? `cue: ${cue}` : null]
          .filter(Boolean)
          .join(" · ")}
      </figcaption>
    </figure>
  );
}

export function Confidence({ value }: { value: number | null | undefined }) {
  if (typeof value !== "number") return null;
  return (
    <span class="confidence">
      <meter min={0} max={1} value={value} aria-label="confidence" />
      {percent(value)}
    </span>
  );
}
