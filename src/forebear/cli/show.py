"""``forebear show``: a record as it was understood and as it stood in its source."""

from typing import Annotated, Any

import typer
from msgspec import Struct

from forebear.archive import open_archive
from forebear.cli.browse import row_line, row_value
from forebear.cli.options import ArchiveOption, JsonOption, ViewerOption, answer, archive_path
from forebear.records.record import Record
from forebear.search.results.describe import Description


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
    value = _value(found, mates)
    if beside:
        value["neighbors"] = [row_value(told) for told in beside]
    answer(value, as_json, lambda: "\n".join([_text(found, mates), *_beside(beside, record)]))


def _beside(beside: list[Description], record: str) -> list[str]:
    if not beside:
        return []
    lines = [
        row_line(told) + ("  <-- this one" if told.record_key == record else "") for told in beside
    ]
    return ["beside it in its source:", *lines]


def _value(record: Record, mates: list[Record]) -> dict[str, Any]:
    return {"key": record.key, **_plain(record), "household": [mate.key for mate in mates]}


def _plain(value: Any) -> Any:
    """Return a value and all in it as JSON has them, empty fields too."""
    if isinstance(value, Struct):
        return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def _text(record: Record, mates: list[Record]) -> str:
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
