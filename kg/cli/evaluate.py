"""`kg evaluate`: scores against gold."""

from __future__ import annotations

import click


@click.command("evaluate")
@click.argument("gold", nargs=-1, type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--texts", type=click.Path(exists=True, file_okay=False), help="Folder of the corpus, for gold that holds no texts."
)
@click.option("--part", help="Only this part of the gold, e.g. validation.")
@click.option(
    "--authors", type=click.Path(exists=True, dir_okay=False), help="Gold of who is who: [paper, position, name, id]."
)
@click.option("--papers", type=click.Path(exists=True), help="The papers that --authors speaks of.")
@click.option("--errors", type=click.IntRange(min=0), default=20, show_default=True, help="Errors to list.")
def command(
    gold: tuple[str, ...], texts: str | None, part: str | None, authors: str | None, papers: str | None, errors: int
) -> None:
    """Score extraction against GOLD.jsonl files, or people against --authors.

    Prints precision, recall and F by kind and role, how often readings of a confidence are right, what another
    least confidence would give, and the errors made with most confidence.
    """
    if not gold and not authors:
        raise click.UsageError("give GOLD.jsonl, or --authors FILE")
    for file in gold:
        click.echo(f"{file}\n{names_report(file, texts, part, errors)}")
    if authors:
        from kg.evaluate.authors import evaluate_authors

        click.echo(evaluate_authors(authors, papers))


def names_report(file: str, texts: str | None, part: str | None, errors: int) -> str:
    """Everything that is printed for one gold file."""
    from kg.evaluate.confidence import curve, extract_all, reliability
    from kg.evaluate.names import evaluate, read_gold, with_texts
    from kg.extract import Extractor
    from kg.settings import Settings

    chosen = [p for p in read_gold(file) if part is None or p.part == part]
    if not chosen:
        raise click.UsageError(f"{file} holds no papers" + (f" of part {part}" if part else ""))
    gold = with_texts(chosen, texts)
    report = evaluate(gold, Extractor())
    everything = extract_all(gold, Extractor(Settings(min_confidence=0.05)))
    blocks = [report.table(), reliability(gold, everything), curve(gold, everything)]
    return "\n\n".join([*blocks, report.error_list(errors)] if errors and report.errors else blocks)
