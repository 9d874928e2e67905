"""Tests for `forebear.search.results.figures`: figures that add up as they are written."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from forebear.search.results.explain import FiredClause, Row
from forebear.search.results.figures import write_figures

bits = st.integers(-(2**43), 2**43).map(lambda units: units / 2**40)


def row(parts: list[float]) -> Row:
    clauses = tuple(
        FiredClause(clause="a.b.c", words="", note="", rules=(), weight=0, bits=part)
        for part in parts
    )
    return Row(kind="fact", fact="a", verdict="", bits=sum(parts), clauses=clauses)


def figure(text: str) -> Decimal:
    return Decimal(text.replace("−", "-"))


@given(st.lists(st.lists(bits, max_size=5), max_size=8))
def test_clauses_add_up_to_rows_and_rows_to_the_total(parts: list[list[float]]) -> None:
    rows = [row(part) for part in parts]

    figures, total = write_figures(rows)

    assert sum(figure(shown.bits) for shown in figures) == figure(total)
    for whole, written in zip(rows, figures, strict=True):
        assert abs(float(figure(written.bits)) - whole.bits) <= 0.0101
        if whole.clauses:
            assert sum(map(figure, written.clauses)) == figure(written.bits)
    assert abs(float(figure(total)) - sum(whole.bits for whole in rows)) <= 0.0051
