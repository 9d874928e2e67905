"""``forebear explain-query``: what a query asks of each record type, and which rule made it so."""

from dataclasses import asdict
from itertools import groupby
from typing import Annotated

import typer

from forebear.archive import open_archive
from forebear.cli.options import ArchiveOption, JsonOption, ViewerOption, answer, archive_path
from forebear.search.query.read import read_argument
from forebear.search.results.asked import AS_GIVEN, AskedClause, AskedType


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
    answer([asdict(each) for each in found], as_json, lambda: asked_text(found))


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
