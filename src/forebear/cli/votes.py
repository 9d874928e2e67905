"""``forebear votes``: which anonymous votes are held back, and which may count?"""

from dataclasses import asdict
from typing import Annotated

import typer

from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    open_archive,
    print_message,
    print_result,
)
from forebear.errors import InputError
from forebear.interactions.log import VotesSummary, summarize_votes

app = typer.Typer(
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


@app.command("list")
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


@app.command("release")
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


@app.command("discard")
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
