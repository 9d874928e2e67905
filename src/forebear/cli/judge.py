"""``forebear attach`` and ``reject``: which results are about the person?"""

from pathlib import Path
from typing import Annotated

import typer

from forebear.archive import open_archive
from forebear.cli.explain import record_of
from forebear.cli.options import ArchiveOption, archive_path, print_message
from forebear.errors import InputError
from forebear.interactions.events import ActionKind
from forebear.trec import read_qrels

SearchArgument = Annotated[str | None, typer.Argument(help="The id that the search printed.")]
RecordArgument = Annotated[
    str | None, typer.Argument(help="The rank of the result, or COLLECTION:ID.")
]
ReasonOption = Annotated[str, typer.Option(help="Why, for whoever reads the log.")]


def attach(
    search: SearchArgument = None,
    record: RecordArgument = None,
    archive: ArchiveOption = None,
    batch: Annotated[
        Path | None,
        typer.Option(help="Many at once: TREC qrels, SEARCH 0 RECORD 1 (0 rejects)."),
    ] = None,
    reason: ReasonOption = "",
) -> None:
    """Say that a record is about the person."""
    if batch is None:
        _act(search, record, archive, "attach", reason)
        return
    with open_archive(archive_path(archive)) as opened:
        grades = read_qrels(batch).grades
        wanted: list[tuple[str, str, ActionKind]] = [
            (search_id, key, "attach" if grade > 0 else "reject")
            for search_id, records in grades.items()
            for key, grade in records.items()
        ]
        opened.record_actions(wanted, reason=reason)
    attached = sum(kind == "attach" for _, _, kind in wanted)
    print_message(f"{attached} attached, {len(wanted) - attached} rejected")


def reject(
    search: SearchArgument = None,
    record: RecordArgument = None,
    archive: ArchiveOption = None,
    reason: ReasonOption = "",
) -> None:
    """Say that a record is not about the person."""
    _act(search, record, archive, "reject", reason)


def _act(
    search: str | None, record: str | None, archive: Path | None, kind: ActionKind, reason: str
) -> None:
    if search is None or record is None:
        raise InputError(f"{kind} what?", hint=f"forebear {kind} SEARCH RANK")
    with open_archive(archive_path(archive)) as opened:
        key = record_of(opened.logged_search(search), record)
        opened.record_actions([(search, key, kind)], reason=reason)
    print_message(f"{kind}ed {key}")
