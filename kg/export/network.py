"""GraphML, GEXF and Cytoscape JSON, for Gephi, Cytoscape, yEd and networkx itself.

These formats know plain values only: lists are joined by "; ", what is missing is left out, and quotes
stay behind (`kg export -o x.nq` has them). Each edge has an id of its own, since the readers of these
formats take two edges of one id for one.
"""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx as nx

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def flat(graph: nx.MultiDiGraph) -> nx.MultiDiGraph:
    """A copy with plain attribute values and numbered edges, everything in a fixed order."""
    import networkx as nx

    plain = nx.MultiDiGraph()
    for node in sorted(graph):
        plain.add_node(node, **_plain(graph.nodes[node]))
    edges = sorted(graph.edges(keys=True, data=True), key=lambda e: e[:3])
    for number, (s, o, _, data) in enumerate(edges):
        values = _plain(data)
        plain.add_edge(s, o, key=f"e{number}", weight=values.pop("confidence", 1.0), **values)
    return plain


def graphml(graph: nx.MultiDiGraph) -> bytes:
    """GraphML; edge ids and `weight` (the confidence, 1 for what sources state) included."""
    import networkx as nx

    out = io.BytesIO()
    nx.write_graphml(flat(graph), out, named_key_ids=True)
    return out.getvalue()


def gexf(graph: nx.MultiDiGraph) -> bytes:
    """GEXF 1.2, without the date that the writer puts in: equal graphs are equal files."""
    import networkx as nx

    out = io.BytesIO()
    nx.write_gexf(flat(graph), out)
    return re.sub(rb' lastmodifieddate="[^"]*"', b"", out.getvalue())


def cyjs(graph: nx.MultiDiGraph) -> bytes:
    """Cytoscape JSON."""
    import networkx as nx

    return json.dumps(nx.cytoscape_data(flat(graph)), ensure_ascii=False, sort_keys=True, indent=0).encode()


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in sorted(values):
        value = values[name]
        if name == "evidence" or value is None:
            continue
        if isinstance(value, (list, tuple)):
            value = "; ".join(map(str, value))
        found[name] = _NOT_XML.sub("\ufffd", value) if isinstance(value, str) else value
    return found
