"""What comes in: files of records, and gazetteers of their places."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from forebear.archive.opened import OpenedArchive
from forebear.errors import InputError

# The readers of files take longer to load than a search takes.
if TYPE_CHECKING:
    from forebear.ingest.mapping import Mapping
    from forebear.ingest.reading import RefusedRow
    from forebear.ingest.report import ImportReport, Progress
    from forebear.ingest.writer import SourceFile
    from forebear.normalize.gazetteer import GazetteerReport


class Importing(OpenedArchive):
    """An archive that takes files in."""

    def import_records(
        self,
        path: Path,
        *,
        mapping: str | None = None,
        collection: str | None = None,
        dry_run: bool = False,
        may_replace: bool = False,
        progress: "Callable[[Progress], None] | None" = None,
        refused: "Callable[[RefusedRow], None]" = lambda _: None,
    ) -> "ImportReport":
        """Import a file through a mapping: a name, a file, or none to recognize one.

        A file that is known already is compared with its records, and only what differs is
        written; one that would remove most of its records is refused unless it ``may_replace``.
        """
        from forebear.ingest.mapping import load_mapping
        from forebear.ingest.run import import_file

        found = load_mapping(mapping) if mapping else _recognized(path)
        return import_file(
            path,
            found,
            self._storage,
            collection=collection,
            dry_run=dry_run,
            may_replace=may_replace,
            progress=progress,
            refused=refused,
        )

    def unfinished_imports(self) -> "list[SourceFile]":
        """Return the files whose import was interrupted and waits to go on."""
        return self._storage.all_unfinished()

    def import_gazetteer(self, path: Path) -> "GazetteerReport":
        """Take coordinates and other names of the archive's places from GeoNames or a table."""
        from forebear.normalize.geonames import match_geonames
        from forebear.normalize.place_table import is_place_table, match_place_table

        match = match_place_table if is_place_table(path) else match_geonames
        entries, report = match(path, self._storage.places())
        self._storage.add_to_gazetteer(entries)
        return report


def _recognized(path: Path) -> "Mapping":
    from forebear.ingest.mapping import recognize

    found = recognize(path)
    if found is None:
        raise InputError(
            f"{path.name}: no built-in mapping fits its headings",
            hint=f"propose a mapping with `forebear map {path} > mapping.toml`, correct it, and "
            "import with --mapping mapping.toml; see docs/guide/import.md",
        )
    return found
