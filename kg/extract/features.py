"""Dense features of candidates: name, position, cues around it, paper; all as array operations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kg.extract.analysis import Analysis
from kg.extract.batch import FIRST_WORD, Batch, Name
from kg.extract.candidates import K
from kg.extract.flags import BIT
from kg.extract.tokens import key
from kg.extract.words import DATA_NARROW, PREPOSITIONS

SUMMED = ("our", "naming", "data_after", "narrow_after", "method_after", "on_before", "listed", "such_before",
          "result_after", "is_a", "bracketed", "opens")  # fmt: skip
ANY = ("proposing", "proposing_sentence", "release_before", "employ_before", "data_before", "list_after_on", "evaluating",
       "contains_after", "is_data", "is_method", "data_between", "data_follows", "outermost", "naming_direct",
       "cut", "head_data", "head_method")  # fmt: skip
PLACE = ("verb_distance", "in_body", "in_title", "sentences", "first", "first_share", "last_share", "spread",
         "first_to_propose", "near_propose")  # fmt: skip
PAPER = ("has_prefix", "has_title", "candidates", "rank", "in_title_text", "times", "is_short", "is_long", "long_in_title",
         "partner_times", "long_data", "abbreviations", "sentence_count", "propose_sentence", "title_data",
         "title_data_after_colon", "releases_data", "prefix_at_colon", "title_is_data", "data_words", "method_words",
         "title_capitals")  # fmt: skip
_RAREST, _STEPS = 99, 1 << 30  # above the logarithm of any rank; steps of one unit of it
RARITY = ("rarest", "commonest", "rarity", "unknown")
FIELDS = (*Name.FIELDS, *(f"kind_{k.lower()}" for k in K), *SUMMED, *ANY, *PLACE, *RARITY, *PAPER)


def dense_features(b: Batch, analyses: Sequence[Analysis], names: Sequence[Name]) -> np.ndarray:
    """One row a candidate, columns as `FIELDS`."""
    n = len(names)
    look = np.array([x.dense for x in names], np.float32).reshape(n, len(Name.FIELDS))
    kinds = ((b.kinds[:, None] >> np.arange(len(K))) & 1).astype(np.float32)
    sentences = _Sentences(b)
    places = _Places(b, sentences)
    return np.hstack([look, kinds, places.features(n), _rarity(b, n), _paper_rows(b, analyses, sentences)])


class _Sentences:
    """Word classes of whole sentences, and where each paper proposes something.

    Attributes:
        bits, proposes: per sentence; start: first sentence of each paper; count: sentences of each paper;
        lead: first sentence in which the abstract proposes, counted in the paper (count where none does);
        data: whether a sentence that proposes speaks of data sets.
    """

    def __init__(self, b: Batch) -> None:
        inside = np.nonzero(b.sentence >= 0)[0]
        starts = np.nonzero(np.diff(b.sentence[inside], prepend=-1))[0]
        self.bits = np.bitwise_or.reduceat(b.bits[inside], starts) if len(inside) else np.zeros(0, np.int64)
        self.proposes = (self.bits & BIT["PROPOSE"] > 0) & (self.bits & BIT["AUTHORS"] > 0)
        bounds = np.array(b.sentence_start, np.int64)
        self.start, self.count = bounds[:-1], np.diff(bounds)
        self.lead = self.count.copy()
        self.data = np.zeros(len(self.count), bool)
        for p in range(len(self.count)):
            skip = 1 if b.title_end[p] > b.token_start[p] else 0  # a title is not asked
            own = slice(bounds[p] + skip, bounds[p + 1])
            hits = np.nonzero(self.proposes[own])[0]
            if len(hits):
                self.lead[p] = hits[0] + skip
                self.data[p] = (self.bits[own][hits] & BIT["DATA_NARROW"] > 0).any()


class _Places:
    """Cues at the places in abstracts, folded into one row a candidate."""

    def __init__(self, b: Batch, sentences: _Sentences) -> None:
        self.b, self.sentences = b, sentences
        self.body = np.nonzero(~b.titled)[0]
        self.s, self.e = b.first[self.body], b.last[self.body]
        self.owner = b.owner[self.body]
        self.here = b.sentence[self.s]
        self.before = self._window(self.s[:, None] - 1 - np.arange(10))
        after = self._window(self.e[:, None] + np.arange(14))
        self.after = np.where(b.cut[self.body][:, None], 0, after)

    def _window(self, at: np.ndarray) -> np.ndarray:
        return np.where(self.b.sentence[at] == self.here[:, None], self.b.bits[at], 0)

    def features(self, n: int) -> np.ndarray:
        b, before, after = self.b, self.before, self.after
        p1, p2, p3 = before[:, 0], before[:, 1], before[:, 2]
        n1, n2 = after[:, 0], after[:, 1]
        has = lambda bits, name: (bits & BIT[name]) > 0  # noqa: E731
        near2, next2 = p1 | p2, n1 | n2
        stopped = np.cumsum(has(before, "BREAK"), axis=1) > 0
        verbs = has(before, "PROPOSE") & ~stopped
        distance = np.where(verbs.any(1), verbs.argmax(1) + 1, 0)
        facts = self.sentences.bits[self.here]
        in_six = np.bitwise_or.reduce(before[:, :6], axis=1)
        in_ten_after = np.bitwise_or.reduce(after[:, :10], axis=1)
        proposing_sentence = has(facts, "PROPOSE")
        defines = has(n1, "DEFINES") | has(n2, "INDEFINITE")
        opens = b.sentence[self.s - 1] != self.here
        summed = np.stack([
            has(near2, "OUR"), has(near2, "NAMING"), has(next2, "DATA"), has(next2, "DATA_NARROW"), has(next2, "METHOD"),
            has(near2 | p3, "ON"), has(p1, "COMMA_AND") & has(n1, "COMMA_AND_STOP"), has(near2, "SUCH"),
            has(next2, "RESULT"), has(n1, "COMMA_IS") & has(n2, "ARTICLE"), has(p1, "BRACKET"), opens,
        ])  # fmt: skip
        any_ = np.stack([
            verbs.any(1), self.sentences.proposes[self.here], has(in_six, "RELEASE"), has(in_six, "EMPLOY"), has(in_six, "DATA"),
            self._list_after_on(), has(facts, "EVALUATE"), has(n1, "CONTAINS"), defines & has(in_ten_after, "DATA_NARROW"),
            defines & has(in_ten_after, "METHOD"),
            proposing_sentence & has(np.bitwise_or.reduce(before[:, :9], axis=1), "DATA_NARROW"),
            proposing_sentence & has(np.bitwise_or.reduce(after, axis=1), "DATA_NARROW"),
            self._outermost(), has(p1, "NAMING"), b.cut[self.body], defines & self._head("DATA_NARROW"),
            defines & self._head("METHOD"),
        ])  # fmt: skip
        out = [_fold(np.add, x, self.owner, n) for x in summed]
        out += [_fold(np.maximum, x, self.owner, n) for x in any_]
        return np.column_stack([*out, *self._positions(n, distance)]).astype(np.float32)

    def _list_after_on(self) -> np.ndarray:
        """Is there an "on" or a data word before, with nothing but names, commas and "and" between?"""
        b = self.b
        at = self.s[:, None] - 1 - np.arange(10)
        bits = self.before
        goal = (bits & (BIT["ON"] | BIT["DATA"])) > 0
        wall = (b.lower[at] & ((bits & BIT["AND_THE"]) == 0) & ~goal) | (b.sentence[at] != self.here[:, None])
        walled = np.cumsum(wall, axis=1) > 0
        return (goal & ~walled).any(1)

    def _head(self, name: str) -> np.ndarray:
        """Does a word of the class come before any preposition in the ten words after the place?"""
        after = self.after[:, :10]
        passed = np.cumsum((after & BIT["PREPOSITION"]) > 0, axis=1) > 0
        return (((after & BIT[name]) > 0) & ~passed).any(1)

    def _outermost(self) -> np.ndarray:
        """Is no longer candidate around the first token of the place?"""
        widest = np.zeros(len(self.b.ids), np.int64)
        length = self.e - self.s
        for k in range(int(length.max(initial=0))):
            sel = length > k
            np.maximum.at(widest, self.s[sel] + k, length[sel])
        return widest[self.s] <= length

    def _positions(self, n: int, distance: np.ndarray) -> list[np.ndarray]:
        b = self.b
        paper = b.papers
        body = np.bincount(self.owner, minlength=n)
        title = np.bincount(b.owner[b.titled], minlength=n)
        local = self.here - self.sentences.start[paper[self.owner]]
        total = self.sentences.count[paper].astype(np.float32)
        first = np.full(n, 999, np.int64)
        last = np.full(n, -1, np.int64)
        np.minimum.at(first, self.owner, local)
        np.maximum.at(last, self.owner, local)
        none = body == 0
        first[none] = total[none]
        last[none] = total[none]
        pairs = np.unique(self.owner * 100_000 + local)
        sentences = np.bincount(pairs // 100_000, minlength=n)
        lead = self.sentences.lead[paper]
        near = np.full(n, 9, np.int64)
        np.minimum.at(near, self.owner, np.abs(local - lead[self.owner]))
        closest = np.full(n, 99, np.int64)
        np.minimum.at(closest, self.owner, np.where(distance > 0, distance, 99))
        closest[closest == 99] = 0
        share = np.maximum(total, 1)
        return [closest, body, title, sentences, first, first / share, last / share, last - first, first - lead, near]


def _rarity(b: Batch, n: int) -> np.ndarray:
    """How rare the words of each name are: the logarithm of their rank in the vocabulary."""
    order = np.argsort(b.titled, kind="stable")  # a place in the abstract, where there is one
    _, first = np.unique(b.owner[order], return_index=True)
    place = order[first]
    start, end = b.first[place], b.last[place]
    at = start[:, None] + np.arange(int((end - start).max(initial=1)))
    inside = at < end[:, None]
    ids = b.ids[np.minimum(at, len(b.ids) - 1)]
    unknown = ids < FIRST_WORD
    # Whole steps: a sum of them does not depend on how wide the widest name of the batch made the array.
    rank = np.round(np.log(np.where(unknown, b.vocabulary_size, ids)) * _STEPS).astype(np.int64)
    size = np.maximum(inside.sum(axis=1), 1)
    rows = [
        np.where(inside, rank, 0).max(axis=1, initial=0) / _STEPS,
        np.where(inside, rank, _RAREST * _STEPS).min(axis=1, initial=_RAREST * _STEPS) / _STEPS,
        np.where(inside, rank, 0).sum(axis=1) / (size * _STEPS),
        (unknown & inside).sum(axis=1),
    ]
    return np.column_stack(rows).astype(np.float32).reshape(n, len(RARITY))


def _fold(how: np.ufunc, values: np.ndarray, owner: np.ndarray, n: int) -> np.ndarray:
    out = np.zeros(n, np.int64)
    how.at(out, owner, values.astype(np.int64))
    return out


def _paper_rows(b: Batch, analyses: Sequence[Analysis], sentences: _Sentences) -> np.ndarray:
    rows = []
    k = 0
    for p, a in enumerate(analyses):
        t = a.tokens
        lower, title_end = t.lower, t.title_end
        text = t.text.lower()
        title_key = key(text[: t.abstract_at]) if title_end else ""
        data = [w in DATA_NARROW for w in lower[:title_end]]
        colon = next((x for x in range(title_end) if t.words[x] in ":—"), -1)
        data_after = colon >= 0 and any(data[colon + 1 :])
        is_data = _is_data(lower[colon + 1 : title_end])
        inside = b.bits[b.title_end[p] : b.token_start[p] + len(lower)]
        long_words = [w for w in t.words[1:title_end] if len(w) > 3 and w.isalpha()]
        title_capitals = sum(w[0].isupper() for w in long_words) / len(long_words) if long_words else -1.0
        words = [int(np.count_nonzero(inside & BIT[x])) for x in ("DATA_NARROW", "METHOD")]
        short = {}
        long = {}
        for s, w in a.abbreviations:
            ks, kl = key(t.slice(*s)), key(t.slice(*w))
            short.setdefault(ks, (kl, lower[w[1] - 1] in DATA_NARROW))
            long.setdefault(kl, ks)
        counts = [len(c.spans) for c in a.candidates.values()]
        most = max(counts, default=1)
        prefix = any(c.kinds & K["TITLE_PREFIX"] for c in a.candidates.values())
        shared = (float(prefix), float(title_end > 0), len(counts))
        tail = (
            len(a.abbreviations),
            len(t.first),
            sentences.lead[p],
            float(any(data)),
            float(data_after),
            float(sentences.data[p]),
        )
        for c in a.candidates.values():
            surface = b.surfaces[k].lower()
            k += 1
            is_short, is_long = short.get(c.key), long.get(c.key)
            in_title = float(c.key in title_key) if len(c.key) > 2 else 0.0
            partner = is_short[0] if is_short else is_long
            rows.append((
                *shared, len(c.spans) / most, in_title, text.count(surface) if len(surface) > 2 else len(c.spans),
                float(is_short is not None), float(is_long is not None),
                float(bool(is_short) and len(is_short[0]) > 5 and is_short[0] in title_key)
                or float(bool(is_long) and len(is_long) > 2 and is_long in title_key),
                len(a.candidates[partner].spans) if partner in a.candidates else 0,
                float(bool(is_short) and is_short[1]), *tail, float(colon >= 0 and bool(c.kinds & K["TITLE_PREFIX"])),
                float(is_data), *words, title_capitals,
            ))  # fmt: skip
    return np.array(rows, np.float32).reshape(len(rows), len(PAPER))


def _is_data(title: Sequence[str]) -> bool:
    """Does a title (after its colon) say that the paper is a data set: "a large benchmark for …"?

    The noun must end a phrase, and no preposition or gerund may come before it.
    """
    for k, w in enumerate(title):
        if w in DATA_NARROW and (k + 1 == len(title) or title[k + 1] in PREPOSITIONS or title[k + 1] in "—–:,("):
            return True
        if w in PREPOSITIONS or (w.endswith("ing") and k == 0):
            return False
    return False
