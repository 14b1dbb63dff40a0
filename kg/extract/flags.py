"""Word classes as bits, so that the words around thousands of names are tested in one array operation."""

from __future__ import annotations

from kg.extract import words

_CLASSES: dict[str, frozenset[str]] = {
    "PROPOSE": words.PROPOSE,
    "NAMING": words.NAMING,
    "RELEASE": words.RELEASE,
    "EVALUATE": words.EVALUATE,
    "RESULT": words.SUBJECT_OF_RESULT,
    "SUCH": words.SUCH,
    "EMPLOY": words.EMPLOY,
    "DATA": words.DATA_NOUNS,
    "DATA_NARROW": words.DATA_NARROW,
    "METHOD": words.METHOD_NOUNS,
    "CONTAINS": words.CONTAINS,
    "AUTHORS": words.word_set("we our paper work article"),
    "OUR": words.word_set("our"),
    "ON": words.word_set("on"),
    "COMMA_AND": words.word_set(", and"),
    "COMMA_AND_STOP": words.word_set(", and ."),
    "LIST": words.word_set(", and & ( ) / or the as well"),
    "BRACKET": words.word_set("("),
    "ARTICLE": words.word_set("a an the our"),
    "INDEFINITE": words.word_set("a an"),
    "COMMA_IS": words.word_set(", is"),
    "DEFINES": words.word_set("is , - — – ("),
    "BREAK": words.word_set("; ."),
    "PREPOSITION": words.PREPOSITIONS,
    "AND_THE": words.word_set("and the or ,"),
}
BIT = {name: 1 << k for k, name in enumerate(_CLASSES)}


_BITS = {
    w: sum(BIT[name] for name, members in _CLASSES.items() if w in members)
    for w in frozenset().union(*_CLASSES.values())
}


def flags_of(word: str) -> int:
    """Bits of the classes a lower-case word is in."""
    return _BITS.get(word, 0)


def all_words() -> list[str]:
    """Every word that has a bit, sorted."""
    return sorted(_BITS)
