"""Where do mappings come from, and which of them fits a file?

A mapping is a TOML file, the user's or one that is installed (``mappings/``, by name).
"""

from functools import cache
from importlib import resources
from importlib.metadata import entry_points
from importlib.resources.abc import Traversable
from itertools import islice
from pathlib import Path

from forebear.errors import InputError, MappingError
from forebear.ingest.formats import open_any_table, sniff_format
from forebear.ingest.mapping import Mapping, parse_mapping

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
    if name_or_path in _mapping_files():
        return _load_builtin(name_or_path)
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


@cache
def _load_builtin(name: str) -> Mapping:
    """Return one of our mappings; every table that is recognized needs all of them."""
    file = _mapping_files()[name]
    return parse_mapping(file.read_text(encoding="utf-8"), file=file.name)


def recognize(path: Path) -> Mapping | None:
    """Return our mapping for the file's format; of a table's, the one whose columns it has.

    If several fit, the one with most columns is taken.
    """
    file_format = sniff_format(path)
    if file_format != "table":
        return load_mapping(file_format)
    if path.suffix.casefold() in PLAIN_TEXT and not _is_table(path):
        return load_mapping("text")
    headings = set(open_any_table(path).headings)
    mappings = (load_mapping(name) for name in builtin_mappings())
    fitting = [
        mapping for mapping in mappings if mapping.format == "table" and mapping.columns <= headings
    ]
    return max(fitting, key=lambda mapping: len(mapping.columns), default=None)


def _is_table(path: Path) -> bool:
    """Return whether a text file is a table: prose has commas too, but not in columns."""
    try:
        rows = [*islice(open_any_table(path).rows(), TABLE_ROWS)]
    except InputError:
        return False
    return len(rows) > 1 and not any(row.fault for row in rows)
