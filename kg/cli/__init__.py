"""The command `kg`: one module per command, imported when that command runs."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from kg._version import __version__
from kg.errors import KgError

# name -> (module below kg.cli, one-line help); the table keeps `kg --help` from importing anything.
COMMANDS = {
    "demo": ("demo", "Build the packaged demo corpus, answer a few questions, draw it."),
    "build": ("build", "Read lists of papers and add them to a graph."),
    "query": ("query", "Ask a question of the catalogue, or any SPARQL."),
    "queries": ("queries", "List the catalogue of questions."),
    "show": ("show", "Show one paper, person, method, data set … with its evidence."),
    "links": ("links", "Co-authors, shared data sets, methods and code, with what links each pair."),
    "path": ("path", "Explain how two entities are connected."),
    "communities": ("communities", "Groups of people, methods or data sets that belong together."),
    "rank": ("rank", "Central people, methods and data sets, and those that join communities."),
    "suggest": ("suggest", "People who should meet or be asked, data sets and methods that fit."),
    "trends": ("trends", "Methods and data sets by year: what rises, what falls."),
    "lineage": ("lineage", "What came of a method, and where it comes from."),
    "plot": ("plot", "Draw growth, data sets, collaboration or adoption as SVG or PNG."),
    "view": ("view", "Write an interactive graph as one HTML file that works offline."),
    "serve": ("serve", "Open the explorer and the SPARQL endpoint on this machine."),
    "export": ("export", "Write the graph to a file; the suffix says how."),
    "push": ("push", "Send the graph to a SPARQL server."),
    "mcp": ("mcp", "Serve the graph to an agent, as read-only tools."),
    "extract": ("extract", "Extract names from abstracts, one JSON line a paper."),
    "evaluate": ("evaluate", "Score extraction or people against gold files."),
    "audit": ("audit", "What deserves a look, each with a line for overrides.toml."),
    "stats": ("stats", "Count what the graph holds."),
    "validate": ("validate", "Check the graph against its SHACL shapes."),
    "backup": ("backup", "Copy a graph to an archive or a folder, also while a build runs."),
    "restore": ("restore", "Make a graph of a backup."),
    "diff": ("diff", "What changed between two graphs, in terms of papers, people and names."),
    "doctor": ("doctor", "Check the installation and, if there is one, the graph."),
}


class _Closed(Exception):
    """Nobody reads the output any more."""


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        return import_module(f"kg.cli.{COMMANDS[name][0]}").command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:  # click itself makes a failure of it
            raise _Closed from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=2)
            ctx.fail(
                f"no command {args[0]!r}" + (f"; did you mean {' or '.join(near)}?" if near else "; see kg --help")
            )
        return super().resolve_command(ctx, args)


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="kg")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def cli(debug: bool) -> None:
    """A knowledge graph of papers, authors, named methods, data sets and code.

    Start with kg demo, or with kg build FILE... -g DIR and then kg query, kg links, kg view.
    """


def main() -> None:
    """Runs the command line; exit codes: 0 fine, 1 findings or failure, 2 wrong usage."""
    debug = "--debug" in sys.argv[1:]
    # --debug may stand anywhere; click itself takes it before the command only.
    arguments = [a for a in sys.argv[1:] if a != "--debug"]
    try:
        code = cli.main(args=arguments, prog_name="kg", standalone_mode=False)
        sys.stdout.flush()
        if isinstance(code, int) and code:  # click hands over the code of an Exit instead of raising it
            sys.exit(code)
    except click.exceptions.Abort:
        _stop("interrupted", 130)
    except click.exceptions.Exit as exit_:
        sys.exit(exit_.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (BrokenPipeError, _Closed):
        # The reader (head, less) has seen enough: leave quietly, also when Python flushes at exit, with the status
        # that a shell gives to what SIGPIPE ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except KgError as error:
        if debug:
            raise
        _stop(str(error), error.exit_code)
    except KeyboardInterrupt:
        _stop("interrupted", 130)
    except Exception as error:
        if debug:
            raise
        _stop(f"{type(error).__name__}: {error}\n  try: the same command with --debug shows where; please report it", 1)


def _stop(message: str, code: int) -> None:
    click.echo(f"kg: {message}", err=True)
    sys.exit(code)
