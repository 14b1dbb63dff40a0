"""`kg audit`: what deserves a look, each with a line for overrides.toml."""

from __future__ import annotations

import click

from kg.cli.common import clean, graph_option, note, print_records


@click.command("audit")
@graph_option
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(["people", "names", "code", "sources"]), help="Only these."
)
@click.option("--top", type=click.IntRange(min=1), default=20, show_default=True, help="How many findings.")
@click.option("--decisions", is_flag=True, help="What was joined and kept apart instead, with the reasons.")
@click.option("-f", "--format", "format", type=click.Choice(["table", "json"]), default="table", show_default=True)
def command(graph: str, kinds: tuple[str, ...], top: int, decisions: bool, format: str) -> None:
    """List what is ambiguous, doubtful or nearly the same, and where sources disagree, the most valuable first.

    A finding ends in an entry for overrides.toml in the graph folder: paste it if the suspicion is right, then
    run kg build -g DIR. Where the sources of one paper disagree, the value that was taken stands first, then
    the others, each with its file and place. With --decisions who is who is worked out again and told: for
    people, methods and data sets, --top joins and as many refusals, each with what spoke for it and against it.
    """
    if decisions:
        _decisions(graph, kinds, top, format)
        return
    from kg.api import Graph
    from kg.evaluate.audit import KINDS, findings
    from kg.pipeline.folder import Folder
    from kg.query.index import open_index
    from kg.records.disagreement import FILE, read

    opened = Graph(graph)
    current = Folder(opened.path).current()[1]
    found = findings(opened.rows, open_index(current / "index.sqlite"), kinds or KINDS, read(current / FILE))
    if format == "json":
        columns = ("value", "kind", "what", "name", "why", "entities", "entry")
        print_records(columns, [[getattr(f, c) for c in columns] for f in found[:top]], "json")
    else:
        for n, f in enumerate(found[:top], 1):
            click.echo(f"{n}. {click.style(clean(f.name), bold=True)}  {f.what} ({clean(f.why)})")
            for line in f.entry.splitlines():
                click.echo(f"     {clean(line)}")
    if not found:
        note("nothing here deserves a look")
    elif len(found) > top:
        note(f"{len(found) - top:,} more; --top N shows them")


def _decisions(graph: str, kinds: tuple[str, ...], top: int, format: str) -> None:
    from kg.pipeline.again import resolved_again
    from kg.resolve.decisions import Told, tell, told_names, told_people

    resolved = resolved_again(graph)
    found: list[Told] = []
    if not kinds or "people" in kinds:
        found += told_people(resolved.people, top)
    if not kinds or "names" in kinds:
        found += told_names(resolved, top)
    if format == "json":
        columns = Told.__struct_fields__
        print_records(columns, [[getattr(t, c) for c in columns] for t in found], "json")
    else:
        for line in tell(found):
            click.echo(clean(line))
    if not found:
        note("nothing was joined or kept apart here that needs a reason")
