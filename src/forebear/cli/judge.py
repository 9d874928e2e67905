"""``forebear attach`` and ``reject``: which results are about the person?"""

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


def attach(
    search: SearchArgument = None,
    record: RecordArgument = None,
    path: ArchiveOption = None,
    batch: Annotated[
        Path | None,
        typer.Option(help="A file of TREC qrels: SEARCH 0 RECORD 1 attaches, 0 rejects."),
    ] = None,
    reason: ReasonOption = "",
) -> None:
    """Confirm that a record is about the person."""
    if batch is None:
        _act(search, record, path, "attach", reason)
        return
    actions: list[tuple[str, str, ActionKind]] = [
        (search_id, key, "attach" if grade > 0 else "reject")
        for search_id, records in read_qrels(batch).grades.items()
        for key, grade in records.items()
    ]
    with open_archive(path) as archive:
        archive.record_actions(actions, reason=reason, source="link")
    attached = sum(kind == "attach" for _, _, kind in actions)
    print_message(f"{attached} attached, {len(actions) - attached} rejected")


def reject(
    search: SearchArgument = None,
    record: RecordArgument = None,
    path: ArchiveOption = None,
    reason: ReasonOption = "",
) -> None:
    """Note that a record is not about the person."""
    _act(search, record, path, "reject", reason)


def _act(
    search: str | None, record: str | None, path: Path | None, kind: ActionKind, reason: str
) -> None:
    if search is None or record is None:
        raise InputError(f"{kind} what?", hint=f"forebear {kind} SEARCH RANK")
    with open_archive(path) as archive:
        key = record_of(archive.logged_search(search), record)
        archive.record_actions([(search, key, kind)], reason=reason)
    print_message(f"{kind}ed {key}")
