"""Whether two printed names can belong to one person, and through which kind of difference."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from kg.resolve.people.names import block_key, clean, nicknames, words
from kg.text import fold

Kind = Literal["same", "spelling", "extra names", "initials", "nickname", "surname", ""]

# Call names of one given name, each line one family; facts of English usage and a few neighbours.
_FAMILIES = """
abigail abby|alexander alex sasha aleksandr alexandre|alexandra sasha alex|andrew andy drew|anthony tony antonio
benjamin ben|catherine katherine kate cathy kathy katie kathryn|charles charlie chuck chas|christopher chris
christina chris tina|daniel dan danny|david dave davi|deborah debbie deb|dmitry dmitrii dmitriy dima|donald don
douglas doug|edward ed eddie ted|elizabeth liz beth betty eliza|eugene gene evgeny evgenii|florian flo|frederick fred
gabriel gabe|geoffrey geoff|gregory greg grigory|henry harry hank|isaac ike|jacob jake|james jim jimmy jamie
jeffrey jeff|jennifer jen jenny|jessica jess|jonathan jon john|joseph joe joey jose|joshua josh|judith judy
kenneth ken|lawrence larry|leonard leo len leonidas|margaret maggie peggy meg|matthew matt matthias|maximilian max
michael mike mikhail misha|mikhail misha|nathaniel nathan nate|nicholas nick nicolas nikolaos nikos|pamela pam
patricia pat patty|patrick pat|peter pete|philip phil philippe|rebecca becky|richard rick dick rich|robert bob rob bobby bert
ronald ron|ruslan russ|russell russ|samuel sam|samantha sam|stephen steve steven|steven steve|susan sue suzanne|suzanne susan|theodore ted theo
thomas tom tommy|timothy tim|valentin val|victor vic viktor|vincent vince|vladimir vova|william bill will billy liam
yevgeny evgeny|zachary zach zack|sergey sergei serge|aleksei alexey alexei alyosha|yuri yury iurii|mohammad mohammed muhammad mohamed
""".replace("\n", "|")
_FAMILY: dict[str, set[int]] = {}
for _number, _line in enumerate(_FAMILIES.split("|")):
    for _word in _line.split():
        _FAMILY.setdefault(_word, set()).add(_number)

_LONG = 6  # letters; "Yu" and "Yue", "Xufei" and "Xuefei" are two names
_LOOSE = (
    ("ae", "a"),
    ("oe", "o"),
    ("ue", "u"),
    ("aa", "a"),
    ("ph", "f"),
    ("ck", "k"),
    ("ou", "u"),
    ("iy", "y"),
    ("ii", "i"),
)


@lru_cache(maxsize=1 << 18)  # a large graph has more than 100,000 words in names
def loose(word: str) -> str:
    """A word as transliterations agree on it.

    >>> loose("mueller") == loose("muller"), loose("soelch") == loose("solch")
    (True, True)
    """
    for long, short in _LOOSE:
        word = word.replace(long, short)
    return "".join(c for i, c in enumerate(word) if i == 0 or c != word[i - 1])


@lru_cache(maxsize=1 << 16)
def compatible(one: str, other: str) -> Kind:
    """How two printed names can be one person's, or "" when they cannot.

    "same": one comparison form; "spelling": spaces, hyphens, order or transliteration; "extra names":
    one leaves out middle names or a second surname; "initials"; "nickname": Bob for Robert, or a
    bracketed call name; "surname": all given names agree but the surname does not.

    >>> compatible("Jun Yan Zhu", "Junyan Zhu"), compatible("T. L. Griffiths", "Thomas Griffiths")
    ('spelling', 'initials')
    >>> compatible("Thomas L. Griffiths", "Thomas M. Griffiths")
    ''
    """
    if block_key(one) == block_key(other):
        return "same"
    a, b = words(one), words(other)
    if len(a) < 2 or len(b) < 2:
        return "spelling" if _glued(a) & _glued(b) else ""
    if _glued(a) & _glued(b):
        return "spelling"
    call = (nicknames(one), nicknames(other))
    straight = _in_order(a, b, call)
    if straight not in ("", "surname"):
        return straight
    # A double-barrelled surname, or given name, of which the other name prints one half.
    halves = _in_order(tuple(fold(clean(one)).split()), tuple(fold(clean(other)).split()), call)
    if halves in ("spelling", "extra names", "initials"):
        return halves
    if straight:
        return straight
    for turned in (b[::-1], b[1:] + b[:1], b[-1:] + b[:-1]):
        found = _in_order(a, turned, call)
        if found in ("same", "spelling"):
            return "spelling"
        if found in ("extra names", "initials"):
            return found
    return ""


def _glued(parts: tuple[str, ...]) -> set[str]:
    whole = "".join(parts)
    return {whole, "".join(parts[-1:] + parts[:-1]), "".join(parts[1:] + parts[:1])} if len(whole) > 4 else set()


def _in_order(a: tuple[str, ...], b: tuple[str, ...], call: tuple[tuple[str, ...], tuple[str, ...]]) -> Kind:
    first, last = _word(a[0], b[0]), _word(a[-1], b[-1])
    if not first and (a[0] in call[1] or b[0] in call[0]):
        first = "nickname"
    if last not in ("same", "spelling"):
        middle = _middle(a[1:-1], b[1:-1])
        if first == "same" and len(a[0]) > 2:
            if len(a) != len(b) and set(a[1:]) & set(b[1:]):  # a second surname, before or after
                return "extra names"
            if middle == "same" and len(a) == len(b):
                return "surname"
        return ""
    middle = _middle(a[1:-1], b[1:-1])
    if not first or not middle:
        return ""
    for kind in ("nickname", "initials", "extra names", "spelling"):
        if kind in (first, middle, last):
            return kind  # type: ignore[return-value]
    return "same"


def _word(a: str, b: str) -> Kind:
    if a == b:
        return "same"
    if len(a) == 1 or len(b) == 1:
        return "initials" if a[0] == b[0] else ""
    if min(len(a), len(b)) >= _LONG and loose(a) == loose(b):
        return "spelling"
    return "nickname" if _FAMILY.get(a, set()) & _FAMILY.get(b, set()) else ""


def _middle(a: tuple[str, ...], b: tuple[str, ...]) -> Kind:
    if not a or not b:
        return "same" if a == b else "extra names"
    if len(a) == len(b):
        kinds = [_word(x, y) for x, y in zip(a, b, strict=True)]
        return "" if "" in kinds else next((k for k in kinds if k != "same"), "same")
    short, long = sorted((a, b), key=len)
    rest = list(long)
    for word in short:
        match = next((w for w in rest if _word(word, w)), None)
        if match is None:
            return ""
        rest.remove(match)
    return "extra names"
