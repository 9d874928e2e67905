"""Tests for `find_encoding` of `forebear.ingest.readers.table`."""

from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear.ingest.readers.table import find_encoding


def write(folder: Path, data: bytes) -> Path:
    path = folder / "t.csv"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("a,é\n".encode(), "utf-8"),
        ("a,é\n".encode("utf-8-sig"), "utf-8-sig"),
        ("a,é\n".encode("cp1252"), "cp1252"),
        ("a,é\n".encode("utf-16"), "utf-16"),
        (b"a,b\n", "utf-8"),
    ],
)
def test_the_encoding_is_found_by_looking(tmp_path: Path, data: bytes, expected: str) -> None:
    assert find_encoding(write(tmp_path, data)) == expected


def test_the_given_encoding_wins(tmp_path: Path) -> None:
    path = write(tmp_path, b"Caf\x8e\n")  # é in Mac Roman, valid cp1252 as well

    assert find_encoding(path, "mac-roman") == "mac-roman"


def test_a_wrong_encoding_is_an_error_with_the_line(tmp_path: Path) -> None:
    path = write(tmp_path, b"a,b\n" * 5 + b"\xff,\n")

    with pytest.raises(InputError, match=r"the text after line \d is not utf-8"):
        find_encoding(path, "utf-8")


def test_a_spreadsheet_is_not_a_table(tmp_path: Path) -> None:
    path = write(tmp_path, b"PK\x03\x04\x14\x00\x08\xff\xfe" + bytes(100))

    with pytest.raises(InputError, match="binary file") as caught:
        find_encoding(path)

    assert "CSV" in str(caught.value.hint)


@pytest.mark.parametrize("encoding", ["cp1252", "cp850", "mac_roman"])
def test_old_encodings_are_told_apart_by_the_words_they_make(tmp_path: Path, encoding: str) -> None:
    names = "Müller,Zoë,José Peña,Françoise,Sjögren,Björk,Lützow,André,Ærø\n"
    path = write(tmp_path, ("a,b\n" + names * 3).encode(encoding))

    with path.open(encoding=find_encoding(path)) as file:
        assert names in file.read()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_needs_no_mark(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path, "name,place\nZoë,Århus\n".encode(encoding))

    assert find_encoding(path) == encoding


def test_bytes_that_mean_nothing_in_the_given_encoding_are_an_error(tmp_path: Path) -> None:
    path = write(tmp_path, b"a,b\nx,\x81\n")  # 0x81 is nothing in cp1252

    with pytest.raises(InputError, match="not cp1252"):
        find_encoding(path, "cp1252")
