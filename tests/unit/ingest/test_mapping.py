"""Tests for `forebear.ingest.mapping` and `forebear.ingest.find_mapping`."""

from pathlib import Path

import pytest

from forebear.errors import InputError, MappingError
from forebear.ingest.find_mapping import builtin_mappings, load_mapping, recognize
from forebear.ingest.formats import open_mapped_table
from forebear.ingest.mapping import parse_mapping

HASH = "944ac018248078b45edf6da7559530d3b1d85b5ebe99446ec2c31e762124818b"
SMALL = """
[collection]
name = "baptisms"
title = "Baptisms of Layham"
record_type = "baptism"

[record]
id = "entry"
date = "date"

[[persona]]
role = "child"
kin = "self"
principal = true
given = "forename"
surname = ["surname", "mother_surname"]
events.residence = { place = "abode", within = "county" }
"""


def test_a_mapping_is_read_from_toml() -> None:
    mapping = parse_mapping(SMALL)

    child = mapping.persona[0]
    assert mapping.collection.record_type == "baptism"
    assert mapping.record.id == ("entry",)
    assert child.surname == ("surname", "mother_surname")
    assert child.events["residence"].within == ("county",)


def test_the_columns_of_a_mapping_are_all_it_names() -> None:
    text = SMALL + (
        '[derived.county]\ncolumn = "file"\npattern = "^..."\n'
        '[values.sex]\nx = "{remarks}"\n'
        '[[refuse]]\ncolumn = "deleted"\nvalues = ["y"]\nreason = "deleted"\n'
    )

    assert parse_mapping(text).columns == {
        "entry", "date", "forename", "surname", "mother_surname", "abode", "file", "sex",
        "remarks", "deleted",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("given =", "givven =", r"m\.toml: persona\[1\]: unknown key 'givven'"),
        ("within =", "inside =", r"persona\[1\]\.events\.residence: unknown key 'inside'"),
        ("[record]", "[recrod]", r"m\.toml: unknown key 'recrod'"),
        ('title = "Baptisms of Layham"', "", r"m\.toml: collection: no 'title'"),
        ('"baptism"', '"christening"', r"collection\.record_type: found 'christening'"),
        ('kin = "self"', 'kin = "uncle"', r"persona\[1\]\.kin: found 'uncle'"),
        ("principal = true", 'principal = "yes"', r"persona\[1\]\.principal: found 'yes'"),
        ('date = "date"', "date = 3", r"record\.date\[1\]: found 3"),
        ('name = "baptisms"', 'name = "my baptisms"', r"collection\.name: found 'my baptisms'"),
        ("[record]", "[record", r"m\.toml: not TOML"),
        (
            'given = "forename"\nsurname = ["surname", "mother_surname"]',
            "",
            r"persona\[1\]: the child has no name",
        ),
        ("[record]", '[table]\nencoding = "klingon"\n[record]', r"table\.encoding: found"),
        ("[record]", '[table]\ndelimiter = "::"\n[record]', r"table\.delimiter: found"),
        (
            "[record]",
            '[derived.x]\ncolumn = "a"\npattern = "("\n[record]',
            r"derived\.x\.pattern: '\(' is no regular expression",
        ),
    ],
)
def test_a_mistake_in_a_mapping_is_named_with_its_key(old: str, new: str, message: str) -> None:
    assert old in SMALL

    with pytest.raises(MappingError, match=message) as caught:
        parse_mapping(SMALL.replace(old, new, 1), file="m.toml")

    assert caught.value.hint


def test_an_unknown_key_is_answered_with_the_key_that_was_meant() -> None:
    with pytest.raises(MappingError) as caught:
        parse_mapping(SMALL.replace("given =", "givven ="))

    assert "did you mean 'given'?" in str(caught.value)


def test_an_unknown_record_type_is_answered_with_those_there_are() -> None:
    with pytest.raises(MappingError) as caught:
        parse_mapping(SMALL.replace('"baptism"', '"christening"'))

    assert "birth, baptism, marriage, divorce" in str(caught.value.hint)


def test_our_own_mappings_can_be_loaded_by_name() -> None:
    names = builtin_mappings()

    assert {"freecen", "freereg_baptisms", "freereg_burials", "freereg_marriages"} <= set(names)
    for name in names:
        mapping = load_mapping(name)
        # What is no table is named after its file, and a simulated table without the prefix.
        own = name.removeprefix("made_").removeprefix("simulated_")
        assert mapping.collection.name == (own if mapping.format == "table" else "{file}")


def test_a_mapping_can_be_loaded_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "layham.toml"
    path.write_text(SMALL, encoding="utf-8")

    assert load_mapping(str(path)) == parse_mapping(SMALL)


def test_a_mapping_that_is_not_there_is_an_error_that_names_ours() -> None:
    with pytest.raises(MappingError, match="nowhere: no such mapping") as caught:
        load_mapping("nowhere")

    assert "freecen" in str(caught.value.hint)


TABLES = [name for name in builtin_mappings() if load_mapping(name).format == "table"]


@pytest.mark.parametrize("name", TABLES)
def test_a_file_is_recognized_by_its_headings(tmp_path: Path, name: str) -> None:
    path = tmp_path / "some.csv"
    path.write_text(",".join(sorted(load_mapping(name).columns)), encoding="utf-8")

    recognized = recognize(path)

    assert recognized == load_mapping(name)


def test_a_file_with_other_headings_is_not_recognized(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    path.write_text("surname,forename\n", encoding="utf-8")

    assert recognize(path) is None


def test_a_lacking_column_is_answered_with_the_nearest_headings(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    path.write_text("\nentry,date,Forenames,surname,mother_surname,abode,county\n", "utf-8")

    with pytest.raises(InputError, match=r"some\.csv:2: no column 'forename'") as caught:
        open_mapped_table(path, parse_mapping(SMALL))

    assert "most similar to 'forename': 'Forenames'" in str(caught.value.hint)


def test_a_table_without_a_heading_row_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    path.write_text("BAP-1,12 Mar 1851,Ann,Green\n", encoding="utf-8")

    with pytest.raises(InputError, match=r"some\.csv:1: no heading row") as caught:
        open_mapped_table(path, parse_mapping(SMALL))

    assert "the first row must name the columns" in str(caught.value.hint)


def test_the_hash_of_a_mapping_is_that_of_the_version_before() -> None:
    """An import that was interrupted continues only if its journal has the mapping's hash."""
    with_all = SMALL + '[derived.x]\ncolumn = "a"\npattern = "b"\n[values.sex]\nX = "f"\n'

    assert parse_mapping(with_all).fingerprint == HASH
    spanish = with_all.replace('kin = "self"', 'kin = "self"\norder = "spanish"')
    assert parse_mapping(spanish).fingerprint != HASH
