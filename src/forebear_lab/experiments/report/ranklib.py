"""How far are RankLib's learners from ours, and why?

A difference over .01 of NDCG comes with its cause, from a table of what RankLib does otherwise.
"""

from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.experiments.data import experiment_table
from forebear_lab.experiments.fusion import FusionResults, on_same_folds
from forebear_lab.experiments.records import DEFAULT, RecordsResults
from forebear_lab.experiments.report.fusion_claims import titled
from forebear_lab.experiments.verdicts import SIMILAR, difference_interval

RANKLIB_SENTENCE = (
    "RankLib 2.10.1 with its defaults, training metric NDCG@100, one processor. The difference is "
    "RankLib's NDCG minus ours, with its 95 % interval; one over 0.01 has its cause beside it."
)
_HEADINGS = (
    *("learner", "ours", "RankLib", "difference", "ours: CPU s", "RankLib: CPU s", "cause"),
)


def explain_ranklib(shape: RecordsResults, *, seed: int) -> str:
    """Return why RankLib's coordinate ascent differs from ours on records; nothing if it agrees."""
    by_name = {one.method.name: one for one in shape.methods}
    ours, theirs = by_name.get(DEFAULT), by_name.get("ranklib_ca")
    if ours is None or theirs is None:
        return ""
    interval = difference_interval(ours.ndcg, theirs.ndcg, seed=seed)
    if abs(interval[0]) <= SIMILAR:
        return ""
    (cause,) = (r["cause"] for r in experiment_table("ranklib_differences") if r["method"] == "ca")
    shown = "{:+.4f} [{:+.4f}, {:+.4f}]".format(*interval)
    sample = f" It learned from {theirs.seen}." if theirs.seen else ""
    return f"RankLib's coordinate ascent minus ours from the same start: {shown}. {cause}.{sample}"


def compare_with_ranklib(results: FusionResults) -> Table:
    """Return a row for each learner of RankLib that ran beside ours."""
    by_name = {one.method.name: one for one in results.methods}
    rows: list[tuple[Cell, ...]] = []
    for row in experiment_table("ranklib_differences"):
        ours, theirs = by_name.get(row["method"]), by_name.get(f"ranklib_{row['method']}")
        if ours is None or theirs is None:
            continue
        ours, theirs = on_same_folds(ours, theirs)
        interval = difference_interval(ours.ndcg, theirs.ndcg, seed=results.plan.seed)
        rows.append(
            (
                titled(ours, results.plan.folds),
                float(ours.ndcg.mean()),
                float(theirs.ndcg.mean()),
                "{:+.4f} [{:+.4f}, {:+.4f}]".format(*interval),
                f"{sum(ours.seconds) / len(ours.seconds):.2f}",
                f"{sum(theirs.seconds) / len(theirs.seconds):.2f}",
                row["cause"] if abs(interval[0]) > SIMILAR else "",
            )
        )
    return Table(headings=_HEADINGS, rows=rows)
