"""Puts terms in the place of variables, token by token.

The engines differ in how (and whether) they let a caller bind a variable: Oxigraph only binds what
the outermost SELECT projects, rdflib does not reach into sub-selects, an endpoint takes nothing but
text. So the query is split into its tokens and every token that is a bound variable becomes the
term's own token. A value can never become anything but one term: it is serialised by the RDF library,
and names inside strings, IRIs and comments are other tokens and stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kg.errors import QueryError
from kg.store.results import Term

_TOKEN = re.compile(
    r'''(?P<skip>\#[^\n\r]*
      |<[^<>"{}|^`\\\x00-\x20]*>
      |"""(?:[^"\\]|\\.|"(?!""))*"""|\'\'\'(?:[^'\\]|\\.|'(?!''))*\'\'\'
      |"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')
    |(?P<var>[?$][^\W]\w*)
    |(?P<word>[A-Za-z_][\w.-]*:?[\w.-]*|:[\w.-]*)
    |(?P<mark>[(){}])
    |(?P<rest>.)''',
    re.X | re.S,
)


def bind(query: str, bindings: Mapping[str, Term]) -> str:
    """The query with each bound variable replaced by its term.

    In a projection `?x` becomes `(term AS ?x)`, so that the answer keeps its columns; `BOUND(?x)`
    becomes true.

    Raises:
        QueryError: the query itself gives a value to a bound variable (`AS ?x`, `VALUES ?x`).
    """
    if not bindings:
        return query
    out: list[str] = []
    depth = 0  # of parentheses since the last SELECT or GROUP BY
    mode = ""  # "select" between SELECT and its pattern, "group" after GROUP BY
    words: list[str] = []  # the last tokens that are not blank, upper case
    for match in _TOKEN.finditer(query):
        token = match.group()
        if match["word"]:
            mode = _mode(mode, token.upper(), words)
            depth = 0 if token.upper() in ("SELECT", "GROUP") else depth
        elif match["mark"]:
            depth += {"(": 1, ")": -1}.get(token, 0)
            mode = "" if token in "{}" else mode
        elif match["var"] and token[1:] in bindings:
            out.append(_replaced(token, str(bindings[token[1:]]), mode if depth == 0 else "", words, out))
            words.append("?")
            continue
        out.append(token)
        if not token.isspace() and not (match["skip"] and token.startswith("#")):
            words.append(token.upper())
    return "".join(out)


def _mode(mode: str, word: str, words: list[str]) -> str:
    if word == "SELECT":
        return "select"
    if word == "BY" and words[-1:] == ["GROUP"]:
        return "group"
    return "" if word in ("WHERE", "FROM", "HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES") else mode


def _replaced(variable: str, term: str, mode: str, words: list[str], out: list[str]) -> str:
    if words[-1:] in (["AS"], ["VALUES"]):
        raise QueryError(
            f"the query gives {variable} a value itself, so it cannot be a parameter", hint="use another variable name"
        )
    if words[-2:] == ["BOUND", "("]:
        while out.pop().upper() != "BOUND":
            pass
        out.append("(")
        return "true"
    if mode == "select":
        return f"({term} AS ?{variable[1:]})"
    return f"({term})" if mode == "group" else term
