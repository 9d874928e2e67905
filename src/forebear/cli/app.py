"""The program: its commands, and the one way from an error to an exit status.

0 done, 1 the answer is no, 2 what was given is wrong, 3 something failed.  Data goes to
standard output, talk to standard error.
"""

import sys
import traceback

import typer

from forebear import __version__
from forebear.cli import (
    act,
    browse,
    compare,
    copy,
    delete,
    evaluate,
    experiment,
    explain,
    explain_query,
    fuse,
    import_records,
    init,
    keep,
    learn,
    lists,
    models,
    normalize,
    places,
    reports,
    search,
    serve,
    show,
    train,
    weights,
)
from forebear.cli import map as map_table
from forebear.errors import ForebearError

EXIT_NO = 1
EXIT_INPUT = 2
EXIT_FAILURE = 3
# Codes of errors that the caller can put right by giving something else.
INPUT_CODES = frozenset({"input", "query", "mapping", "record", "not-found", "archive", "model"})

app = typer.Typer(
    name="forebear",
    help="Search historical records for a person, the best first, and learn what is best.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("init")(init.init)
app.command("import")(import_records.import_records)
app.command("map")(map_table.propose)
app.command("search")(search.search)
app.command("show")(show.show)
app.command("explain")(explain.explain)
app.command("explain-query")(explain_query.explain_query)
app.command("browse")(browse.browse)
app.add_typer(reports.app, name="report")
app.command("attach")(act.attach)
app.command("reject")(act.reject)
app.command("train")(train.train)
app.command("models")(models.models)
app.command("evaluate")(evaluate.evaluate)
app.command("compare")(compare.compare)
app.add_typer(learn.app, name="learn")
app.add_typer(weights.app, name="weights")
app.command("fuse")(fuse.fuse)
app.command("normalize")(normalize.normalize)
app.add_typer(experiment.app, name="experiment")
app.command("serve")(serve.serve)
app.command("collections")(keep.collections)
app.command("lists")(lists.lists)
app.command("places")(places.places)
app.command("takedown")(keep.takedown)
app.command("check")(keep.check)
app.command("backup")(keep.backup)
app.command("compact")(keep.compact)
app.command("copy")(copy.copy)
app.command("delete")(delete.delete)


def exit_status(error: ForebearError) -> int:
    """Return the exit status of an error."""
    return EXIT_INPUT if error.code in INPUT_CODES else EXIT_FAILURE


def main() -> None:
    """Run the program."""
    if sys.argv[1:] == ["--version"]:
        print(f"forebear {__version__}")
        return
    try:
        app()
    except ForebearError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(exit_status(error))
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone; nothing is left to say
    except Exception:
        traceback.print_exc()
        print("error: this is a fault in forebear; please report it", file=sys.stderr)
        sys.exit(EXIT_FAILURE)
