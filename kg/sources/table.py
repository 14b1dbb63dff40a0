"""The table of formats: built-in ones in order of detection, then those that other packages add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from kg.sources.base import Format

GROUP = "paperkg.sources"
# Key -> module and the name of the format in it; earlier ones win when two are equally sure.
_BUILT_IN = {
    "openreview": "openreview:FORMAT",
    "virtual-site": "virtualsite:FORMAT",
    "paperlists": "paperlists:FORMAT",
    "arxiv-json": "arxiv_snapshot:FORMAT",
    "arxiv-atom": "arxiv_atom:FORMAT",
    "arxiv-oai": "arxiv_oai:FORMAT",
    "openalex": "openalex:FORMAT",
    "semantic-scholar": "semanticscholar:FORMAT",
    "crossref": "crossref:FORMAT",
    "crossref-xml": "crossref_xml:FORMAT",
    "csl": "csl:FORMAT",
    "dblp-xml": "dblp:XML",
    "dblp-json": "dblp:JSON",
    "acl": "acl:FORMAT",
    "pubmed": "pubmed:FORMAT",
    "jats": "jats:FORMAT",
    "bibtex": "bibtex:FORMAT",
    "ris": "ris:FORMAT",
    "nbib": "nbib:FORMAT",
    "html": "webpage:FORMAT",
    "markdown-table": "pipetable:FORMAT",
    "csv": "tables:CSV",
    "xlsx": "tables:XLSX",
    "parquet": "tables:PARQUET",
    "front-matter": "frontmatter:FORMAT",
    "references": "lines:REFERENCES",
    "markdown": "markdown:FORMAT",
    "json": "generic:FORMAT",
    "titles": "lines:TITLES",
    "text": "textlist:FORMAT",
}


class _Formats(Mapping[str, Format]):
    """Key -> format; each module is imported when its format is first asked for."""

    def __init__(self) -> None:
        self._loaded: dict[str, Format] = {}
        self._others: dict[str, object] | None = None

    def _entry_points(self) -> dict[str, object]:
        if self._others is None:
            from importlib.metadata import entry_points

            self._others = {e.name: e for e in entry_points(group=GROUP) if e.name not in _BUILT_IN}
        return self._others

    def __getitem__(self, key: str) -> Format:
        if key not in self._loaded:
            if key in _BUILT_IN:
                module, name = _BUILT_IN[key].split(":")
                self._loaded[key] = getattr(import_module(f"kg.sources.{module}"), name)
            elif key in self._entry_points():
                found = self._entry_points()[key].load()  # type: ignore[attr-defined]
                self._loaded[key] = found() if isinstance(found, type) else found
            else:
                raise KeyError(key)
        return self._loaded[key]

    def __iter__(self) -> Iterator[str]:
        yield from _BUILT_IN
        yield from self._entry_points()

    def __len__(self) -> int:
        return len(_BUILT_IN) + len(self._entry_points())


FORMATS: Mapping[str, Format] = _Formats()


def supported() -> str:
    """The formats in one line, for messages."""
    return "; ".join(f"{form.title} ({key})" for key, form in FORMATS.items())
