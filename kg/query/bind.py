"""Puts terms in the place of variables, token by token.

The engines differ in how (and whether) they let a caller bind a variable: Oxigraph only binds what
the outermost SELECT projects, rdflib does not reach into sub-selects, an endpoint takes nothing but
text. So the query is split into its tokens and every token that is a bound variable becomes the
term's own token. A value can never become anything but one term: it is serialised by the RDF library,
and names inside strings, IRIs and comments are other tokens and stay as they are.

The tokens follow the SPARQL 1.1 grammar (https://www.w3.org/TR/sparql11-query/#sparqlGrammar). One
meaning changes by nature: `MINUS` compares shared variables, and a bound variable is none any more;
the catalogue says `FILTER NOT EXISTS`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping

from kg.errors import QueryError
from kg.store.results import Term

_LOCAL = r"(?:[\w.:-]|%[0-9A-Fa-f]{2}|\\.)*"
_TOKEN = re.compile(
    rf'''(?P<comment>\#[^\n\r]*)
    |(?P<iri><[^<>"{{}}|^`\\\x00-\x20]*>)
    |(?P<string>"""(?:[^"\\]|\\.|"(?!""))*"""|\'\'\'(?:[^'\\]|\\.|'(?!''))*\'\'\'
      |"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')
    |(?P<var>[?$]\w[\w\u00b7\u0300-\u036f\u203f\u2040]*)
    |(?P<word>[^\W\d][\w.-]*(?::{_LOCAL})?|:{_LOCAL})
    |(?P<mark>[(){{}}])
    |(?P<rest>.)''',
    re.X | re.S,
)
_CLAUSES = {"SELECT": "select", "VALUES": "values"}
_ENDS = frozenset(("WHERE", "FROM", "HAVING", "LIMIT", "OFFSET", "GROUP", "ORDER"))


def bind(query: str, bindings: Mapping[str, Term]) -> str:
    """The query with each bound variable replaced by its term.

    In the outer projection `?x` becomes `(term AS ?x)`, so that the answer keeps its columns;
    `BOUND(?x)` becomes true.

    Raises:
        QueryError: the query itself gives a value to a bound variable (`AS ?x`, `VALUES ?x`).
    """
    return _Binder(query, bindings).run() if bindings else query


_UPDATES = frozenset(("INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"))
_QUERIES = frozenset(("SELECT", "ASK", "CONSTRUCT", "DESCRIBE"))


def refuse_unsafe(query: str) -> None:
    """Refuses what would leave the graph: requests to other servers, and changes.

    Raises:
        QueryError: the query holds SERVICE, or is an update.
    """
    began, place = False, 0
    while match := _TOKEN.match(query, place):
        place = match.end()
        word = match.group().upper() if match["word"] else ""
        if word == "SERVICE":
            raise QueryError(
                "SERVICE asks another server, and a query opens no connection",
                hint="export what you need with kg export, or fetch the other data and ask over both files",
            )
        if word in _UPDATES and not began:
            raise QueryError(
                f"{word} changes a graph, and queries only read it",
                hint="kg build adds papers; overrides.toml corrects what is there",
            )
        began = began or word in _QUERIES


def names_graphs(query: str) -> bool:
    """Whether a query says itself which graphs it asks (FROM, FROM NAMED)."""
    place = 0
    while match := _TOKEN.match(query, place):
        place = match.end()
        if match["word"] and match.group().upper() == "FROM":
            return True
    return False


class _Binder:
    """One pass over the tokens of a query.

    `clause` is where the pass stands ("select", "group", "order", "values", or "" elsewhere), `depth`
    counts parentheses since that clause began, `braces` and `parens` those since the query began.
    """

    def __init__(self, query: str, bindings: Mapping[str, Term]) -> None:
        self.query, self.bindings = query, bindings
        self.out: list[str] = []
        self.last: deque[str] = deque(maxlen=2)  # tokens that mean something, upper case
        self.clause = ""
        self.depth = self.braces = self.parens = 0
        self.hidden = 0

    def run(self) -> str:
        place = 0
        while match := _TOKEN.match(self.query, place):
            token = match.group()
            if match["iri"] and self.parens and re.match(r"<[?$]\w", token):
                token = "<"  # "(?a<?b&&?c>?d)" compares; no IRI worth the name begins with a query
            place = match.start() + len(token)
            if match["var"] and token[1:] in self.bindings:
                self.out.append(self._replaced(token[1:], str(self.bindings[token[1:]])))
                self.last.append("?")
                continue
            if match["word"]:
                self._word(token.upper())
            elif match["mark"]:
                self._mark(token)
            self.out.append(token)
            if not match["comment"] and not token.isspace():
                self.last.append(token.upper())
        return "".join(self.out)

    def _word(self, word: str) -> None:
        if word in _CLAUSES:
            self.clause, self.depth = _CLAUSES[word], 0
        elif word == "BY" and self.last and self.last[-1] in ("GROUP", "ORDER"):
            self.clause, self.depth = self.last[-1].lower(), 0
        elif word in _ENDS:
            self.clause = ""

    def _mark(self, mark: str) -> None:
        change = {"(": 1, ")": -1}.get(mark, 0)
        self.depth += change
        self.parens += change
        if mark in "{}":
            self.braces += 1 if mark == "{" else -1
            self.clause = ""

    def _replaced(self, name: str, term: str) -> str:
        if self.clause == "values" or (self.last and self.last[-1] == "AS"):
            raise QueryError(
                f"the query gives ?{name} a value itself, so it cannot be a parameter", hint="use another variable name"
            )
        if list(self.last) == ["BOUND", "("]:
            while self.out.pop().upper() != "BOUND":
                pass
            self.out.append("(")
            return "true"
        if self.depth or not self.clause:
            return term
        if self.clause == "order":
            return f"({term})"
        if self.clause == "select" and not self.braces:
            return f"({term} AS ?{name})"
        # Outside a sub-select the variable is the term as well, so nothing there reads this column;
        # under its own name it would clash with the column of the outer projection. In GROUP BY
        # rdflib cannot do without a name.
        return f"({term} AS ?{self._unused(name)})"

    def _unused(self, name: str) -> str:
        self.hidden += 1
        while f"{name}_{self.hidden}" in self.query:
            self.hidden += 1
        return f"{name}_{self.hidden}"
