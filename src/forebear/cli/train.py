"""``forebear train``: what was learned from attached records, and is it better?"""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    open_archive,
    print_message,
    print_result,
)
from forebear.search.model import DEFAULT

if TYPE_CHECKING:
    from forebear import Training
    from forebear.learning.evaluation import Evaluation, RankingComparison
    from forebear.learning.measures import Comparison


def train(
    path: ArchiveOption = None,
    method: Annotated[
        Literal["map", "paper"],
        typer.Option(help="All weights at once, or coordinate ascent as in the paper."),
    ] = "map",
    around: Annotated[
        str,
        typer.Option(metavar="MODEL", help="Learn near this model, learned from no attachment."),
    ] = DEFAULT,
    seed: Annotated[int, typer.Option(help="Seed of every random choice.")] = 1,
    promote: Annotated[
        bool | None,
        typer.Option("--promote/--no-promote", help="Whatever the comparison shows."),
    ] = None,
    trust: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A sign-in link whose searches count as yours; may be repeated."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Learn weights from attached records; use them if better.

    Five models, each learned without a fifth of the people, are compared with the one in use.
    Beside you, no searcher counts for more than 5 %.
    """
    with open_archive(path) as archive:
        training = archive.train(
            seed=seed,
            method=method,
            around=around,
            promote=promote,
            trust=trust or (),
            progress=print_message,
        )
    print_result(_value(training), as_json, lambda: "\n".join(_lines(training)))


def summary(training: "Training") -> str:
    """Return in one sentence what came of a training."""
    return f"{_outcome(training)}; learned from {training.learned.searches:,} searches."


def _outcome(training: "Training") -> str:
    evaluation, comparison = training.evaluation, training.evaluation.comparison
    if training.promoted and training.is_better and comparison is not None:
        return _gain(comparison)
    if training.promoted:
        return f"{training.version} is in use, as you decided with --promote"
    if evaluation.needs_trial:
        return (
            "Attachments made in use cannot compare models, because people attach what they are "
            "shown first; try the new one on a share of the searches with "
            f"`forebear serve --trial {training.version}`"
        )
    if evaluation.refusals:
        return f"Not used, because {evaluation.refusals[0]}"
    if training.is_better and comparison is not None:
        return f"{_gain(comparison)}, if you use {training.version}"
    return _missing(evaluation)


def _gain(comparison: "RankingComparison") -> str:
    for measure, words in (
        ("success@1", "the right record first"),
        ("success@10", "the right record among the first ten"),
    ):
        more = round(100 * (comparison.after[measure] - comparison.before[measure]))
        if more > 0:
            verb = "has" if more == 1 else "have"
            return f"Of 100 searches like yours, {more} more now {verb} {words}"
    return (
        "Right records now stand higher in searches like yours: "
        f"ndcg@100 {comparison.ndcg.difference:+.3f}"
    )


def _missing(evaluation: "Evaluation") -> str:
    """Return how many more searches it takes to show a gain."""
    comparison, model = evaluation.comparison, evaluation.incumbent
    if comparison is None and evaluation.since:
        return f"No judged search is newer than those that {model} was learned from"
    if comparison is None:
        return "Too few searchers judged the searches that could compare models"
    missing, count = comparison.searches_missing(), comparison.searches
    if missing is None:
        return f"The new weights do not rank better than {model} in {count:,} searches"
    return (
        f"A gain over {model} is not shown yet: that takes about {_rounded(missing):,} more "
        f"searches like these {count:,}"
    )


def _rounded(count: int) -> int:
    """Return a number with two digits that mean something."""
    return int(float(f"{count:.1e}"))


def _lines(training: "Training") -> list[str]:
    from forebear.learning.train import MIN_USED

    learned, evaluation = training.learned, training.evaluation
    lines = [
        summary(training),
        f"model {training.version} ({learned.model.method} around {learned.model.around})",
    ]
    if training.repeated or training.skipped:
        lines.append(
            f"  {training.repeated:,} searches of other clauses or lists repeated, "
            f"{training.skipped:,} skipped"
        )
    if learned.left_out:
        lines.append(f"  left out, judged in use: {learned.left_out:,}; {MIN_USED} are needed")
    if learned.searchers:
        lines.append(
            f"  {learned.searchers:,} searchers beside you, of whom none counts for more "
            f"than {learned.largest_share:.1%}"
        )
    lines += [
        f"  {name}: training NDCG {history.steps[0].train:.4f} to {history.last.train:.4f} "
        f"in {history.last.evaluations:,} evaluations, {history.last.seconds:.1f} s "
        f"({history.ended})"
        for name, history in learned.histories.items()
    ]
    if learned.unchanged:
        lines.append(f"  too few attachments of: {', '.join(learned.unchanged)}")
    if evaluation.comparison is not None:
        lines += _comparison_lines(evaluation, evaluation.comparison)
    lines += [f"  against it: {reason}" for reason in evaluation.refusals]
    stays = f"not promoted; {evaluation.incumbent} stays in use"
    return [*lines, "promoted" if training.promoted else stays]


def _comparison_lines(evaluation: "Evaluation", comparison: "RankingComparison") -> list[str]:
    from forebear.learning.e_value import THRESHOLD

    newer = f", newer than {evaluation.since}" if evaluation.since else ""
    rows = [
        f"  {measure:<22} {before:>8.4f} {comparison.after[measure]:>8.4f}"
        for measure, before in comparison.before.items()
    ]
    types = [
        f"  success@10 of {name:<14} {_difference(of_type)}, {of_type.query_count:,} searches"
        for name, of_type in comparison.types.items()
    ]
    return [
        f"compared on {comparison.searches:,} searches for {comparison.persons:,} people{newer}",
        f"  {'':<22} {evaluation.incumbent:>8} {'new':>8}",
        *rows,
        f"  ndcg@100 {_difference(comparison.ndcg)}",
        f"  success@1 {_difference(comparison.first)}",
        *types,
        f"  evidence {comparison.evidence.value:,.2f}; {THRESHOLD:.0f} promotes",
    ]


def _difference(of: "Comparison") -> str:
    return f"{of.difference:+.4f}, {of.confidence:.0%} interval {of.low:+.4f} to {of.high:+.4f}"


def _value(training: "Training") -> dict[str, Any]:
    learned, evaluation = training.learned, training.evaluation
    comparison = evaluation.comparison
    return {
        "summary": summary(training),
        "version": training.version,
        "promoted": training.promoted,
        "method": learned.model.method,
        "around": learned.model.around,
        "rival": evaluation.incumbent,
        "since": evaluation.since,
        "searches": learned.searches,
        "left_out": learned.left_out,
        "repeated": training.repeated,
        "skipped": training.skipped,
        "searchers": learned.searchers,
        "largest_share": learned.largest_share,
        "learned": list(learned.learned),
        "kept": list(learned.unchanged),
        "nce": [evaluation.nce_before, evaluation.nce_after],
        "refusals": list(evaluation.refusals),
        "needs_trial": evaluation.needs_trial,
        "comparison": None if comparison is None else _comparison_value(comparison),
        "training": {
            name: {
                "start": history.steps[0].train,
                "end": history.last.train,
                "evaluations": history.last.evaluations,
                "seconds": history.last.seconds,
                "ended": history.ended,
            }
            for name, history in learned.histories.items()
        },
    }


def _comparison_value(comparison: "RankingComparison") -> dict[str, Any]:
    return {
        "searches": comparison.searches,
        "people": comparison.persons,
        "before": comparison.before,
        "after": comparison.after,
        "evidence": comparison.evidence.value,
        "searches_missing": comparison.searches_missing(),
        "ndcg": _interval(comparison.ndcg),
        "success@1": _interval(comparison.first),
        "success@10": {name: _interval(of) for name, of in comparison.types.items()},
    }


def _interval(of: "Comparison") -> dict[str, float]:
    return {
        "difference": of.difference,
        "low": of.low,
        "high": of.high,
        "confidence": of.confidence,
        "searches": of.query_count,
    }
