"""The page itself: template, style and scripts in one file that asks for nothing else."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import tempfile
from collections.abc import Mapping
from functools import cache
from importlib import resources
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg._version import __version__
from kg.errors import ExportError
from kg.view import payload
from kg.view.positions import even, layout

if TYPE_CHECKING:
    import networkx as nx

# The scripts share one scope and are joined in this order.
_SCRIPTS = ("model.js", "map.js", "search.js", "panel.js", "main.js")
_SURROGATES = re.compile("[\ud800-\udfff]")
_EMPTY = "The graph this page was made of has no entities."


def write_html(
    graph: nx.MultiDiGraph,
    path: Path,
    *,
    title: str,
    subtitle: str = "",
    positions: Mapping[str, tuple[float, float]] | None = None,
) -> None:
    """Write the graph as one HTML file that works from disk, without any network.

    The same graph gives the same bytes. The file is complete or is not there: it replaces an older
    one only once it is written.

    Args:
        graph: nodes are IRIs with `kind`, `label` and, where known, `aliases`, `year`, `venue`,
            `url`, `abstract`, `authors`; edges carry `relation` (or have it as their key) and, where
            known, `confidence`, `cue`, `position`, `evidence` (offsets in code points). Further
            attributes are shown as they are. `graph.graph["notes"]` may hold sentences to show above
            the map, `graph.graph["empty"]` the reason why there is nothing to see.
        path: the file to write; its folder is made when it is missing.
        title, subtitle: plain text.
        positions: position of each node; computed by `layout` unless every node has a finite one.

    Raises:
        ExportError: the file cannot be written.
    """
    html = render(graph, title=title, subtitle=subtitle, positions=positions)
    _replace(Path(path), html.encode("utf-8"))


def render(
    graph: nx.MultiDiGraph,
    *,
    title: str,
    subtitle: str = "",
    positions: Mapping[str, tuple[float, float]] | None = None,
) -> str:
    """The page as text; see `write_html`."""
    from jinja2 import Environment

    style = _own("view.css")
    shown: dict[str, Any] = {
        "version": __version__,
        "title": _text(title) or "Knowledge graph",
        "subtitle": _text(subtitle),
        "notes": [_text(str(note)) for note in graph.graph.get("notes", ())],
        "style": style,
        "empty": "",
        "scripts": [],
        "csp": _policy(style, ()),
        "large": len(graph) > payload.PLEASANT,
    }
    if len(graph) == 0:
        shown["empty"] = _text(str(graph.graph.get("empty") or _EMPTY))
    else:
        spots = positions if positions and _complete(positions, graph) else layout(graph)
        nodes, edges, *_ = (net := payload.network(graph, even(spots, graph))).get_network_data()
        library, licence = vis_network()
        own = "(() => {\n'use strict';\n" + "\n".join(_own(f"js/{name}") for name in _SCRIPTS) + "})();\n"
        shown |= {
            "data": payload.to_json(
                {"nodes": nodes, "edges": edges, "options": net.options, "facts": payload.facts(graph)}
            ),
            "scripts": [library, own],
            "csp": _policy(style, (library, own)),
            "licence": licence,
            "nodes": len(nodes),
            "edges": len(edges),
            "kinds": [
                {k: _text(v) if isinstance(v, str) else v for k, v in kind.items()} for kind in payload.kinds(graph)
            ],
        }
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(_own("template.html"))
    return template.render(shown)


@cache
def vis_network() -> tuple[str, str]:
    """vis-network's script as pyvis carries it, and a line on its version and licence.

    Raises:
        ExportError: the installed pyvis does not carry it.
    """
    import pyvis

    libraries = Path(pyvis.__file__).parent / "templates" / "lib"
    found = sorted(libraries.glob("vis-*/vis-network.min.js"), key=_release)
    if not found:
        raise ExportError(
            "the installed pyvis carries no vis-network script", place=str(libraries),
            hint="pip install --force-reinstall pyvis",
        )  # fmt: skip
    script = found[-1].read_text(encoding="utf-8")
    script = re.sub(r"\n//# sourceMappingURL=.*", "\n", script)  # developer tools would ask for it
    script = re.sub(r"</(?=script)", r"<\\/", script, flags=re.IGNORECASE)
    banner = script[:2000]
    version = re.search(r"@version\s+(\S+)", banner)
    holders = re.findall(r"@copyright\s+\(c\)\s+([^,\n]+)", banner)
    licence = f"vis-network {version[1] if version else ''} (© {', '.join(holders)}; Apache-2.0 or MIT)"
    return script, licence


def _complete(positions: Mapping[str, tuple[float, float]], graph: nx.MultiDiGraph) -> bool:
    """Whether every node has a finite position."""
    return all(node in positions and all(map(isfinite, positions[node])) for node in graph)


def _text(text: str) -> str:
    """Text that UTF-8 can hold; Jinja escapes it for HTML."""
    return _SURROGATES.sub("\ufffd", text).replace("\0", "\ufffd").strip()


def _own(name: str) -> str:
    """A file of this package, with line ends as browsers hash them."""
    text = resources.files("kg.view").joinpath(name).read_text(encoding="utf-8")
    return text.replace("\r\n", "\n")


def _policy(style: str, scripts: tuple[str, ...]) -> str:
    """A content security policy that allows exactly these inline texts and nothing else.

    Trusted types without any policy make a browser refuse every string as markup or code, whatever
    the scripts do with the titles and names they show.
    """
    allowed = " ".join(_hash(script) for script in scripts) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _release(path: Path) -> tuple[int, ...]:
    """Version in a folder name such as `vis-9.1.2`, comparable."""
    return tuple(int(part) for part in re.findall(r"\d+", path.parent.name))


def _replace(path: Path, data: bytes) -> None:
    """Write the file beside its place, then move it there."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".part", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)  # mkstemp makes files that only their owner can read
        temporary = temporary.replace(path) and None
    except OSError as error:
        raise ExportError(
            f"the page cannot be written ({error.strerror or error})", place=str(path),
            hint="another folder, with -o FILE.html",
        ) from error  # fmt: skip
    finally:
        if temporary:
            temporary.unlink(missing_ok=True)
