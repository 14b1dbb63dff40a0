"""One name, several things: which papers that use the name mean the same.

Evidence, strongest first: the long form beside an acronym, the paper that coined the name, shared
authors, what the papers are about, and how often each thing is meant. A use cannot come before the
paper that coined the name. What fits nothing stays open, in a group of its own.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from msgspec import Struct

from kg.model import Named
from kg.resolve.context import Contexts
from kg.resolve.forms import lacks_a_word, long_form, long_words, name_form, rarity, same_long_form, stands_for, stem
from kg.text import fold

NEW = frozenset({"proposed", "introduced"})
_COINED = re.compile(
    r"^(?:title prefix|long form in the title)$|\b(?:call|name|term|dub|coin|propos|introduc|denot|present|devis|develop|design)"
)
_HUMP = re.compile(r"[a-z][A-Z]")
_PROPOSES = re.compile(r"propos|introduc|present|our")
_LONG_NAME = 9  # letters of the stems from which a name of several words is its own long form
_SURE = 0.8  # confidence from which a proposal counts although the title does not name it
_OWN = 0.6  # confidence from which a proposal in other capitals counts
_KNOWN = 3  # earlier papers that make a name an old one
_FEW = 4  # letters of a word cut short
_TEAMS = 60  # papers of a sense whose authors are compared
_TEAM_YEARS = 4  # within which authors who use their name again mean the same thing

# Weights of a logistic regression on mentions whose long form tells what they mean, the long form
# hidden (see tests/benchmarks/bench_names.py for how well it does).
WEIGHTS = {"profile": 20.0, "spelled": 3.0, "count": 0.7, "case": 1.0, "authors": 3.0}
OTHER = {"method": 6.0, "dataset": 3.5}  # what speaks for "none of these"
_RARE = 3.2  # how much less for a name that hardly occurs by chance
_OTHER_CASE = 0.6  # how much of the same spelling another spelling of a rare name is worth
_FAMOUS = 2.5  # how much more for a sense that nearly all known uses mean
MAIN = (10, 0.9)  # uses, and share of the known uses, that make it so
_CLEAR = 0.55  # share of the belief that one sense needs


class Use(Struct, gc=False):
    """One paper's use of a name.

    Attributes:
        paper: index of the paper; place: index in the extraction's list.
        longs: stems of its long forms. coins: whether this paper seems to give the name.
    """

    paper: int
    place: int
    named: Named
    year: int | None
    longs: tuple[tuple[str, ...], ...] = ()
    coins: bool = False


@dataclass(slots=True)
class Sense:
    """One thing that a name means.

    Attributes:
        uses: in canonical order. long: its long form's stems. coiner: the use that gave the name.
        open: True for the uses of which it is not known what they mean.
    """

    uses: list[Use] = field(default_factory=list)
    long: tuple[str, ...] = ()
    coiner: Use | None = None
    open: bool = False


Expansions = Mapping[str, tuple[str, ...]]  # acronym -> the stems it nearly always stands for


def long_forms(named: Named, form: str, expansions: Expansions = MappingProxyType({})) -> tuple[tuple[str, ...], ...]:
    """The long forms that a paper gives for a name, as stems, the first printed first.

    Acronyms inside a long form are written out, so that "Wasserstein GAN" is what "Wasserstein generative
    adversarial network" is.
    """
    found = []
    for text in (*named.aliases, named.name):
        if " " in text or "-" in text:
            if not _is_long_form(named.name, text):
                continue
            stems = long_form(text)
            if expansions:
                stems = tuple(part for w in long_words(text) for part in _spelled_out(w, form, expansions))
            own = name_form(text) in (form, f"{form}s") and sum(map(len, stems)) < _LONG_NAME
            if stems and not own and stems not in found:
                found.append(stems)
    return tuple(found)


def _is_long_form(name: str, text: str) -> bool:
    """Whether a text can be a long form of a name: what a broken bracket or a list leaves beside a name is none."""
    if text == name:
        return " " in text or not _HUMP.search(text)  # "GP-BayesFilters" is short for something itself
    if text.count("(") != text.count(")"):
        return False
    if " " not in name:
        return stands_for(name, text)
    theirs = fold(text).split()
    own = [w for w in fold(name).split() if w not in theirs]
    kept = len(name.split()) - sum(not any(_abbreviates(w, t) for t in theirs) for w in own)
    return 2 * kept > len(name.split()) or stands_for(name, text)


def _abbreviates(short: str, word: str) -> bool:
    """Whether a few letters are a word cut short ("MS" for "Microsoft") or the two share their stem."""
    rest = iter(word)
    return stem(short) == stem(word) or (len(short) <= _FEW and short[0] == word[0] and all(c in rest for c in short))


def _spelled_out(word: str, form: str, expansions: Expansions) -> tuple[str, ...]:
    """The stem of a word, or the stems that it stands for where it is an acronym itself ("GANs", never "paced")."""
    acronym = word if word in expansions else word.removesuffix("s")
    return expansions[acronym] if acronym in expansions and acronym != form else (stem(word),)


def coins(named: Named, first: bool = False) -> bool:
    """Whether a paper seems to give a name, beyond calling something its own.

    Args:
        first: nobody uses the name before; then a title that starts with it tells enough.
    """
    if named.role not in NEW:
        return first and named.cue == "title prefix" and " " not in named.name
    if named.cue == "title prefix" or (named.cue == "long form in the title" and named.confidence >= _SURE):
        return True
    in_title = any(m.field == "title" for m in named.mentions)
    return named.confidence >= _SURE and (in_title or bool(_COINED.search(named.cue)))


def is_contested(uses: Sequence[Use]) -> bool:
    """Whether the group may hold more than one thing, so that texts must be compared."""
    if len(uses) < 2:
        return False
    return any(u.coins or u.named.role in NEW for u in uses) or len({long for u in uses for long in u.longs[:1]}) > 1


def undivided(uses: Sequence[Use]) -> Sense:
    """The one sense of a name that is not contested."""
    counts = Counter(long for u in uses for long in u.longs[:1])
    return Sense(list(uses), min(counts, key=lambda k: (-counts[k], k)) if counts else ())


def needs_texts(uses: Sequence[Use]) -> bool:
    """Whether some use of a contested name does not tell by itself what it means."""
    return any(not u.longs for u in uses)


def split(uses: Sequence[Use], kind: str, contexts: Contexts) -> list[Sense]:
    """The senses of one name; `uses` in canonical order (year, paper key, place)."""
    senses, rest = _by_long_form(uses)
    senses, rest = _by_coiner(senses, rest, contexts)
    senses = _one_rare_name(senses)
    if not senses:
        return [Sense(list(rest))]
    assigned, left = _assign(senses, rest, kind, contexts)
    for sense, use in assigned:
        sense.uses.append(use)
    if left:
        senses.append(Sense(left, open=True))
    return senses


def _by_long_form(uses: Sequence[Use]) -> tuple[list[Sense], list[Use]]:
    """Uses that tell what the acronym stands for, grouped; and the others."""
    counts = Counter(long for u in uses for long in u.longs)
    short = min((name_form(u.named.name) for u in uses), key=len)
    senses: list[Sense] = []
    home: dict[tuple[str, ...], Sense] = {}
    for long in sorted(counts, key=lambda k: (-counts[k], k)):
        sense = next((s for s in senses if same_long_form(s.long, long) or lacks_a_word(s.long, long, short)), None)
        if sense is None:
            sense = Sense(long=long)
            senses.append(sense)
        home[long] = sense
    rest = []
    for use in uses:
        if not use.longs:
            rest.append(use)
            continue
        best = max(use.longs, key=lambda k: (counts[k], k))
        home[best].uses.append(use)
    senses = [s for s in senses if s.uses]
    for sense in senses:
        own = all(u.named.role in NEW for u in sense.uses)  # nobody else uses it: it is theirs, whatever the words
        sense.coiner = next((u for u in sense.uses if u.coins or own), None)
    return senses, rest


def _by_coiner(senses: list[Sense], rest: Sequence[Use], contexts: Contexts) -> tuple[list[Sense], list[Use]]:
    """Papers that give the name without a long form: each a sense, unless its team had it before."""
    users = []
    titled = [u for u in rest if u.coins and u.named.cue == "title prefix"]
    total = Counter(u.year for u in rest if not u.coins and u.year is not None)
    for use in rest:
        if not (use.coins or _own_spelling(use, senses)):
            users.append(use)
            continue
        earlier = sum(n for year, n in total.items() if use.year is not None and year < use.year)
        team = next((s for s in senses if s.coiner and _one_team(s.coiner, use, contexts)), None)
        team = team or next((s for s in senses if s.long and contexts.titled(use.paper, s.long)), None)
        if team:
            team.uses.append(use)
            team.coiner = team.coiner or use
        elif use.coins and use.named.cue != "title prefix" and (earlier >= _KNOWN or _is_taken(use, titled)):
            users.append(use)  # an old name that this paper works on
        else:
            senses.append(Sense([use], coiner=use))
    return senses, users


def _own_spelling(use: Use, senses: Sequence[Sense]) -> bool:
    """Whether a paper proposes what it writes in other capitals than all who coined the name: `rcGAN` beside `RCGAN`."""
    coined = {s.coiner.named.name for s in senses if s.coiner}
    name = use.named.name
    if use.named.role not in NEW or use.named.confidence < _OWN or not coined:
        return False
    return all(name != c and name[1:] != c[1:] and name.casefold() == c.casefold() for c in coined)


def _one_rare_name(senses: list[Sense]) -> list[Sense]:
    """The senses, with a rare name's long form among its users joined to the one paper that gave the name without it."""
    coined = [s for s in senses if s.coiner and s.coiner.coins]
    others = [s for s in senses if s not in coined]
    if len(coined) != 1 or len(others) != 1 or coined[0].long or not coined[0].coiner:
        return senses
    coiner, other = coined[0].coiner, others[0]
    if other.coiner or rarity(coiner.named.name) < 1 or not all(_may_follow(u, coined[0]) for u in other.uses):
        return senses
    coined[0].uses += other.uses
    coined[0].long = other.long
    return coined


def _is_taken(use: Use, titled: Sequence[Use]) -> bool:
    """Whether a paper of the same time or before bears this rare name in its title."""
    if rarity(use.named.name) < _SURE:
        return False
    proposes = bool(_PROPOSES.search(use.named.cue))
    return any((u.year or 0) + proposes <= (use.year or 0) for u in titled)


def _one_team(one: Use, other: Use, contexts: Contexts) -> bool:
    if one.year is not None and other.year is not None and abs(one.year - other.year) > _TEAM_YEARS:
        return False
    return bool(contexts.authors(one.paper) & contexts.authors(other.paper))


def _assign(
    senses: list[Sense], rest: Sequence[Use], kind: str, contexts: Contexts
) -> tuple[list[tuple[Sense, Use]], list[Use]]:
    """What each use without a long form means, as far as it can be told."""
    if not rest:
        return [], []
    profiles = [contexts.profile([u.paper for u in s.uses]) for s in senses]
    hidden = [frozenset(w for text in _names_of(s) for w in text.lower().split()) for s in senses]
    known = sum(len(s.uses) for s in senses)
    least, share = MAIN
    famous = [len(s.uses) >= least and len(s.uses) >= share * known for s in senses]
    assigned, left = [], []
    for use in rest:
        scores = []
        for sense, profile, without, main in zip(senses, profiles, hidden, famous, strict=True):
            if not _may_follow(use, sense):
                scores.append(-math.inf)
                continue
            x = features(use, sense, profile, without, contexts)
            scores.append(sum(WEIGHTS[k] * v for k, v in x.items()) + _FAMOUS * main)
        other = OTHER[kind] - _RARE * rarity(use.named.name)
        best = max(range(len(senses)), key=lambda i: (scores[i], -i))
        top = scores[best]
        total = sum(math.exp(s - max(top, other)) for s in (*scores, other) if s > -math.inf)
        if top > -math.inf and math.exp(top - max(top, other)) / total >= _CLEAR:
            assigned.append((senses[best], use))
        else:
            left.append(use)
    return assigned, left


def _names_of(sense: Sense) -> set[str]:
    return {u.named.name for u in sense.uses}


def _may_follow(use: Use, sense: Sense) -> bool:
    """A use cannot come before the paper that coined the name (papers of one year may know each other)."""
    if sense.coiner is None or use.year is None:
        return True
    known = [u.year for u in sense.uses if u.year is not None]
    return not known or use.year >= min(known)


def features(
    use: Use, sense: Sense, profile: dict[str, float], without: frozenset[str], contexts: Contexts
) -> dict[str, float]:
    """What speaks for a use meaning a sense, as numbers for `WEIGHTS`."""
    spellings = _names_of(sense)
    known = [u for u in sense.uses[-_TEAMS:] if u is not use]
    known += [sense.coiner] if sense.coiner else []
    return {
        "profile": math.sqrt(contexts.fits(use.paper, profile, without)),
        "spelled": max(0.0, 2 * contexts.spells_out(use.paper, sense.long) - 1) if sense.long else 0.0,
        "count": math.log(len(sense.uses)),
        "case": 1.0 if use.named.name in spellings else _OTHER_CASE * rarity(use.named.name),
        "authors": float(any(contexts.authors(use.paper) & contexts.authors(u.paper) for u in known)),
    }
