"""`kg evaluate`: scores against gold."""

from __future__ import annotations

import click


@click.command("evaluate")
@click.argument("gold", nargs=-1, type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--authors", type=click.Path(exists=True, dir_okay=False), help="Gold of who is who: [paper, position, name, id]."
)
@click.option("--papers", type=click.Path(exists=True), help="The papers that --authors speaks of.")
@click.option("--errors", type=click.IntRange(min=0), default=20, show_default=True, help="Errors to list.")
def command(gold: tuple[str, ...], authors: str | None, papers: str | None, errors: int) -> None:
    """Score extraction against GOLD.jsonl files, or people against --authors."""
    if not gold and not authors:
        raise click.UsageError("give GOLD.jsonl, or --authors FILE")
    if gold:
        from kg.evaluate.names import evaluate_file
        from kg.extract import Extractor

        extractor = Extractor()
        for file in gold:
            report = evaluate_file(file, extractor)
            click.echo(f"{file}\n{report.table()}")
            if errors:
                click.echo(report.error_list(errors))
    if authors:
        from kg.evaluate.authors import evaluate_authors

        click.echo(evaluate_authors(authors, papers))
