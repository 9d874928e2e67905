"""``forebear explain`` and ``explain-query``: why is a record where it is? What is looked for?"""

from dataclasses import asdict
from itertools import groupby
from typing import Annotated

import typer

from forebear.archive import Archive, open_archive
from forebear.archive.archive import ViewerName
from forebear.cli.options import ArchiveOption, JsonOption, ViewerOption, archive_path, print_result
from forebear.cli.text import (
    absence_text,
    absence_value,
    explanation_text,
    explanation_value,
)
from forebear.errors import InputError, NotFoundError
from forebear.interactions.events import LoggedSearch
from forebear.search.query.read import read_argument
from forebear.search.results.absence import Absence
from forebear.search.results.asked import AS_GIVEN, AskedClause, AskedType

NOT_IN_LIST = 1


def explain(
    search: Annotated[str, typer.Argument(help="The id that the search printed.")],
    rank: Annotated[
        str | None, typer.Argument(help="The rank of the result, or COLLECTION:ID.")
    ] = None,
    record: Annotated[
        str | None, typer.Option("--record", help="COLLECTION:ID, in the list or not.")
    ] = None,
    archive: ArchiveOption = None,
    viewer: ViewerOption = "owner",
    as_json: JsonOption = False,
) -> None:
    """Say why a result has its score, in bits that add up, or why a record is not in the list."""
    wanted = record or rank
    if wanted is None:
        raise InputError("which record?", hint="give its rank in the search, or --record ID")
    with open_archive(archive_path(archive)) as opened:
        logged = opened.logged_search(search)
        key = record_of(logged, wanted)
        result = opened.repeat_search(logged, viewer=viewer_of(logged, viewer))
        hit = result.hit(key)
        if hit is None:
            missing = why_missing(opened, logged, key, viewer)
            print_result(absence_value(missing), as_json, lambda: absence_text(missing))
            raise typer.Exit(NOT_IN_LIST)
        explanation, description = hit.explain(), hit.description
    print_result(
        explanation_value(explanation), as_json, lambda: explanation_text(description, explanation)
    )


def viewer_of(logged: LoggedSearch, viewer: ViewerName) -> ViewerName:
    """Return who sees a logged search again: the owner only what the owner searched for."""
    return "owner" if "owner" == logged.viewer == viewer else "public"


def why_missing(archive: Archive, logged: LoggedSearch, key: str, viewer: ViewerName) -> Absence:
    """Return why a record is not in a logged search; only the owner hears of hidden ones."""
    if viewer == "owner" and logged.viewer != "owner":
        hidden = archive.hidden_from_public(key)
        if hidden is not None:
            return hidden
    missing = archive.repeat_search(logged, viewer=viewer_of(logged, viewer)).missing(key)
    if missing is None:
        raise NotFoundError(f"record {key!r} came while search {logged.id!r} was explained")
    return missing


def record_of(logged: LoggedSearch, record: str) -> str:
    """Return the record that a rank or a key means."""
    if not record.isdecimal():  # int() refuses "²", which is a digit
        return record
    rank = int(record)
    if not 1 <= rank <= len(logged.shown):
        raise NotFoundError(
            f"search {logged.id!r} has no result {rank}",
            hint=f"it has {len(logged.shown)} results",
        )
    return logged.shown[rank - 1]


def explain_query(
    query: Annotated[
        str, typer.Argument(help="The query: JSON, the path of a file of it, or a line of text.")
    ],
    archive: ArchiveOption = None,
    record_type: Annotated[
        list[str] | None, typer.Option("--type", help="Only this record type; repeat it.")
    ] = None,
    viewer: ViewerOption = "owner",
    as_json: JsonOption = False,
) -> None:
    """Show the clauses that a query becomes, by record type and by the rule that made them."""
    with open_archive(archive_path(archive)) as opened:
        found = opened.explain_query(
            read_argument(query), viewer=viewer, record_types=record_type or ()
        )
    print_result([asdict(each) for each in found], as_json, lambda: asked_text(found))


def asked_text(found: tuple[AskedType, ...]) -> str:
    """Return what is asked of each type as lines, the clauses of one rule together."""
    lines: list[str] = []
    for each in found:
        if not each.can_answer:
            lines.append(f"{each.record_type}: has no such fact as you insist on")
            continue
        lines.append(f"{each.record_type}: {len(each.clauses)} clauses")
        lines.append(f"  found by: {'; '.join(each.ways) or 'nothing, the query says too little'}")
        for rules, clauses in groupby(sorted(each.clauses, key=_rules), key=_rules):
            lines.append(f"  {rules}")
            lines.extend(_line(clause) for clause in clauses)
    return "\n".join(lines)


def _rules(clause: AskedClause) -> str:
    return "; ".join(clause.rules) or AS_GIVEN


def _line(clause: AskedClause) -> str:
    note = f" ({clause.note})" if clause.note else ""
    return f"  {clause.bits:+8.3f}  {clause.clause}: {clause.words}{note}; {clause.terms} terms"
