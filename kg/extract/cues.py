"""Cues: what the words around a name say about it, each with a name that people can read.

A cue is evidence for one reading (proposed or used method, introduced or used data set). The
strongest one is what an extraction quotes as its reason.
"""

from __future__ import annotations

from typing import NamedTuple

from kg.extract.abbreviations import Abbreviation
from kg.extract.candidates import Candidate, K
from kg.extract.relations import INTRODUCED, PROPOSED, USED, USED_DATA
from kg.extract.tokens import Tokens, key
from kg.extract.words import (
    CONTAINS,
    DATA_NARROW,
    DATA_NOUNS,
    EMPLOY,
    METHOD_NOUNS,
    NAMING,
    PROPOSE,
    RELEASE,
    SUBJECT_OF_RESULT,
    SUCH,
)  # fmt: skip


class Cue(NamedTuple):
    """One piece of evidence.

    Attributes:
        reading: index in `kg.extract.relations.CLASSES`; weight: log-odds; name: for people; span: the token span it is about.
    """

    reading: int
    weight: float
    name: str
    span: tuple[int, int]


def find_cues(t: Tokens, c: Candidate, partners: dict[str, str]) -> list[Cue]:
    """Cues for one candidate; `partners` maps short to long keys and back (see `partner_keys`)."""
    found: list[Cue] = []
    for (i, j), (a, b) in sorted(c.spans.items()):
        if i < t.title_end:
            found += _in_title(t, c, i, j)
        else:
            found += _in_abstract(t, c, i, j, t.text[a:b] != t.slice(i, j))
    other = partners.get(c.key)
    if other and c.kinds & K["SHORT"] and other in key(t.text[: t.abstract_at]):
        found.append(Cue(PROPOSED, 2.0, "long form in the title", min(c.spans)))
    return found


def deciding_cue(t: Tokens, c: Candidate, partners: dict[str, str], reading: int) -> tuple[str, tuple[int, int]]:
    """The strongest cue for a reading (else for its kind), and the place it stands at.

    Where no cue speaks, the name's form and what is known of it decided; the first place in the
    abstract is the evidence then.
    """
    cues = find_cues(t, c, partners)
    for wanted in ((reading,), _KIN[reading]):
        own = [x for x in cues if x.reading in wanted]
        if own:
            best = max(own, key=lambda x: x.weight)
            return best.name, best.span
    spans = sorted(c.spans)
    return "its form and its use elsewhere", next((s for s in spans if s[0] >= t.title_end), spans[0])


_KIN = {
    PROPOSED: (PROPOSED, USED),
    USED: (PROPOSED, USED),
    INTRODUCED: (INTRODUCED, USED_DATA),
    USED_DATA: (INTRODUCED, USED_DATA),
}


def partner_keys(t: Tokens, abbreviations: list[Abbreviation]) -> dict[str, str]:
    """Short key -> long key and the reverse; the first pair of a key counts."""
    partners: dict[str, str] = {}
    for a in abbreviations:
        short, long = key(t.slice(*a.short)), key(t.slice(*a.long))
        partners.setdefault(short, long)
        partners.setdefault(long, short)
    return partners


def _in_title(t: Tokens, c: Candidate, i: int, j: int) -> list[Cue]:
    found = []
    if c.kinds & K["TITLE_PREFIX"] and i <= 1:
        data = any(w in DATA_NARROW for w in t.lower[j : t.title_end])
        found.append(Cue(INTRODUCED if data else PROPOSED, 3.0, "title prefix", (i, j)))
    before = t.lower[i - 1] if i else ""
    if before in ("with", "via", "using", "by", "for", "of"):
        found.append(Cue(USED, 0.8, f"“{before}” before it in the title", (i, j)))
    return found


def _in_abstract(t: Tokens, c: Candidate, i: int, j: int, cut: bool) -> list[Cue]:
    lower, words, n = t.lower, t.words, len(t.words)
    s0 = t.first[t.sentence[i]]
    s1 = t.first[t.sentence[i] + 1] if t.sentence[i] + 1 < len(t.first) else n
    at = (i, j)
    p1 = lower[i - 1] if i > s0 else ""
    p2 = lower[i - 2] if i - 1 > s0 else ""
    p3 = lower[i - 3] if i - 2 > s0 else ""
    n1 = lower[j] if j < s1 and not cut else ""
    n2 = lower[j + 1] if j + 1 < s1 and not cut else ""
    found = []
    if (
        c.kinds & K["SHORT"]
        and any(w in PROPOSE for w in lower[s0:i])
        and any(w in ("we", "paper") for w in lower[s0:i])
    ):
        found.append(Cue(PROPOSED, 1.2, "short form in a sentence that proposes", at))
    if i == s0 and c.kinds & K["TOKEN"] and t.shapes[i] == "U":
        found.append(Cue(PROPOSED, 0.8, "opens a sentence", at))
    verb = next((x for x in range(i - 1, max(s0 - 1, i - 12), -1) if lower[x] in PROPOSE or words[x] in ";"), -1)
    proposing = verb >= 0 and words[verb] != ";"
    if proposing:
        ours = any(w in ("we", "paper", "work", "our", "article") for w in lower[s0:verb]) or verb == s0
        passive = lower[verb] in (
            "proposed",
            "introduced",
            "presented",
            "developed",
            "called",
            "termed",
            "named",
            "dubbed",
        )
        near = i - verb
        strength = 2.5 - 0.12 * near if ours or passive else 1.0
        data = any(w in DATA_NARROW for w in lower[verb:i]) or any(w in DATA_NARROW for w in lower[j : min(j + 10, s1)])
        data = data and (lower[verb] in RELEASE or lower[verb] in NAMING)
        found.append(Cue(INTRODUCED if data else PROPOSED, strength, f"“{lower[verb]}” before it", at))
    if p1 in NAMING or p2 in NAMING:
        found.append(Cue(PROPOSED, 1.5, f"“{p1 if p1 in NAMING else p2}” before it", at))
    if "our" in (p1, p2):
        found.append(Cue(PROPOSED, 2.2, "“our” before it", at))
    if c.kinds & K["MACRO"]:
        found.append(Cue(PROPOSED, 3.0, "author macro", at))
    if n1 in DATA_NARROW or n2 in DATA_NARROW:
        found.append(Cue(USED_DATA, 2.5, f"“{n1 if n1 in DATA_NARROW else n2}” after it", at))
    elif n1 in DATA_NOUNS:
        found.append(Cue(USED_DATA, 1.0, f"“{n1}” after it", at))
    if any(w in DATA_NARROW for w in lower[max(s0, i - 6) : i]):
        found.append(Cue(USED_DATA, 1.2, "data set word before it", at))
    if "on" in (p1, p2, p3):
        found.append(Cue(USED_DATA, 1.5, "“on” before it", at))
    elif _in_list_after_on(t, i, s0):
        found.append(Cue(USED_DATA, 1.3, "in a list after “on”", at))
    if n1 in CONTAINS:
        found.append(Cue(INTRODUCED, 0.8, f"“{n1}” after it", at))
    if n1 in METHOD_NOUNS:
        found.append(Cue(USED, 1.3, f"“{n1}” after it", at))
    if n1 in SUBJECT_OF_RESULT:
        found.append(Cue(PROPOSED, 1.2, f"subject of “{n1}”", at))
    if p1 in SUCH or p2 in SUCH:
        found.append(Cue(USED, 1.2, f"“{p1 if p1 in SUCH else p2}” before it", at))
    if p1 in EMPLOY:
        found.append(Cue(USED, 1.2, f"“{p1}” before it", at))
    return found


def _in_list_after_on(t: Tokens, i: int, s0: int) -> bool:
    for x in range(i - 1, max(s0 - 1, i - 13), -1):
        w = t.lower[x]
        if w == "on":
            return True
        if t.shapes[x] == "l" and w not in ("and", "the", "or"):
            return False
    return False
