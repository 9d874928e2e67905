"""``forebear attach``, ``reject``, ``maybe``, ``detach`` and ``undo``: which results are right?"""

from pathlib import Path
from typing import Annotated

import typer

from forebear.cli.explain import record_of
from forebear.cli.options import ArchiveOption, open_archive, print_message
from forebear.errors import InputError
from forebear.interactions.events import ActionKind
from forebear.trec import read_qrels

SearchArgument = Annotated[str | None, typer.Argument(help="The id that the search printed.")]
RecordArgument = Annotated[str | None, typer.Argument(help="The result's rank, or COLLECTION:ID.")]
ReasonOption = Annotated[str, typer.Option(help="Why; stored in the log.")]
DONE = {
    "attach": "attached",
    "reject": "rejected",
    "maybe": "kept in view:",
    "detach": "detached",
    "undo": "undid the last action on",
}


def attach(
    search: SearchArgument = None,
    record: RecordArgument = None,
    path: ArchiveOption = None,
    complete: Annotated[
        bool,
        typer.Option("--complete", help="You have looked at all records of the search."),
    ] = False,
    batch: Annotated[
        Path | None,
        typer.Option(help="A file of TREC qrels: SEARCH 0 RECORD 1 attaches, 0 rejects."),
    ] = None,
    from_use: Annotated[
        bool,
        typer.Option(
            "--from-use",
            help="With --batch: the records were chosen from results, so their ranks mattered.",
        ),
    ] = False,
    reason: ReasonOption = "",
) -> None:
    """Confirm that a record is about the person.

    With --complete, whatever you did not attach of the search counts as wrong in comparisons of
    models; RECORD may then be left out.
    """
    if batch is not None:
        if search is not None or complete:
            raise InputError(
                "--batch names the searches in its file",
                hint="mark a search with `forebear attach SEARCH --complete`",
            )
        _attach_batch(batch, path, reason, from_use=from_use)
        return
    if from_use:
        raise InputError("--from-use needs --batch", hint="single attachments are from use")
    if record is not None or not complete:
        _act(search, record, path, "attach", reason)
    if complete and search is not None:
        with open_archive(path) as archive:
            archive.complete(search)
            hits = archive.logged_search(search).hits
        print_message(f"search {search} is complete: all {hits:,} records were looked at")


def reject(
    search: SearchArgument = None,
    record: RecordArgument = None,
    path: ArchiveOption = None,
    reason: ReasonOption = "",
) -> None:
    """Note that a record is not about the person."""
    _act(search, record, path, "reject", reason)


def maybe(
    search: SearchArgument = None,
    record: RecordArgument = None,
    path: ArchiveOption = None,
    reason: ReasonOption = "",
) -> None:
    """Keep a record in view that may be about the person.

    Nothing is learned from it.
    """
    _act(search, record, path, "maybe", reason)


def detach(
    search: SearchArgument = None,
    record: RecordArgument = None,
    path: ArchiveOption = None,
    reason: ReasonOption = "",
) -> None:
    """Take back an attachment, a rejection or a maybe."""
    _act(search, record, path, "detach", reason)


def undo(
    search: SearchArgument = None,
    record: RecordArgument = None,
    path: ArchiveOption = None,
    complete: Annotated[
        bool, typer.Option("--complete", help="The search is not complete after all.")
    ] = False,
) -> None:
    """Remove the last action on a record.

    The action before it counts again.
    """
    if record is not None or not complete:
        _act(search, record, path, "undo", "")
    if complete and search is not None:
        with open_archive(path) as archive:
            archive.undo(search)
        print_message(f"search {search} is no longer complete")


def _attach_batch(batch: Path, path: Path | None, reason: str, *, from_use: bool) -> None:
    actions: list[tuple[str, str, ActionKind]] = [
        (search_id, key, "attach" if grade > 0 else "reject")
        for search_id, records in read_qrels(batch).grades.items()
        for key, grade in records.items()
    ]
    with open_archive(path) as archive:
        archive.record_actions(actions, reason=reason, source="use" if from_use else "link")
    attached = sum(kind == "attach" for _, _, kind in actions)
    print_message(f"{attached} attached, {len(actions) - attached} rejected")


def _act(
    search: str | None, record: str | None, path: Path | None, kind: ActionKind, reason: str
) -> None:
    if search is None or record is None:
        raise InputError(f"{kind} what?", hint=f"forebear {kind} SEARCH RANK")
    with open_archive(path) as archive:
        key = record_of(archive.logged_search(search), record)
        archive.record_actions([(search, key, kind)], reason=reason)
    print_message(f"{DONE[kind]} {key}")
