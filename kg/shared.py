"""The folders that travel with the package: `ontology/` and `queries/`."""

from __future__ import annotations

from pathlib import Path


def shared_folder(name: str) -> Path:
    """Path of `ontology` or `queries`: inside the installed package, or beside it in a checkout."""
    here = Path(__file__).resolve().parent
    installed = here / "_shared" / name
    return installed if installed.is_dir() else here.parent / name
