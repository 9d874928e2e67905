"""Whatever is written, the parsers of dates, ages, names and places answer, and soon."""

import time
import tracemalloc
from collections.abc import Callable

import pytest
from benchmarks.quality.name_pairs import level_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from forebear.normalize.ages import read_age
from forebear.normalize.dates import DateContext, read_date
from forebear.normalize.name_pairs import reasons_to_join
from forebear.normalize.names import read_name
from forebear.normalize.places import read_place
from forebear.normalize.spelling import uncertain_pattern, uncertain_readings

LONG = 10_000  # characters
SECONDS = 1.0  # of CPU for one text, on a slow machine
MEGABYTES = 10
patient = settings(deadline=2000)  # milliseconds; a busy machine is slow, a hang longer

DATE_PIECES = [
    "12",
    "1st",
    "31",
    "0",
    "45",
    "Mar",
    "Feb",
    "Ma_",
    "1850",
    "1731/32",
    "18__",
    "[1850]",
    "1850-03",
    "~",
    "?",
    "%",
    "+",
    "A+",
    "/",
    "..",
    "-",
    "abt",
    "bef",
    "bet",
    "and",
    "from",
    "to",
    "int",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "@#DJULIAN@",
    "HEBREW",
    "TSH",
    "an",
    "III",
    "vend",
    "5660",
    "Easter",
    "dom.",
    "post",
    "Trin.",
    "Q1",
    "qtr",
    "mo.",
    "3rd",
    "spring",
    "century",
    "early",
    "1850s",
    "BC",
    "O.S.",
    "Eliz",
    "תשרי",
    "תר״ע",
    "or",
    "thereabouts",
]
NAME_PIECES = [
    "John",
    "SMITH",
    "Mrs",
    "Mrs.",
    "Rev.",
    "van",
    "der",
    "de",
    "la",
    "d'Arc",
    "/Smith/",
    "//",
    ",",
    "(",
    ")",
    "[",
    "]",
    "née",
    "formerly",
    "wife",
    "of",
    "son",
    "widow",
    "infant",
    "?",
    "___",
    "NN",
    "Jr.",
    "III",
    "the",
    "younger",
    "alias",
    "dit",
    "(Bill)",
    '"Bill"',
    "O'Brien",
    "y",
    "Jansdr",
    "ap",
    "王",
    "김",
    "Петрович",
    "בן",
    "&",
    "and",
    "J.",
    "W.",
    "[sic]",
    "R[O_]B",
    "_{1,2}",
    "*",
    "late",
    "now",
]
PLACE_PIECES = [
    "Leeds",
    ",",
    ",",
    "Yorkshire",
    "England",
    "NFK",
    "St.",
    "Gt",
    "Co.",
    "Twp",
    "&",
    "12",
    "High",
    "St",
    "(Courtrai)",
    "[now",
    "X]",
    "/",
    "near",
    "of",
    "the",
    "parish",
    "of",
    "late",
    "USA",
    "O.",
    "Georgia",
    "at",
    "sea",
    "-",
    "?",
]


def texts(pieces: list[str]) -> st.SearchStrategy[str]:
    return st.text(max_size=60) | st.lists(st.sampled_from(pieces), max_size=9).map(" ".join)


contexts = st.fixed_dictionaries(
    {
        "collection": st.sampled_from(["", "bmd_index"]),
        "locale": st.sampled_from(["", "us", "uk"]),
        "calendar": st.sampled_from(["", "julian", "quaker", "hebrew", "republican"]),
        "country": st.sampled_from(["", "england", "scotland", "russia", "spain"]),
    }
)


@patient
@given(texts(DATE_PIECES), contexts)
@example("29 Feb 1700", {"country": "england"})
@example("Easter 1/2", {})
def test_a_date_keeps_its_text_and_the_order_of_its_ends(
    text: str, context: dict[str, str]
) -> None:
    date = read_date(text, context=DateContext(**context))

    assert date.text == text
    assert date.start is None or date.end is None or date.start <= date.end
    assert date.is_known == (date.precision != "none")


@patient
@given(
    texts(
        [
            "23",
            "y",
            "4m",
            "abt",
            "[37]4",
            "2_",
            "full",
            "age",
            "infant",
            "in",
            "his",
            "70th",
            "year",
            "9/12",
            ">",
            "<",
            "to",
            "or",
            "½",
        ]
    )
)
def test_an_age_keeps_its_text_and_the_order_of_its_ends(text: str) -> None:
    age = read_age(text, at=read_date("3 Apr 1881"), source="census")

    assert age.text == text
    assert age.born_from is None or age.born_to is None or age.born_from <= age.born_to


@patient
@given(
    texts(NAME_PIECES),
    st.sampled_from(["", "surname_first", "patronymic", "spanish", "portuguese", "italian"]),
)
def test_a_name_is_unknown_exactly_where_it_is_empty(text: str, order: str) -> None:
    reading = read_name(text, order=order)

    assert reading.text == text
    assert ("unknown_given" in reading.flags) == (not reading.name.given)
    assert ("unknown_surname" in reading.flags) == (not reading.name.surname)


@patient
@given(texts(PLACE_PIECES))
def test_a_place_has_no_empty_level(text: str) -> None:
    reading = read_place(text)

    assert all(level.strip() for level in reading.levels_as_written)
    assert bool(reading.place) == bool(reading.levels_as_written)
    assert reading.place is None or all(reading.place.levels)


@given(st.text(max_size=20), st.text(max_size=20), st.sampled_from(["given", "surname"]))
@example("smith", "5mith", "surname")
@settings(max_examples=60)
def test_two_names_are_joined_either_way_round(first: str, second: str, kind: str) -> None:
    name_kind = "given" if kind == "given" else "surname"

    there = reasons_to_join(first, second, kind=name_kind)
    back = reasons_to_join(second, first, kind=name_kind)

    assert there == back
    assert level_of(first, second, kind=name_kind) == level_of(second, first, kind=name_kind)


@patient
@example("[:_]")
@given(texts(["BUCKL[Y_]", "SM[IY]TH", "_{1,2}", "*", "_", "[abc]", "{9}", "[", "]", "Hall"]))
def test_an_uncertain_name_has_few_readings_which_its_pattern_matches(text: str) -> None:
    readings = uncertain_readings(text)

    assert len(readings) <= 16
    assert all(
        uncertain_pattern(text).fullmatch(reading) for reading in readings if "\n" not in text
    )


PARSERS: dict[str, Callable[[str], object]] = {
    "date": read_date,
    "age": lambda text: read_age(text, at=read_date("1881"), source="census"),
    "name": read_name,
    "place": read_place,
    "pair": lambda text: reasons_to_join(text, text[::-1], kind="surname"),
    "uncertain": lambda text: uncertain_pattern(text).fullmatch(text[:200]),
}


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    "piece",
    ["a", "1", "[", "(", "_", "*", ",", "1/", "- ", "and ", "[ab]", "'", "late of ", "x\u0301"],
)
def test_long_text_takes_no_longer_than_it_should(parser: str, piece: str) -> None:
    text = (piece * LONG)[:LONG]
    began = time.process_time()

    PARSERS[parser](text)

    assert time.process_time() - began < SECONDS


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("piece", ["1", "[ab]", "_", "and ", "Smith, "])
def test_long_text_takes_no_more_memory_than_it_should(parser: str, piece: str) -> None:
    text = (piece * LONG)[:LONG]
    PARSERS[parser](piece)  # tables are read once, and kept
    tracemalloc.start()

    PARSERS[parser](text)

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MEGABYTES * 1e6
