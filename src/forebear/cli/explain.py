"""``forebear explain``: why a record stands where it stands."""

from typing import Annotated

import typer

from forebear.archive import open_archive
from forebear.cli.options import ArchiveOption, JsonOption, answer, archive_path
from forebear.cli.result_text import explanation_text, explanation_value
from forebear.errors import NotFoundError
from forebear.interactions.events import ShownSearch
from forebear.search.query.from_json import parse_query


def explain(
    search: Annotated[str, typer.Argument(help="The id that the search printed.")],
    record: Annotated[str, typer.Argument(help="The rank of the result, or COLLECTION:ID.")],
    archive: ArchiveOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say why a result has its score: every clause that fired, in bits that add up."""
    with open_archive(archive_path(archive)) as opened:
        logged = opened.logged_search(search)
        key = record_of(logged, record)
        viewer = opened.viewer(is_owner=logged.viewer == "owner")
        result = opened.search(
            parse_query(logged.query, where=f"search {search}"), viewer=viewer, model=logged.model
        )
        found = result.find(key)
        if found is None:
            raise NotFoundError(f"record {key!r} is not among the results of search {search!r}")
        why = result.explain(found[1])
        told = opened.describe(key, found[1].hit.position, viewer=viewer)
    answer(explanation_value(why), as_json, lambda: explanation_text(told, why))


def record_of(logged: ShownSearch, record: str) -> str:
    """Return the record that a rank or a key means."""
    if not record.isdigit():
        return record
    rank = int(record)
    if not 1 <= rank <= len(logged.shown):
        raise NotFoundError(
            f"search {logged.id!r} has no result {rank}",
            hint=f"it has {len(logged.shown)} results",
        )
    return logged.shown[rank - 1]
