"""Which results are right, and which votes count?

``forebear attach``, ``reject``, ``maybe``, ``detach``, ``undo`` and ``votes``.
"""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from forebear.cli.explain import record_of
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    open_archive,
    print_message,
    print_result,
)
from forebear.errors import InputError
from forebear.interactions.events import ActionKind
from forebear.interactions.log import VotesSummary, summarize_votes
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
votes_app = typer.Typer(
    help="List, release or discard anonymous votes.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
SearcherOption = Annotated[
    str | None, typer.Option(help="Only the votes of this searcher, a pseudonym.")
]
RecordOption = Annotated[
    str | None, typer.Option(help="Only the votes on this record: COLLECTION:ID.")
]
DateOption = Annotated[
    str | None,
    typer.Option(help="Only the votes of this day or minute, in UTC: 2026-11-18T08:05."),
]
AllOption = Annotated[bool, typer.Option("--all", help="All votes.")]


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


@votes_app.command("list")
def list_votes(
    path: ArchiveOption = None,
    searcher: SearcherOption = None,
    record: RecordOption = None,
    date: DateOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how many votes are held back, by whom and when."""
    with open_archive(path) as archive:
        votes = archive.votes(searcher=searcher, record=record, date=date)
    summary = summarize_votes(votes)
    value = {**asdict(summary), "each": [asdict(vote) for vote in votes]}
    print_result(value, as_json, lambda: _summary_text(summary))


@votes_app.command("release")
def release(
    path: ArchiveOption = None,
    searcher: SearcherOption = None,
    record: RecordOption = None,
    date: DateOption = None,
    all_votes: AllOption = False,
    as_json: JsonOption = False,
) -> None:
    """Let `forebear train` learn from votes."""
    chosen = _choose("release", all_votes, searcher=searcher, record=record, date=date)
    with open_archive(path) as archive:
        _print_count("released", archive.release_votes(**chosen), as_json)


@votes_app.command("discard")
def discard(
    path: ArchiveOption = None,
    searcher: SearcherOption = None,
    record: RecordOption = None,
    date: DateOption = None,
    all_votes: AllOption = False,
    as_json: JsonOption = False,
) -> None:
    """Delete votes."""
    chosen = _choose("discard", all_votes, searcher=searcher, record=record, date=date)
    with open_archive(path) as archive:
        _print_count("discarded", archive.discard_votes(**chosen), as_json)


def _choose(command: str, all_votes: bool, **choice: str | None) -> dict[str, str | None]:
    """Return which votes were chosen; refuse a command that says neither which nor all."""
    is_limited = any(value is not None for value in choice.values())
    if is_limited == all_votes:
        problem = "--all and a choice contradict each other" if all_votes else f"{command} which?"
        raise InputError(problem, hint="give --searcher, --record or --date, or else --all")
    return choice


def _print_count(done: str, count: int, as_json: bool) -> None:
    print_result({done: count}, as_json, lambda: f"{done} {count:,} votes")


def _summary_text(summary: VotesSummary) -> str:
    if not summary.votes:
        print_message("no votes are held back")
        return ""
    lines = [
        f"{summary.votes:,} votes on {summary.records:,} records by {summary.searchers:,} searchers"
    ]
    for minute in summary.minutes:
        lines.append(
            f"{minute.searcher}  {minute.minute}  {minute.attached + minute.rejected:>6,} votes: "
            f"{minute.attached:,} attached, {minute.rejected:,} rejected"
        )
    return "\n".join(lines)
