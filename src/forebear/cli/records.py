"""``forebear show``, ``browse`` and ``places``: what is in the archive?"""

from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import Struct

from forebear.archive import open_archive
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    ViewerOption,
    archive_path,
    print_message,
    print_result,
)
from forebear.cli.text import facet_line
from forebear.records.record import Record
from forebear.search.results.browse import ROWS_A_PAGE
from forebear.search.results.describe import Description
from forebear.storage.places import KnownPlace, place_label


def show(
    record: Annotated[str, typer.Argument(help="The record: COLLECTION:ID.")],
    archive: ArchiveOption = None,
    neighbors: Annotated[
        int, typer.Option(min=0, help="Also so many records before and after it in its source.")
    ] = 0,
    viewer: ViewerOption = "owner",
    as_json: JsonOption = False,
) -> None:
    """Show a record: what was understood, everyone on it, and the row it came from."""
    with open_archive(archive_path(archive)) as opened:
        looking = opened.viewer(viewer)
        found = opened.record(record, viewer=looking)
        group = opened.household(record, viewer=looking)
        mates = [member for member in group if member.key != found.key]
        rows = opened.neighbors(record, viewer=looking, around=neighbors) if neighbors else []
        beside = [opened.describe(row.record_key, 0, viewer=looking) for row in rows]
    value = _record_value(found, mates)
    if beside:
        value["neighbors"] = [row_value(told) for told in beside]
    print_result(
        value, as_json, lambda: "\n".join([_record_text(found, mates), *_beside(beside, record)])
    )


def _beside(beside: list[Description], record: str) -> list[str]:
    if not beside:
        return []
    lines = [
        row_line(told) + ("  <-- this one" if told.record_key == record else "") for told in beside
    ]
    return ["beside it in its source:", *lines]


def _record_value(record: Record, mates: list[Record]) -> dict[str, Any]:
    return {"key": record.key, **_plain(record), "household": [mate.key for mate in mates]}


def _plain(value: Any) -> Any:
    """Return a value and all in it as JSON has them, empty fields too."""
    if isinstance(value, Struct):
        return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def _record_text(record: Record, mates: list[Record]) -> str:
    date = record.event.date.text if record.event.date else "no date"
    place = record.event.place.text if record.event.place else "no place"
    lines = [f"{record.key}  {record.record_type}, {date}, {place}", f"source: {record.source}"]
    for persona in record.personas:
        names = " or ".join(f"{name.given} {name.surname}".strip() for name in persona.names)
        age = f", age {persona.age.text}" if persona.age else ""
        lines.append(f"  {persona.role}: {names or '(no name)'}{age}")
    if mates:
        lines.append(f"household: {', '.join(mate.key for mate in mates)}")
    lines.append("as it stood:")
    lines += [f"  {column}: {value}" for column, value in record.row if value.strip()]
    return "\n".join(lines)


NO_ROWS = 1
BROWSED = ("county", "town", "decade")  # facets that are told


def browse(
    collection: Annotated[str, typer.Argument(help="Its name; see `forebear collections`.")],
    archive: ArchiveOption = None,
    place: Annotated[str, typer.Option(help="Only this place: Layham, Suffolk.")] = "",
    year: Annotated[int | None, typer.Option(help="Only this year.")] = None,
    page: Annotated[int, typer.Option(min=1, help="Page of the register.")] = 1,
    size: Annotated[int, typer.Option(min=1, help="Rows a page.")] = ROWS_A_PAGE,
    viewer: ViewerOption = "owner",
    as_json: JsonOption = False,
) -> None:
    """Turn the pages of a collection: how it spreads, and its rows as they stood."""
    with open_archive(archive_path(archive)) as opened:
        looking = opened.viewer(viewer)
        facets, rows = opened.browse(collection, viewer=looking, place=place, year=year)
        start = (page - 1) * size
        shown = [
            opened.describe(row.record_key, 0, viewer=looking) for row in rows[start : start + size]
        ]
        title = opened.collection(collection).title
    value = {
        "collection": collection,
        "title": title,
        "total": len(rows),
        "page": page,
        "pages": -(-len(rows) // size),
        "rows": [row_value(told) for told in shown],
        "facets": {
            facet.name: {each.value: each.records for each in facet.values} for facet in facets
        },
    }
    lines = [
        f"{collection}: {len(rows):,} records, page {page} of {-(-len(rows) // size)}  {title}",
        *(facet_line(facet) for facet in facets if facet.name in BROWSED),
        *(row_line(told) for told in shown),
    ]
    print_result(value, as_json, lambda: "\n".join(lines))
    if not shown:
        raise typer.Exit(NO_ROWS)


def row_line(told: Description) -> str:
    """Return a row of a register for people."""
    parts = [told.date, told.name, told.role, told.place]
    return f"  {told.record_key}  " + ", ".join(part for part in parts if part)


def row_value(told: Description) -> dict[str, object]:
    """Return a row of a register as JSON has it."""
    return {
        "record": told.record_key,
        "date": told.date,
        "name": told.name,
        "role": told.role,
        "place": told.place,
        "source": told.source,
    }


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
            print_message(
                f"{gazetteer.name}: {report.lines:,} lines read, {report.refused:,} refused; "
                f"{report.matched:,} of {report.places:,} places of the archive are in it"
            )
        looking = opened.viewer(viewer)
        found = opened.places(text or "", viewer=looking, depth=depth)
    print_result(
        [_to_dict(place) for place in found],
        as_json,
        lambda: "\n".join(_to_text(place) for place in found),
    )
    if text and not found:
        print_message(f"nobody was in a place called {text!r}")
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
