"""Tests for `forebear normalize`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from forebear.cli.app import app
from forebear.cli.normalize import date_result, pair_result
from forebear.errors import InputError


def test_the_context_of_a_date_is_used() -> None:
    answer = date_result({"text": "Mar 1850", "context": "collection=bmd_index;locale=uk"})

    assert answer == {
        "start": "1850-01-01",
        "end": "1850-03-31",
        "precision": "quarter",
        "qualifier": "exact",
    }


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(InputError, match="unknown context 'moon'"):
        date_result({"text": "1850", "context": "moon=full"})
    with pytest.raises(InputError, match="neither given nor surname"):
        pair_result({"name_a": "a", "name_b": "b", "kind": "pet"})


def test_the_command_writes_a_line_a_row(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text("name_a,name_b,kind\nWm,William,given\nHill,Hall,surname\n", "utf-8")

    result = CliRunner().invoke(app, ["normalize", "name_pairs", str(file), "--json"])

    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"joined": True, "reasons": ["abbrev"]},
        {"joined": False, "reasons": []},
    ]


def test_a_file_without_the_columns_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "dates.csv"
    file.write_text("date\n1850\n", "utf-8")

    result = CliRunner().invoke(app, ["normalize", "dates", str(file)])

    assert isinstance(result.exception, InputError)
    assert "no column 'text'" in str(result.exception)
