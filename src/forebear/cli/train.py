"""``forebear train``: learn a model from what people attached."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from forebear.archive import open_archive
from forebear.cli.options import ArchiveOption, JsonOption, answer, archive_path, talk

if TYPE_CHECKING:
    from forebear.archive.training import Training
    from forebear.learning.trial import Trial


def train(
    archive: ArchiveOption = None,
    seed: Annotated[int, typer.Option(help="Decides every choice left to chance.")] = 1,
    hold_out: Annotated[
        float, typer.Option(help="Share of the searches to compare on, whole families.")
    ] = 0.25,
    promote: Annotated[
        bool | None,
        typer.Option("--promote/--no-promote", help="Whatever the comparison says."),
    ] = None,
    calibrate: Annotated[
        bool,
        typer.Option("--calibrate", help="Learn slopes and conditions of the lists as well."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Learn weights and shifts from the log, compare on searches held out, promote if better."""
    with open_archive(archive_path(archive)) as opened:
        training = opened.train(
            seed=seed,
            hold_out=hold_out,
            promote=promote,
            calibrate=calibrate,
            progress=lambda message: talk.print(message),
        )
    answer(
        {
            "version": training.version,
            "promoted": training.promoted,
            "repeated": training.repeated,
            "skipped": training.skipped,
            **_value(training.trial),
        },
        as_json,
        lambda: _text(training),
    )


def _value(trial: "Trial") -> dict[str, Any]:
    comparison = trial.comparison
    return {
        "rival": trial.baseline,
        "searches": trial.training.searches,
        "held_out": trial.held_out,
        "learned": list(trial.training.learned),
        "kept": list(trial.training.unchanged),
        "before": trial.before,
        "after": trial.after,
        "ndcg_difference": comparison.difference,
        "ndcg_interval": [comparison.low, comparison.high],
        "training": {
            name: {
                "start": history.steps[0].train,
                "end": history.last.train,
                "evaluations": history.last.evaluations,
                "seconds": history.last.seconds,
                "ended": history.ended,
            }
            for name, history in trial.training.histories.items()
        },
    }


def _text(training: "Training") -> str:
    trial = training.trial
    lines = [
        f"model {training.version}, learned from {trial.training.searches} searches, "
        f"compared with {trial.baseline} on {trial.held_out} held out"
    ]
    if training.repeated or training.skipped:
        lines.append(
            f"  {training.repeated:,} searches of other clauses or lists repeated, "
            f"{training.skipped:,} skipped"
        )
    for name, history in trial.training.histories.items():
        lines.append(
            f"  {name}: training NDCG {history.steps[0].train:.4f} to {history.last.train:.4f} "
            f"in {history.last.evaluations:,} evaluations, {history.last.seconds:.1f} s "
            f"({history.ended})"
        )
    if trial.training.unchanged:
        lines.append(f"  too few attachments, weights kept: {', '.join(trial.training.unchanged)}")
    for measure, before in trial.before.items():
        lines.append(f"  held out {measure}: {before:.4f} before, {trial.after[measure]:.4f} after")
    comparison = trial.comparison
    lines.append(
        f"  NDCG difference {comparison.difference:+.4f}, "
        f"95 % interval {comparison.low:+.4f} to {comparison.high:+.4f}"
    )
    lines.append(
        "promoted" if training.promoted else f"not promoted; {trial.baseline} stays in use"
    )
    return "\n".join(lines)
