"""No parser or reader takes more than about twice the time for twice the input.

The whole measurement is `python -m benchmarks.quality.growth`; here are the shapes that once took
the square of their length, at one size each.
"""

import time
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from benchmarks.quality.growth import PARSERS, read_bytes
from benchmarks.quality.growth_shapes import FILES, MAPPINGS, QUERIES, TEXTS

from forebear.errors import ForebearError
from forebear.ingest.mapping import parse_mapping
from forebear.normalize.spelling import compose, normalize_name
from forebear.search.query.read import read_argument

# A run of the square of these sizes takes minutes; a straight one well below a second.
HANGS = 10.0  # seconds


def run_all(*runs: Callable[[], object]) -> None:
    """Run everything, and fail if it takes as long as only a hang does."""
    started = time.process_time()
    for run in runs:
        with suppress(ForebearError):  # refused, and said why
            run()
    assert time.process_time() - started < HANGS


@pytest.mark.parametrize("parser", PARSERS)
def test_a_parser_reads_long_text_of_any_shape(parser: str) -> None:
    size = 20_000
    shapes = (
        "'?'",
        "'('",
        "'1'",
        "' '",
        "'of '",
        "nested ()",
        "name, then signs",
        "different words",
    )

    run_all(*(partial(PARSERS[parser], TEXTS[shape](size)) for shape in shapes))


@pytest.mark.parametrize(
    ("reader", "shape", "size"),
    [
        ("gedcom", "CONC lines", 1 << 20),
        ("gedcom", "lines without a level", 1 << 19),
        ("gedcom", "children of one family", 64 * 500),
        ("gedcom", "wives of one family", 64 * 500),
        ("gedcom", "families with other children", 96 * 2000),
        ("gedcom", "one long note cited", 16 * 20_000),
        ("gedcom", "one source cited", 16 * 20_000),
        ("gramps", "children of one family", 96 * 500),
        ("a2a", "relations", 160 * 3000),
        ("table", "columns of one name", 16 * 50_000),
        ("table", "a word, not UTF-8", 1 << 20),
        ("table", "sex of '('", 9_000),
        ("freereg_baptisms", "a church", 9_000),
    ],
)
def test_a_reader_reads_a_hostile_file(reader: str, shape: str, size: int) -> None:
    data = FILES[reader][shape](size)

    run_all(lambda: read_bytes(reader, data))


@pytest.mark.parametrize("shape", QUERIES)
def test_a_long_query_is_read_or_refused(shape: str) -> None:
    run_all(lambda: read_argument(QUERIES[shape](20_000)))


@pytest.mark.parametrize("shape", MAPPINGS)
def test_a_long_mapping_is_read_or_refused(shape: str) -> None:
    run_all(lambda: parse_mapping(MAPPINGS[shape](20_000)))


def test_a_letter_may_have_any_number_of_marks() -> None:
    marks = "\u0301\u0327"  # which composing puts in another order

    assert compose("e" + marks * 2) == unicodedata.normalize("NFC", "e" + marks * 2)
    assert len(compose("e" + marks * 100_000)) < 100


def test_remarks_in_brackets_may_be_nested() -> None:
    assert normalize_name("Mary [(blank)] Brown") == "mary brown"
    assert normalize_name("(" * 50_000 + "blank" + ")" * 50_000 + " Brown") == "brown"
    assert normalize_name("(Ann (blank) [?]) Brown?/?") == "(ann ) brown"
