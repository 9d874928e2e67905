"""``forebear places``: the hierarchy of places that grew from the records."""

from pathlib import Path
from typing import Annotated

import typer

from forebear.archive import open_archive
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    ViewerOption,
    answer,
    archive_path,
    talk,
)
from forebear.storage.places import KnownPlace, place_label

SHOWN_NAMES = 6
NOTHING_FOUND = 1


def places(
    text: Annotated[str | None, typer.Argument(help="A place's name, or part of it.")] = None,
    archive: ArchiveOption = None,
    depth: Annotated[int, typer.Option(min=1, help="How many levels, from the largest.")] = 2,
    gazetteer: Annotated[
        Path | None,
        typer.Option("--import", help="GeoNames, or a table of places with coordinates."),
    ] = None,
    viewer: ViewerOption = "owner",
    as_json: JsonOption = False,
) -> None:
    """Show the places of the archive, one inside the other, with how many people each has."""
    with open_archive(archive_path(archive)) as opened:
        if gazetteer is not None:
            report = opened.import_gazetteer(gazetteer)
            talk.print(
                f"{gazetteer.name}: {report.lines:,} lines read, {report.refused:,} refused; "
                f"{report.matched:,} of {report.places:,} places of the archive are in it"
            )
        looking = opened.viewer(viewer)
        found = opened.places(text or "", viewer=looking, depth=depth)
    answer(
        [_to_dict(place) for place in found],
        as_json,
        lambda: "\n".join(_to_text(place) for place in found),
    )
    if text and not found:
        talk.print(f"nobody was in a place called {text!r}")
        raise typer.Exit(NOTHING_FOUND)


def _to_dict(place: KnownPlace) -> dict[str, object]:
    return {
        "place": place.id,
        "name": place_label(place.id),
        "depth": place.depth,
        "personas": place.personas,
        "also": list(place.also),
        "spelled_like": list(place.spelled_like),
        "coordinates": list(place.coordinates) if place.coordinates else None,
    }


def _to_text(place: KnownPlace) -> str:
    label = place_label(place.id)
    name = label if place.depth == 0 else label.partition(",")[0]
    others = [each.title() for each in (*place.also, *place.spelled_like)][:SHOWN_NAMES]
    more = f"  (compare {', '.join(others)})" if others else ""
    return f"{'  ' * place.depth + name:<40} {place.personas:>10,}{more}"
