"""How does a file get into an archive, for the first time and again?

Rows become records, records of one household become a group, groups go to the storage in
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
from forebear.ingest.differences import (
    Change,
    ChangedHouseholds,
    compare,
    ids_by_line,
    keys_named_by_line,
)
from forebear.ingest.formats import open_source
from forebear.ingest.mapping import Mapping, check_collection_name
from forebear.ingest.pipeline import FileReader, ProgressCall, is_worthwhile
from forebear.ingest.readers.source import Source
from forebear.ingest.report import ImportCounts, ImportReport, RefusedRow
from forebear.ingest.store import Encode, EncodedBatch, Group, Journal, RecordStore, SourceFile
from forebear.ingest.workers import Workers
from forebear.records.collections import Collection

MAX_REMOVED = 0.5  # of a file's records; more, and it is another file of the same name


def import_file(
    path: Path,
    mapping: Mapping,
    store: RecordStore,
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
    with nullcontext() if dry_run else store.import_lock():
        work = _Import(path, mapping, store, progress, workers, may_replace=may_replace)
        report = work.survey() if dry_run else work.run()
    for row in work.refused:
        refused(row)
    return replace(report, dry_run=dry_run)


class _Collections:
    """The collections that a file's records go to; each is stored before its first record."""

    def __init__(self, source: Source, store: RecordStore) -> None:
        self._target = source.target
        self._store = store
        self._stored: set[str] = set()
        if not self._target.by_type:
            self._put(self._target.collection)

    def prepare(self, batch: list[Group]) -> None:
        """Store the collections of a batch."""
        for group in batch:
            for record in group:
                if record.collection not in self._stored:
                    self._put(self._target.collection_of(record))

    def _put(self, collection: Collection) -> None:
        self._stored.add(collection.name)
        self._store.put_collection(collection)


class _Import:
    """One file on its way into an archive."""

    def __init__(
        self,
        path: Path,
        mapping: Mapping,
        store: RecordStore,
        progress: ProgressCall | None,
        workers: Workers | None,
        *,
        may_replace: bool,
    ) -> None:
        self._workers = workers
        self._path, self._mapping, self._store = path, mapping, store
        self._progress, self._may_replace = progress, may_replace
        self._source = open_source(path, mapping)
        self._file = SourceFile(collection=self._source.target.collection.name, name=path.name)
        self._earlier = frozenset(store.keys_from(self._file))
        self._removed: frozenset[str] = frozenset()  # of the earlier keys, as far as surveyed
        self._journal, self._resumed = self._open_journal()
        self.refused: list[RefusedRow] = []

    def survey(self) -> ImportReport:
        """Read the file and report what it would change; write nothing."""
        counts, reader = ImportCounts(), self._read()
        for batch in reader.batches():
            if isinstance(batch, list):
                compare(self._without_erased(batch), self._store, counts)
        self._removed = frozenset(self._count_removed(reader, counts))
        return self._report(reader, counts)

    def run(self) -> ImportReport:
        """Write what the file changes."""
        surveyed = self.survey() if self._earlier and not self._resumed else None
        if surveyed:
            self._refuse_if_most_are_removed(surveyed)
            if surveyed.counts.changes_nothing:
                _Collections(self._source, self._store)
                self._store.finish(self._file)
                return surveyed
        self._store.begin(self._journal)
        written = self._write()
        self._store.finish(self._file)
        # The survey saw the archive as it was, before households were taken apart.
        return replace(written, counts=surveyed.counts) if surveyed else written

    def _write(self) -> ImportReport:
        counts, collections = ImportCounts(), _Collections(self._source, self._store)
        households = ChangedHouseholds(self._earlier, self._removed)
        reader = self._read(self._encoder(collections))
        for batch in reader.batches():
            if isinstance(batch, list):
                self._deliver(batch, collections, counts, households)
            elif not self._write_encoded(batch, counts):
                for part in batch:
                    if not self._write_encoded((part,), counts):
                        self._deliver(part.groups(), collections, counts, households)
        for change in households.take_rest():
            self._replace([change], reader.has)
        self._remove(self._count_removed(reader, counts), frozenset(counts.attached))
        return self._report(reader, counts)

    def _deliver(
        self,
        batch: list[Group],
        collections: _Collections,
        counts: ImportCounts,
        households: ChangedHouseholds,
    ) -> None:
        """Write what a batch changes, as far as no household would be split."""
        batch = self._without_erased(batch)
        collections.prepare(batch)
        difference = compare(batch, self._store, counts)
        for group, replaced in difference.write:
            households.add(group, replaced)
        self._replace(households.take_complete())
        if difference.relabel:
            self._store.restate(difference.relabel)

    def _without_erased(self, batch: list[Group]) -> list[Group]:
        """Return groups without the records that were erased for good."""
        erased = self._store.erased(record.key for group in batch for record in group)
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
            [record for record in members if record.key in self._earlier]
            for change in changes
            for members in change.left_out()
        ]
        keys = [record.key for members in left_out for record in members]
        attached = self._store.attached(keys) if keys else frozenset()
        groups = [group for change in changes for group in change.groups]
        for members in left_out:
            stay = [r for r in members if r.key in attached or is_read(r.key)]
            if stay:
                groups.append(tuple(stay))
        if groups:
            self._store.write(groups, file=self._file)

    def _encoder(self, collections: _Collections) -> Encode | None:
        """Return what encodes records for the storage; None if they are compared with it."""
        if is_worthwhile(self._source):
            return self._store.encoder()  # for other processes
        if self._earlier or self._resumed or not self._store.encoder():
            return None

        def encode(groups: Iterable[Group]) -> EncodedBatch:
            batch = list(groups)
            collections.prepare(batch)
            encode_batch = self._store.encoder()
            assert encode_batch
            return encode_batch(batch)

        return encode

    def _write_encoded(self, batches: Sequence[EncodedBatch], counts: ImportCounts) -> bool:
        """Write batches, unless something of them is stored already, and return whether."""
        is_new = self._store.write_encoded(batches, file=self._file)
        if is_new:
            counts.added += sum(len(batch.keys) for batch in batches)
        return is_new

    def _read(self, encode: Encode | None = None) -> FileReader:
        """Begin to read the file, from its start; its records are encoded if that is given."""
        self._source = open_source(self._path, self._mapping, is_checked=True)
        return FileReader(
            self._source,
            ids=self._journal.ids,
            encode=encode,
            workers=self._workers if encode and is_worthwhile(self._source) else None,
            progress=self._progress,
        )

    def _report(self, reader: FileReader, counts: ImportCounts) -> ImportReport:
        self.refused = reader.refused
        notes = self._source.notes if isinstance(self._source, TableSource) else ()
        return replace(reader.report(), counts=counts, resumed=self._resumed, notes=notes)

    def _open_journal(self) -> tuple[Journal, bool]:
        """Return the journal of this import, and whether it continues one that was begun."""
        with self._path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        journal = Journal(file=self._file, content=content, mapping=self._mapping.fingerprint)
        begun = self._store.unfinished(self._file)
        if begun and begun.is_of(journal):
            return begun, True
        return replace(journal, ids=self._row_ids()), False

    def _row_ids(self) -> dict[int, str]:
        """Return the ids of rows that give none, if such rows were imported before."""
        keys = keys_named_by_line(self._earlier, self._path.name)
        if not keys:
            return {}
        named = set(keys)
        groups = self._store.groups_holding(keys)
        stored = (record for group in groups for record in group if record.key in named)
        return ids_by_line(stored, self._source)

    def _count_removed(self, reader: FileReader, counts: ImportCounts) -> list[str]:
        """Return the keys of this file that it no longer has, and count them."""
        removed = sorted(key for key in self._earlier if not reader.has(key))
        counts.attached = tuple(sorted(self._store.attached(removed)))
        counts.removed = len(removed) - len(counts.attached)
        return removed

    def _refuse_if_most_are_removed(self, report: ImportReport) -> None:
        removed = report.counts.removed + len(report.counts.attached)
        if removed > MAX_REMOVED * len(self._earlier) and not self._may_replace:
            raise InputError(
                f"{self._path.name}: {removed:,} of the {len(self._earlier):,} records that "
                f"{self._file.collection!r} has from a file of this name are not in it",
                hint="if it is another file, give it another --collection; if it is meant to "
                "take their place, say --replace",
            )

    def _remove(self, removed: list[str], attached: frozenset[str]) -> None:
        """Remove records that the file lacks; attached ones stay, without their group."""
        remaining = []
        for group in self._store.groups_holding(attached):
            members = tuple(record for record in group if record.key in attached)
            if len(members) < len(group):
                remaining.append(members)
        if remaining:
            self._store.write(remaining, file=self._file)
        if doomed := set(removed) - attached:
            self._store.delete(sorted(doomed))
