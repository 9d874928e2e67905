"""Tests for `forebear.ingest.readers.jsonl`: our own form, out and in again."""

import json
from collections.abc import Sequence
from pathlib import Path

from forebear.ingest.find_mapping import load_mapping, recognize
from forebear.ingest.run import import_file
from forebear.ingest.store import Group, RecordStore, SourceFile
from forebear.records.codec import collection_to_json, record_to_json
from forebear.records.collections import Collection
from forebear.records.record import Event, Name, Persona, Record

COLLECTION = Collection(name="wills", title="Wills", record_type="probate", licence="CC0")


def record(number: int, group: str | None = None) -> Record:
    return Record(
        collection="wills",
        id=f"w{number}",
        record_type="probate",
        event=Event(kind="probate"),
        personas=(Persona(role="testator", names=(Name(given="Zoë", surname="Green"),)),),
        group=group,
    )


class ListWriter(RecordStore):
    def __init__(self) -> None:
        self.collections: list[Collection] = []
        self.groups: list[tuple[Record, ...]] = []

    def put_collection(self, collection: Collection) -> None:
        self.collections.append(collection)

    def write(self, groups: Sequence[Group], *, file: SourceFile | None = None) -> None:
        del file  # not asked for here
        self.groups.extend(groups)


def write(folder: Path, *values: object) -> Path:
    path = folder / "out.jsonl"
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def test_what_was_written_out_comes_in_again(tmp_path: Path) -> None:
    records = [record(1, "g"), record(2), record(3, "g")]
    path = write(tmp_path, collection_to_json(COLLECTION), *map(record_to_json, records))
    mapping, writer = recognize(path), ListWriter()
    assert mapping

    report = import_file(path, mapping, writer)

    assert report.accepted == 3
    assert writer.collections == [COLLECTION]
    assert writer.groups == [(records[1],), (records[0], records[2])]


def test_a_record_may_leave_the_collection_to_the_file(tmp_path: Path) -> None:
    value = record_to_json(record(1))
    del value["collection"]
    writer = ListWriter()

    import_file(write(tmp_path, value), load_mapping("jsonl"), writer)

    assert writer.groups[0][0].key == "out:w1"
    assert [(c.name, c.record_type) for c in writer.collections] == [("out", "probate")]


def test_a_bad_line_is_refused_and_the_others_kept(tmp_path: Path) -> None:
    path = write(tmp_path, {"id": "x"}, record_to_json(record(1)), {**record_to_json(record(2))})
    path.write_text(path.read_text("utf-8") + "{half\n", "utf-8")

    report = import_file(path, load_mapping("jsonl"), ListWriter())

    assert (report.read, report.accepted) == (4, 2)
    assert [(issue.line, issue.reason) for issue in report.refusals] == [
        (1, "record: no 'record_type'"),
        (4, "not JSON"),
    ]
