"""A GEDCOM or GEDZIP file as a source of records."""

from collections.abc import Iterator
from pathlib import Path

from forebear.ingest.readers.gedcom.file import read_gedcom
from forebear.ingest.readers.gedcom.people import TreeReader
from forebear.ingest.readers.source import Entry, Shelf


class GedcomSource:
    """The people of a tree, one record each."""

    has_groups = False

    def __init__(self, path: Path, shelf: Shelf) -> None:
        file = read_gedcom(path)
        self.path = path
        self.shelf = shelf
        self.size_bytes = file.size_bytes
        self._reader = TreeReader(file, collection=shelf.collection.name)

    def entries(self) -> Iterator[Entry]:
        """Yield an entry for each person."""
        return self._reader.entries()

    def lines(self) -> dict[str, int]:
        """Return what became of every line."""
        return self._reader.lines()
