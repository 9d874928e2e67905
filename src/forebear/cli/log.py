"""``forebear log``: how large is the log of searches, and what may be removed from it?"""

from dataclasses import asdict
from typing import Annotated

import typer

from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    open_archive,
    print_result,
    require_finite,
)
from forebear.errors import InputError
from forebear.interactions.log import Pruned

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def log() -> None:
    """Manage the log of searches."""


@app.command("prune")
def prune(
    path: ArchiveOption = None,
    older_than: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="DAYS",
            help="Remove searches older than this many days.",
            callback=require_finite,
        ),
    ] = None,
    max_size: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="MB",
            help="Remove the oldest until the log has at most this size.",
            callback=require_finite,
        ),
    ] = None,
    judged: Annotated[
        bool,
        typer.Option("--judged", help="Also searches with attached or rejected records."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Remove old searches.

    Searches of which nothing was attached or rejected go first, the oldest before the others.
    Votes that are held back go with their searches. `forebear compact` then makes the file smaller.
    """
    if older_than is None and max_size is None:
        raise InputError("prune what?", hint="give --older-than DAYS, --max-size MB, or both")
    with open_archive(path) as archive:
        removed = archive.prune_log(
            older_than_days=older_than,
            max_bytes=None if max_size is None else round(max_size * 1e6),
            judged=judged,
        )
    print_result(asdict(removed), as_json, lambda: _removed_text(removed))


def _removed_text(removed: Pruned) -> str:
    return (
        f"removed {removed.searches:,} searches ({removed.judged:,} judged) and "
        f"{removed.votes:,} votes, {removed.bytes / 1e6:,.1f} MB; "
        f"the log has {removed.left / 1e6:,.1f} MB left"
    )
