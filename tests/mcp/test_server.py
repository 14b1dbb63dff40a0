"""The server over standard input and output, driven by the official client."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import kg
from kg.errors import QueryError
from kg.mcp.bounded import run_bounded

pytest.importorskip("mcp.server.mcpserver", reason="needs the package mcp, version 2")
import anyio
from mcp import Client, StdioServerParameters

PAPERS = [
    {
        "id": f"v/{i}",
        "title": f"Study number {i} of {word}",
        "abstract": f"We present {name}, a network. {name} beats ResNet on the ImageNet dataset.",
        "authors": [{"name": n} for n in names],
        "year": 2020 + i,
    }
    for i, (name, word, names) in enumerate(
        [
            ("FooNet", "foos", ["Ada Abel", "Bo Bell"]),
            ("BarNet", "bars", ["Bo Bell", "Cy Cole"]),
            ("BazNet", "bazaars", ["Dee Dorn"]),
        ]
    )
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("mcp")
    (base / "in.jsonl").write_text("\n".join(map(json.dumps, PAPERS)))
    kg.build([base / "in.jsonl"], base / "g", workers=1)
    return base / "g"


Session = Callable[[Client], Awaitable[Any]]


def connected(folder: Path, session: Session, *options: str) -> Any:
    """Runs a session against `kg mcp` as an agent's program starts it."""
    root = str(Path(kg.__file__).parents[1])
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "kg", "mcp", "-g", str(folder), *options], env={"PYTHONPATH": root}
    )

    async def run() -> Any:
        async with Client(server) as client:
            return await session(client)

    return anyio.run(run)


def text_of(result: Any) -> str:
    return "".join(block.text for block in result.content)


def test_tools_are_described_and_read_only(folder: Path) -> None:
    async def session(client: Client) -> Any:
        return await client.list_tools(), client.instructions

    tools, instructions = connected(folder, session)
    assert {t.name for t in tools.tools} == {"search", "show", "explain", "links", "paths", "questions", "query"}
    for tool in tools.tools:
        assert tool.annotations.read_only_hint and not tool.annotations.open_world_hint
        assert len(tool.description) > 80
    assert "never instructions" in instructions
    (links,) = (t for t in tools.tools if t.name == "links")
    assert "coauthors" in json.dumps(links.input_schema) and links.input_schema["required"] == ["relation"]


def test_every_tool_answers_as_the_package_does(folder: Path) -> None:
    async def session(client: Client) -> dict[str, Any]:
        call = client.call_tool
        return {
            "search": await call("search", {"text": "imagenet"}),
            "show": await call("show", {"entity": "FooNet"}),
            "explain": await call("explain", {"a": "Ada Abel", "b": "Bo Bell"}),
            "links": await call("links", {"relation": "coauthors", "a": "Bo Bell"}),
            "paths": await call("paths", {"a": "Ada Abel", "b": "Cy Cole", "k": 2}),
            "questions": await call("questions", {"about": "coauthors"}),
            "query": await call("query", {"query": "coauthors", "parameters": {"person": "Bo Bell"}}),
            "sparql": await call("query", {"query": "SELECT ?p { ?p a schema:ScholarlyArticle }", "limit": 2}),
            "ask": await call("query", {"query": "ASK { ?p a kg:Method }"}),
        }

    found = connected(folder, session)
    assert not any(r.is_error for r in found.values()), {k: text_of(r) for k, r in found.items()}
    data = {k: r.structured_content for k, r in found.items()}
    graph = kg.open(folder)
    assert data["search"]["found"][0] == {
        "label": "ImageNet",
        "kind": "dataset",
        "iri": graph.find("ImageNet").iri,
        "papers": 3,
    }
    assert text_of(found["show"]) == graph.show("FooNet", limit=10).words()
    assert "Study number 0 of foos" in text_of(found["explain"])
    assert {p["b"]["label"] for p in data["links"]["pairs"]} == {"Ada Abel", "Cy Cole"}
    assert data["paths"]["paths"][0]["words"] == graph.paths("Ada Abel", "Cy Cole", 2)[0].words()
    assert "coauthors" in {q["name"] for q in data["questions"]["questions"]}
    rows = graph.query("coauthors", person="Bo Bell").rows()
    assert [dict(zip(data["query"]["columns"], r, strict=True)) for r in data["query"]["rows"]] == rows
    assert len(data["sparql"]["rows"]) == 2 and data["sparql"]["more"] is True
    assert data["ask"] == {"truth": True}


def test_mistakes_come_back_as_errors_with_a_hint_and_the_server_goes_on(folder: Path) -> None:
    async def session(client: Client) -> list[Any]:
        call = client.call_tool
        return [
            await call("show", {"entity": "Imagenett"}),
            await call("query", {"query": "no-such-question"}),
            await call("query", {"query": "SELECT ?x { ?x a"}),
            await call("query", {"query": "SELECT * { SERVICE <http://x.org/> { ?s ?p ?o } }"}),
            await call("query", {"query": "DELETE WHERE { ?s ?p ?o }"}),
            await call("links", {"relation": "enemies"}),
            await call("search", {"text": "FooNet"}),
        ]

    *wrong, right = connected(folder, session)
    assert all(r.is_error for r in wrong)
    assert "ImageNet" in text_of(wrong[0]) and "kg queries" in text_of(wrong[1])
    assert not right.is_error


ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


def test_a_query_without_end_is_stopped_and_others_are_answered(folder: Path) -> None:
    async def session(client: Client) -> Any:
        async def ask() -> None:
            nonlocal stopped
            stopped = await client.call_tool("query", {"query": ENDLESS})

        stopped: Any = None
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            meanwhile = await client.call_tool("search", {"text": "FooNet"})
            assert stopped is None
        return stopped, meanwhile

    stopped, meanwhile = connected(folder, session, "--timeout", "4")
    assert stopped.is_error and "4 s" in text_of(stopped)
    assert not meanwhile.is_error


def test_a_new_build_is_seen_by_a_running_server(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(PAPERS[0]))
    (tmp_path / "b.jsonl").write_text(json.dumps(PAPERS[1]))
    kg.build([tmp_path / "a.jsonl"], tmp_path / "g", workers=1)

    async def session(client: Client) -> Any:
        before = await client.call_tool("search", {"text": "BarNet"})
        await anyio.to_thread.run_sync(lambda: kg.build([tmp_path / "b.jsonl"], tmp_path / "g", workers=1))
        return before, await client.call_tool("search", {"text": "BarNet"})

    before, after = connected(tmp_path / "g", session)
    assert "BarNet" not in {e["label"] for e in before.structured_content["found"]}
    assert after.structured_content["found"][0]["label"] == "BarNet"


def test_rows_are_bounded(folder: Path) -> None:
    found = run_bounded(folder, "SELECT * { ?s ?p ?o }", {}, 7, 30)
    assert len(found.rows) == 7 and found.more
    with pytest.raises(QueryError, match="within 1 s"):
        run_bounded(folder, ENDLESS, {}, 7, 1)


def test_without_a_graph_it_says_so(tmp_path: Path) -> None:
    import subprocess

    root = str(Path(kg.__file__).parents[1])
    run = subprocess.run(
        [sys.executable, "-m", "kg", "mcp", "-g", str(tmp_path / "none")],
        capture_output=True,
        text=True,
        cwd=root,
        stdin=subprocess.DEVNULL,
    )
    assert run.returncode == 1 and "kg build" in run.stderr and not run.stdout
