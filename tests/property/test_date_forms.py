"""No two forms of a date read one text differently, unless the parser names their order."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.normalize.dates import DateContext
from forebear.normalize.dates.parser import FORMS, PRECEDENCE
from forebear.normalize.dates.words import month_words, vocabulary
from forebear.tables import read_table

figures = st.sampled_from(
    [
        "1",
        "2",
        "3",
        "12",
        "13",
        "31",
        "0",
        "3rd",
        "iv",
        "xii",
        "m",
        "mdccl",
        "1731",
        "1731/32",
        "1799",
        "1850",
        "5660",
        "12/24",
        "3-4",
        "185_",
        "ma_",
        "?",
        "q1",
    ]
)
months = st.sampled_from(
    [
        word
        for calendar in ("gregorian", "republican", "hebrew")
        for words in month_words(calendar).values()
        for word in words
    ]
)
other_words = st.sampled_from(
    sorted(
        {
            *(word for kind in ("date", "number", "span", "quarter") for word in vocabulary(kind)),
            *(word for kind in ("feast", "weekday", "near feast") for word in vocabulary(kind)),
            *("an", "mo.", "month", "bc", "ad"),
        }
    )
)
names = st.sampled_from(
    [
        name.lower()
        for table in ("feasts", "reigns")
        for row in read_table(f"normalize/dates/{table}")
        for name in row["names"].split("|")
    ]
)
texts = st.lists(figures | figures | months | other_words | names, min_size=1, max_size=4)
# A calendar that the source states goes first, whatever the order.
contexts = st.sampled_from(
    [
        DateContext(),
        DateContext(collection="bmd_index"),
        DateContext(locale="us"),
        DateContext(country="england"),
    ]
)


def readings(text: str, context: DateContext) -> dict[str, tuple[object, ...]]:
    dates = {name: read(text, context) for name, read in FORMS.items()}
    return {
        name: (date.start, date.end, date.precision, date.qualifier)
        for name, date in dates.items()
        if date
    }


@given(texts.map(" ".join), contexts)
def test_forms_that_read_one_text_agree_or_have_an_order(text: str, context: DateContext) -> None:
    claims = readings(text, context)

    differing = {
        (first, second)
        for first, second in combinations(claims, 2)
        if claims[first] != claims[second]
    }

    assert differing <= PRECEDENCE.keys()


@pytest.mark.parametrize("pair", PRECEDENCE)
def test_an_order_is_named_only_where_it_decides(pair: tuple[str, str]) -> None:
    claims = readings(PRECEDENCE[pair], DateContext(collection="bmd_index"))
    forms = list(FORMS)

    assert claims[pair[0]] != claims[pair[1]]
    assert forms.index(pair[0]) < forms.index(pair[1])
