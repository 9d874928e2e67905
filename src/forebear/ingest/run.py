"""How does a file get into an archive, for the first time and again?

Rows become records, records of one household become a group, groups go to the writer in
batches, and only what differs from what is stored is written.  The records of a new file are
encoded as they are stored before they are written.  A file that was imported before is
read twice: first to see what it would change, so that nothing is written of a file that would
remove most of its records, then to write.  Its records that it no longer has are removed
at the end, but for those that are attached to a tree.

Households that exchange members are written in one transaction, so that no reader ever sees one
of them split.

A batch is a transaction, and a journal says that the import is under way: after an
interruption the same command continues, and finds what it has already written unchanged.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from forebear.errors import InputError
from forebear.ingest.assemble import TableSource
from forebear.ingest.difference import ImportCounts, compare
from forebear.ingest.formats import open_source
from forebear.ingest.households import Change, ChangedHouseholds
from forebear.ingest.mapping import Mapping, check_collection_name
from forebear.ingest.pipeline import FileReading, ProgressCall, is_worthwhile
from forebear.ingest.report import ImportReport, RefusedRow
from forebear.ingest.row_ids import ids_by_line, keys_named_by_line
from forebear.ingest.shelves import Shelves
from forebear.ingest.store import Encode, EncodedBatch, Group, Journal, RecordStore, SourceFile
from forebear.ingest.workers import Workers

MAX_REMOVED = 0.5  # of a file's records; more, and it is another file of the same name


def import_file(
    path: Path,
    mapping: Mapping,
    writer: RecordStore,
    *,
    progress: ProgressCall | None = None,
    dry_run: bool = False,
    collection: str | None = None,
    may_replace: bool = False,
    refused: Callable[[RefusedRow], None] = lambda _: None,
    workers: Workers | None = None,
) -> ImportReport:
    """Write the records of a file and report.

    ``collection`` overrides the mapping's name, ``may_replace`` lets a file remove most of its
    records, and ``refused`` gets each entry that became no record.  ``workers`` read a large
    table; without them it is read in this process.
    """
    if collection is not None:
        check_collection_name(collection, file="collection")
        mapping = mapping.renamed(collection)
    with nullcontext() if dry_run else writer.import_lock():
        job = _Import(path, mapping, writer, progress, workers, may_replace=may_replace)
        report = job.survey() if dry_run else job.run()
    for row in job.refused:
        refused(row)
    return replace(report, dry_run=dry_run)


class _Import:
    """One file on its way into an archive."""

    def __init__(
        self,
        path: Path,
        mapping: Mapping,
        writer: RecordStore,
        progress: ProgressCall | None,
        workers: Workers | None,
        *,
        may_replace: bool,
    ) -> None:
        self._workers = workers
        self._path, self._mapping, self._writer = path, mapping, writer
        self._progress, self._may_replace = progress, may_replace
        self._source = open_source(path, mapping)
        self._file = SourceFile(shelf=self._source.target.collection.name, name=path.name)
        self._known = frozenset(writer.keys_from(self._file))
        self._removed: frozenset[str] = frozenset()  # of the known keys, as far as surveyed
        self._journal, self._resumed = self._open_journal()
        self.refused: list[RefusedRow] = []

    def survey(self) -> ImportReport:
        """Read the file and report what it would change; write nothing."""
        counts, reading = ImportCounts(), self._read()
        for batch in reading.batches():
            if isinstance(batch, list):
                compare(self._without_erased(batch), self._writer, counts)
        self._removed = frozenset(self._count_removed(reading, counts))
        return self._report(reading, counts)

    def run(self) -> ImportReport:
        """Write what the file changes."""
        surveyed = self.survey() if self._known and not self._resumed else None
        if surveyed:
            self._refuse_if_most_are_removed(surveyed)
            if surveyed.counts.changes_nothing:
                Shelves(self._source, self._writer)
                self._writer.finish(self._file)
                return surveyed
        self._writer.begin(self._journal)
        written = self._write()
        self._writer.finish(self._file)
        # The survey saw the archive as it was, before households were taken apart.
        return replace(written, counts=surveyed.counts) if surveyed else written

    def _write(self) -> ImportReport:
        counts, targets = ImportCounts(), Shelves(self._source, self._writer)
        households = ChangedHouseholds(self._known, self._removed)
        reading = self._read(self._encoder(targets))
        for batch in reading.batches():
            if isinstance(batch, list):
                self._deliver(batch, targets, counts, households)
            elif not self._store(batch, counts):
                for part in batch:
                    if not self._store((part,), counts):
                        self._deliver(part.groups(), targets, counts, households)
        for change in households.take_rest():
            self._replace([change], reading.has)
        self._remove(self._count_removed(reading, counts), frozenset(counts.attached))
        return self._report(reading, counts)

    def _deliver(
        self,
        batch: list[Group],
        targets: Shelves,
        counts: ImportCounts,
        households: ChangedHouseholds,
    ) -> None:
        """Write what a batch changes, as far as no household would be split."""
        batch = self._without_erased(batch)
        targets.prepare(batch)
        difference = compare(batch, self._writer, counts)
        for group, replaced in difference.write:
            households.add(group, replaced)
        self._replace(households.take_complete())
        if difference.restate:
            self._writer.restate(difference.restate)

    def _without_erased(self, batch: list[Group]) -> list[Group]:
        """Return groups without the records that were erased for good."""
        erased = self._writer.erased(record.key for group in batch for record in group)
        if not erased:
            return batch
        rest = [tuple(record for record in g if record.key not in erased) for g in batch]
        return [group for group in rest if group]

    def _replace(
        self, changes: list[Change], is_read: Callable[[str], bool] = lambda _: False
    ) -> None:
        """Write changed households in one transaction.

        It removes their former members, but for those that are attached, or that the file has
        without a record of them.
        """
        left_out = [
            [record for record in members if record.key in self._known]
            for change in changes
            for members in change.left_out()
        ]
        keys = [record.key for members in left_out for record in members]
        attached = self._writer.attached(keys) if keys else frozenset()
        groups = [group for change in changes for group in change.groups]
        for members in left_out:
            stay = [r for r in members if r.key in attached or is_read(r.key)]
            if stay:
                groups.append(tuple(stay))
        if groups:
            self._writer.write(groups, file=self._file)

    def _encoder(self, targets: Shelves) -> Encode | None:
        """Return what encodes records for the storage; None if they are compared with it."""
        if is_worthwhile(self._source):
            return self._writer.encoder()  # for other processes
        if self._known or self._resumed or not self._writer.encoder():
            return None

        def encode(groups: Iterable[Group]) -> EncodedBatch:
            batch = list(groups)
            targets.prepare(batch)
            encode_batch = self._writer.encoder()
            assert encode_batch
            return encode_batch(batch)

        return encode

    def _store(self, batches: Sequence[EncodedBatch], counts: ImportCounts) -> bool:
        """Write batches, unless something of them is stored already, and return whether."""
        is_new = self._writer.write_encoded(batches, file=self._file)
        if is_new:
            counts.added += sum(len(batch.keys) for batch in batches)
        return is_new

    def _read(self, encode: Encode | None = None) -> FileReading:
        """Begin to read the file, from its start; its records are encoded if that is given."""
        self._source = open_source(self._path, self._mapping, is_checked=True)
        return FileReading(
            self._source,
            ids=self._journal.ids,
            encode=encode,
            workers=self._workers if encode and is_worthwhile(self._source) else None,
            progress=self._progress,
        )

    def _report(self, reading: FileReading, counts: ImportCounts) -> ImportReport:
        self.refused = reading.refused
        notes = self._source.notes if isinstance(self._source, TableSource) else ()
        return replace(reading.report(), counts=counts, resumed=self._resumed, notes=notes)

    def _open_journal(self) -> tuple[Journal, bool]:
        """Return the journal of this import, and whether it continues one that was begun."""
        with self._path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        journal = Journal(file=self._file, content=content, mapping=self._mapping.fingerprint)
        begun = self._writer.unfinished(self._file)
        if begun and begun.is_of(journal):
            return begun, True
        return replace(journal, ids=self._row_ids()), False

    def _row_ids(self) -> dict[int, str]:
        """Return the ids of rows that give none, if such rows were imported before."""
        keys = keys_named_by_line(self._known, self._path.name)
        if not keys:
            return {}
        named = set(keys)
        groups = self._writer.groups_holding(keys)
        stored = (record for group in groups for record in group if record.key in named)
        return ids_by_line(stored, self._source)

    def _count_removed(self, reading: FileReading, counts: ImportCounts) -> list[str]:
        """Return the keys of this file that it no longer has, and count them."""
        removed = sorted(key for key in self._known if not reading.has(key))
        counts.attached = tuple(sorted(self._writer.attached(removed)))
        counts.removed = len(removed) - len(counts.attached)
        return removed

    def _refuse_if_most_are_removed(self, report: ImportReport) -> None:
        removed = report.counts.removed + len(report.counts.attached)
        if removed > MAX_REMOVED * len(self._known) and not self._may_replace:
            raise InputError(
                f"{self._path.name}: {removed:,} of the {len(self._known):,} records that "
                f"{self._file.shelf!r} has from a file of this name are not in it",
                hint="if it is another file, give it another --collection; if it is meant to "
                "take their place, say --replace",
            )

    def _remove(self, removed: list[str], attached: frozenset[str]) -> None:
        """Remove records that the file lacks; attached ones stay, without their group."""
        remaining = []
        for group in self._writer.groups_holding(attached):
            members = tuple(record for record in group if record.key in attached)
            if len(members) < len(group):
                remaining.append(members)
        if remaining:
            self._writer.write(remaining, file=self._file)
        if doomed := set(removed) - attached:
            self._writer.delete(sorted(doomed))
