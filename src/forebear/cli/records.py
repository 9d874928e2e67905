"""``forebear show``, ``browse`` and ``places``: what is in the archive?"""

from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import Struct

from forebear import Record
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    ViewerOption,
    open_archive,
    print_message,
    print_result,
)
from forebear.cli.text import facet_line, facets_value, row_line, row_value
from forebear.search.results.describe import LIVING, ROWS_A_PAGE
from forebear.storage.places import KnownPlace, place_label

NOTHING = 1  # exit status: there is no such row or place
BROWSED_FACETS = ("county", "town", "decade")
MAX_OTHER_NAMES = 6  # of a place


def show(
    record: Annotated[str, typer.Argument(help="The record: COLLECTION:ID.")],
    path: ArchiveOption = None,
    neighbors: Annotated[
        int, typer.Option(min=0, help="Also show this many records before and after it.")
    ] = 0,
    viewer: ViewerOption = "owner",
    as_json: JsonOption = False,
) -> None:
    """Show a record, the people on it and its source row."""
    with open_archive(path, viewer) as archive:
        shown = archive.record(record)
        household = [member for member in archive.household(record) if member.key != record]
        rows = archive.neighbors(record, around=neighbors) if neighbors else []
        descriptions = archive.describe_many([(row.record_key, 0) for row in rows]).values()
    value = {
        "key": shown.key,
        **_to_json(shown),
        "household": [member.key for member in household],
    }
    lines = [_record_text(shown, household)]
    if descriptions:
        value["neighbors"] = [row_value(description) for description in descriptions]
        lines.append("next to it in its source:")
        lines += [
            row_line(description) + ("  <-- this one" if description.record_key == record else "")
            for description in descriptions
        ]
    print_result(value, as_json, lambda: "\n".join(lines))


def _to_json(value: Any) -> Any:
    """Return a value and everything in it for JSON, with empty fields."""
    if isinstance(value, Struct):
        return {name: _to_json(getattr(value, name)) for name in value.__struct_fields__}
    return [_to_json(part) for part in value] if isinstance(value, tuple) else value


def _record_text(record: Record, household: list[Record]) -> str:
    date = record.event.date.text if record.event.date else "no date"
    place = record.event.place.text if record.event.place else "no place"
    lines = [f"{record.key}  {record.record_type}, {date}, {place}", f"source: {record.source}"]
    for persona in record.personas:
        names = " or ".join(f"{name.given} {name.surname}".strip() for name in persona.names)
        if persona.is_masked:
            names = LIVING
        age = f", age {persona.age.text}" if persona.age else ""
        lines.append(f"  {persona.role}: {names or '(no name)'}{age}")
    if household:
        lines.append(f"household: {', '.join(member.key for member in household)}")
    lines.append("source row:")
    lines += [f"  {column}: {value}" for column, value in record.row if value.strip()]
    return "\n".join(lines)


def browse(
    collection: Annotated[str, typer.Argument(help="Its name; see `forebear collections`.")],
    path: ArchiveOption = None,
    place: Annotated[str, typer.Option(help="Only this place: Layham, Suffolk.")] = "",
    year: Annotated[int | None, typer.Option(help="Only this year.")] = None,
    page: Annotated[int, typer.Option(min=1, help="Number of the page.")] = 1,
    size: Annotated[int, typer.Option(min=1, help="Rows per page.")] = ROWS_A_PAGE,
    viewer: ViewerOption = "owner",
    as_json: JsonOption = False,
) -> None:
    """Page through a collection by place and year."""
    with open_archive(path, viewer) as archive:
        pages = archive.browse(collection, place=place, year=year, size=page * size)
        shown = pages.rows[(page - 1) * size :]
        descriptions = archive.describe_many([(row.record_key, 0) for row in shown]).values()
        title = archive.collection(collection).title
    count = -(-pages.total // size)
    value = {
        "collection": collection,
        "title": title,
        "total": pages.total,
        "page": page,
        "pages": count,
        "rows": [row_value(description) for description in descriptions],
        "facets": facets_value(pages.facets),
    }
    lines = [
        f"{collection}: {pages.total:,} records, page {page} of {count}  {title}",
        *(facet_line(facet) for facet in pages.facets if facet.name in BROWSED_FACETS),
        *(row_line(description) for description in descriptions),
    ]
    print_result(value, as_json, lambda: "\n".join(lines))
    if not shown:
        print_message(f"there is no page {page}" if pages.rows else "no record found")
        raise typer.Exit(NOTHING)


def places(
    text: Annotated[str | None, typer.Argument(help="A place's name, or part of it.")] = None,
    path: ArchiveOption = None,
    depth: Annotated[int, typer.Option(min=1, help="Number of levels, from the largest.")] = 2,
    gazetteer: Annotated[
        Path | None,
        typer.Option("--import", help="A GeoNames file, or a table of places with coordinates."),
    ] = None,
    viewer: ViewerOption = "owner",
    as_json: JsonOption = False,
) -> None:
    """List the places of the archive, or add coordinates."""
    with open_archive(path, viewer) as archive:
        if gazetteer is not None:
            report = archive.import_gazetteer(gazetteer)
            print_message(
                f"{gazetteer.name}: {report.lines:,} lines read, {report.refused:,} refused; "
                f"{report.matched:,} of {report.places:,} places of the archive are in it"
            )
        matches = archive.places(text or "", depth=depth)
    print_result(
        [_place_value(place) for place in matches],
        as_json,
        lambda: "\n".join(_place_line(place) for place in matches),
    )
    if text and not matches:
        print_message(f"no person was in a place called {text!r}")
        raise typer.Exit(NOTHING)


def _place_value(place: KnownPlace) -> dict[str, object]:
    return {
        "place": place.id,
        "name": place_label(place.id),
        "depth": place.depth,
        "personas": place.personas,
        "also": list(place.also),
        "spelled_like": list(place.spelled_like),
        "coordinates": list(place.coordinates) if place.coordinates else None,
    }


def _place_line(place: KnownPlace) -> str:
    label = place_label(place.id)
    name = label if place.depth == 0 else label.partition(",")[0]
    others = [other.title() for other in (*place.also, *place.spelled_like)][:MAX_OTHER_NAMES]
    more = f"  (compare {', '.join(others)})" if others else ""
    return f"{'  ' * place.depth + name:<40} {place.personas:>10,}{more}"
