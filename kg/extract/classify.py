"""Typing: which candidates are names, of what, and in which role."""

from __future__ import annotations

import math

from kg.extract.analysis import Analysis, Reading
from kg.extract.candidates import WEAK, K
from kg.extract.cues import INTRODUCED, PROPOSED, USED, USED_DATA, find_cues, partner_keys
from kg.extract.words import METRICS

_MEANING = {
    PROPOSED: ("method", "proposed"),
    USED: ("method", "used"),
    INTRODUCED: ("dataset", "introduced"),
    USED_DATA: ("dataset", "used"),
}
_BASE = -1.9
_KIND_WEIGHT = {
    "TOKEN": 0.6, "SHORT": 0.5, "TITLE_PREFIX": 0.5, "MACRO": 1.0, "LEXICON": 1.0, "CAPITAL": -0.6, "CAPITAL_FIRST": -1.5,
    "RUN": -0.8, "LONG": -0.6, "TITLE_CHUNK": -1.2, "HEADED": -1.5, "HEADED2": -2.0, "RUN_TAIL": -1.0,
    "RUN_HEAD": -1.0, "JOINED": -1.0, "COINED": -1.0,
}  # fmt: skip


def read_candidates(analysis: Analysis) -> list[Reading]:
    """Readings of the candidates that are more likely than not a name, by cues alone."""
    t = analysis.tokens
    partners = partner_keys(t, analysis.abbreviations)
    out = []
    for c in analysis.candidates.values():
        if c.key in METRICS or c.kinds & ~WEAK == 0 and not c.kinds & K["COINED"]:
            continue
        cues = find_cues(t, c, partners)
        if not cues:
            continue
        base = _BASE + max([w for k, w in _KIND_WEIGHT.items() if c.kinds & K[k]] or [-1.5]) if c.kinds else _BASE
        score = [base] * 4
        for cue in {(x.reading, x.name): x for x in cues}.values():
            score[cue.reading] += cue.weight
        best = max(range(4), key=score.__getitem__)
        confidence = 1 / (1 + math.exp(-score[best]))
        if confidence < 0.5:
            continue
        reason = max((x for x in cues if x.reading == best), key=lambda x: x.weight)
        out.append(Reading(c.key, *_MEANING[best], round(confidence, 4), reason.name, reason.span))
    return out
