"""Tests for `forebear.ingest.report`."""

import json

import pytest

from forebear.ingest.report import ImportReport, Issue, Progress

REPORT = ImportReport(
    file="census.csv",
    collection="census",
    read=10,
    accepted=8,
    personas=8,
    warnings=(
        Issue(line=3, reason="age not understood", detail="'old'"),
        Issue(line=3, reason="sex not understood", detail="'x'"),
        Issue(line=5, reason="age not understood", detail="'very'"),
    ),
    refusals=(
        Issue(line=7, reason="no name at all"),
        Issue(line=9, reason="uninhabited"),
    ),
    seconds=2.0,
)


def test_a_record_with_two_warnings_is_warned_of_once() -> None:
    assert REPORT.warned == 2
    assert REPORT.refused == 2
    assert REPORT.read == REPORT.accepted + REPORT.refused


def test_the_text_names_every_line_and_counts_by_reason() -> None:
    text = REPORT.to_text()

    assert "10 rows read, 8 kept (2 with warnings), 2 refused, 8 personas" in text
    assert "2 × age not understood" in text
    for issue in (*REPORT.warnings, *REPORT.refusals):
        assert str(issue) in text


def test_the_text_can_be_cut_short_and_says_so() -> None:
    text = REPORT.to_text(shown=1)

    assert "line 3: sex" not in text
    assert "... and 2 more" in text


def test_the_dictionary_is_json() -> None:
    report = json.loads(json.dumps(REPORT.to_dict()))

    assert report["warned_by_reason"] == {"age not understood": 2, "sex not understood": 1}
    assert report["refusals"][1] == {"line": 9, "reason": "uninhabited", "detail": ""}
    assert report["rows_per_second"] == 5.0


def progress(*, bytes_done: int, accepted: int, written: int) -> Progress:
    return Progress(
        rows_read=100,
        accepted=accepted,
        written=written,
        bytes_done=bytes_done,
        bytes_total=1000,
        seconds=4.0,
    )


@pytest.mark.parametrize(
    ("so_far", "seconds_left"),
    [
        (progress(bytes_done=500, accepted=90, written=90), 4.0),  # half of it read and written
        (progress(bytes_done=1000, accepted=90, written=0), 4.0),  # all of it read, none written
        (progress(bytes_done=1000, accepted=90, written=90), 0.0),
        (progress(bytes_done=0, accepted=0, written=0), None),
    ],
)
def test_the_time_left_follows_from_what_is_done(
    so_far: Progress, seconds_left: float | None
) -> None:
    assert so_far.seconds_left == seconds_left
    assert so_far.rate == 25.0
