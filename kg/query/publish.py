"""The catalogue as RDF, so that editors and endpoints can offer it.

The form is the one of the SIB's SPARQL examples (https://github.com/sib-swiss/sparql-examples): one
`sh:SPARQLExecutable` a query with its text, a comment, keywords, and the prefixes it needs.
"""

from __future__ import annotations

import json
import re

from kg.query.catalogue import NamedQuery
from kg.vocab import DCTERMS, EVIDENCE_GRAPH, ID, PREFIXES, RDFS, SCHEMA, SKOS

SH = "http://www.w3.org/ns/shacl#"
_FORMS = {"SELECT": "Select", "CONSTRUCT": "Construct", "ASK": "Ask", "DESCRIBE": "Describe"}


def catalogue_turtle(catalogue: dict[str, NamedQuery]) -> str:
    """The whole catalogue as one Turtle document.

    Each query is `sh:SPARQLSelectExecutable`, `…ConstructExecutable` or `…AskExecutable`; its text
    stands with the prefixes it uses, so it runs wherever it is pasted, and `sh:prefixes` leads to the
    same declarations. A parameter is a variable of the text, described by `sh:parameter`. A query that asks
    for evidence says so by `dcterms:requires`: it runs where all graphs are asked as one, or load Turtle.
    """
    prefixes = f"{ID}queries/prefixes"
    lines = [
        f"@prefix sh: <{SH}> .",
        f"@prefix rdfs: <{RDFS}> .",
        f"@prefix schema: <{SCHEMA}> .",
        f"@prefix dcterms: <{DCTERMS}> .",
        f"@prefix skos: <{SKOS}> .",
        f"@prefix xsd: <{PREFIXES['xsd']}> .",
        "",
    ]
    for prefix, namespace in PREFIXES.items():
        lines += [
            f"<{prefixes}> sh:declare <{prefixes}/{prefix}> .",
            f'<{prefixes}/{prefix}> sh:prefix "{prefix}" ; sh:namespace "{namespace}"^^xsd:anyURI .',
        ]
    for query in catalogue.values():
        lines += ["", *_entry(query, prefixes)]
    return "\n".join(lines) + "\n"


def _entry(query: NamedQuery, prefixes: str) -> list[str]:
    body = "\n".join(line for line in query.text.splitlines() if not line.startswith("#"))
    form = next(word for word in re.findall(r"\w+", body) if word in _FORMS)
    used = [f"PREFIX {p}: <{ns}>" for p, ns in PREFIXES.items() if re.search(rf"(?<![\w$?]){p}:", body)]
    subject = f"{ID}queries/{query.name}"
    lines = [
        f"<{subject}> a sh:SPARQLExecutable, sh:SPARQL{_FORMS[form]}Executable ;",
        f"  rdfs:label {_text(query.title)} ;",
        f"  rdfs:comment {_text(query.question)}@en ;",
        f"  dcterms:identifier {_text(query.name)} ;",
        f"  schema:keywords {', '.join(_text(t) for t in query.tags)} ;",
        f"  sh:prefixes <{prefixes}> ;",
        f"  sh:{form.lower()} {_text(chr(10).join([*used, body.strip()]))}",
    ]
    if not query.plain:  # elsewhere the evidence must stand in the graph that is asked by default
        lines[-1] += f" ;\n  dcterms:requires <{EVIDENCE_GRAPH}>"
    for param in query.params:
        lines[-1] += " ;"
        lines.append(f"  sh:parameter <{subject}/{param.name}>")
    lines[-1] += " ."
    for param in query.params:
        lines.append(
            f"<{subject}/{param.name}> a sh:Parameter ; sh:path <{subject}/{param.name}> ; sh:name {_text(param.name)} ; "
            f"rdfs:comment {_text(param.type)} ; skos:example {_text(param.example)} ; "
            f"sh:optional {str(param.optional).lower()} ."
        )
    return lines


def _text(value: str) -> str:
    """A Turtle string; JSON escapes quotes, backslashes and line ends as Turtle does."""
    return json.dumps(value, ensure_ascii=False)
