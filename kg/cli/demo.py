"""`kg demo`: the whole tool in one command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kg.cli.common import print_table
from kg.cli.progress import Bar


@click.command("demo")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False),
    default="exports",
    show_default=True,
    help="Folder to write into.",
)
def command(output: str) -> None:
    """Build the packaged demo corpus, answer three questions, write demo.ttl and demo.html. No network."""
    from kg.demo.run import make_demo

    folder = Path(output)
    with Bar() as bar:
        report, graph = make_demo(folder, bar)
    for line in report.lines():
        click.echo(line)
    _answers(graph)
    g = folder / "demo"
    click.echo(
        f"""
written
  {folder / "demo.html"}   open it in a browser: the whole graph, offline
  {folder / "demo.ttl"}    the statements, as Turtle
  {g}        the graph folder

next
  kg queries                                    every question of the catalogue
  kg query coauthors -g {g} -p person="Sungroh Yoon"
  kg show CAROTS -g {g}               one method, with its sentences
  kg links coauthors -g {g}           who wrote with whom
  kg build papers.txt -g my-graph               your own list"""
    )


def _answers(graph: Any) -> None:
    click.echo("\nWhich data sets do most of these papers use?  (kg query top-datasets)")
    rows = [(r["name"], r["papers"]) for r in graph.rows("top-datasets")[:5]]
    print_table(("data set", "papers"), rows, right=("papers",))
    click.echo("\nWho wrote with whom most often?  (kg links coauthors)")
    pairs = graph.coauthors(top=5)
    print_table(("person", "person", "papers"), [(p.a.label, p.b.label, p.count) for p in pairs], right=("papers",))
    click.echo("\nWhich papers propose a method and link its code?  (SPARQL)")
    rows = graph.rows(
        """SELECT ?method ?code WHERE {
             ?paper kg:proposesMethod/skos:prefLabel ?method ; kg:hasRepository/schema:codeRepository ?code }
           ORDER BY ?method ?code LIMIT 5"""
    )
    print_table(("method", "code"), [(r["method"], r["code"]) for r in rows])
