"""``forebear explain``: why a record stands where it stands, or is not in the list."""

from typing import Annotated

import typer

from forebear.archive import Archive, open_archive
from forebear.cli.explanation_text import (
    absence_text,
    absence_value,
    explanation_text,
    explanation_value,
)
from forebear.cli.options import ArchiveOption, JsonOption, ViewerOption, answer, archive_path
from forebear.errors import InputError, NotFoundError
from forebear.interactions.events import LoggedSearch
from forebear.search.results.absence import Absence

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
        looking = opened.viewer(is_owner="owner" == logged.viewer == viewer)
        result = opened.search_again(logged, viewer=looking)
        found = result.find(key)
        if found is None:
            missing = why_missing(opened, logged, key, is_owner=viewer == "owner")
            answer(absence_value(missing), as_json, lambda: absence_text(missing))
            raise typer.Exit(NOT_IN_LIST)
        why = result.explain(found[1])
        told = opened.describe(key, found[1].hit.position, viewer=looking)
    answer(explanation_value(why), as_json, lambda: explanation_text(told, why))


def why_missing(archive: Archive, logged: LoggedSearch, key: str, *, is_owner: bool) -> Absence:
    """Return why a record is not in a logged search; only the owner hears of hidden ones."""
    searched_by_owner = logged.viewer == "owner"
    if is_owner and not searched_by_owner:
        hidden = archive.hidden_from_public(key)
        if hidden is not None:
            return hidden
    viewer = archive.viewer(is_owner=is_owner and searched_by_owner)
    result = archive.search_again(logged, viewer=viewer)
    found = archive.absence(result, key, viewer=viewer)
    if found is None:
        raise NotFoundError(f"record {key!r} came while search {logged.id!r} was explained")
    return found


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
