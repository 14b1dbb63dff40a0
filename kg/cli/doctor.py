"""`kg doctor`: is everything there that the commands need?"""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

import click

from kg._version import __version__
from kg.cli.common import graph_option
from kg.errors import KgError

_NEEDED = (
    "click",
    "igraph",
    "jinja2",
    "msgspec",
    "networkx",
    "oxrdflib",
    "pyoxigraph",
    "pyvis",
    "rapidfuzz",
    "rdflib",
    "rich",
    "spacy",
)


@click.command("doctor")
@graph_option
def command(graph: str) -> None:
    """Check the installation and, if there is one, the graph; exit code 1 when something is wrong."""
    from kg.query.catalogue import load_catalogue
    from kg.shared import shared_folder

    faults = 0
    click.echo(f"paperkg {__version__} on Python {platform.python_version()} ({sys.executable})")
    for package in _NEEDED:
        try:
            click.echo(f"  {package:<12} {version(package)}")
        except PackageNotFoundError:
            faults += 1
            click.echo(f"  {package:<12} MISSING: pip install {package}")
    try:
        click.echo(f"  queries      {len(load_catalogue())} in {shared_folder('queries')}")
        if not (shared_folder("ontology") / "kg.ttl").is_file():
            faults += 1
            click.echo(f"  ontology     MISSING: {shared_folder('ontology') / 'kg.ttl'}")
        from kg.extract import Extractor

        click.echo(f"  extractor    {Extractor().version}")
    except KgError as error:
        faults += 1
        click.echo(f"  FAULT: {error}")
    try:
        from kg.api import Graph

        opened = Graph(graph)
        rows = opened.rows("SELECT (COUNT(?p) AS ?n) WHERE { ?p a schema:ScholarlyArticle }")
        papers = rows[0]["n"]
        click.echo(f"graph {graph}: {papers} papers in the store, {opened.counts['papers']} in the manifest")
        faults += papers != opened.counts["papers"]
    except KgError as error:
        click.echo(f"graph {graph}: {error.message}")
    click.echo("all is well" if not faults else f"{faults} fault{'s' if faults > 1 else ''} found")
    if faults:
        raise click.exceptions.Exit(1)
