"""Named methods and data sets: which mentions of which papers mean the same thing.

Within one paper extraction has already joined all forms of a name. Between papers two uses belong to
one group when their comparison forms agree (`kg.resolve.forms`), when one is the plural of the other
or has a common noun behind it, or when one is the long form of what the other abbreviates. A group
may hold several things; `kg.resolve.senses` tells them apart.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

from kg.model import Named, Paper
from kg.resolve.context import Contexts
from kg.resolve.forms import edition, long_form, name_form, shortens, without_head
from kg.resolve.senses import MAIN, Sense, Use, coins, is_contested, long_forms, needs_texts, split, undivided
from kg.text import digest, slug

_LONG = 11  # letters of the stems and their number; shorter long forms are ambiguous too often to join papers
_SHARE = 0.6  # of the papers that abbreviate a long form, how many must do it alike
_SHORT, _OFTEN = 5, 5  # letters, uses: of acronyms that are written out inside longer ones
_KEY = 80  # letters of a key
_OLDEST = 9999
_VERSION = re.compile(
    r"(?:[-_ ]?v?\d+(?:\.\d+)*[bkm]?|[-_ ](?:large|base|small|tiny|mini|nano|huge|giant|xl|xxl|chat|instruct|it|turbo|pro|"
    r"lite)|\+{1,2})$",
    re.IGNORECASE,
)


class NamedEntity(Struct):
    """One method or data set of the graph.

    Attributes:
        key: last part of its IRI. label: its most frequent spelling. aliases: all others, sorted.
        ambiguous: True when the papers use a name of which it is not known what it means here.
        coiner: key of the paper that gave the name, where one is known.
        form: comparison form of the name; entities that share it are homographs.
    """

    key: str
    label: str
    aliases: tuple[str, ...] = ()
    ambiguous: bool = False
    coiner: str = ""
    form: str = ""


class Names(Struct):
    """The outcome for one kind of name.

    Attributes:
        entities: key -> entity. of: (paper key, index in the extraction's list) -> entity key.
        homographs: comparison form -> the entity keys that share it, where there are several.
        broader: key of a version or size -> key of what it is a version of.
        spellings: how many different spellings the entities were made of.
        replaced: key of an entity that a correction joined to another -> key of that.
    """

    entities: dict[str, NamedEntity]
    of: dict[tuple[str, int], str]
    homographs: dict[str, list[str]]
    broader: dict[str, str] = {}
    spellings: int = 0
    replaced: dict[str, str] = {}


def resolve_names(papers: Sequence[Paper], found: Sequence[tuple[Named, ...]], kind: str) -> Names:
    """Groups the names of all papers into entities; the order of the papers is irrelevant.

    Args:
        found: for each paper, the methods or the data sets extraction found in it.
        kind: "method" or "dataset".
    """
    order = sorted(range(len(papers)), key=lambda i: (papers[i].year or _OLDEST, papers[i].key))
    uses = [Use(i, place, named, papers[i].year) for i in order for place, named in enumerate(found[i])]
    groups = _groups(uses, kind)
    expansions = _expansions(groups)
    for form, members in groups.items():
        for use in members:
            use.longs = long_forms(use.named, form, expansions)
            use.coins = coins(use.named, first=use.year is not None and use.year == members[0].year)
    contested = {form for form, members in groups.items() if is_contested(members)}
    contexts = Contexts(papers, [u.paper for form in contested if needs_texts(groups[form]) for u in groups[form]])
    senses = {f: split(m, kind, contexts) if f in contested else [undivided(m)] for f, m in sorted(groups.items())}
    return _entities(papers, _joined_by_long_form(senses))


def _groups(uses: Sequence[Use], kind: str) -> dict[str, list[Use]]:
    """Uses by the form that all ways to write a name share."""
    written: dict[str, Counter[str]] = defaultdict(Counter)
    for use in uses:
        written[name_form(use.named.name)][use.named.name] += 1
    same = _same_forms(written, uses, kind)
    groups: dict[str, list[Use]] = defaultdict(list)
    for use in uses:
        form = name_form(use.named.name)
        seen = {form}
        while (target := same.get(form, form)) not in seen:
            seen.add(target)
            form = target
        groups[form].append(use)
    return groups


def _expansions(groups: dict[str, list[Use]]) -> dict[str, tuple[str, ...]]:
    """Short acronyms that nearly always stand for the same words, and the stems of those."""
    found = {}
    for form, members in groups.items():
        if len(form) <= _SHORT and len(members) >= _OFTEN:
            counts = Counter(stems for use in members for stems in long_forms(use.named, form)[:1])
            if counts:
                stems = min(counts, key=lambda s: (-counts[s], s))
                if counts[stems] >= _OFTEN and counts[stems] >= _SHARE * counts.total():
                    found[form] = stems
    return found


def _same_forms(written: dict[str, Counter[str]], uses: Sequence[Use], kind: str) -> dict[str, str]:
    """Forms that are only another way to write a name, and that name's form."""
    owners: dict[str, Counter[str]] = defaultdict(Counter)
    for use in uses:
        form = name_form(use.named.name)
        for stems in long_forms(use.named, form):
            if use.named.aliases and stems != long_form(use.named.name):
                owners["".join(stems)][form] += 1
    same = _cut_short(written, uses)
    for form, names in written.items():
        if form in same:
            continue
        name = min(names, key=lambda n: (-names[n], n))
        bare = without_head(name, kind)
        if bare and bare != form and len(bare) >= 2 and bare in written:
            same[form] = bare
        elif form.endswith("s") and form[:-1] in written and _is_plural(name, written[form[:-1]]):
            same[form] = form[:-1]
        elif form.endswith(("sses", "xes", "ches")) and form[:-2] in written and " " in name:
            same[form] = form[:-2]
        elif " " in name or "-" in name:
            stems = long_form(name)
            short = owners.get("".join(stems))
            if stems and short and sum(map(len, stems)) + len(stems) >= _LONG:
                best = min(short, key=lambda f: (-short[f], f))
                if best != form and short[best] >= _SHARE * short.total():
                    same[form] = best
    return same


def _cut_short(written: dict[str, Counter[str]], uses: Sequence[Use]) -> dict[str, str]:
    """Forms that papers themselves say are a longer name cut short ("ICDAR 2015 (IC15)"), and that name's form."""
    said: dict[str, Counter[str]] = defaultdict(Counter)
    for use in uses:
        for alias in use.named.aliases:
            if shortens(use.named.name, alias) and name_form(alias) in written:
                said[name_form(use.named.name)][name_form(alias)] += 1
    found = {}
    for form, longer in said.items():
        best = min(longer, key=lambda f: (-longer[f], f))
        if longer[best] >= _SHARE * longer.total():
            found[form] = best
    return found


def _is_plural(name: str, singular: Iterable[str]) -> bool:
    """ "ECBMs" beside "ECBM", "Gaussian processes", "Transformers"; never "MAPS" or "Maps" beside "MAP"."""
    if not name.endswith("s") or name.endswith(("ss", "us", "is")):
        return False
    if name[-2:-1].isupper():
        return name[:-1] in singular
    words = re.split(r"[\s-]", name)
    if len(words) > 1:
        return len(words[-1]) > 4
    inner = any(c.isupper() for c in name[1:])
    return name[:-1] in singular and len(name) > (5 if inner else 6)


def _joined_by_long_form(senses: dict[str, list[Sense]]) -> list[tuple[str, list[Sense]]]:
    """The groups, with senses of one long form under different acronyms made one.

    Two papers that coin different acronyms for the same words have made two things; so has who adds a number.
    """
    by_long: dict[str, list[tuple[str, Sense]]] = defaultdict(list)
    for form, found in senses.items():
        for sense in found:
            if sense.long and sum(map(len, sense.long)) + len(sense.long) >= _LONG:
                by_long["".join(sense.long)].append((form, sense))
    for long in sorted(by_long):
        alike = sorted(by_long[long], key=lambda fs: (-len(fs[1].uses), fs[0]))
        first, main = alike[0]
        for form, sense in alike[1:]:
            if (main.coiner and sense.coiner) or edition(form) != edition(first):
                continue
            main.uses += sense.uses
            main.coiner = main.coiner or sense.coiner
            senses[form].remove(sense)
    return [(form, found) for form, found in senses.items() if found]


def _entities(papers: Sequence[Paper], groups: list[tuple[str, list[Sense]]]) -> Names:
    slugs = _slugs([form for form, _ in groups])
    entities: dict[str, NamedEntity] = {}
    of: dict[tuple[str, int], str] = {}
    homographs: dict[str, list[str]] = {}
    sizes: Counter[str] = Counter()
    plain: dict[str, str] = {}
    for form, senses in groups:
        for key, sense in _keyed(slugs[form], senses, papers):
            while key in entities:  # two groups whose keys fall together
                key = f"{key}-{digest(form, *sense.long, length=6)}"
            spellings = Counter(u.named.name for u in sense.uses)
            label = min(spellings, key=lambda s: (-spellings[s], s))
            others = {a for u in sense.uses for a in (u.named.name, *u.named.aliases) if _whole(a)} - {label}
            coiner = papers[sense.coiner.paper].key if sense.coiner else ""
            entities[key] = NamedEntity(key, label, tuple(sorted(others)), sense.open, coiner, form)
            of.update({(papers[u.paper].key, u.place): key for u in sense.uses})
            homographs.setdefault(form, []).append(key)
            sizes[key] = len(sense.uses)
            if key == slugs[form] and not sense.open:
                plain[form] = key
    several = {form: sorted(keys) for form, keys in homographs.items() if len(keys) > 1}
    spelled = len({name for e in entities.values() for name in (e.label, *e.aliases)})
    return Names(entities, of, several, _broader(entities, plain, sizes), spelled)


def _whole(alias: str) -> bool:
    """Whether every bracket of an alias has its other half; a piece cut out of a sentence is no name."""
    return alias.count("(") == alias.count(")") and alias.count("[") == alias.count("]")


def _keyed(key: str, senses: list[Sense], papers: Sequence[Paper]) -> Iterable[tuple[str, Sense]]:
    """Keys of the senses of one name: the plain one where the name has one meaning or one main meaning."""
    if len(senses) == 1:
        yield key, senses[0]
        return
    known = [s for s in senses if not s.open]
    largest = max(known, key=lambda s: len(s.uses))
    least, share = MAIN
    has_main = len(largest.uses) >= least and len(largest.uses) >= share * sum(len(s.uses) for s in known)
    for sense in senses:
        if has_main and sense is largest:
            yield key, sense
        elif sense.open:
            yield (f"{key}-ambiguous" if has_main else key), sense
        elif sense.coiner:
            yield f"{key}-{digest(papers[sense.coiner.paper].key, length=6)}", sense
        else:
            yield f"{key}-{_spelled(sense)}"[:_KEY].rstrip("-"), sense


def _spelled(sense: Sense) -> str:
    """The long form of a sense, for its key: of several spellings the first by letters."""
    written = {a for u in sense.uses for a in (*u.named.aliases, u.named.name) if long_form(a)}
    exact = {slug(a) for a in written if long_form(a) == sense.long}
    return min(exact or {slug(a) for a in written}, default="-".join(sense.long))


def _broader(entities: dict[str, NamedEntity], plain: dict[str, str], sizes: Counter[str]) -> dict[str, str]:
    """Versions and sizes of a named thing ("ImageNet-1k", "Llama 2 7B"), by their names alone."""
    found = {}
    for key, entity in entities.items():
        version = _VERSION.search(entity.label)
        if version is None or entity.ambiguous:
            continue
        base = plain.get(name_form(entity.label[: version.start()]))
        if base and base != key and sizes[base] >= 2 and len(entities[base].form) >= 3:
            known = (entities[base].label, *entities[base].aliases)
            if any(entity.label.startswith(name) for name in known):
                found[key] = base
    return found


def _slugs(forms: Iterable[str]) -> dict[str, str]:
    """An IRI key for each comparison form; different forms never share one."""
    wanted: dict[str, list[str]] = defaultdict(list)
    for form in forms:
        wanted[slug(form) or digest(form, length=8)].append(form)
    return {
        form: key if len(alike) == 1 or form == key else f"{key}-{digest(form, length=6)}"
        for key, alike in wanted.items()
        for form in alike
    }
