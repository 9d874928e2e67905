"""``forebear log``: what is in the log of searches, and what would they find now?"""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    open_archive,
    print_result,
    progress_bar,
    require_finite,
)
from forebear.errors import InputError
from forebear.interactions.log import Pruned

if TYPE_CHECKING:
    from forebear.archive.replay import Replay
    from forebear.interactions.ubi import UbiImport

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


@app.command("import")
def import_log(
    folder: Annotated[Path, typer.Argument(help="Folder with the files of UBI.")],
    path: ArchiveOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read a log that `log export --format ubi` or another program wrote as UBI 1.3.0.

    Searches that are in the log already stay as they are. Queries of other programs are searched.
    """
    with open_archive(path) as archive:
        imported = archive.import_log(folder)
    print_result(asdict(imported), as_json, lambda: _imported_text(imported))


@app.command("replay")
def replay(
    path: ArchiveOption = None,
    model: Annotated[
        str | None, typer.Option(help="Version of the model; the one in use if not given.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run the searches with attachments again, and report what changed.

    For use after a change of clauses or of the model.
    """
    with open_archive(path) as archive, progress_bar("searches") as show:
        result = archive.replay_log(
            model, progress=lambda done, total: show(done / total, f"{done:,} of {total:,}")
        )
    value = {
        **asdict(result),
        "changed": result.changed,
        "ndcg": result.ndcg,
        "success_at_1": result.success_at_1,
    }
    print_result(value, as_json, lambda: _replay_text(result))


def _replay_text(result: "Replay") -> str:
    searches = [search for search in result.searches if search.is_changed]
    lines = [
        f"{search.search}  NDCG {search.ndcg_before:.4f} to {search.ndcg_now:.4f}  "
        + ", ".join(
            f"{moved.record} {_rank_text(moved.before)} to {_rank_text(moved.now)}"
            for moved in search.records
            if moved.before != moved.now
        )
        for search in searches
    ]
    (before, now), (first, first_now) = result.ndcg, result.success_at_1
    return "\n".join(
        [
            *lines,
            f"{len(result.searches):,} searches run again with model {result.model}, "
            f"{result.skipped:,} skipped; in {result.changed:,} an attached record moved",
            f"  NDCG@100 {before:.4f} before, {now:.4f} now",
            f"  the first record is right in {first:.1%} before, {first_now:.1%} now",
        ]
    )


def _rank_text(rank: int | None) -> str:
    return "missing" if rank is None else str(rank)


def _imported_text(imported: "UbiImport") -> str:
    return (
        f"{imported.searches:,} searches and {imported.events:,} actions imported; "
        f"{imported.searched:,} queries of other programs searched here; "
        f"{imported.present:,} searches were there already; {imported.skipped:,} lines skipped"
    )


def _removed_text(removed: Pruned) -> str:
    return (
        f"removed {removed.searches:,} searches ({removed.judged:,} judged) and "
        f"{removed.votes:,} votes, {removed.bytes / 1e6:,.1f} MB; "
        f"the log has {removed.left / 1e6:,.1f} MB left"
    )
