"""Where do mappings come from, and which of them fits a file?

A mapping is a TOML file, the user's own or one of ours (``mappings/``, by name).  The
language is in ``columns``.
"""

import tomllib
from dataclasses import replace
from functools import cache
from importlib import resources
from importlib.metadata import entry_points
from importlib.resources.abc import Traversable
from itertools import islice
from pathlib import Path

from forebear.errors import InputError, MappingError
from forebear.ingest.check_mapping import check_mapping
from forebear.ingest.columns import Mapping
from forebear.ingest.formats import sniff_format
from forebear.ingest.readers.any_table import open_any_table
from forebear.ingest.toml_values import Spot, fill

__all__ = ["Mapping", "builtin_mappings", "load_mapping", "parse_mapping", "recognize"]


ENTRY_POINTS = "forebear.mappings"
PLAIN_TEXT = (".txt", ".text")
TABLE_ROWS = 20  # as wide as the heading, all of them, if a text is a table


def builtin_mappings() -> list[str]:
    """Return the names of the mappings that come with the installed packages."""
    return sorted(_mapping_files())


@cache
def _mapping_files() -> dict[str, Traversable]:
    """Return the file of each built-in mapping: ours, and those of other installed packages.

    A package offers a folder of mappings by an entry point of the group `forebear.mappings`
    whose value is the package that has the files.
    """
    folders = [resources.files("forebear.ingest") / "mappings"]
    folders += [resources.files(point.value) for point in entry_points(group=ENTRY_POINTS)]
    return {
        file.name.removesuffix(".toml"): file
        for folder in folders
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    }


def load_mapping(name_or_path: str) -> Mapping:
    """Return the mapping of this name among ours, else that of the file at this path."""
    file = _mapping_files().get(name_or_path)
    if file is not None:
        return parse_mapping(file.read_text(encoding="utf-8"), file=file.name)
    path = Path(name_or_path)
    if not path.is_file():
        raise MappingError(
            f"{name_or_path}: no such mapping file",
            hint=f"give the path of a .toml file, or one of: {', '.join(builtin_mappings())}",
        )
    try:
        return parse_mapping(path.read_text(encoding="utf-8"), file=str(path))
    except UnicodeDecodeError as error:
        raise MappingError(f"{path}: not UTF-8 text", hint="save the mapping as UTF-8") from error


def parse_mapping(text: str, *, file: str = "mapping") -> Mapping:
    """Return the mapping that a TOML text spells out; ``file`` is its name in messages."""
    spot = Spot(file=file)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MappingError(f"{file}: not TOML: {error}", hint="see https://toml.io") from error
    mapping = fill(Mapping, tables, spot)
    check_mapping(mapping, spot)
    return replace(mapping, values={name: _fold(words) for name, words in mapping.values.items()})


def recognize(path: Path) -> Mapping | None:
    """Return our mapping for the file's format; of a table's, the one whose columns it has.

    If several fit, the one with most columns is taken.
    """
    found = sniff_format(path)
    if found != "table":
        return load_mapping(found)
    if path.suffix.casefold() in PLAIN_TEXT and not _is_table(path):
        return load_mapping("text")
    headings = set(open_any_table(path).headings)
    mappings = (load_mapping(name) for name in builtin_mappings())
    fitting = [
        mapping for mapping in mappings if mapping.format == "table" and mapping.columns <= headings
    ]
    return max(fitting, key=lambda mapping: len(mapping.columns), default=None)


def _is_table(path: Path) -> bool:
    """Say whether a text file is a table: prose has commas too, but not in columns."""
    try:
        rows = [*islice(open_any_table(path).rows(), TABLE_ROWS)]
    except InputError:
        return False
    return len(rows) > 1 and not any(row.fault for row in rows)


def _fold(words: dict[str, str]) -> dict[str, str]:
    return {code.casefold(): word for code, word in words.items()}
