"""Tests for `forebear_lab.cli.options`."""

from dataclasses import dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

from forebear_lab.cli.options import expand_options


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    lists: Annotated[int, typer.Option(min=1, help="How many lists.")] = 3
    names: Annotated[list[str] | None, typer.Option("--name")] = None
    checked: bool = True  # not an option


def run(*words: str) -> str:
    app = typer.Typer()

    @app.command()
    @expand_options
    def show(
        *,
        first: Annotated[str, typer.Argument()],
        size: Size,
        last: Annotated[bool, typer.Option("--last")] = False,
    ) -> None:
        """Show what is given."""
        print(first, size, last)

    return CliRunner().invoke(app, words).output


def test_the_fields_of_a_dataclass_are_options_of_the_command() -> None:
    given = run("a", "--lists", "5", "--name", "x", "--name", "y", "--last")

    assert given.strip() == f"a {Size(lists=5, names=['x', 'y'])} True"


def test_a_field_has_its_default() -> None:
    assert run("a").strip() == f"a {Size()} False"


def test_options_keep_the_order_of_parameters_and_fields() -> None:
    described = run("--help")

    places = [described.index(name) for name in ("--lists", "--name", "--last")]
    assert places == sorted(places)
    assert "--checked" not in described
    assert "Show what is given." in described


def test_a_value_is_checked_as_its_option_says() -> None:
    assert "'--lists'" in run("a", "--lists", "0")
