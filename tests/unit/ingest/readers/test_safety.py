"""Files made to do harm: they are refused at once, before they unfold."""

import gzip
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear.ingest.find_mapping import load_mapping
from forebear.ingest.readers.safe_files import (
    MAX_DEPTH,
    LocatedElement,
    find_elements,
    in_pieces,
    open_zip,
    read_gzip,
    read_member,
)
from forebear.ingest.run import import_file
from forebear.ingest.store import RecordStore
from forebear.records.collections import Collection

LAUGHS = "".join(
    f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' if n else '<!ENTITY l0 "ha">' for n in range(20)
)
BOMB = f"<?xml version='1.0'?><!DOCTYPE A2A [{LAUGHS}]><A2A>&l19;</A2A>"
OUTSIDE = '<!DOCTYPE A2A [<!ENTITY x SYSTEM "file:///etc/passwd">]><A2A>&x;</A2A>'
PARAMETER = '<!DOCTYPE A2A [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x">%x;]><A2A/>'


class Nowhere(RecordStore):
    """A writer that nothing may be written to."""

    def put_collection(self, collection: Collection) -> None:
        raise AssertionError(collection)

    def write(self, groups: object) -> None:
        raise AssertionError(groups)


def elements(text: str) -> list[LocatedElement]:
    return [*find_elements(in_pieces(text.encode()), {"A2A"}, where="x.xml")]


@pytest.mark.parametrize("text", [BOMB, OUTSIDE, PARAMETER])
def test_entities_are_refused_where_they_are_declared(text: str) -> None:
    with pytest.raises(InputError, match="declares an entity"):
        elements(text)


@pytest.mark.parametrize("name", ["a2a", "gramps"])
def test_a_bomb_takes_neither_time_nor_memory(tmp_path: Path, name: str) -> None:
    path = tmp_path / "bomb.xml"
    path.write_text(BOMB, encoding="utf-8")
    tracemalloc.start()
    started = time.perf_counter()

    with pytest.raises(InputError, match=r"bomb.xml.*declares an entity"):
        import_file(path, load_mapping(name), Nowhere())

    assert time.perf_counter() - started < 2
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


def test_a_document_type_alone_is_harmless() -> None:
    text = '<!DOCTYPE A2A PUBLIC "-//X" "http://127.0.0.1:9/x.dtd"><A2A><b/></A2A>'

    assert len(elements(text)) == 1


def test_elements_may_not_nest_without_end() -> None:
    with pytest.raises(InputError, match="nested deeper"):
        elements("<a>" * (MAX_DEPTH + 1))


def test_a_zip_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("gedcom.ged", b"0" * 5_000_000)

    with open_zip(path) as archive, pytest.raises(InputError, match="more than 1,000,000 bytes"):
        read_member(archive, "gedcom.ged", limit=1_000_000)


def test_a_gzip_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gramps"
    path.write_bytes(gzip.compress(b"<" * 5_000_000))

    with pytest.raises(InputError, match="more than 1,000,000 bytes"):
        read_gzip(path, where="bomb.gramps", limit=1_000_000)


@pytest.mark.parametrize("name", ["../../etc/cron.d/x", "/etc/passwd", "a/../../b", "C:\\x"])
def test_a_path_that_leaves_the_archive_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "sly.gdz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("gedcom.ged", "0 HEAD\n0 TRLR\n")
        archive.writestr(name, "x")

    with pytest.raises(InputError, match="points outside"):
        open_zip(path)


def test_a_zip_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.gdz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("gedcom.ged", "0 HEAD\n0 TRLR\n")
    path.write_bytes(path.read_bytes()[:40])

    with pytest.raises(InputError, match="not a ZIP archive"):
        import_file(path, load_mapping("gedcom"), Nowhere())
