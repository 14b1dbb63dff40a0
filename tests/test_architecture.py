"""The flow goes one way: a module imports only from what stands left of it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import kg

FLOW = [
    "sources", "records", "extract", "engine", "resolve", "graph", "store", "query", "links", "view", "export",
    "serve", "web", "evaluate", "pipeline", "api", "mcp", "remote", "demo", "cli",
]  # fmt: skip
BASE = {"errors", "model", "text", "display", "ids", "vocab", "settings", "shared", "_version"}
ROOT = Path(kg.__file__).parent
MODULES = sorted(p.relative_to(ROOT) for p in ROOT.rglob("*.py") if "node_modules" not in p.parts)


def imports_of(source: str, package: str) -> set[str]:
    """Second part of every `kg.X…` a module imports, also inside functions; `from kg import X` counts as X."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                base = ".".join(parts[: len(parts) - node.level + 1] + ([base] if base else []))
            names = [f"{base}.{a.name}" for a in node.names] if base == "kg" else [base]
        found |= {n.split(".")[1] for n in names if n.startswith("kg.")}
    return found


def faults(module: Path, source: str) -> list[str]:
    top = module.parts[0].removesuffix(".py")
    if top in ("__init__", "__main__"):
        return []
    package = ".".join(("kg", *module.parent.parts))
    wrong = []
    for name in sorted(imports_of(source, package)):
        if name in BASE or name == top:
            continue
        if top in BASE or name not in FLOW or FLOW.index(name) > FLOW.index(top):
            wrong.append(f"kg/{module} imports kg.{name}")
    return wrong


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_imports_flow_one_way(module: Path) -> None:
    assert faults(module, (ROOT / module).read_text("utf-8")) == []


def test_every_folder_has_its_place_in_the_flow() -> None:
    folders = {p.parts[0].removesuffix(".py") for p in MODULES} - {"__init__", "__main__"}
    assert folders <= set(FLOW) | BASE


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("extract/x.py", "from kg.graph.rdf import ref"),
        ("sources/x.py", "def f():\n    import kg.cli"),
        ("store/x.py", "from kg import pipeline"),
        ("records/deep/x.py", "from ...resolve import names"),
        ("text.py", "import kg.sources"),
    ],
)
def test_an_import_against_the_flow_is_found(module: str, source: str) -> None:
    assert faults(Path(module), source)


def test_only_agreed_entries_stand_at_the_top() -> None:
    top = ROOT.parent
    if not (top / ".git").exists():
        pytest.skip("not a checkout")
    import subprocess

    files = subprocess.run(["git", "-C", str(top), "ls-files"], capture_output=True, text=True).stdout.split("\n")
    allowed = {
        "pyproject.toml",
        "README.md",
        "kg",
        "ontology",
        "queries",
        "tests",
        "exports",
        "LICENSE",
        "CHANGELOG.md",
    }
    assert {f.split("/")[0] for f in files if f and not f.startswith(".")} <= allowed
