"""Tests for `forebear.normalize.row_answers` and the command that prints them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from forebear.cli.app import app
from forebear.errors import InputError
from forebear.normalize.row_answers import answer_date, answer_pair


def test_the_context_of_a_date_is_used() -> None:
    answer = answer_date({"text": "Mar 1850", "context": "collection=bmd_index;locale=uk"})

    assert answer == {
        "start": "1850-01-01",
        "end": "1850-03-31",
        "precision": "quarter",
        "qualifier": "exact",
    }


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(InputError, match="unknown context 'moon'"):
        answer_date({"text": "1850", "context": "moon=full"})
    with pytest.raises(InputError, match="neither given nor surname"):
        answer_pair({"name_a": "a", "name_b": "b", "kind": "pet"})


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
