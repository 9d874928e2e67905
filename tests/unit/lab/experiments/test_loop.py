"""Tests for the learning loop: curves, daily training, drift, promotion, and its report."""

import json
from dataclasses import replace
from pathlib import Path
from shutil import copy

import numpy as np
import pytest

import forebear
from forebear.search.model import default_model, hand_set_model
from forebear_lab.experiments.loop import LoopPlan, LoopRun, run_curves
from forebear_lab.experiments.loop_differences import estimate_all
from forebear_lab.experiments.loop_interleaving import BEHAVIORS, simulate_interleaving
from forebear_lab.experiments.loop_learners import learn_model
from forebear_lab.experiments.loop_promotion import LOOKS, blend, simulate_promotion
from forebear_lab.experiments.loop_searches import LoopSearches, divide_searches, log_searches
from forebear_lab.experiments.loop_time import train_daily, train_on_the_past
from forebear_lab.experiments.report.loop import LoopReport
from forebear_lab.experiments.worlds import World


@pytest.fixture(scope="module")
def searches(
    world: World, imported: Path, tmp_path_factory: pytest.TempPathFactory
) -> LoopSearches:
    path = tmp_path_factory.mktemp("loop") / "world.forebear"
    copy(imported, path)
    with forebear.open(path) as archive:
        logged = log_searches(archive, world, count=100, progress=lambda _: None)
    return divide_searches(logged, seed=1, label="simulated: small")


def run_of(searches: LoopSearches, out: Path, messages: list[str], **plan: object) -> LoopRun:
    settings = LoopPlan(**{"sizes": (6, 10), "draws": 2, "seed": 1, **plan})
    return LoopRun(settings, searches, out, progress=messages.append)


@pytest.fixture
def run(searches: LoopSearches, tmp_path: Path) -> LoopRun:
    return run_of(searches, tmp_path, [])


def test_a_row_compares_what_was_learned_with_both_shipped_models(run: LoopRun) -> None:
    row = next(iter(run.curve("links")))

    assert (row.feedback, row.searches, row.draws, row.taught) == ("links", 6, 2, 2)
    fitted, default = row.fitted["ndcg@100"].mean, row.default["ndcg@100"].mean
    assert row.over_default["ndcg@100"].mean == pytest.approx(fitted - default)
    assert default == pytest.approx(run.test.rank(default_model()).ndcg.mean())


def test_a_draw_of_fewer_searches_is_part_of_a_larger_one(run: LoopRun) -> None:
    few, _ = run.draw("links", 6, 1)
    many, _ = run.draw("links", 10, 1)
    other, _ = run.draw("links", 6, 0)

    assert many[:6] == few
    assert {one.search.id for one in other} != {one.search.id for one in few}


def test_use_of_too_few_searches_leaves_the_default(run: LoopRun) -> None:
    row = next(iter(run.curve("use")))

    assert row.taught == 0
    # Saved measures have six decimals.
    assert row.over_default["ndcg@100"].mean == pytest.approx(0, abs=1e-6)
    assert row.over_default["ndcg@100"].worst == pytest.approx(0, abs=1e-6)


def test_finished_parts_are_not_computed_again(searches: LoopSearches, tmp_path: Path) -> None:
    messages: list[str] = []
    first = run_curves(run_of(searches, tmp_path, messages))
    assert not [message for message in messages if message.endswith("saved earlier")]

    messages.clear()
    again = run_curves(run_of(searches, tmp_path, messages))

    assert [row.value() for row in again] == [row.value() for row in first]
    assert [message for message in messages if message.endswith("saved earlier")]
    assert not [message for message in messages if message.endswith("done")]


def test_another_seed_does_not_use_the_parts(searches: LoopSearches, tmp_path: Path) -> None:
    messages: list[str] = []
    list(run_of(searches, tmp_path, messages).curve("links"))
    list(run_of(searches, tmp_path, messages, seed=2).curve("links"))

    assert not [message for message in messages if message.endswith("saved earlier")]


def test_trees_rank_by_the_clauses_of_the_records(searches: LoopSearches, tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    run = run_of(searches, tmp_path, [], sizes=(10,), draws=1)

    (row,) = run.curve("links", "lambdamart")

    assert 0.3 < row.fitted["ndcg@100"].mean <= 1


def test_daily_training_needs_searches_for_every_day(
    searches: LoopSearches, tmp_path: Path
) -> None:
    messages: list[str] = []
    assert train_daily(run_of(searches, tmp_path, messages)) is None
    assert messages == ["daily training left out: it needs 500 searches"]

    pool = [replace(one, person=f"{n}") for n in range(10) for one in searches.pool][:100]
    run = run_of(replace(searches, pool=tuple(pool)), tmp_path, messages, draws=1)
    daily = train_daily(run, days=4)

    assert daily is not None
    assert len(daily.days) == 4
    assert daily.days[0].largest_change == 0  # 25 searches of use teach nothing yet
    assert daily.days[-1].largest_change > 0
    assert daily.over_default["ndcg@100"].mean == pytest.approx(daily.days[-1].ndcg, abs=1e-5)


def test_the_past_teaches_and_the_later_half_judges(searches: LoopSearches, tmp_path: Path) -> None:
    rows = train_on_the_past(run_of(searches, tmp_path, [], sizes=(3, 500)))

    assert [(row.searches, row.draws) for row in rows] == [(3, 2)]  # there are no 500


def test_a_blend_lies_between_two_models() -> None:
    hand_set, default = hand_set_model(), default_model()

    assert (
        blend(hand_set, default, 0).weights["census"] | hand_set.weights["census"]
        == (blend(hand_set, default, 0).weights["census"])
    )
    assert blend(hand_set, default, 1).shifts == {**default.shifts}
    middle = blend(hand_set, default, 0.5)
    clause = next(iter(default.weights["census"]))
    both = hand_set.weight("census", clause) + default.weight("census", clause)
    assert middle.weight("census", clause) == round(both / 2)


def test_the_rule_is_applied_to_pairs_of_known_differences(
    searches: LoopSearches, tmp_path: Path
) -> None:
    rows = simulate_promotion(run_of(searches, tmp_path, []), trials=2)

    assert [row.target for row in rows] == [0, 0, 0.005, -0.005, 0.01, -0.01, 0.02, -0.02]
    for row in rows:
        shares = [row.promoted[look] for look in LOOKS]
        assert shares == sorted(shares)  # promoted once, promoted for good
    for better, worse in zip(rows[2::2], rows[3::2], strict=True):
        assert worse.true == pytest.approx(-better.true)
        if worse.true < 0:
            assert not any(worse.promoted.values())


def test_a_trial_promotes_what_ranks_better_and_rarely_what_does_not(
    searches: LoopSearches, tmp_path: Path
) -> None:
    messages: list[str] = []
    rows = simulate_interleaving(run_of(searches, tmp_path, messages), trials=200)

    targets = [row.target for row in rows[:: len(BEHAVIORS)]]
    assert targets == [0, 0, 0.005, -0.005, 0.01, -0.01, 0.02, -0.02]
    assert {row.behavior for row in rows} == {*BEHAVIORS}
    for row in rows:
        by = [*row.promoted_by.values()]
        assert by == sorted(by)
        assert by[-1] <= row.promoted <= 1
        assert 0.5 < row.attaching <= 1  # most searches have a right record to attach
    # Exchanged models exchange their credit, up to the luck of the drafts.
    for better, worse in zip(rows[6::6], rows[9::6], strict=True):
        assert worse.true == pytest.approx(-better.true)
        assert abs(worse.sign + better.sign) < 0.3

    messages.clear()
    again = simulate_interleaving(run_of(searches, tmp_path, messages), trials=200)
    assert [row.value() for row in again] == [row.value() for row in rows]
    assert all(message.endswith("saved earlier") for message in messages)


def test_the_report_has_every_figure_and_says_that_it_is_simulated(run: LoopRun) -> None:
    report = LoopReport(
        label=run.searches.label,
        seed=1,
        pool=len(run.searches.pool),
        test=len(run.searches.test),
        default=estimate_all([run.default], run.persons, seed=1),
        hand_set=estimate_all([run.hand_set], run.persons, seed=1),
        curves=run_curves(run),
        drift=train_on_the_past(run),
        interleaving=simulate_interleaving(run, trials=2),
    )

    value = json.loads(json.dumps(report.value()))
    assert value["simulated"] is True
    assert [(row["feedback"], row["searches"]) for row in value["curves"]] == [
        (feedback, size) for feedback in ("links", "use", "one-type") for size in (6, 10)
    ]
    row = value["curves"][0]
    assert row["fitted"]["success@1"]["low"] <= row["fitted"]["success@1"]["mean"]
    assert report.page().simulated
    assert len(value["interleaving"]) == 8 * len(BEHAVIORS)
    assert "one-type" in report.page().as_html()
    assert "Interleaving" in report.page().as_html()


def test_what_is_learned_ranks_as_the_trained_model_does(run: LoopRun) -> None:
    from forebear.learning.train import train

    searches, judged = run.draw("links", 10, 0)
    assert len(searches) == 10
    learned = learn_model(judged, seed=1)
    trained = train(judged, default_model(), seed=1).model

    assert learned is not None
    np.testing.assert_array_equal(run.test.scores(learned), run.test.scores(trained))
