"""``forebear browse``: a collection by place and year, in the order of its register."""

from typing import Annotated

import typer

from forebear.archive import open_archive
from forebear.cli.options import ArchiveOption, JsonOption, ViewerOption, answer, archive_path
from forebear.cli.result_text import facet_line
from forebear.search.results.browse import ROWS_A_PAGE
from forebear.search.results.describe import Description

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
    answer(value, as_json, lambda: "\n".join(lines))
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
