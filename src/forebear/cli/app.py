"""The program: its commands, and the one way from an error to an exit status.

0 done, 1 the answer is no, 2 what was given is wrong, 3 something failed.  Data goes to
standard output, talk to standard error.
"""

import gc
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from forebear import __version__
from forebear.errors import ForebearError

if TYPE_CHECKING:
    import typer

EXIT_NO = 1
EXIT_INPUT = 2
EXIT_FAILURE = 3
# Codes of errors that the caller can put right by giving something else.
INPUT_CODES = frozenset({"input", "query", "mapping", "record", "not-found", "archive", "model"})

# Each command, as "module:attribute"; the attribute is the command or a group of commands.
# Only the module of the command that runs is imported.  The lab's commands are named here by
# string alone: the engine never imports the lab.
COMMANDS = {
    "init": "forebear.cli.imports:init",
    "import": "forebear.cli.imports:import_records",
    "map": "forebear.cli.imports:propose",
    "search": "forebear.cli.search:search",
    "show": "forebear.cli.records:show",
    "explain": "forebear.cli.explain:explain",
    "explain-query": "forebear.cli.explain:explain_query",
    "browse": "forebear.cli.records:browse",
    "report": "forebear.cli.reports:app",
    "attach": "forebear.cli.judge:attach",
    "reject": "forebear.cli.judge:reject",
    "train": "forebear.cli.models:train",
    "models": "forebear.cli.models:models",
    "evaluate": "forebear_lab.cli.evaluate:evaluate",
    "compare": "forebear_lab.cli.evaluate:compare",
    "learn": "forebear_lab.cli.learn:app",
    "weights": "forebear.cli.models:app",
    "fuse": "forebear_lab.cli.learn:fuse",
    "normalize": "forebear.cli.normalize:normalize",
    "experiment": "forebear_lab.cli.experiment:app",
    "serve": "forebear.cli.serve:serve",
    "collections": "forebear.cli.keep:collections",
    "lists": "forebear.cli.keep:lists",
    "places": "forebear.cli.records:places",
    "takedown": "forebear.cli.keep:takedown",
    "check": "forebear.cli.keep:check",
    "reindex": "forebear.cli.keep:reindex",
    "backup": "forebear.cli.keep:backup",
    "compact": "forebear.cli.keep:compact",
    "copy": "forebear.cli.keep:copy",
    "delete": "forebear.cli.keep:delete",
}


# Commands that read an archive and calculate with whole numbers: numpy's library for matrices
# would start a thread for each processor, and they would spin until the command is done.
WITHOUT_MATRICES = frozenset({"search", "show", "explain", "explain-query", "browse"})
# A command makes tens of thousands of objects that it keeps to its end; looking through them for
# rubbish after every 700, and once more at the end, as Python does, is a sixth of a search.
OBJECTS_BETWEEN_COLLECTIONS = 100_000


def make_app(*names: str) -> "typer.Typer":
    """Return the program with these commands, or with all."""
    import typer

    made = typer.Typer(
        name="forebear",
        help="Search historical records for a person, the best first, and learn what is best.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    made.callback()(lambda: None)  # a program of one command would not want to be told its name
    for name in names or COMMANDS:
        module, _, attribute = COMMANDS[name].partition(":")
        command = getattr(import_module(module), attribute)
        if isinstance(command, typer.Typer):
            made.add_typer(command, name=name)
        else:
            made.command(name)(command)
    return made


def __getattr__(name: str) -> Any:
    """Make ``app``, the program with all its commands, for those who look at it from outside."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return make_app()


def exit_status(error: ForebearError) -> int:
    """Return the exit status of an error."""
    return EXIT_INPUT if error.code in INPUT_CODES else EXIT_FAILURE


def main() -> None:
    """Run the program in a process of its own."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    if not WITHOUT_MATRICES.isdisjoint(sys.argv[1:2]):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        run()
    finally:
        gc.freeze()


def run() -> None:
    """Run the program."""
    if sys.argv[1:] == ["--version"]:
        print(f"forebear {__version__}")
        return
    try:
        make_app(*[name for name in sys.argv[1:2] if name in COMMANDS])()
    except ForebearError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(exit_status(error))
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone; nothing is left to say
    except Exception:
        import traceback

        traceback.print_exc()
        print("error: this is a fault in forebear; please report it", file=sys.stderr)
        sys.exit(EXIT_FAILURE)
