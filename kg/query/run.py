"""Runs named and ad-hoc queries: typed parameters become terms, prefixes are bound."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

import pyoxigraph as ox

from kg.errors import UsageError
from kg.query.bind import bind, names_graphs, refuse_unsafe
from kg.query.catalogue import NamedQuery, Param
from kg.query.index import expanded
from kg.query.lookup import Lookup
from kg.store.results import Result, Term
from kg.vocab import PREFIXES, XSD

_NAME = re.compile(r"\w+")
_DECIMAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)


class Store(Protocol):
    """What a query needs of a store."""

    def query(self, text: str, *, prefixes: Mapping[str, str] | None = None, union: bool = True) -> Result: ...


def run_named(store: Store, lookup: Lookup, query: NamedQuery, values: Mapping[str, str]) -> Result:
    """Runs a query of the catalogue; see `bindings_of`."""
    return ask(store, query.text, bindings_of(lookup, query, values), plain=query.plain)


def bindings_of(lookup: Lookup, query: NamedQuery, values: Mapping[str, str]) -> dict[str, Term]:
    """The terms that a query's parameters stand for.

    Args:
        values: parameter name -> what the user typed (a name, an id, an IRI, a number).

    Raises:
        QueryError: a parameter is unknown, missing or of the wrong type, or names nothing.
    """
    known = {p.name: p for p in query.params}
    for name in values:
        if name not in known:
            hint = "parameters: " + ", ".join(known) if known else "this query takes no parameters"
            raise UsageError(f"the query {query.name} has no parameter {name!r}", hint=hint)
    bindings: dict[str, Term] = {}
    for param in query.params:
        if param.name in values:
            bindings[param.name] = to_term(lookup, param, values[param.name])
        elif not param.optional:
            raise UsageError(
                f"the query {query.name} needs the parameter {param.name} ({param.type})",
                hint=f'-p {param.name}="{param.example}"',
            )
    return bindings


def run_text(store: Store, text: str, values: Mapping[str, str]) -> Result:
    """Runs an ad-hoc query; each value binds the variable of its name as an IRI, number or string."""
    for name in values:
        if not _NAME.fullmatch(name):
            raise UsageError(f"{name!r} is no variable name", hint="-p name=value, without ? or $")
    return ask(store, text, {k: _guess(v) for k, v in values.items()})


def ask(store: Store, text: str, bindings: Mapping[str, Term] | None = None, *, plain: bool = False) -> Result:
    """Runs a SPARQL text with the package's prefixes and some variables bound to terms.

    Args:
        plain: the unnamed graph alone is asked, not all graphs as one (unless the query names graphs itself).

    Raises:
        QueryError: see `kg.query.bind`; the query holds SERVICE or is an update.
    """
    refuse_unsafe(text)
    return store.query(bind(text, bindings or {}), prefixes=PREFIXES, union=not plain and not names_graphs(text))


def to_term(lookup: Lookup, param: Param, value: str) -> Term:
    """The term a typed parameter stands for."""
    if param.type == "text":
        return ox.Literal(value)
    if param.type == "integer":
        if not re.fullmatch(r"[+-]?\d+", value.strip(), re.ASCII):
            raise UsageError(
                f"{param.name} must be a whole number, not {value!r}", hint=f"-p {param.name}={param.example}"
            )
        return ox.Literal(str(int(value)), datatype=ox.NamedNode(XSD.integer))
    if param.type == "decimal":
        if not _DECIMAL.fullmatch(value.strip()):
            raise UsageError(f"{param.name} must be a number, not {value!r}", hint=f"-p {param.name}={param.example}")
        return ox.Literal(value.strip(), datatype=ox.NamedNode(XSD.decimal))
    return ox.NamedNode(lookup.one(value, param.type).iri)


def _guess(value: str) -> Term:
    bare = value.strip()
    if re.fullmatch(r"[+-]?\d+", bare, re.ASCII):
        return ox.Literal(bare, datatype=ox.NamedNode(XSD.integer))
    full = expanded(bare.strip("<>"))
    if re.match(r"https?://\S+$", full):
        try:
            return ox.NamedNode(full)
        except ValueError:
            pass
    return ox.Literal(value)
