"""Tests for `forebear.cli.options`: options that are fields of a dataclass."""

from dataclasses import dataclass, fields
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from forebear.cli.options import grouped
from forebear.cli.search import FactOptions
from forebear.search.query.read import FACTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    width: Annotated[int, typer.Option(min=1, help="In letters.")] = 80
    lines: Annotated[list[int] | None, typer.Option("--line")] = None
    checked: bool = True  # not an option


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["a"], "a 80 None False"),
        (["--width", "3", "a", "--line", "1", "--line", "2"], "a 3 [1, 2] False"),
        (["a", "--plain"], "a 80 None True"),
    ],
)
def test_a_field_of_a_group_is_an_option_like_any_other(arguments: list[str], printed: str) -> None:
    def show(text: Annotated[str, typer.Argument()], *, size: Size, plain: bool = False) -> None:
        print(text, size.width, size.lines, plain)

    program = typer.Typer()
    program.command()(grouped(show))

    assert CliRunner().invoke(program, arguments).output.strip() == printed


def test_a_value_out_of_range_is_refused_by_its_option() -> None:
    program = typer.Typer(rich_markup_mode=None)

    @program.command()
    @grouped
    def show(*, size: Size) -> None:
        print(size)

    result = CliRunner().invoke(program, ["--width", "0"])

    assert result.exit_code == 2
    assert "--width" in result.output


def test_options_keep_the_order_of_parameters_and_fields() -> None:
    program = typer.Typer()

    @program.command()
    @grouped
    def show(*, size: Size, last: Annotated[bool, typer.Option("--last")] = False) -> None:
        """Show what is given."""
        print(size, last)

    described = CliRunner().invoke(program, ["--help"]).output

    places = [described.index(name) for name in ("--width", "--line", "--last")]
    assert places == sorted(places)
    assert "--checked" not in described
    assert "Show what is given." in described


def test_the_facts_that_can_be_typed_are_facts_of_a_query() -> None:
    typed = {field.name for field in fields(FactOptions)} - {"record_type"}

    assert typed <= set(FACTS)
