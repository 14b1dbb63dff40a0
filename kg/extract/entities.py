"""From readings to entities: overlaps settled, forms of one name joined, every mention found."""

from __future__ import annotations

from kg.extract.analysis import Analysis, Reading
from kg.extract.tokens import Tokens, key
from kg.model import Mention, Named

# A name inside a longer name gives way to it when the longer one is at least this share as sure.
LONGER = 0.8
# Letters from which the beginning of a long form stands for the whole.
BEGINNING = 15


def choose(analysis: Analysis) -> list[tuple[Reading, list[str]]]:
    """Readings that stand, strongest first, each with the keys of its forms.

    A name all of whose places lie in or across stronger names is dropped; short and long form are one.
    """
    t, candidates = analysis.tokens, analysis.candidates
    forms = _linked_forms(analysis)
    begins = _beginnings(analysis.readings, forms)
    taken: dict[int, list[tuple[int, int, str]]] = {}
    named: set[tuple[str, str]] = set()
    chosen = []
    for r in sorted(_without_parts(analysis), key=lambda r: (-r.confidence, r.key)):
        if (r.kind, r.key) in named:
            continue
        spans = sorted(candidates[r.key].spans)
        if all(any(a < j and i < b and k != r.key for a, b, k in taken.get(t.sentence[i], ())) for i, j in spans):
            continue
        if r.key in begins and begins[r.key] != r.key:
            continue
        keys = [r.key, *(k for k in forms.get(r.key, ()) if k in candidates)]
        keys += sorted(k for k, whole in begins.items() if whole == r.key and k not in keys)
        named.update((r.kind, k) for k in keys)
        for i, j in spans:
            taken.setdefault(t.sentence[i], []).append((i, j, r.key))
        chosen.append((r, keys))
    return chosen


def _beginnings(readings: list[Reading], forms: dict[str, list[str]]) -> dict[str, str]:
    """Names that begin the long form of another, and that other: a title often stops half-way through one."""
    found = {}
    for part in readings:
        for whole in readings:
            alike = whole.kind == part.kind and whole.key != part.key and whole.confidence >= LONGER * part.confidence
            longer = (f for f in forms.get(whole.key, ()) if len(f) > len(part.key))
            if alike and len(part.key) >= BEGINNING and any(f.startswith(part.key) for f in longer):
                found[part.key] = whole.key
    return found


def _without_parts(analysis: Analysis) -> list[Reading]:
    """Readings without those that are everywhere part of a longer name of their kind, hardly less sure."""
    spans = {r.key: list(analysis.candidates[r.key].spans.values()) for r in analysis.readings}
    kept = []
    for r in analysis.readings:
        for longer in analysis.readings:
            if longer.kind != r.kind or longer.key == r.key or longer.confidence < LONGER * r.confidence:
                continue
            if all(any(a <= x and y <= b and b - a > y - x for a, b in spans[longer.key]) for x, y in spans[r.key]):
                break
        else:
            kept.append(r)
    return kept


def build_entities(analysis: Analysis) -> tuple[tuple[Named, ...], tuple[Named, ...]]:
    """Methods and data sets of the paper, each list in order of first mention."""
    methods: list[Named] = []
    datasets: list[Named] = []
    for r, keys in choose(analysis):
        (methods if r.kind == "method" else datasets).append(_entity(analysis.tokens, analysis, r, keys))
    order = {"title": 0, "abstract": 1}
    for found in (methods, datasets):
        found.sort(key=lambda e: (order[e.mentions[0].field], e.mentions[0].start, e.name))
    return tuple(methods), tuple(datasets)


def _linked_forms(analysis: Analysis) -> dict[str, list[str]]:
    """Keys that name the same thing, by abbreviation."""
    t = analysis.tokens
    forms: dict[str, list[str]] = {}
    for a in analysis.abbreviations:
        short, long = key(t.slice(*a.short)), key(t.slice(*a.long))
        if long not in forms.setdefault(short, []):
            forms[short].append(long)
        if short not in forms.setdefault(long, []):
            forms[long].append(short)
    return forms


def _entity(t: Tokens, analysis: Analysis, r: Reading, keys: list[str]) -> Named:
    spans = [ab for k in keys for ab in analysis.candidates[k].spans.values()]
    surfaces: dict[str, None] = {}
    for a, b in sorted(spans):
        surfaces.setdefault(t.text[a:b])
    places = set(spans)
    for s in surfaces:
        places.update(_occurrences(t.text, s))
    mentions = _mentions(t, places)
    shown = [s for s in surfaces if not s.startswith("\\")] or list(surfaces)
    own = [s for s in shown if key(s) == r.key] or shown
    name = min(own if len(keys) == 1 else shown, key=lambda s: (len(s), shown.index(s)))
    aliases = tuple(" ".join(s.split()) for s in shown if s != name)
    decisive = t.locate(*analysis.candidates[r.key].spans[r.span])
    evidence = next((k for k, m in enumerate(mentions) if (m.field, m.start, m.end) == decisive), 0)
    return Named(" ".join(name.split()), r.role, r.confidence, tuple(dict.fromkeys(aliases)), r.cue, mentions, evidence)


def _occurrences(text: str, name: str) -> list[tuple[int, int]]:
    """Whole-word places of `name`, case kept."""
    found, n, at = [], len(name), text.find(name)
    while at >= 0:
        end = at + n
        before, after = text[at - 1 : at], text[end : end + 1]
        if not (before.isalnum() or before in ("_", "\\")) and not (after.isalnum() or after == "_"):
            found.append((at, end))
        at = text.find(name, end)
    return found


def _mentions(t: Tokens, places: set[tuple[int, int]]) -> tuple[Mention, ...]:
    """Mentions in text order; of overlapping places the longest stays."""
    kept: list[tuple[int, int]] = []
    for a, b in sorted(places, key=lambda p: (p[0] - p[1], p[0])):
        if all(b <= x or y <= a for x, y in kept):
            kept.append((a, b))
    out = []
    for a, b in sorted(kept):
        field, start, end = t.locate(a, b)
        source = t.title_source if field == "title" else t.abstract_source
        out.append(Mention(field, start, end, source.quote(start, end)))  # type: ignore[arg-type]
    return tuple(out)
