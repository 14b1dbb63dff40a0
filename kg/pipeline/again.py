"""Resolution of a built graph, done again from what its folder keeps: to look into its decisions."""

from __future__ import annotations

from pathlib import Path

from kg.errors import GraphError
from kg.model import Extraction
from kg.pipeline.folder import Folder
from kg.pipeline.parts import Extracted, read_records
from kg.records import link
from kg.resolve.overrides import read_overrides
from kg.resolve.resolve import Resolved, resolve


def resolved_again(path: str | Path) -> Resolved:
    """Papers, extractions and entities of a graph as its build had them; nothing is written.

    Raises:
        GraphError: there is no graph, or a part of it is missing.
    """
    folder = Folder(Path(path))
    made = folder.manifest()
    if made is None:
        raise GraphError("there is no graph", place=str(path), hint="kg build INPUT... -g DIR makes one")
    known = Extracted(folder.extracted, f"{made.model}-{made.settings}")
    papers = link(read_records(folder.records, made.parts)).papers
    keys = [Extracted.key(p) for p in papers]
    found = known.get(keys)
    return resolve(papers, [found.get(key) or Extraction() for key in keys], read_overrides(folder.overrides))
