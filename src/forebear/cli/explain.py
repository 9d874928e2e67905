"""``forebear explain``: why a record stands where it stands, or is not in the list."""

from typing import Annotated

import typer

from forebear.archive import Archive, open_archive
from forebear.archive.archive import ViewerName
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
        result = opened.repeat_search(logged, viewer=viewer_of(logged, viewer))
        hit = result.hit(key)
        if hit is None:
            missing = why_missing(opened, logged, key, viewer)
            answer(absence_value(missing), as_json, lambda: absence_text(missing))
            raise typer.Exit(NOT_IN_LIST)
        explanation, description = hit.explain(), hit.description
    answer(
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
