"""Tests for `forebear_lab.baselines.ranklib`: with a fake of its program, and with RankLib."""

import sys
from pathlib import Path

import numpy as np
import pytest

import forebear
from conftest import skip_without
from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines import ranklib
from forebear_lab.baselines.fuser import MeasuredLists
from forebear_lab.baselines.maven import LimitError, Limits, NotRunError, run_limited
from forebear_lab.baselines.ranklib import (
    RANKERS,
    RanklibFuser,
    lists_as_letor,
    parse_scores,
    ranklib_command,
    records_as_letor,
    train_ranker,
)
from forebear_lab.learning.export import export_searches

# Its "model" is the line it was started with; a row's score is the sum of its features.
FAKE = """
import sys
words = sys.argv[1:]
options = dict(zip(words[::2], words[1::2]))
if "-train" in options:
    open(options["-save"], "w").write(f"{options['-ranker']} {options['-metric2t']}")
else:
    places, lines = {}, []
    for row in open(options["-rank"]):
        _, query, *features = row.split()
        query = query.removeprefix("qid:")
        place = places[query] = places.get(query, -1) + 1
        score = sum(float(one.split(":")[1]) for one in features)
        lines.append(f"{query}\\t{place}\\t{score}\\n")
    open(options["-score"], "w").writelines(lines)
"""


@pytest.fixture
def fake(tmp_path: Path) -> tuple[str, ...]:
    program = tmp_path / "fake.py"
    program.write_text(FAKE)
    return sys.executable, str(program)


def test_lists_become_rows_with_one_column_per_list(two_lists) -> None:
    data = lists_as_letor(two_lists)

    assert data.features.tolist() == [[8, 0], [4, 0], [2, 0], [0, 3], [0, 1]]
    assert data.labels.tolist() == [0, 1, 0, 1, 0]
    assert data.offsets.tolist() == [0, 5]


def test_a_query_without_records_is_left_out() -> None:
    empty: tuple[list[float], list[int]] = ([], [])
    queries = [("a", {"A": ([1.0], [1])}), ("b", {"A": empty}), ("c", {"A": ([2.0], [0])})]
    data = lists_as_letor(FusionDataset.from_lists(("A",), queries))

    assert data.query_ids == ("1", "3")
    assert data.offsets.tolist() == [0, 1, 2]


def test_a_learner_is_trained_by_its_number_and_scores_other_queries(fake, clauses) -> None:
    data = records_as_letor(clauses)

    trained = train_ranker("lambdamart", data, Limits(), command=fake)

    assert trained.model == "6 NDCG@100"
    assert trained.seconds > 0
    np.testing.assert_allclose(trained.score(data), clauses.features.sum(axis=1))


def test_many_rows_are_scored_in_parts(fake, clauses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranklib, "ROWS_AT_ONCE", 45)
    data = records_as_letor(clauses)

    scores = train_ranker("ca", data, Limits(), command=fake).score(data)

    np.testing.assert_allclose(scores, clauses.features.sum(axis=1))


def test_a_fuser_sees_a_sample_and_states_its_limits(fake, make_lists) -> None:
    limits = Limits(seconds=60, memory_mb=512)
    fuser = RanklibFuser(ranker="ca", seed=1, queries=5, limits=limits, command=fake)

    fitted = fuser.fit(make_lists())

    assert fitted.settings["queries"] == 5
    assert (fitted.settings["limit in s"], fitted.settings["limit in MB"]) == (60, 512)
    assert fitted.seconds is not None
    np.testing.assert_allclose(fitted.score(make_lists(seed=2)), make_lists(seed=2).scores)


def test_a_run_beyond_its_time_is_ended(clauses) -> None:
    sleeper = (sys.executable, "-c", "while True: pass")

    with pytest.raises(LimitError, match=r"0\.3 s"):
        train_ranker("ca", records_as_letor(clauses), Limits(seconds=0.3), command=sleeper)


def test_a_run_that_saves_no_model_is_not_taken_for_done(clauses) -> None:
    with pytest.raises(NotRunError, match=r"without writing model\.txt"):
        train_ranker(
            "ca", records_as_letor(clauses), Limits(), command=(sys.executable, "-c", "pass")
        )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1\t0\t0.5\n", "1 scores that do not fit 5 records"),
        ("".join(f"1\t{place}\tNaN\n" for place in range(5)), "not numbers"),
        ("".join(f"2\t{place}\t1\n" for place in range(5)), "do not fit"),
    ],
)
def test_scores_that_do_not_fit_are_refused(two_lists, text: str, reason: str) -> None:
    with pytest.raises(NotRunError, match=reason):
        parse_scores(text, lists_as_letor(two_lists))


def test_infinite_scores_are_read(two_lists) -> None:
    text = "".join(f"1\t{place}\t{'Infinity' if place else '-1.5E-3'}\n" for place in range(5))

    assert parse_scores(text, lists_as_letor(two_lists)).tolist() == [-0.0015, *[np.inf] * 4]


@pytest.fixture(scope="module")
def installed() -> Limits:
    """Return limits for runs of RankLib itself."""
    limits = Limits(seconds=120, memory_mb=512)
    try:
        ranklib_command(limits)
    except NotRunError as error:
        skip_without(f"no RankLib: {error}")
    return limits


@pytest.mark.parametrize("name", ["ca", "mart"])
def test_ranklib_learns_to_rank_lists_of_different_scales(
    installed: Limits, make_lists, name: str
) -> None:
    train, test = make_lists(), make_lists(seed=2)
    measured = MeasuredLists(test)

    fitted = RanklibFuser(ranker=name, seed=1, queries=40, limits=installed).fit(train)

    raw, learned = (measured.ndcg(s).mean() for s in (test.scores, fitted.score(test)))
    assert learned > raw + 0.1
    assert fitted.settings["defaults"] == RANKERS[name].defaults


def test_ranklib_reads_the_exported_clauses_of_a_log(
    installed: Limits, searched: Path, tmp_path: Path
) -> None:
    with forebear.open(searched) as archive:
        export_searches(archive.current_log().judged, archive.model(), "letor", tmp_path)
    rows, model, log = tmp_path / "census.letor", tmp_path / "model.txt", tmp_path / "log.txt"
    words = ["-train", str(rows), "-ranker", "4", "-metric2t", "NDCG@100", "-save", str(model)]

    run_limited([*ranklib_command(installed), *words, "-r", "1", "-i", "2"], installed, log)

    records = len(rows.read_text("utf-8").splitlines())
    assert f"(24 ranked lists, {records} entries read)" in log.read_text("utf-8")
    features = len((tmp_path / "census.features.tsv").read_text("utf-8").splitlines())
    weights = model.read_text("utf-8").splitlines()[-1].split()
    assert 0 < len(weights) <= features
