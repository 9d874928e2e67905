"""Tests for `forebear_lab.experiments.paper`, at a tiny size."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from forebear.errors import InputError
from forebear_lab.baselines.maven import Limits
from forebear_lab.baselines.ranklib import RANKERS
from forebear_lab.cli.experiment import app
from forebear_lab.experiments.budget import Budget
from forebear_lab.experiments.fusion import on_same_folds
from forebear_lab.experiments.paper import PaperRun
from forebear_lab.experiments.paper_parts import group_means
from forebear_lab.experiments.paper_plan import PaperPlan, rank_part
from forebear_lab.experiments.report.fusion import report_fusion
from forebear_lab.experiments.report.paper import paper_page, same_queries, write_paper

TINY = PaperPlan(
    queries=24,
    lists=(3, 4),
    folds=2,
    shapes=("residence",),
    record_queries=4,
    methods=("ss", "rrf"),
    record_methods=("ca_uniform", "ca_customized"),
    budget=Budget(seconds=60),
    sensitivity=False,
)


def make_run(out: Path, messages: list[str]) -> PaperRun:
    return PaperRun(TINY, out, progress=messages.append)


def test_every_method_of_every_fold_and_shape_is_a_part(tmp_path: Path) -> None:
    plan = replace(TINY, sensitivity=True)
    names = list(PaperRun(plan, tmp_path, progress=print).parts)

    assert "residence_ca_customized_seed1" in names
    assert "residence_ca_customized_target_seed1" in names
    assert "fusion3_fold1_ss" in names
    assert "fusion3_fold0_ss_reading_restarts" in names
    assert "fusion4_fold0_exact" in names
    assert "fusion4_fold0_rrf" not in names


def test_parts_are_small_say_where_they_come_from_and_move_to_another_machine(
    tmp_path: Path,
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    run = make_run(here, [])
    part = run.parts["fusion3_fold0_ss"]
    run.compute(part)
    shutil.copytree(here, there)
    messages: list[str] = []
    other = make_run(there, messages)

    other.compute(other.parts["fusion3_fold0_ss"])

    value = json.loads((there / "parts" / "fusion3_fold0_ss.json").read_text())
    assert (value["size"], value["training"]) == (12, 12)
    assert {"date", "machine", "seconds", "ndcg"} < value.keys()
    assert "kept from before" in messages[0]
    assert other.is_finished(part)
    assert not other.is_finished(other.parts["fusion3_fold1_ss"])


def test_a_part_that_saw_all_queries_is_valid_under_a_larger_budget(tmp_path: Path) -> None:
    name = "residence_ca_customized_seed1"
    run = make_run(tmp_path, [])
    run.compute(run.parts[name])
    path = tmp_path / "parts" / f"{name}.json"
    value = json.loads(path.read_text())

    def is_finished(seconds: float, **changes: float) -> bool:
        path.write_text(json.dumps({**value, "seconds": 30.0} | changes))
        plan = replace(TINY, budget=Budget(seconds=seconds))
        other = PaperRun(plan, tmp_path, progress=print)
        return other.is_finished(other.parts[name])

    assert is_finished(120)
    assert is_finished(40)
    assert not is_finished(20)  # its 30 s would not fit
    assert is_finished(60, size=2)
    assert not is_finished(120, size=2)  # now it could see more than half


def test_slow_learners_come_last_the_first_fold_before_the_others(tmp_path: Path) -> None:
    plan = replace(
        TINY,
        methods=("wu", "lambdamart", "ss", "ranklib_ca"),
        record_methods=("ca_uniform", "ranklib_ca"),
        ranklib=Limits(),
    )

    parts = [*PaperRun(plan, tmp_path, progress=print).parts.values()]

    assert [(part.method, part.fold, part.shape) for part in parts[-7:]] == [
        ("lambdamart", 0, ""),
        ("ranklib_ca", 0, ""),
        ("ranklib_ca", 0, "residence"),
        ("wu", 0, ""),
        *(("lambdamart", 1, ""), ("ranklib_ca", 1, ""), ("wu", 1, "")),
    ]


def test_every_learner_of_ranklib_is_slow() -> None:
    places = [rank_part(f"ranklib_{name}", fold=0, is_record=False) for name in RANKERS]

    assert len({*places}) == len(RANKERS)
    assert min(places) > (1, 0)


def compute_all(out: Path) -> PaperRun:
    run = make_run(out, [])
    for part in run.parts.values():
        run.compute(part)
    return run


def test_a_part_of_records_has_the_limits_and_the_origin_of_one_of_fusion(tmp_path: Path) -> None:
    run = make_run(tmp_path, [])
    part = run.parts["residence_ca_customized_seed1"]

    value = run.compute(part)

    assert (value["size"], value["training"]) == (4, 4)
    assert {"date", "machine", "seconds", "ndcg"} < value.keys()
    assert run.is_finished(part)
    plan = replace(TINY, record_queries=5)
    assert not PaperRun(plan, tmp_path, progress=print).is_finished(part)


def test_a_record_learner_beyond_its_time_gets_fewer_queries_or_is_not_run(tmp_path: Path) -> None:
    plan = replace(TINY, budget=Budget(seconds=0, scoring=0))

    value = PaperRun(plan, tmp_path, progress=print).compute(
        make_run(tmp_path, []).parts["residence_ca_uniform_seed1"]
    )

    assert value["not_run"] == "needs more than 0 s of CPU for 4 queries"
    assert "machine" in value


def compute_some(out: Path, *names: str) -> PaperRun:
    run = make_run(out, [])
    for name in names:
        run.compute(run.parts[name])
    return run


def test_a_method_has_the_folds_that_are_finished(tmp_path: Path) -> None:
    run = make_run(tmp_path, [])

    assert run.fusion_results(3) is None
    assert run.records_results("residence") is None

    run = compute_some(
        tmp_path, "fusion3_fold0_baseline", "fusion3_fold1_baseline", "fusion3_fold1_ss"
    )
    results = run.fusion_results(3)

    assert results is not None
    baseline, ss = results.methods
    assert (baseline.folds, ss.folds) == ((), (1,))
    assert (baseline.ndcg.size, ss.ndcg.size) == (24, 12)
    assert "fusion3_fold0_ss" in [part.name for part in run.missing()]


def test_without_the_baseline_on_every_fold_nothing_can_be_compared(tmp_path: Path) -> None:
    run = compute_some(tmp_path, "fusion3_fold0_baseline", "fusion3_fold0_ss")

    assert run.fusion_results(3) is None


def test_a_method_with_fewer_folds_is_compared_on_their_queries_only(tmp_path: Path) -> None:
    run = compute_some(
        tmp_path, "fusion3_fold0_baseline", "fusion3_fold1_baseline", "fusion3_fold1_ss"
    )
    results = run.fusion_results(3)
    assert results is not None
    baseline, ss = results.methods
    expected = ss.ndcg.mean() - baseline.ndcg[12:].mean()

    report = report_fusion(results)

    assert report.ndcg["ss"].points == pytest.approx(100 * expected)
    assert report.measure_table("ndcg").rows[1][0] == "stochastic search (SS) (fold 2 of 2)"
    (claim,) = [one for one in report.verdicts if one.claim.startswith("SS is above the raw")]
    assert f"difference {expected:+.4f}" in claim.figures
    assert claim.figures.endswith("; on fold 2 of 2")
    (section,) = same_queries(results)
    assert section.title == "all methods on fold 2 of 2"
    assert section.table is not None
    shown = [str(row[1])[:6] for row in section.table.rows]
    assert shown == [f"{baseline.ndcg[12:].mean():.4f}", f"{ss.ndcg.mean():.4f}"]


def test_two_methods_are_compared_on_the_folds_that_both_have(tmp_path: Path) -> None:
    results = compute_all(tmp_path).fusion_results(3)
    assert results is not None
    ss, rrf = results.methods[1:]

    one, other = on_same_folds(ss.on_folds((1,)), rrf)

    np.testing.assert_array_equal(one.ndcg, ss.ndcg[12:])
    np.testing.assert_array_equal(other.ndcg, rrf.ndcg[12:])
    assert other.seconds == rrf.seconds[1:]
    with pytest.raises(ValueError, match="no fold in common"):
        on_same_folds(ss.on_folds((0,)), rrf.on_folds((1,)))


def test_the_pages_hold_all_parts_and_mark_who_saw_fewer_queries(tmp_path: Path) -> None:
    pages = write_paper(compute_all(tmp_path), TINY, tmp_path)

    assert [page.relative_to(tmp_path).as_posix() for page in pages] == [
        "records.html",
        "lists3/fusion.html",
        "lists4/fusion.html",
    ]
    value = json.loads((tmp_path / "lists3" / "fusion.json").read_text())
    assert [method["name"] for method in value["methods"]] == ["baseline", "ss", "rrf"]
    assert value["simulated"]

    for path in (tmp_path / "parts").glob("fusion4_fold*_exact.json"):
        part = json.loads(path.read_text())
        part["settings"]["queries"] = 6
        path.write_text(json.dumps(part))
    pages = write_paper(compute_all(tmp_path), TINY, tmp_path)

    assert "exact weights (6 of 12 queries)" in pages[2].read_text("utf-8")


def test_the_published_page_names_what_is_missing(tmp_path: Path) -> None:
    run = make_run(tmp_path, [])
    for name in ("fusion3_fold0_baseline", "fusion3_fold1_baseline", "fusion3_fold0_ss"):
        run.compute(run.parts[name])

    page = paper_page(run, TINY)

    assert page.title == "All tables in preview: 3 of 20 parts finished"
    progress, time, *sections = page.sections
    assert progress.table is not None
    assert ("fusion of 3 lists, fold 2", "1 of 3", "ss, rrf") in progress.table.rows
    assert ("residence records", "0 of 2", "all") in progress.table.rows
    assert "processors" in progress.sentences[-2]
    assert progress.sentences[-1].startswith("Times are CPU time, one thread")
    assert "They learned from all queries." in time.sentences[0]
    assert time.table is None
    titles = [section.title for section in sections]
    assert titles[:2] == [
        "3 lists: all methods on fold 1 of 2",
        "3 lists: NDCG@100, beside the paper's table 7",
    ]


def test_the_published_page_says_how_long_learning_took_and_who_saw_a_sample(
    tmp_path: Path,
) -> None:
    run = make_run(tmp_path, [])
    for name in ("fusion3_fold0_baseline", "residence_ca_customized_seed1"):
        run.compute(run.parts[name])
    path = tmp_path / "parts" / "residence_ca_customized_seed1.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "seconds": 5400.0, "size": 2}))

    _, time, *_ = paper_page(make_run(tmp_path, []), TINY).sections

    assert "took 1.50 hours of CPU" in time.sentences[0]
    assert time.table is not None
    assert time.table.rows == [("ca_customized", "residence records: 2 of 4 queries")]


def test_group_means_have_the_mean_and_nearly_the_error_of_the_values() -> None:
    values = np.random.default_rng(1).random(10_000)

    groups = np.array(group_means(values))

    assert groups.size == 200
    assert groups.mean() == pytest.approx(values.mean(), abs=1e-6)
    errors = [one.std(ddof=1) / np.sqrt(one.size) for one in (values, groups)]
    assert errors[1] == pytest.approx(errors[0], rel=0.25)


def test_parts_are_listed_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    words = ["paper", "--out", str(tmp_path), "--queries", "24"]

    listed = CliRunner().invoke(app, [*words, "--list"])
    refused = CliRunner().invoke(app, [*words, "--part", "nonsense"])

    assert "missing   fusion14_fold0_lambdamart" in listed.stdout
    assert isinstance(refused.exception, InputError)
