"""A graph as what the page reads: pyvis' nodes, edges and options, and the facts beside them."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, Any

from kg.view.evidence import places
from kg.view.kinds import KINDS, RELATIONS, kind_of, phrases

if TYPE_CHECKING:
    import networkx as nx
    from pyvis.network import Network

PLEASANT = 2_000  # nodes up to which a page is pleasant to look at
_MANY = 3_000  # edges above which they have no arrow heads, and hide while the map is dragged
_NODE_FACTS = {"aliases": "a", "year": "y", "venue": "v", "url": "u", "abstract": "t", "authors": "w", "title": "s"}
_EDGE_FACTS = {"confidence", "cue", "position", "evidence", "relation", "predicate", "name"}


def network(graph: nx.MultiDiGraph, positions: Mapping[str, tuple[float, float]]) -> Network:
    """The graph in a pyvis `Network`, ids being the rank of each IRI among all.

    Nodes and edges are pyvis' own objects, appended directly: its `add_node` and `add_edge` search a
    list at every call, which makes them quadratic.
    """
    from pyvis.edge import Edge
    from pyvis.network import Network
    from pyvis.node import Node

    names = sorted(graph)
    index = {name: i for i, name in enumerate(names)}
    large = len(names) > PLEASANT
    net = Network(directed=True, cdn_resources="in_line")
    many = graph.number_of_edges() > _MANY
    net.options = _options(large, many)
    for name, i in index.items():
        data = graph.nodes[name]
        kind = kind_of(data.get("kind"))
        size = _size(graph.degree(name), large) * kind.scale
        x, y = positions[name]
        node = Node(i, kind.shape, label(name, data), group=str(data.get("kind") or "other"),
                    x=round(x), y=round(y), size=round(size, 1))  # fmt: skip
        net.nodes.append(node.options)
        net.node_ids.append(i)
        net.node_map[i] = node.options
    for u, v, key, data in edges(graph):
        along, against = phrases(str(data.get("relation") or key))
        net.edges.append(Edge(index[u], index[v], not many and along != against).options)
    return net


def facts(graph: nx.MultiDiGraph) -> dict[str, Any]:
    """Everything the page says about nodes and edges, row by row in the order of `network`."""
    relations: dict[str, tuple[int, str]] = {}
    cues: dict[str, int] = {}
    rows = []
    for u, v, key, data in edges(graph):
        row = _edge_row(graph, u, v, data)
        relation = str(data.get("relation") or key)
        row["r"], _ = relations.setdefault(relation, (len(relations), str(data.get("predicate") or "")))
        if data.get("cue"):
            row["q"] = cues.setdefault(str(data["cue"]), len(cues))
        rows.append(row)
    return {
        "kinds": kinds(graph),
        "relations": [[name, *phrases(name), _rank(name), term] for name, (_, term) in relations.items()],
        "cues": list(cues),
        "nodes": [_node_row(name, graph.nodes[name]) for name in sorted(graph)],
        "edges": rows,
    }


def kinds(graph: nx.MultiDiGraph) -> list[dict[str, Any]]:
    """Kinds that occur, with their look and count: the known ones in the table's order, then the others."""
    counted = Counter(str(kind or "other") for _, kind in graph.nodes(data="kind"))
    order = [k for k in KINDS if k in counted] + sorted(k for k in counted if k not in KINDS)
    return [{"key": key, "count": counted[key], **kind_of(key)._asdict()} for key in order]


def edges(graph: nx.MultiDiGraph) -> list[tuple[str, str, Any, dict[str, Any]]]:
    """The edges in the page's order, which does not depend on how the graph was made."""
    return sorted(graph.edges(keys=True, data=True), key=lambda e: (e[0], e[1], str(e[2])))


def label(name: str, data: Mapping[str, Any]) -> str:
    """What a node is called on the page: its label, else the last part of its IRI."""
    return str(data.get("label") or "").strip() and str(data["label"]) or name.rstrip("/").rsplit("/", 1)[-1] or name


def to_json(value: Any) -> str:
    """JSON that can stand inside a `<script>` element: ASCII, without `<`, `>` and `&`."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _node_row(name: str, data: Mapping[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"i": name}
    for attribute, short in _NODE_FACTS.items():
        value = data.get(attribute)
        if value not in (None, "", [], ()):
            row[short] = _plain(value)
    if "t" in row:
        row["t"] = _abstract(data)
    if row.get("s") == label(name, data):
        del row["s"]
    if more := _more(data, {*_NODE_FACTS, "kind", "label"}):
        row["f"] = more
    return row


def _edge_row(graph: nx.MultiDiGraph, u: str, v: str, data: Mapping[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    if (confidence := _number(data.get("confidence"))) is not None:
        row["c"] = round(confidence, 3)
    if data.get("position") is not None:
        row["p"] = _plain(data["position"])
    if data.get("evidence"):
        paper = u if graph.nodes[u].get("kind") == "paper" or graph.nodes[v].get("kind") != "paper" else v
        source = graph.nodes[paper]
        row["e"] = places(data["evidence"], _title(paper, source), _abstract(source))
    more = _more(data, _EDGE_FACTS)
    if data.get("name") and data["name"] != graph.nodes[v].get("label"):
        more["printed as"] = str(data["name"])
    if more:
        row["f"] = more
    return row


def _title(name: str, data: Mapping[str, Any]) -> str:
    """The text that offsets into a title count in: the source's own, where the label is a tidied one."""
    return str(data.get("title") or "") or label(name, data)


def _abstract(data: Mapping[str, Any]) -> str:
    return str(data.get("abstract") or "")


def _more(data: Mapping[str, Any], known: Container[str]) -> dict[str, Any]:
    """Attributes beyond the known ones, so that nothing a graph says is lost on the page."""
    rest = {str(k): _plain(v) for k, v in data.items() if k not in known and v not in (None, "", [], ())}
    return dict(sorted(rest.items()))


def _plain(value: Any) -> Any:
    """The value as JSON holds it: numbers, text, and flat lists of these in a stable order."""
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, set | frozenset):
        return sorted(str(v) for v in value)
    if isinstance(value, Mapping):
        return [f"{k}: {v}" for k, v in value.items()]
    if isinstance(value, list | tuple):
        return [v if isinstance(v, int | str) else str(v) for v in value]
    return str(value)


def _rank(relation: str) -> int:
    """Place of a relation among the groups of the details."""
    return list(RELATIONS).index(relation) if relation in RELATIONS else len(RELATIONS)


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _size(degree: int, large: bool) -> float:
    """Radius of a node: it grows with the root of its number of edges."""
    grown = (16 if large else 9) + (4 if large else 2.6) * math.sqrt(max(degree - 1, 0))
    return min(grown, 110 if large else 32)


def _options(large: bool, many: bool) -> dict[str, Any]:
    """vis-network's options: nothing moves, edges are straight, the page does selecting and hovering."""
    return {
        "autoResize": True,
        "physics": {"enabled": False},
        "layout": {"improvedLayout": False},
        "interaction": {
            "dragNodes": False, "hover": False, "selectable": False, "multiselect": False,
            "keyboard": False, "hideEdgesOnDrag": many, "hideEdgesOnZoom": many, "hideNodesOnDrag": large,
        },
        "nodes": {"borderWidth": 0, "chosen": False, "labelHighlightBold": False},
        "edges": {
            "smooth": {"enabled": False}, "chosen": False, "width": 1.5 if large else 1.2, "selectionWidth": 0,
            "hoverWidth": 0, "color": {"color": "#858c99", "opacity": 0.1 if large else 0.5, "inherit": False},
            "arrows": {"to": {"scaleFactor": 0.4}}, "arrowStrikethrough": False,
        },
    }  # fmt: skip
