"""GraphML, GEXF and Cytoscape JSON, for Gephi, Cytoscape, yEd and networkx itself.

These formats know plain values only: lists are joined by "; ", what is missing is left out. Abstracts
and quotes stay behind (the tables and the RDF formats have them). Each edge has an id of its own, since
the readers of these formats take two edges of one id for one. Everything is written as it is read, so
memory does not grow with texts or edges.

GraphML: http://graphml.graphdrawing.org/specification.html. GEXF 1.2: https://gexf.net (viz module).
Cytoscape JSON: https://js.cytoscape.org/#notation/elements-json.
"""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO
from xml.sax.saxutils import escape, quoteattr

from kg.export.elements import Edge, Elements, Node
from kg.view.kinds import KINDS, OTHER

if TYPE_CHECKING:
    import networkx as nx

Positions = Mapping[str, tuple[float, float]]
Values = dict[str, Any]

# Every value a node or an edge can have, with its type in GraphML's words.
NODE_TYPES = {
    "kind": "string", "label": "string", "title": "string", "year": "int", "venue": "string", "authors": "string",
    "papers": "int", "aliases": "string", "identifiers": "string", "keywords": "string", "url": "string",
    "doi": "string", "repository_kind": "string", "status": "string", "x": "double", "y": "double",
}  # fmt: skip
EDGE_TYPES = {
    "relation": "string", "predicate": "string", "weight": "double", "confidence": "double", "cue": "string",
    "year": "int", "position": "int", "name": "string",
}  # fmt: skip
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_network(out: BinaryIO, suffix: str, elements: Elements, positions: Positions | None = None) -> None:
    """Writes "graphml", "gexf" or "cyjs".

    Args:
        positions: node -> (x, y), y downwards as on a screen; without them the reading program lays out.
    """
    nodes = (flat_node(node, positions) for node in elements.nodes())
    edges = (flat_edge(edge) for edge in elements.edges())
    for piece in WRITERS[suffix](nodes, edges):
        out.write(piece.encode("utf-8"))


def flat_node(node: Node, positions: Positions | None = None) -> tuple[str, Values]:
    """IRI and plain values of a node, with `x` and `y` where there are positions."""
    values = _plain(node.values, NODE_TYPES)
    if positions is not None and node.id in positions:
        values["x"], values["y"] = positions[node.id]
    return node.id, values


def flat_edge(edge: Edge) -> tuple[str, str, Values]:
    """Ends and plain values of an edge; `weight` is the confidence, 1 for what sources state."""
    values = {"relation": edge.relation, "predicate": edge.predicate, **edge.values}
    return edge.source, edge.target, _plain({**values, "weight": edge.values.get("confidence", 1.0)}, EDGE_TYPES)


def _plain(values: Values, types: Mapping[str, str]) -> Values:
    found: Values = {}
    for name in types:
        value = values.get(name)
        if value is None:
            continue
        if isinstance(value, (list, tuple)):
            value = "; ".join(map(str, value))
        found[name] = _NOT_XML.sub("\ufffd", value) if isinstance(value, str) else value
    return found


def _graphml(nodes: Iterable[tuple[str, Values]], edges: Iterable[tuple[str, str, Values]]) -> Iterator[str]:
    yield (
        "<?xml version='1.0' encoding='utf-8'?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns '
        'http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">\n'
    )
    for what, types in (("node", NODE_TYPES), ("edge", EDGE_TYPES)):
        for name, type in types.items():
            yield f'<key id="{what}_{name}" for="{what}" attr.name="{name}" attr.type="{type}"/>\n'
    yield '<graph edgedefault="directed">\n'
    for iri, values in nodes:
        yield f"<node id={quoteattr(iri)}>{_data('node', values)}</node>\n"
    for number, (source, target, values) in enumerate(edges):
        ends = f"source={quoteattr(source)} target={quoteattr(target)}"
        yield f'<edge id="e{number}" {ends}>{_data("edge", values)}</edge>\n'
    yield "</graph>\n</graphml>\n"


def _data(what: str, values: Values) -> str:
    return "".join(f'<data key="{what}_{n}">{_text(v)}</data>' for n, v in values.items())


def _gexf(nodes: Iterable[tuple[str, Values]], edges: Iterable[tuple[str, str, Values]]) -> Iterator[str]:
    yield (
        "<?xml version='1.0' encoding='utf-8'?>\n<gexf xmlns=\"http://www.gexf.net/1.2draft\" "
        'xmlns:viz="http://www.gexf.net/1.2draft/viz" version="1.2">\n'
        '<graph defaultedgetype="directed" mode="static">\n'
    )
    for what, types in (("node", NODE_TYPES), ("edge", EDGE_TYPES)):
        yield f'<attributes class="{what}" mode="static">\n'
        for name, type in types.items():
            if name not in ("x", "y", "weight", "label"):
                yield f'<attribute id="{what}_{name}" title="{name}" type="{type.replace("int", "integer")}"/>\n'
        yield "</attributes>\n"
    yield "<nodes>\n"
    for iri, values in nodes:
        label = values.pop("label")
        spot = _viz(values)
        yield f"<node id={quoteattr(iri)} label={_quoted(label)}>{_attvalues('node', values)}{spot}</node>\n"
    yield "</nodes>\n<edges>\n"
    for number, (source, target, values) in enumerate(edges):
        weight = values.pop("weight")
        ends = f"source={quoteattr(source)} target={quoteattr(target)}"
        label = f'label="{values["relation"]}" weight="{weight}"'
        yield f'<edge id="{number}" {ends} {label}>{_attvalues("edge", values)}</edge>\n'
    yield "</edges>\n</graph>\n</gexf>\n"


def _viz(values: Values) -> str:
    """Colour by kind, size by papers and, where known, the place (y upwards, as Gephi has it)."""
    color = KINDS.get(values["kind"], OTHER).color
    r, g, b = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    size = round(4 + 3 * math.sqrt(values.get("papers", 1)), 1)
    shown = f'<viz:color r="{r}" g="{g}" b="{b}"/><viz:size value="{size}"/>'
    if "x" in values:
        shown = f'<viz:position x="{values.pop("x")}" y="{-values.pop("y")}" z="0.0"/>{shown}'
    return shown


def _attvalues(what: str, values: Values) -> str:
    inside = "".join(f'<attvalue for="{what}_{n}" value={_quoted(v)}/>' for n, v in values.items())
    return f"<attvalues>{inside}</attvalues>"


def _text(value: object) -> str:
    return escape(str(value), {"\r": "&#13;"})


def _quoted(value: object) -> str:
    return quoteattr(str(value))


def _cyjs(nodes: Iterable[tuple[str, Values]], edges: Iterable[tuple[str, str, Values]]) -> Iterator[str]:
    """The form that networkx reads too: `value` and `name` of a node, `key` of an edge."""
    yield '{"data": [], "directed": true, "multigraph": true, "elements": {"nodes": [\n'
    first = True
    for iri, values in nodes:
        spot = {"x": values.pop("x"), "y": values.pop("y")} if "x" in values else None
        item: Values = {"data": {"id": iri, "value": iri, "name": values["label"], **values}}
        yield ("" if first else ",\n") + _json(item | ({"position": spot} if spot else {}))
        first = False
    yield '\n], "edges": [\n'
    first = True
    for number, (source, target, values) in enumerate(edges):
        key = {"id": f"e{number}", "key": f"e{number}", "source": source, "target": target}
        yield ("" if first else ",\n") + _json({"data": {**key, "interaction": values["relation"], **values}})
        first = False
    yield "\n]}}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


WRITERS: dict[str, Callable[..., Iterator[str]]] = {"graphml": _graphml, "gexf": _gexf, "cyjs": _cyjs}


def from_networkx(graph: nx.MultiDiGraph[str], suffix: str, positions: Positions | None = None) -> bytes:
    """The same formats of a graph as `kg.graph.networkx` or `kg.view.select` gives it."""
    papers = {n: len({s for s in graph.pred[n] if graph.nodes[s].get("kind") == "paper"}) for n in graph}
    described: list[tuple[str, Values]] = sorted(graph.nodes.items())
    nodes = (
        flat_node(Node(n, d if d.get("kind") == "paper" else {**d, "papers": papers[n]}), positions)
        for n, d in described
    )
    triples: list[tuple[str, str, str, Values]] = sorted(
        graph.edges(keys=True, data=True), key=lambda e: (e[0], e[1], e[3].get("predicate", e[2]))
    )
    edges = (
        flat_edge(Edge(s, o, d.get("relation", key), d.get("predicate", key), _with_year(graph, s, d)))
        for s, o, key, d in triples
    )
    out = io.StringIO()
    out.writelines(WRITERS[suffix](nodes, edges))
    return out.getvalue().encode("utf-8")


def _with_year(graph: nx.MultiDiGraph[str], source: str, values: Values) -> Values:
    year = graph.nodes[source].get("year")
    return values if year is None else {**values, "year": year}
