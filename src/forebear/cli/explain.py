"""``forebear explain`` and ``explain-query``: why is a record where it is? What is looked for?"""

from dataclasses import asdict
from itertools import groupby
from typing import Annotated

import typer

from forebear import Archive
from forebear.archive.records import ViewerName
from forebear.cli.options import ArchiveOption, JsonOption, ViewerOption, open_archive, print_result
from forebear.cli.text import explanation_text, missing_text
from forebear.errors import InputError, NotFoundError
from forebear.interactions.events import LoggedSearch
from forebear.search.query.read import read_argument
from forebear.search.results.missing import MissingReason
from forebear.search.results.query_info import AS_GIVEN, ClauseInfo, TypeInfo

NOT_IN_LIST = 1


def explain(
    search: Annotated[str, typer.Argument(help="The id that the search printed.")],
    rank: Annotated[str | None, typer.Argument(help="The result's rank, or COLLECTION:ID.")] = None,
    record: Annotated[
        str | None, typer.Option("--record", help="COLLECTION:ID, in the list or not.")
    ] = None,
    clauses: Annotated[
        bool, typer.Option("--clauses", help="Also print the clauses behind each fact.")
    ] = False,
    path: ArchiveOption = None,
    viewer: ViewerOption = "owner",
    as_json: JsonOption = False,
) -> None:
    """Explain why a record is or is not in the results.

    Prints what you said, what the record says, and what that adds to the odds, fact by fact. For a
    record that is not in the results, also what it lacks.
    """
    rank_or_key = record or rank
    if rank_or_key is None:
        raise InputError("which record?", hint="give its rank in the search, or --record ID")
    with open_archive(path) as archive:
        logged = archive.logged_search(search)
        key = record_of(logged, rank_or_key)
        hit = archive.repeat_search(logged, viewer=_viewer_of(logged, viewer)).hit(key)
        if hit is None:
            missing = _why_missing(archive, logged, key, viewer)
            print_result(missing.to_dict(), as_json, lambda: missing_text(missing, clauses=clauses))
            raise typer.Exit(NOT_IN_LIST)
        explanation, description = hit.explain(), hit.description
    print_result(
        {"rank": hit.rank, **explanation.to_dict()},
        as_json,
        lambda: explanation_text(description, explanation, clauses=clauses),
    )


def record_of(logged: LoggedSearch, rank_or_key: str) -> str:
    """Return the key of the record that a rank or a key names."""
    if not rank_or_key.isdecimal():  # int() refuses "²", which is a digit
        return rank_or_key
    rank = int(rank_or_key)
    if not 1 <= rank <= len(logged.shown):
        raise NotFoundError(
            f"search {logged.id!r} has no result {rank}",
            hint=f"it has {len(logged.shown)} results",
        )
    return logged.shown[rank - 1]


def _viewer_of(logged: LoggedSearch, viewer: ViewerName) -> ViewerName:
    """Return who sees a logged search again: the owner only what the owner searched for."""
    return "owner" if "owner" == logged.viewer == viewer else "public"


def _why_missing(
    archive: Archive, logged: LoggedSearch, key: str, viewer: ViewerName
) -> MissingReason:
    """Return why a record is not in a logged search; only the owner learns of hidden ones."""
    is_owner = viewer == "owner" and logged.viewer != "owner"
    hidden = archive.hidden_from_public(key) if is_owner else None
    if hidden is not None and hidden.kind == "hidden":
        return hidden
    missing = archive.repeat_search(logged, viewer=_viewer_of(logged, viewer)).missing(key)
    if missing is None:
        raise NotFoundError(f"record {key!r} was imported while search {logged.id!r} was explained")
    return hidden if hidden is not None and missing.kind == "gate" else missing


def explain_query(
    query: Annotated[str, typer.Argument(help="A line of text, JSON, or the path of a JSON file.")],
    path: ArchiveOption = None,
    record_type: Annotated[
        list[str] | None, typer.Option("--type", help="Only this record type; may be repeated.")
    ] = None,
    viewer: ViewerOption = "owner",
    as_json: JsonOption = False,
) -> None:
    """Show what a query looks for in each record type."""
    with open_archive(path, viewer) as archive:
        types = archive.explain_query(read_argument(query), record_types=record_type or ())
    print_result([asdict(type_) for type_ in types], as_json, lambda: query_text(types))


def query_text(types: tuple[TypeInfo, ...]) -> str:
    """Return what is looked for in each record type, the clauses of one rule together."""
    lines: list[str] = []
    for type_ in types:
        if not type_.can_answer:
            lines.append(f"{type_.record_type}: records of this type lack a fact that you require")
            continue
        branches = "; ".join(type_.branches) or "nothing: the query says too little"
        lines += [
            f"{type_.record_type}: {len(type_.clauses)} clauses",
            f"  candidates by: {branches}",
        ]
        for rules, clauses in groupby(sorted(type_.clauses, key=_rules), key=_rules):
            lines += [f"  {rules}", *map(_clause_line, clauses)]
    return "\n".join(lines)


def _rules(clause: ClauseInfo) -> str:
    return "; ".join(clause.rules) or AS_GIVEN


def _clause_line(clause: ClauseInfo) -> str:
    note = f" ({clause.note})" if clause.note else ""
    return f"  {clause.bits:+8.3f}  {clause.clause}: {clause.words}{note}; {clause.terms} terms"
