"""Tests for `forebear.ingest.readers.freereg`: the transcribers' own layouts."""

from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear.ingest.find_mapping import recognize
from forebear.ingest.readers.freereg import is_freereg, open_freereg

HEAD = (
    "+INFO,a@example.org,password,SEQUENCED,{kind},{charset}\n"
    "#,CCC,A Transcriber,Suffolk,SFKLAYBA.CSV,1 Dec 2013\n"
    "#,CREDIT,A Transcriber,a@example.org\n"
    "#,1 Dec 2013,a remark,,\n"
)
BAPTISM = "SFK,Layham,St Andrew PR,,,29 Jul 1726,Phillip,m,Edwd,Eliz,BROOKE,,,Clerk,\n"


def write(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "SFKLAYBA.CSV"
    path.write_bytes(text.encode(encoding))
    return path


def test_the_first_line_says_which_cell_is_what(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD.format(kind="BAPTISMS", charset="") + BAPTISM)

    (row,) = open_freereg(path).rows()

    assert is_freereg(path)
    assert (row.line, row.fault) == (5, "")
    assert row.values["county"] == "SFK"
    assert (row.values["forename"], row.values["father_surname"]) == ("Phillip", "BROOKE")


def test_our_mappings_read_it(tmp_path: Path) -> None:
    mapping = recognize(write(tmp_path, HEAD.format(kind="BAPTISMS", charset="") + BAPTISM))

    assert mapping
    assert mapping.collection.name == "freereg_baptisms"


def test_the_flexible_layout_names_its_fields(tmp_path: Path) -> None:
    text = (
        HEAD.format(kind="BURIALS", charset="utf-8")
        + "chapman_code,place_name,burial_person_surname,burial_person_forename,burial_date,extra\n"
        + "SFK,Layham,GREEN,Ann,1 Mar 1801,x\n"
    )

    (row,) = open_freereg(write(tmp_path, text)).rows()

    assert (row.values["burial_surname"], row.values["burial_forename"]) == ("GREEN", "Ann")
    assert row.values["extra"] == "x"
    assert row.values["church"] == ""


def test_the_first_line_says_the_encoding(tmp_path: Path) -> None:
    text = HEAD.format(kind="BAPTISMS", charset="macintosh") + BAPTISM.replace("Phillip", "Zoë")

    (row,) = open_freereg(write(tmp_path, text, "mac_roman")).rows()

    assert row.values["forename"] == "Zoë"


def test_a_kind_of_register_nobody_knows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no kind of register") as caught:
        open_freereg(write(tmp_path, HEAD.format(kind="WILLS", charset="") + BAPTISM))

    assert "BAPTISMS, MARRIAGES, BURIALS" in str(caught.value.hint)
