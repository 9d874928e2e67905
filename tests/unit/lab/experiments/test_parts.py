"""Tests for `forebear_lab.experiments.parts`."""

import platform
import re
from datetime import date
from pathlib import Path

import pytest

from forebear_lab.experiments.parts import FinishedParts, Part


def test_a_part_is_made_once(tmp_path: Path) -> None:
    numbers: list[int] = []

    def make() -> Part:
        numbers.append(1)
        return {"value": 7}

    first = FinishedParts(tmp_path).get("one", "key", make)
    second = FinishedParts(tmp_path).get("one", "key", make)

    assert (first[0]["value"], first[1], second[0]["value"], second[1]) == (7, False, 7, True)
    assert numbers == [1]


def test_a_part_of_other_settings_is_made_again(tmp_path: Path) -> None:
    parts = FinishedParts(tmp_path)
    parts.get("one", "key", lambda: {"value": 7})

    part, old = parts.get("one", "other key", lambda: {"value": 8})

    assert (part["value"], old) == (8, False)


def test_a_part_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    parts = FinishedParts(tmp_path)
    (tmp_path / "parts" / "one.json").write_text('{"key": "key", "val')

    part, is_saved = parts.get("one", "key", lambda: {"value": 7})

    assert (part["key"], part["value"], is_saved) == ("key", 7, False)


def test_a_part_says_when_and_on_what_machine_but_not_on_whose(tmp_path: Path) -> None:
    part, _ = FinishedParts(tmp_path).get("one", "key", dict)

    assert part["date"] == date.today().isoformat()
    assert re.fullmatch(r"\w+ \w+, \d+ processors, Python [\d.]+\S*", part["machine"])
    assert platform.node() not in part["machine"]


def test_what_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    parts = FinishedParts(tmp_path)

    with pytest.raises(ZeroDivisionError):
        parts.get("one", "key", lambda: {"value": 1 / 0})

    assert list((tmp_path / "parts").iterdir()) == []
