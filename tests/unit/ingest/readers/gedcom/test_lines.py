"""Tests for the lines and structures of `forebear.ingest.readers.gedcom.lines`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.ingest.readers.gedcom.lines import (
    BadLine,
    Forest,
    Line,
    build_structures,
    parse_line,
    read_lines,
    split_lines,
)


def build(*lines: str) -> Forest:
    return build_structures(read_lines("\n".join(lines)))


@pytest.mark.parametrize(
    ("text", "level", "xref", "tag", "value"),
    [
        ("0 HEAD", 0, "", "HEAD", ""),
        ("0 @I1@ INDI", 0, "I1", "INDI", ""),
        ("1 NAME Mary Ann /Brown/", 1, "", "NAME", "Mary Ann /Brown/"),
        ("2 CONC  leading blank", 2, "", "CONC", " leading blank"),
        ("\t  1 sex M", 1, "", "SEX", "M"),
        ("\ufeff0 HEAD", 0, "", "HEAD", ""),
        ("0 @NoTe ref@ NOTE mixed", 0, "NoTe ref", "NOTE", "mixed"),
        ("1 HUSB @I1@", 1, "", "HUSB", "@I1@"),
        ("0 @I1 INDI", 0, "I1", "INDI", ""),
    ],
)
def test_a_line_has_level_name_tag_and_value(
    text: str, level: int, xref: str, tag: str, value: str
) -> None:
    line = parse_line(1, text)

    assert isinstance(line, Line)
    assert (line.level, line.xref, line.tag, line.value) == (level, xref, tag, value)


@pytest.mark.parametrize(
    ("text", "fault"),
    [("", "blank line"), ("  \t", "blank line"), ("no level", "not a GEDCOM line")],
)
def test_what_is_no_line_says_why(text: str, fault: str) -> None:
    line = parse_line(7, text)

    assert isinstance(line, BadLine)
    assert (line.number, line.fault) == (7, fault)


def test_levels_end_at_99() -> None:
    assert isinstance(parse_line(1, "99 NOTE deep"), Line)
    assert "beyond 99" in getattr(parse_line(1, "100 NOTE too deep"), "fault", "")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\r"])
def test_lines_end_in_any_of_the_usual_ways(end: str) -> None:
    assert [text for _, text in split_lines(f"a{end}b{end}c")] == ["a", "b", "c"]


@given(st.text())
def test_no_text_is_lost_between_lines(text: str) -> None:
    kept = "".join(line for _, line in split_lines(text))

    assert kept == text.replace("\r", "").replace("\n", "")


def test_a_line_belongs_to_the_nearest_above_with_a_lower_level() -> None:
    forest = build("0 @I1@ INDI", "1 BIRT", "2 DATE 1850", "1 DEAT", "0 TRLR")

    person = forest.roots[0]
    assert [child.tag for child in person.children] == ["BIRT", "DEAT"]
    assert person.children[0].text_of("DATE") == "1850"


def test_continued_values_are_one_value_on_many_lines() -> None:
    note = build("0 @N1@ NOTE one", "1 CONC tinued", "1 CONT two", "0 TRLR").roots[0]

    assert note.value == "onetinued\ntwo"
    assert list(note.line_numbers()) == [1, 2, 3]


def test_a_line_without_a_level_continues_the_one_before_and_is_reported() -> None:
    forest = build("0 @I1@ INDI", "1 NOTE a long", "story", "0 TRLR")

    assert forest.roots[0].text_of("NOTE") == "a long\nstory"
    assert [fault.line for fault in forest.faults] == [3]


def test_a_skipped_level_is_forgiven_and_reported() -> None:
    forest = build("0 @I1@ INDI", "1 BIRT", "4 DATE 1 JAN 1900", "0 TRLR")

    assert forest.roots[0].children[0].text_of("DATE") == "1 JAN 1900"
    assert forest.faults[0].reason == "level skipped"


def test_a_pointer_to_no_one_is_none() -> None:
    family = build("0 @F1@ FAM", "1 HUSB @VOID@", "1 WIFE @I2@").roots[0]

    assert [child.pointer for child in family.children] == ["", "I2"]


@given(st.lists(st.sampled_from(["0 A", "1 B", "2 CONT c", "3 D", "x", "", "120 Z"]), max_size=20))
def test_every_line_is_in_one_structure_or_among_the_lost(lines: list[str]) -> None:
    forest = build(*lines)

    placed = [number for root in forest.roots for number in root.line_numbers()]
    assert sorted(placed + forest.lost) == list(range(1, forest.line_count + 1))
