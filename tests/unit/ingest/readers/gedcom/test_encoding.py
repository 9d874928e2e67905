"""Tests for the encodings of `forebear.ingest.readers.gedcom.lines`, ANSEL among them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.ingest.readers.gedcom.lines import decode_ansel, decode_gedcom

NAME = "1 NAME José /Müller/"


def header(charset: str) -> str:
    return f"0 HEAD\n1 CHAR {charset}\n"


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [
        ("UTF-8", "utf-8"),
        ("ANSI", "cp1252"),
        ("IBM WINDOWS", "cp1252"),
        ("IBMPC", "cp437"),
        ("MACINTOSH", "mac_roman"),
        ("UNICODE", "utf-16"),
        ("UNICODE", "utf-16-le"),
        ("UNICODE", "utf-16-be"),
        ("UTF-8", "utf-8-sig"),
    ],
)
def test_the_encoding_is_the_one_declared_or_shown(charset: str, encoding: str) -> None:
    data = (header(charset) + NAME).encode(encoding)

    assert decode_gedcom(data).text.lstrip("\ufeff").endswith(NAME)


@pytest.mark.parametrize("charset", ["ANSEL", "ANSI", "ASCII"])
def test_valid_utf_8_is_trusted_before_a_header_that_names_another(charset: str) -> None:
    assert decode_gedcom((header(charset) + NAME).encode()).text.endswith(NAME)


def test_a_header_with_other_line_ends_is_read_too() -> None:
    data = (header("IBMPC") + NAME).replace("\n", "\r").encode("cp437")

    assert decode_gedcom(data).text.endswith(NAME)


def test_text_that_is_not_what_the_header_names_is_reported() -> None:
    decoded = decode_gedcom((header("UTF-8") + NAME).encode("cp1252"))

    assert decoded.text.endswith(NAME)
    assert "read as cp1252" in decoded.notes[0]


def test_ansel_marks_come_before_their_letter() -> None:
    text, unknown = decode_ansel(b"M\xe8uller, Jos\xe2e, \xa5r\xb2, stra\xcfe, \xe3\xf2a")

    assert text == "Müller, José, Ærø, straße, ậ"
    assert unknown == 0


def test_an_ansel_byte_without_meaning_is_marked_and_counted() -> None:
    assert decode_ansel(b"a\xffb") == ("a\N{REPLACEMENT CHARACTER}b", 1)


@given(st.binary())
def test_any_bytes_are_text_of_some_kind(data: bytes) -> None:
    assert isinstance(decode_gedcom(data).text, str)
