"""What can be done with an open archive?

Everything that a command or a page does is a method of `Archive`, a few lines over the archive's
parts: where its records are (``_storage``), what people did (``_log``), what was learned
(``_models``), which collections are ranked together (``_lists``) and who may sign in (``_links``).
The methods are in four modules, each a class that stands on the one before: `records` reads,
`searching` searches, `judging` logs what people did, `learning` learns.  Here are those that import
files, report, and look after the archive.

An archive may be used from several threads.  Those that read see the archive as it is when they
begin, and do not wait; those that write take turns.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from forebear.archive.learning import LearningArchive
from forebear.archive.records import now
from forebear.archive.searching import viewer_of
from forebear.errors import InputError, NotFoundError, StorageError
from forebear.records.privacy import limit_year
from forebear.search.search_result import options_from_json

# A search must be quick to start: everything else is loaded by the method that needs it.
if TYPE_CHECKING:
    from forebear.archive.collections_report import CollectionsReport
    from forebear.archive.replay import Replay
    from forebear.ingest.report import ImportReport, Progress, RefusedRow
    from forebear.ingest.store import SourceFile
    from forebear.interactions.events import LoggedSearch
    from forebear.interactions.unmet import SearchesReport
    from forebear.normalize.gazetteer import GazetteerReport
    from forebear.storage.copy import CopyReport
    from forebear.storage.port import CheckReport


class Archive(LearningArchive):
    """An open archive of records; `forebear.open` and `forebear.create` return one."""

    def replay_log(
        self,
        model: str | None = None,
        *,
        progress: Callable[[int, int], None] = lambda *_: None,
    ) -> "Replay":
        """Return how the lists of the judged searches differ with the present clauses and model."""
        from forebear.archive.replay import replay

        name = self.model(model).name

        def repeat(search: "LoggedSearch") -> tuple[str, ...]:
            options = options_from_json(search.options, model=name)
            query = json.loads(search.query)
            result = self.search(query, options=options, viewer=viewer_of(search), log=False)
            return tuple(result.search_result.fused.record_keys())

        return replay(self.judged_searches(), repeat, model=name, progress=progress)

    def report_searches(self) -> "SearchesReport":
        """Return which searches found nothing or were relaxed."""
        from forebear.interactions.unmet import report_searches

        return report_searches(
            self._log.unmet_searches(),
            searches=self._log.count_searches(),
            year=self.viewer("owner").year,
        )

    def report_collections(
        self,
        model: str | None = None,
        *,
        searches: int = 1_000,
        seed: int = 1,
        simulated: bool = False,
        progress: Callable[[int, int], None] = lambda *_: None,
    ) -> "CollectionsReport":
        """Return what the judged searches lose without each collection, and what is missing.

        At most this many ``searches``, drawn by the ``seed``, are run again without each
        collection; ``progress`` gets how many runs are done and how many there are.
        ``simulated`` labels the report as a check of the method.
        """
        from forebear.archive.collections_report import LoggedUse, report_collections

        use = LoggedUse(
            judged=self.judged_searches(),
            pages=self.first_pages(),
            unmet=tuple(self._log.unmet_searches()),
        )
        return report_collections(
            self,
            use,
            model=self.model(model).name,
            most=searches,
            seed=seed,
            is_simulated=simulated,
            progress=progress,
        )

    def import_file(
        self,
        path: str | Path,
        *,
        mapping: str | None = None,
        collection: str | None = None,
        dry_run: bool = False,
        replace: bool = False,
        progress: "Callable[[Progress], None] | None" = None,
        refused: "Callable[[RefusedRow], None]" = lambda _: None,
    ) -> "ImportReport":
        """Import a file through a mapping: a built-in name, a mapping file, or None to guess.

        A file that was imported before is compared with its records, and only what differs is
        written; one that would remove most of its records is refused without ``replace``.
        """
        from forebear.ingest.find_mapping import load_mapping, recognize
        from forebear.ingest.run import import_file
        from forebear.ingest.workers import Workers

        file = Path(path)
        recipe = load_mapping(mapping) if mapping else recognize(file)
        if recipe is None:
            raise InputError(
                f"{file.name}: no built-in mapping fits its headings",
                hint=f"propose a mapping with `forebear map {file} > mapping.toml`, correct it, "
                "and import with --mapping mapping.toml; see docs/guide/import.md",
            )
        self._workers = self._workers or Workers()
        report = import_file(
            file,
            recipe,
            self._storage,
            collection=collection,
            dry_run=dry_run,
            may_replace=replace,
            progress=progress,
            refused=refused,
            workers=self._workers,
        )
        if not dry_run:
            self._note_import()
        return report

    def unfinished_imports(self) -> "list[SourceFile]":
        """Return the files whose import was interrupted; importing them again continues it."""
        return self._storage.all_unfinished()

    def import_gazetteer(self, path: str | Path) -> "GazetteerReport":
        """Add coordinates and other names of places from GeoNames or a table."""
        from forebear.normalize.gazetteer import is_place_table, match_geonames, match_place_table

        file = Path(path)
        match = match_place_table if is_place_table(file) else match_geonames
        entries, report = match(file, self._storage.places())
        self._storage.add_to_gazetteer(entries)
        return report

    def takedown(self, key: str, *, reason: str = "") -> None:
        """Hide a record from the public for good, however often it is imported again."""
        self.record(key, viewer="owner")
        self._storage.take_down(key, reason=reason, at=now())

    def erase(self, key: str) -> None:
        """Delete a record for good, so that no import brings it back; then `compact`."""
        self.record(key, viewer="owner")
        self._storage.erase(key)

    def restore(self, key: str) -> None:
        """Undo a takedown."""
        if key not in self.takedowns():
            raise NotFoundError(
                f"record {key!r} is not taken down",
                hint="if an interrupted --restore left it hidden, take it down and restore it",
            )
        self._storage.restore(key)

    def delete_collection(self, name: str) -> int:
        """Delete a collection with its records and return how many there were.

        Records of it that are taken down are erased: only a hash of their key stays.
        """
        count = self.counts(viewer="owner")[self.collection(name, viewer="owner").name]
        for key in self.takedowns():
            if key.partition(":")[0] == name:
                self._storage.erase(key)
        self._storage.delete_collection(name)
        return count

    def check(self) -> "CheckReport":
        """Compare the index with what the records say."""
        return self._storage.check()

    def digest(self) -> str:
        """Return a hash of the contents, the same whatever the order they came in."""
        return self._storage.digest()

    def reindex(self, progress: Callable[[int, int], None] = lambda *_: None) -> None:
        """Write the terms of all records again, by the rules of this version.

        Records, attachments, models and ids stay.  ``progress`` gets how much is done and how
        much there is.  If it is interrupted, the archive is as it was, or can be reindexed again.
        """
        self._storage.reindex(progress)
        self._fits.clear()

    def backup(self, path: str | Path) -> None:
        """Write a copy of the archive's file, verified, while others use it."""
        from forebear.storage.sqlite.backup import back_up

        back_up(self._file, Path(path))

    def compact(self) -> None:
        """Give back the space that deletions left."""
        self._storage.compact()

    def copy_to(self, other: "Archive") -> "CopyReport":
        """Copy everything to another archive, in a file or a cluster, and compare the two."""
        from forebear.storage.copy import copy_records
        from forebear.storage.sqlite.upkeep import copy_tables

        report = copy_records(self._storage, other._storage, at=now())
        copy_tables(self._file, other._file)
        if not report.is_equal:
            raise StorageError(
                f"{other.path} does not hold what {self.path} holds",
                hint="it had other records, or one of them changed meanwhile; copy again",
            )
        return report

    def delete(self) -> None:
        """Delete the archive for good: its file, and everything it has in a cluster."""
        self._storage.delete_all()
        self.close()
        self._file.delete()

    def _note_import(self) -> None:
        """Note the year of an import, which the public's year is limited by.

        It is at most the year after the release: with a wrong clock, many imports open no more
        than one.
        """
        year = limit_year(datetime.now(UTC).year, 0)
        if year > self._storage.import_year():
            self._storage.note_import(year)
