"""Has a file the columns that its mapping names?"""

from difflib import get_close_matches
from pathlib import Path

from forebear.errors import InputError
from forebear.ingest.columns import Mapping
from forebear.ingest.readers.any_table import AnyTable, open_any_table

SHOWN_HEADINGS = 8


def open_mapped_table(path: Path, mapping: Mapping, *, is_checked: bool = False) -> AnyTable:
    """Open a file as its mapping says; refuse one that lacks a column or cannot be read.

    Whether it can be read to its end is seen by doing so, unless that was done before.
    """
    table = open_any_table(path, mapping.table)
    lacking = sorted(mapping.columns - set(table.headings))
    if len(lacking) == len(mapping.columns):
        raise _no_heading_error(table, mapping)
    if lacking:
        raise _lacking_error(table, lacking, mapping)
    if not is_checked:
        table.check()
    return table


def _no_heading_error(table: AnyTable, mapping: Mapping) -> InputError:
    shown = ", ".join(repr(heading) for heading in table.headings[:SHOWN_HEADINGS])
    wanted = ", ".join(repr(column) for column in sorted(mapping.columns)[:SHOWN_HEADINGS])
    return InputError(
        f"{table.path}:{table.heading_line}: no heading row for {mapping.collection.name!r}: "
        f"found {shown}",
        hint=f"the first row must name the columns, among them {wanted}; "
        "if it names others, use another mapping",
    )


def _lacking_error(table: AnyTable, lacking: list[str], mapping: Mapping) -> InputError:
    columns = "column" if len(lacking) == 1 else "columns"
    return InputError(
        f"{table.path}:{table.heading_line}: no {columns} "
        f"{', '.join(repr(column) for column in lacking)}, "
        f"which the mapping of {mapping.collection.name!r} names",
        hint="; ".join(_nearest(column, table.headings) for column in lacking),
    )


def _nearest(column: str, headings: tuple[str, ...]) -> str:
    folded = {heading.casefold(): heading for heading in headings}
    near = get_close_matches(column.casefold(), list(folded), n=3, cutoff=0.5)
    if not near:
        return f"nothing in the file is like {column!r}"
    return f"nearest to {column!r}: {', '.join(repr(folded[name]) for name in near)}"
