"""How are records in our own form read: one JSON object a line?

A line is a record or, if it has a ``title``, the description of a collection, which comes before
the collection's records.  This is also how an archive's records are written out.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from forebear.errors import InputError, RecordError
from forebear.ingest.readers.source import Entry, TargetCollections, check_is_file
from forebear.ingest.readers.table import find_encoding
from forebear.ingest.report import Issue
from forebear.records.codec import collection_from_json, record_from_json
from forebear.records.collections import RECORD_TYPES

MAX_LINE_CHARACTERS = 1 << 24


class JsonLinesSource:
    """The records of a file of JSON lines."""

    has_groups = True

    def __init__(self, path: Path, target: TargetCollections) -> None:
        check_is_file(path)
        self.path = path
        self.target = target
        self.size_bytes = path.stat().st_size
        self._encoding = find_encoding(path)
        if next(self.entries(), None) is None:
            raise InputError(f"{path}:1: the file is empty", hint="export the records again")

    def entries(self) -> Iterator[Entry]:
        """Yield an entry for each line that holds a record."""
        done = 0
        with self.path.open(encoding=self._encoding) as file:
            for number, line in enumerate(iter(lambda: file.readline(MAX_LINE_CHARACTERS), ""), 1):
                done += len(line.encode("utf-8", "replace"))
                if line.strip():
                    yield self._entry(number, line, done)

    def lines(self) -> dict[str, int]:
        """Return nothing: what became of each line is in the report."""
        return {}

    def _entry(self, number: int, line: str, done: int) -> Entry:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            return _refused(number, "not JSON", str(error), line, done)
        try:
            if isinstance(value, dict) and "title" in value and "personas" not in value:
                collection = collection_from_json(value)
                self.target.described[collection.name] = collection
                return Entry(line=number, bytes_done=done, counts=False)
            record = record_from_json(value, collection=self.target.collection.name)
        except RecordError as error:
            return _refused(number, error.message, "", line, done)
        if record.record_type not in RECORD_TYPES:
            return _refused(number, "unknown record type", repr(record.record_type), line, done)
        if not any(persona.names for persona in record.personas):
            return _refused(number, "no name at all", "", line, done)
        return Entry(line=number, records=(record,), bytes_done=done)


def _refused(number: int, reason: str, detail: str, text: str, done: int) -> Entry:
    refusal = Issue(line=number, reason=reason, detail=detail)
    cells = (("text", text.rstrip("\n")),)
    return Entry(line=number, refusal=refusal, cells=cells, bytes_done=done)
