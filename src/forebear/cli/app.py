"""Which commands are there, and how does an error become an exit status?

Exit status: 0 done, 1 the answer is no, 2 wrong input, 3 failure.  Results go to standard output,
messages to standard error.
"""

import gc
import os
import sys
from copy import copy
from importlib import import_module
from io import TextIOWrapper
from stat import S_ISFIFO, S_ISSOCK
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from forebear import __version__
from forebear.errors import ForebearError, InputError
from forebear.printing import shorten

if TYPE_CHECKING:
    import typer

EXIT_INPUT = 2
EXIT_FAILURE = 3
# Codes of errors that the caller can correct by giving something else.
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
    "maybe": "forebear.cli.judge:maybe",
    "detach": "forebear.cli.judge:detach",
    "undo": "forebear.cli.judge:undo",
    "votes": "forebear.cli.judge:votes_app",
    "log": "forebear.cli.log:app",
    "train": "forebear.cli.train:train",
    "models": "forebear.cli.models:models",
    "probabilities": "forebear.cli.models:probabilities_app",
    "variants": "forebear.cli.models:variants_app",
    "evaluate": "forebear_lab.cli.evaluate:evaluate",
    "compare": "forebear_lab.cli.evaluate:compare",
    "learn": "forebear_lab.cli.learn:app",
    "weights": "forebear.cli.models:weights_app",
    "fuse": "forebear_lab.cli.apply:fuse",
    "rank": "forebear_lab.cli.apply:rank",
    "normalize": "forebear.cli.normalize:normalize",
    "experiment": "forebear_lab.cli.experiment:app",
    "serve": "forebear.cli.serve:serve",
    "links": "forebear.cli.serve:links_app",
    "collections": "forebear.cli.keep:collections",
    "lists": "forebear.cli.keep:lists",
    "places": "forebear.cli.records:places",
    "takedown": "forebear.cli.keep:takedown",
    "check": "forebear.cli.keep:check",
    "reindex": "forebear.cli.keep:reindex",
    "backup": "forebear.cli.keep:backup",
    "restore": "forebear.cli.keep:restore",
    "compact": "forebear.cli.keep:compact",
    "copy": "forebear.cli.keep:copy",
    "delete": "forebear.cli.keep:delete",
}

# Commands of the lab in groups of the engine.
SUBCOMMANDS = {"log": {"export": "forebear_lab.cli.export:export"}}

# Commands that read an archive and calculate with whole numbers: numpy's library for matrices
# would start a thread for each processor, and they would spin until the command is done.
WITHOUT_MATRICES = frozenset({"search", "show", "explain", "explain-query", "browse"})
# A command creates tens of thousands of objects that live to its end; looking for garbage after
# every 700 of them, and once more at the end, as Python does, is a sixth of a search.
OBJECTS_BETWEEN_COLLECTIONS = 100_000
MAX_WIDTH = 10_000  # of help: as wide as the terminal, instead of click's 80 columns


def make_app(*names: str) -> "typer.Typer":
    """Return the program with these commands, or with all."""
    import typer

    program = typer.Typer(
        name="forebear",
        help="Search historical records for a person, and learn from what people attach.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": MAX_WIDTH},
    )

    def print_version(is_given: bool) -> None:
        if is_given:
            print(f"forebear {__version__}")
            raise typer.Exit

    version_option = typer.Option(
        "--version", help="Show the version and exit.", callback=print_version, is_eager=True
    )

    @program.callback()  # without one, a program of one command would not take its name
    def options(_version: Annotated[bool, version_option] = False) -> None:
        pass

    for name in names or COMMANDS:
        command = _load(COMMANDS[name])
        if isinstance(command, typer.Typer):
            group = copy(command)
            group.registered_commands = [*command.registered_commands]
            for subcommand, place in SUBCOMMANDS.get(name, {}).items():
                group.command(subcommand)(_load(place))
            program.add_typer(group, name=name)
        else:
            program.command(name)(command)
    return program


def _load(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


def __getattr__(name: str) -> Any:
    """Return ``app``, the program with all its commands, for those who import it."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return make_app()


def exit_status(error: ForebearError) -> int:
    """Return the exit status of an error."""
    return EXIT_INPUT if error.code in INPUT_CODES else EXIT_FAILURE


def main() -> None:
    """Run the program as a process."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    if isinstance(sys.stdout, TextIOWrapper):  # a terminal may lack a character of a record
        sys.stdout.reconfigure(errors="backslashreplace")
    if not WITHOUT_MATRICES.isdisjoint(sys.argv[1:2]):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        run()
    finally:
        gc.freeze()


def run() -> None:
    """Run the program."""
    if sys.argv[1:] == ["--version"]:  # no command need be loaded
        print(f"forebear {__version__}")
        return
    try:
        _check_arguments()
        sys.exit(make_app(*_typed_commands())(standalone_mode=False))
    except ForebearError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(exit_status(error))
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has ended; there is nothing left to print
    except OSError as error:  # a full disk, a folder that may not be written to
        where = f": {error.filename!r}" if error.filename else ""
        print(f"error: {shorten(f'{error.strerror or error}{where}')}", file=sys.stderr)
        sys.exit(EXIT_FAILURE)
    except Exception as error:
        if hasattr(error, "show"):  # of usage: the framework's errors print themselves
            _show_usage_error(error)
        import traceback

        traceback.print_exc()
        print("error: this is a fault in forebear; please report it", file=sys.stderr)
        sys.exit(EXIT_FAILURE)


def _check_arguments() -> None:
    """Refuse arguments that are not text, and paths of which reading or writing would hang."""
    for position, argument in enumerate(sys.argv[1:], start=1):
        if any(map(_is_pipe, (argument, argument.partition("=")[2]))):
            raise InputError(f"{argument!r} is a pipe or a socket", hint="give a file")
        try:
            argument.encode()
        except UnicodeEncodeError:
            raise InputError(
                f"argument {position} is not valid UTF-8: {argument!r}",
                hint="rename a file whose name is not UTF-8",
            ) from None


def _is_pipe(path: str) -> bool:
    """Return whether there is a named pipe or a socket; those of a shell are open already."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not path.startswith("/dev/") and (S_ISFIFO(mode) or S_ISSOCK(mode))


def _show_usage_error(error: Any) -> NoReturn:
    if len(sys.argv) > 1 and not error.message.startswith("Usage:"):  # else it is the help
        error.message = shorten(error.message)
    error.show()
    sys.exit(EXIT_INPUT)


def _typed_commands() -> list[str]:
    """Return the command that was typed, or those that a shell may complete it to."""
    if "_FOREBEAR_COMPLETE" not in os.environ:
        return [name for name in sys.argv[1:2] if name in COMMANDS]
    # As typer passes it: from bash, or from other shells.
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    return [name for word in line.split()[1:2] for name in COMMANDS if name.startswith(word)]
