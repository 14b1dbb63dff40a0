r"""Comparison forms: how two spellings of one name come out equal, and two names do not.

Case, accents, markup, hyphens and blanks do not count; digits, the point in a version and a closing
plus or star do, so that `CIFAR10` equals `CIFAR-10` while `Llama 2`, `Llama 3` and `Qwen2.5` stay apart.
"""

from __future__ import annotations

import re
from functools import lru_cache

from kg.text import fold

_NAMES_OF_GREEK = """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau
upsilon phi chi psi omega"""
_GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _NAMES_OF_GREEK.split(), strict=True))
_GREEK |= {letter.upper(): name for letter, name in _GREEK.items()} | {"∞": "infty", "ϵ": "epsilon", "ϕ": "phi"}
_LETTERS = str.maketrans(_GREEK)
_COMMAND = re.compile(r"\\(?:text|math)?(?:bf|tt|it|rm|sc|sf|sl|cal|bb|scr|frak|normal)?(?![A-Za-z])|\\(?:emph|textsc)")
_MARK = re.compile(r"[\\${}^_`]")
_EDITION = re.compile(r"[\d.]*[+*]*$")
_TAIL = re.compile(r"[+*]+$")
_BRITISH = re.compile(r"is(?=ation|ing$|ed$|e$|er$)")
_VERSION = re.compile(r"(?<=\d)\.(?=\d)")
_OWNER = re.compile(r"['’]s\b")
_HEADS = {
    "dataset": frozenset(("dataset", "datasets", "benchmark", "benchmarks", "corpus", "database", "testbed")),
    "method": frozenset(("algorithm", "model", "models", "method", "framework", "optimizer", "optimiser", "architecture")),
}  # fmt: skip
_RUN = 10  # letters of a long form without its blanks
_DIMENSIONS = re.compile(r"\b(\d) ?d\b")
_NUMBER = re.compile(r"\d+")
_SMALL = frozenset(("a", "an", "and", "for", "in", "of", "on", "the", "to", "via", "with", "by", "from"))
_ENDINGS = ("ations", "ation", "ings", "ing", "ness", "ers", "ies", "ions", "ion", "ors", "ical", "ally", "al", "ed",
            "es", "er", "or", "ly", "s", "e", "y")  # fmt: skip


@lru_cache(maxsize=1 << 18)
def name_form(name: str) -> str:
    r"""Comparison form of a method's or data set's name.

    >>> name_form("M³HF") == name_form(r"$\text{M}^3\text{HF}$"), name_form("CIFAR-10") == name_form("cifar10")
    (True, True)
    >>> name_form("Qwen2.5"), name_form("DETR++"), name_form("YAGO3-10")
    ('qwen2.5', 'detr++', 'yago3-10')
    """
    bare = name.strip()
    if "\\" in bare or "$" in bare or "{" in bare:
        bare = _MARK.sub("", _COMMAND.sub("", bare)).strip()
    if not bare.isascii():
        bare = bare.translate(_LETTERS)
    if "." in bare and _VERSION.search(bare):
        key = ".".join(_joined(part) for part in _VERSION.split(bare))
    else:
        key = _joined(bare)
    tail = _TAIL.search(bare)
    return (key + tail.group() if tail else key) or bare


def _joined(text: str) -> str:
    """Folded words without blanks; between two digits a hyphen keeps them two numbers."""
    words = fold(text).split()
    if len(words) < 2:
        return words[0] if words else ""
    out = words[0]
    for word in words[1:]:
        out += "-" + word if out[-1].isdigit() and word[0].isdigit() else word
    return out


@lru_cache(maxsize=1 << 18)
def without_head(name: str, kind: str) -> str:
    """The form of a name without the common noun behind it ("the MNIST dataset"); "" where there is none."""
    words = _OWNER.sub("", name).split()
    if words and words[0].casefold() == "the":
        words = words[1:]
    if len(words) > 2 and [w.casefold() for w in words[-2:]] in (["data", "set"], ["data", "sets"]):
        return name_form(" ".join(words[:-2]))
    if len(words) > 1 and words[-1].casefold() in _HEADS[kind]:
        return name_form(" ".join(words[:-1]))
    return name_form(" ".join(words)) if words and len(words) < len(name.split()) else ""


@lru_cache(maxsize=1 << 18)
def long_form(text: str) -> tuple[str, ...]:
    """Stems of the words of a long form, in order, without small words; () when it is no long form.

    >>> long_form("Deep Embedded Clustering") == long_form("deep embedding clustering")
    True
    """
    words = long_words(text)
    return tuple(map(stem, words)) if words else ()


@lru_cache(maxsize=1 << 18)
def long_words(text: str) -> tuple[str, ...]:
    """The words of a long form that `long_form` makes stems of."""
    words = [w for w in _DIMENSIONS.sub(r"\1 dimensional", fold(text)).split() if w not in _SMALL]
    return tuple(words) if len(words) >= 2 and sum(map(len, words)) >= 8 else ()


@lru_cache(maxsize=1 << 18)
def stands_for(short: str, long: str) -> bool:
    """Whether a short name can stand for a long form: its capitals open words of it, in order, most of them.

    What stands in brackets behind a name is often no long form: "ImageNet (image generation on …)".

    >>> stands_for("SCISSOR", "Semantic Cluster Intervention for Suppressing ShORtcut")
    True
    >>> stands_for("ImageNet", "image classification, semantic segmentation")
    False
    """
    capitals = [c for c in short if c.isupper()] or [c for c in short if c.isalpha()]
    rest = [word[0] for word in fold(long).split()]
    opened, wanted = 0, [c.casefold() for c in capitals]
    for letter in wanted:
        if letter in rest:
            opened += 1
            rest = rest[rest.index(letter) + 1 :]
    return opened >= 0.6 * len(wanted)


@lru_cache(maxsize=1 << 17)
def shortens(short: str, long: str) -> bool:
    """Whether a name with a number is another one cut short: its letters in order, the end of its number.

    >>> shortens("IC15", "ICDAR 2015"), shortens("IN-1k", "ImageNet-1k"), shortens("IC13", "ICDAR 2015")
    (True, True, False)
    """
    a, b = name_form(short), name_form(long)
    numbers = _NUMBER.findall(a), _NUMBER.findall(b)
    if len(a) >= len(b) or len(numbers[0]) != 1 or len(numbers[1]) != 1 or not numbers[1][0].endswith(numbers[0][0]):
        return False
    rest = iter(_NUMBER.sub("", b))
    letters = _NUMBER.sub("", a)
    return a[0].isalpha() and a[0] == b[0] and all(c in rest for c in letters)


def edition(form: str) -> str:
    """What stands behind a name and makes it another edition of it: a number, a plus, a star.

    >>> edition("rious+"), edition("yolov3"), edition("resnet")
    ('+', '3', '')
    """
    found = _EDITION.search(form)
    return found.group() if found else ""


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """A word without its ending; enough to compare long forms, no real morphology."""
    if word in ("net", "nets"):
        return "network"
    if len(word) > 5:
        word = _BRITISH.sub("iz", word).replace("our", "or")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not (ending == "s" and word.endswith("ss")):
            bare = word[: -len(ending)]
            # "filtering" ends where "filter" does
            return bare[:-2] if ending in ("ing", "ings") and bare.endswith(("er", "or")) and len(bare) > 5 else bare
    return word


# Of two long forms one of which has such a word more, both mean the same thing.
_HEAD_STEMS = frozenset(map(stem, ("method", "algorithm", "framework", "approach", "technique")))


def same_long_form(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether two long forms are one but for word order, a typing error or one word more."""
    if a == b or _abbreviates(a, b) or _abbreviates(b, a) or _written_apart("".join(a), "".join(b), len(a) != len(b)):
        return True
    x, y = set(a), set(b)
    common = len(x & y)
    if common == min(len(x), len(y)) and common >= 2 and max(len(x), len(y)) - common <= 1:
        return common >= 3 or max(len(x), len(y)) == common or bool((x ^ y) & _HEAD_STEMS)
    rest = sorted(x - y), sorted(y - x)
    return len(a) == len(b) and len(rest[0]) == len(rest[1]) == 1 and (common >= 1) and _alike(rest[0][0], rest[1][0])


def lacks_a_word(a: tuple[str, ...], b: tuple[str, ...], short: str) -> bool:
    """Whether one of two long forms of an acronym is the other without a word that the acronym has a letter for.

    >>> lacks_a_word(("polic", "optimiz"), ("proxim", "polic", "optimiz"), "ppo")
    True
    """
    less, more = sorted((a, b), key=len)
    if len(less) < 2 or len(more) != len(less) + 1 or "".join(w[0] for w in more) != short:
        return False
    return less in (more[1:], more[:-1])


def _written_apart(a: str, b: str, apart: bool) -> bool:
    """Whether two long forms differ in blanks alone ("wide band"); the end of a word that only one has may be cut off."""
    if a == b or not apart or min(len(a), len(b)) < _RUN:
        return a == b
    from rapidfuzz.distance import OSA

    return OSA.distance(a, b, score_cutoff=1) <= 1


def _abbreviates(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether b writes a run of the words of a as their initials ("gradient-weighted CAM")."""
    run = len(a) - len(b) + 1
    return run >= 2 and any(
        a[:i] == b[:i] and a[i + run :] == b[i + 1 :] and b[i] == "".join(w[0] for w in a[i : i + run])
        for i in range(len(b))
    )


def _alike(a: str, b: str) -> bool:
    """One typing error apart, or one the beginning of the other."""
    if a[:5] == b[:5] and min(len(a), len(b)) >= 5:
        return True
    from rapidfuzz.distance import OSA

    return min(len(a), len(b)) >= 4 and OSA.distance(a, b, score_cutoff=1) <= 1


def rarity(name: str) -> float:
    """How unlikely it is that two things come by this name independently: 0 (`PAN`, `Gemini`) to 1 (`PointRCNN`).

    Short acronyms and words are coined again and again; mixed case, digits and unspeakable letters hardly are.
    """
    letters = [c for c in name if c.isalnum()]
    if len(letters) < 3:
        return 0.0
    lower = sum(c.islower() for c in letters)
    inner = sum(c.isupper() for c in letters[1:])
    digits = sum(c.isdigit() for c in letters)
    words = len(name.split())
    if words > 1 and lower:
        return 1.0
    if lower and (inner or digits):
        return min(1.0, 0.3 * (len(letters) - 2))
    if not lower:
        vowels = sum(c in "AEIOUY" for c in letters)
        speakable = not digits and 0.2 <= vowels / len(letters) <= 0.6
        size = len(letters) + digits
        return max(0.0, min(1.0, (size - 3) * 0.25)) * (0.5 if speakable else 1.0)
    return max(0.0, min(0.8, (len(letters) - 6) * 0.2))
