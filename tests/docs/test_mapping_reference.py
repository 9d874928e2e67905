"""docs/reference/mapping.md has every key of a mapping file, with its type and default."""

import re
import tomllib
from pathlib import Path
from typing import Literal, get_args, get_origin

import pytest
from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from forebear.ingest.mapping import (
    CollectionEntry,
    Columns,
    DerivedColumn,
    EventColumns,
    JoinedColumn,
    Mapping,
    PersonaColumns,
    RecordColumns,
    RefusalRule,
    TableFormat,
)

SECTIONS: dict[str, type[Struct]] = {
    "Top level": Mapping,
    "`[collection]`": CollectionEntry,
    "`[table]`": TableFormat,
    "`[record]`": RecordColumns,
    "`[[persona]]`": PersonaColumns,
    "`events.KIND`": EventColumns,
    "`[derived.NAME]`": DerivedColumn,
    "`[joined.NAME]`": JoinedColumn,
    "`[[refuse]]`": RefusalRule,
}
TEXT_LISTS = {"places", "missing", "optional", "values"}
WORDS = {str: "text", int: "whole number", bool: "true or false"}


@pytest.fixture(scope="module")
def sections(repository: Path) -> dict[str, dict[str, list[str]]]:
    """Return the cells of each key, by section."""
    text = (repository / "docs" / "reference" / "mapping.md").read_text("utf-8")
    tables: dict[str, dict[str, list[str]]] = {}
    for part in text.split("\n## ")[1:]:
        title, _, body = part.partition("\n")
        rows = [line[1:-1].split(" | ") for line in body.splitlines() if line.startswith("| `")]
        tables[title] = {row[0].strip(" `"): [cell.strip() for cell in row] for row in rows}
    return tables


@pytest.mark.parametrize("title", SECTIONS)
def test_every_key_is_there_with_its_type_and_default(
    title: str, sections: dict[str, dict[str, list[str]]]
) -> None:
    expected = {field.name: field for field in fields(SECTIONS[title])}

    assert list(sections[title]) == list(expected)
    for name, field in expected.items():
        _, kind, default, meaning, example = sections[title][name]
        assert kind in kinds(field), f"{title}: {name}"
        assert default.replace("\\", "") == default_of(field).replace("\\", ""), f"{title}: {name}"
        assert meaning
        assert re.search(rf"\b{name}\b", example), f"{title}: {name}"
        tomllib.loads(example.strip("`"))


def test_no_section_is_of_something_else(sections: dict[str, dict[str, list[str]]]) -> None:
    assert list(sections) == list(SECTIONS)


def kinds(field: FieldInfo) -> set[str]:
    """Return the words that describe the type of a field."""
    kind = field.type
    options = [part for part in get_args(kind) if part is not type(None)]
    if get_origin(kind) is not tuple and options and type(None) in get_args(kind):
        kind = options[0]
    if get_origin(kind) is Literal:
        words = [f"`{word}`" if word else '`""`' for word in get_args(kind)]
        return {f"{', '.join(words[:-1])} or {words[-1]}"}
    if kind == Columns:
        return {"list of texts"} if field.name in TEXT_LISTS else {"columns, first", "columns, all"}
    if get_origin(kind) is tuple:
        return {"list of tables"}
    if kind == dict[str, str]:
        return {"texts by name"}
    if get_origin(kind) is dict:
        return {"tables by name", "tables by column", "tables by kind", "columns by name"}
    return {WORDS.get(kind, "table")}


def default_of(field: FieldInfo) -> str:
    if field.required:
        return "required"
    if field.default is NODEFAULT or field.default == ():
        return "empty"
    if field.default is None:
        return "none"
    if isinstance(field.default, str):
        return f'`"{field.default}"`'
    return f"`{str(field.default).lower()}`"
