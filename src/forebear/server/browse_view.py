"""What does a page show of a collection?  Its facets, and its rows in the source's order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from forebear.archive import Archive
from forebear.errors import InputError
from forebear.search.results.describe import ROWS_A_PAGE, Description
from forebear.search.store import CollectionRow
from forebear.server.result_view import record_address

BROWSED = ("county", "town", "decade")  # facets that a collection is browsed by
AROUND = 10  # rows before and after a record


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """A row of a collection in a few words."""

    description: Description
    address: str
    is_this: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLink:
    """A part of a collection, with its address."""

    words: str
    records: int
    address: str  # "" where a part is only counted


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionView:
    """A page of a collection."""

    name: str
    title: str
    place: str
    year: str
    total: int
    parts: tuple[tuple[str, tuple[PartLink, ...]], ...]  # by facet
    rows: tuple[RowView, ...]
    earlier: str  # addresses, "" where there is no such page
    later: str


def view_collection(
    archive: Archive, collection: str, *, place: str, year: str, after: str, before: str
) -> CollectionView:
    """Return what a page shows of a collection, or of a part of it."""
    if year and not year.isdecimal():
        raise InputError(f"year: found {year[:20]!r}, expected a year such as 1851")
    viewer = archive.viewer("public")
    about = archive.collection(collection, viewer=viewer)
    page = archive.browse(
        collection,
        viewer=viewer,
        place=place,
        year=int(year) if year else None,
        after=after,
        before=before,
        size=ROWS_A_PAGE,
    )
    parts = tuple(
        (
            facet.name,
            tuple(
                PartLink(
                    words=value.words,
                    records=value.records,
                    address=""
                    if facet.name == "decade"
                    else collection_address(collection, place=value.value, year=year),
                )
                for value in facet.values
            ),
        )
        for facet in page.facets
        if facet.name in BROWSED
    )

    def turn(**cursor: str) -> str:
        return collection_address(collection, place=place, year=year, **cursor)

    return CollectionView(
        name=collection,
        title=about.title or collection,
        place=place,
        year=year,
        total=page.total,
        parts=parts,
        rows=tuple(_view_rows(archive, page.rows)),
        earlier=turn(before=page.before) if page.before else "",
        later=turn(after=page.after) if page.after else "",
    )


def view_neighbors(archive: Archive, record_key: str, *, back: str) -> tuple[RowView, ...]:
    """Return the rows around a record in its source, itself among them."""
    viewer = archive.viewer("public")
    rows = archive.neighbors(record_key, viewer=viewer, around=AROUND)
    return tuple(_view_rows(archive, rows, this=record_key, back=back))


def collection_address(collection: str, **parameters: str) -> str:
    """Return the address of a part of a collection, or of a page of it."""
    query = urlencode([(name, value) for name, value in parameters.items() if value])
    return f"/browse/{quote(collection)}" + (f"?{query}" if query else "")


def _view_rows(
    archive: Archive, rows: Sequence[CollectionRow], *, this: str = "", back: str = ""
) -> Iterable[RowView]:
    viewer = archive.viewer("public")
    for row in rows:
        yield RowView(
            description=archive.describe(row.record_key, 0, viewer=viewer),
            address=record_address(row.record_key, back),
            is_this=row.record_key == this,
        )
