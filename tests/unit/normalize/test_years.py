"""Tests for `forebear.normalize.years`."""

import subprocess
import sys

import pytest

from forebear.normalize.dates import parse_date
from forebear.normalize.years import parse_year_or_date


def test_every_number_of_four_figures_is_read_as_the_parser_reads_it() -> None:
    texts = [f"{number:04}" for number in range(10_000)]

    assert list(map(parse_year_or_date, texts)) == list(map(parse_date, texts))


@pytest.mark.parametrize(
    "text",
    ["", " 1851", "851", "1851-52", "abt 1851", "12 Mar 1851", "١٨٥١", "1851?", "185_", "²²²²"],
)
def test_any_other_text_is_the_parsers(text: str) -> None:
    assert parse_year_or_date(text) == parse_date(text)


def test_a_year_loads_no_parser() -> None:
    code = (
        "import sys; from forebear.normalize.years import parse_year_or_date as parse;"
        "parse('1851'); print('forebear.normalize.dates' in sys.modules);"
        "parse('abt 1851'); print('forebear.normalize.dates' in sys.modules)"
    )

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.split() == ["False", "True"]
