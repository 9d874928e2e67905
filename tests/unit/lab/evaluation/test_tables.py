"""Tests for `forebear_lab.evaluation.tables`."""

import csv
import io

from forebear_lab.evaluation.tables import Table

TABLE = Table(
    headings=("query", "ndcg@10", "note"),
    rows=[("q1", 0.123456, "so, so"), ("longer", 1.0, "")],
)


def test_numbers_are_aligned_to_the_right_and_words_to_the_left() -> None:
    assert TABLE.as_text().splitlines() == [
        "query   ndcg@10  note",
        "q1       0.1235  so, so",
        "longer   1.0000",
    ]


def test_comma_separated_values_are_read_back_in_full() -> None:
    rows = list(csv.reader(io.StringIO(TABLE.as_csv())))

    assert rows == [
        ["query", "ndcg@10", "note"],
        ["q1", "0.123456", "so, so"],
        ["longer", "1.0", ""],
    ]


def test_a_table_without_rows_has_its_headings() -> None:
    assert Table(headings=("a", "b"), rows=[]).as_text() == "a  b"
