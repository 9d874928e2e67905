"""Tests for `forebear.cli.app`: help, completion and exit statuses."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
import typer.main
from typer.testing import CliRunner

from forebear.cli.app import COMMANDS, make_app

FOREBEAR = "import sys; sys.argv[0] = 'forebear'; from forebear.cli.app import main; main()"


def type_in(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", FOREBEAR, *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_every_summary_of_a_command_fits_80_columns() -> None:
    ran = CliRunner().invoke(make_app(), ["--help"], env={"COLUMNS": "80"})

    lines = ran.output.partition("Commands:")[2].splitlines()
    assert {line.split()[0] for line in lines if line} == set(COMMANDS)
    assert [line for line in lines if line.endswith("...")] == []


def test_help_is_as_wide_as_the_terminal() -> None:
    ran = type_in("search", "-h", COLUMNS="140")

    assert 80 < max(map(len, ran.stdout.splitlines())) <= 140


@pytest.mark.parametrize("words", [[], ["search"], ["report"], ["weights", "estimate"]])
def test_h_is_help(words: list[str]) -> None:
    app, runner = make_app(), CliRunner()

    short, long = runner.invoke(app, [*words, "-h"]), runner.invoke(app, [*words, "--help"])

    assert short.exit_code == 0
    assert short.output == long.output
    assert short.output.startswith("Usage: ")


def float_options() -> list[tuple[str, ...]]:
    waiting: list[tuple[tuple[str, ...], Any]] = [((), typer.main.get_command(make_app()))]
    options = []
    while waiting:
        words, command = waiting.pop()
        waiting += [
            ((*words, name), part) for name, part in getattr(command, "commands", {}).items()
        ]
        options += [
            (*words, parameter.opts[-1])
            for parameter in command.params
            if parameter.type.name.startswith("float")
        ]
    return sorted(options)


@pytest.mark.parametrize("value", ["nan", "inf"])
@pytest.mark.parametrize("words", float_options(), ids=" ".join)
def test_no_option_takes_a_number_that_is_none(words: tuple[str, ...], value: str) -> None:
    ran = CliRunner().invoke(make_app(), [*words, value])

    assert ran.exit_code == 2
    assert f"{value} is not " in ran.output


def test_options_with_numbers_exist() -> None:
    assert ("log", "prune", "--max-size") in float_options()


@pytest.mark.parametrize(
    ("line", "completions"),
    [
        ("forebear sea", ["search"]),
        ("forebear explain", ["explain", "explain-query"]),
        ("forebear search --birth", ["--birth", "--birth-place"]),
        ("forebear report coll", ["collections"]),
        ("forebear x", []),
    ],
)
def test_a_shell_completes_commands_and_options(line: str, completions: list[str]) -> None:
    ran = type_in(
        _FOREBEAR_COMPLETE="complete_bash",
        COMP_WORDS=line,
        COMP_CWORD=str(len(line.split()) - 1),
    )

    assert ran.stdout.split() == completions


def test_completion_loads_only_the_command_that_is_typed() -> None:
    script = f"{FOREBEAR.removesuffix('main()')}\ntry: main()\nfinally: print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "_FOREBEAR_COMPLETE": "complete_bash",
            "COMP_WORDS": "forebear sea",
            "COMP_CWORD": "1",
        },
    )

    assert "forebear.cli.search" in ran.stdout.split()
    assert {"forebear.cli.keep", "forebear_lab"}.isdisjoint(ran.stdout.split())


def test_the_completion_script_is_printed() -> None:
    ran = type_in("--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")

    assert ran.returncode == 0
    assert "_FOREBEAR_COMPLETE=complete_bash" in ran.stdout


def test_the_version_is_printed() -> None:
    assert type_in("--version").stdout.startswith("forebear ")
    assert CliRunner().invoke(make_app("search"), ["--version"]).output.startswith("forebear ")


def test_groups_of_commands_have_help_without_frames() -> None:
    program = typer.main.get_command(make_app())
    groups = [command for command in program.commands.values() if hasattr(command, "commands")]

    assert groups
    assert {group.rich_markup_mode for group in groups} == {None}


def test_a_wrong_value_is_not_printed_whole() -> None:
    ran = type_in("search", "--top", "\x1b" * 50_000)

    assert ran.returncode == 2
    assert "characters left out" in ran.stderr
    assert "\x1b" not in ran.stderr


def test_an_argument_that_is_not_utf_8_is_refused() -> None:
    ran = type_in("attach", "s1", "1", "--reason", "caf\udce9")

    assert ran.returncode == 2
    assert "argument 5 is not valid UTF-8" in ran.stderr


def test_a_query_longer_than_a_file_name_may_be_is_read_as_text() -> None:
    ran = type_in("explain-query", "Mary Brown " + "x" * 300)

    assert "Traceback" not in ran.stderr
    assert ran.returncode in (0, 2)


def test_a_named_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")

    ran = type_in("explain-query", str(tmp_path / "pipe.json"))

    assert ran.returncode == 2
    assert "is a pipe" in ran.stderr
