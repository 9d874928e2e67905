"""Tests for `forebear log export`."""

import json
from pathlib import Path

from typer.testing import CliRunner

from forebear.cli.app import app


def test_the_log_is_exported_by_a_command_of_the_engines_group(
    searched: Path, tmp_path: Path
) -> None:
    words = ["log", "export", "--archive", searched, "--format", "qrels", "--out", tmp_path]
    result = CliRunner().invoke(app, [*map(str, words), "--json"])

    value = json.loads(result.stdout)
    assert value["searches"] == 24
    assert (value["repeated"], value["skipped"]) == (0, 0)
    assert value["files"] == [str(tmp_path / "qrels.txt")]
    assert (tmp_path / "qrels.txt").is_file()


def test_the_engines_own_commands_stay_in_the_group() -> None:
    result = CliRunner().invoke(app, ["log", "--help"])

    assert "prune" in result.stdout
    assert "export" in result.stdout
