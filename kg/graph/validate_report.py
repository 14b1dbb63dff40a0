"""What validation found, and the W3C's form of writing it (`sh:ValidationReport`)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from kg.vocab import PREFIXES

SEVERITIES = ("Violation", "Warning", "Info")


@dataclass(frozen=True, order=True)
class Breach:
    """One place where a constraint is broken.

    Attributes:
        shape, component: IRIs as in a SHACL report. path: IRI, property path as SPARQL writes it, or "".
        focus: IRI of the node. value: the value at fault as N-Triples writes it, or "".
        severity: see `SEVERITIES`. message: the rule, for people.
    """

    shape: str
    path: str
    component: str
    focus: str
    value: str
    severity: str
    message: str


@dataclass
class Outcome:
    """What validation found.

    Attributes:
        breaches: a limited number for each constraint, sorted. counts: severity -> number of all breaches.
        numbers: (shape, path, component) -> number of all its breaches.
        checks: constraints that ran. sampled: nodes that pySHACL checked as well; whole: those were all nodes.
        seconds: how long it took.
    """

    breaches: list[Breach] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEVERITIES, 0))
    numbers: dict[tuple[str, str, str], int] = field(default_factory=dict)
    checks: int = 0
    sampled: int = 0
    whole: bool = False
    seconds: float = 0.0

    @property
    def conforms(self) -> bool:
        """Whether nothing is broken; warnings are things to look at, not faults."""
        return not self.counts["Violation"]

    def add(self, breach: Breach, number: int = 1) -> None:
        """Counts breaches of one constraint, of which `breach` is one."""
        place = (breach.shape, breach.path, breach.component)
        self.numbers[place] = self.numbers.get(place, 0) + number
        self.counts[breach.severity] += number


def summary_rows(outcome: Outcome) -> list[tuple[str, int, str, str, str]]:
    """One row a broken constraint: severity, number, rule, one node, its value; the gravest first."""
    rows = []
    for place, number in outcome.numbers.items():
        first = next(b for b in outcome.breaches if (b.shape, b.path, b.component) == place)
        value = first.value if len(first.value) <= 120 else first.value[:119] + "…"
        rows.append((first.severity, number, first.message, shortened(first.focus), shortened(value)))
    return sorted(rows, key=lambda r: (SEVERITIES.index(r[0]), -r[1], r[2]))


def shortened(term: str) -> str:
    """An IRI, or a term as N-Triples writes it, with the usual prefixes, for people."""
    iri = term[1:-1] if term.startswith("<") else term
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri[len(namespace) :]}"
    return iri


def to_json(outcome: Outcome) -> str:
    """The outcome as a JSON object."""
    results = [
        {"severity": b.severity, "message": b.message, "node": b.focus, "path": b.path, "value": b.value,
         "constraint": b.component.rsplit("#", 1)[-1], "shape": b.shape}
        for b in outcome.breaches
    ]  # fmt: skip
    head = {"conforms": outcome.conforms, "counts": outcome.counts, "constraints": outcome.checks}
    return json.dumps({**head, "results": results}, ensure_ascii=False, indent=1)


def to_turtle(outcome: Outcome) -> bytes:
    """The outcome as a SHACL validation report; a property path that is no single property is left out."""
    import pyoxigraph as ox

    sh, xsd = "http://www.w3.org/ns/shacl#", "http://www.w3.org/2001/XMLSchema#"
    report, triples = ox.BlankNode("report"), []

    def add(subject: ox.BlankNode, name: str, obj: ox.NamedNode | ox.BlankNode | ox.Literal) -> None:
        triples.append(ox.Triple(subject, ox.NamedNode(sh + name), obj))

    kind = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    triples.append(ox.Triple(report, kind, ox.NamedNode(sh + "ValidationReport")))
    # SHACL counts results of every severity.
    add(report, "conforms", ox.Literal(str(not outcome.breaches).lower(), datatype=ox.NamedNode(xsd + "boolean")))
    results = [ox.BlankNode(f"r{n}") for n in range(len(outcome.breaches))]
    for result in results:
        add(report, "result", result)
    for result, breach in zip(results, outcome.breaches, strict=True):
        triples.append(ox.Triple(result, kind, ox.NamedNode(sh + "ValidationResult")))
        add(result, "focusNode", ox.NamedNode(breach.focus))
        if breach.path and breach.path[0] not in "^(<":
            add(result, "resultPath", ox.NamedNode(breach.path))
        if breach.value:
            line = f"<{breach.focus}> <{sh}value> {breach.value} ."
            add(result, "value", next(iter(ox.parse(line, ox.RdfFormat.N_TRIPLES))).object)
        add(result, "resultMessage", ox.Literal(breach.message))
        add(result, "resultSeverity", ox.NamedNode(sh + breach.severity))
        add(result, "sourceConstraintComponent", ox.NamedNode(breach.component))
        add(result, "sourceShape", ox.NamedNode(breach.shape))
    return ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes={"sh": sh, "xsd": xsd})
