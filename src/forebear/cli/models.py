"""``forebear train``, ``models`` and ``weights``: what was learned, and what do searches use?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forebear.archive import open_archive
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    archive_path,
    print_message,
    print_notices,
    print_result,
)
from forebear.errors import InputError
from forebear.search.model import UNITS_PER_BIT

if TYPE_CHECKING:
    from forebear.archive.training import Training
    from forebear.learning.agreement import AgreementEstimate, ClauseEstimate
    from forebear.learning.trial import Trial


def models(
    archive: ArchiveOption = None,
    promote: Annotated[str | None, typer.Option(help="Let searches use this version.")] = None,
    roll_back: Annotated[
        bool, typer.Option("--roll-back", help="Return to the model used before.")
    ] = False,
    export: Annotated[str | None, typer.Option(help="Write this version to --out.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where --export writes its JSON.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the models of the archive; promote one, roll back, or export one as JSON."""
    with open_archive(archive_path(archive)) as opened:
        if promote is not None:
            opened.promote(promote)
            print_message(f"searches now use {promote}")
        if roll_back:
            print_message(f"searches now use {opened.roll_back()}")
        if export is not None:
            text = opened.export_model(export)
            out.write_text(text, "utf-8") if out is not None else print(text)
            return
        entries, current = opened.models(), opened.current_model()
        notices = opened.notices()
    value = {
        "current": current,
        "notices": list(notices),
        "models": [
            {"version": entry.version, "saved_at": entry.saved_at, "note": entry.note}
            for entry in entries
        ],
    }
    rows = [("hand-set", "", "weights set by hand")]
    rows += [(entry.version, entry.saved_at, entry.note) for entry in entries]
    print_result(
        value,
        as_json,
        lambda: "\n".join(
            f"{'*' if version == current else ' '} {version:<10} {at:<26} {note}"
            for version, at, note in rows
        ),
    )
    print_notices(notices)


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
            progress=print_message,
        )
    print_result(
        {
            "version": training.version,
            "promoted": training.promoted,
            "repeated": training.repeated,
            "skipped": training.skipped,
            **_training_value(training.trial),
        },
        as_json,
        lambda: _training_text(training),
    )


def _training_value(trial: "Trial") -> dict[str, Any]:
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


def _training_text(training: "Training") -> str:
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


app = typer.Typer(help="Weights estimated without labels.", no_args_is_help=True)


@app.callback()
def weights() -> None:
    """Weights estimated without labels."""


@app.command()
def estimate(
    archive: ArchiveOption = None,
    out: Annotated[Path | None, typer.Option(help="Write the model here, as JSON.")] = None,
    promote: Annotated[
        bool, typer.Option("--promote", help="Let searches use the estimated weights.")
    ] = False,
    personas: Annotated[
        int, typer.Option(help="How many people of the archive to ask for.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Decides every choice left to chance.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Estimate the weights of clauses from how the archive's own records agree."""
    if personas < 1:
        raise InputError(f"--personas: found {personas}, wanted at least 1")
    with open_archive(archive_path(archive)) as opened:
        estimate = opened.estimate_weights(
            seed=seed,
            personas=personas,
            promote=promote,
            progress=print_message,
        )
    found, version = estimate.agreement, estimate.version
    if out is not None:
        out.write_text(found.model.to_json(), "utf-8")
    print_result(
        _estimate_value(found, version, promote),
        as_json,
        lambda: _estimate_text(found, version, promote),
    )


def _estimate_value(found: "AgreementEstimate", version: str, promoted: bool) -> dict[str, Any]:
    return {
        "version": version,
        "promoted": promoted,
        "personas": found.queries,
        "matches": dict(found.matches),
        "kept": list(found.unchanged),
        "clauses": [
            {
                "record_type": each.record_type,
                "clause": each.clause,
                "before": each.before / UNITS_PER_BIT,
                "bits": each.weight / UNITS_PER_BIT,
                "m": each.match_rate,
                "u": each.other_rate,
                "reason": each.reason,
            }
            for each in found.clauses
        ],
    }


def _estimate_text(found: "AgreementEstimate", version: str, promoted: bool) -> str:
    lines = [f"model {version}, estimated from {found.queries} personas of the archive"]
    for record_type, matches in found.matches.items():
        kept = " (too few: weights kept)" if record_type in found.unchanged else ""
        lines.append(f"  {record_type}: {matches:,.0f} likely matches{kept}")
    lines.append(f"{'record type':<15} {'clause':<28} {'before':>7} {'bits':>7}  reason")
    lines += [_estimate_line(each) for each in found.clauses if each.matches]
    lines.append("promoted" if promoted else f"not promoted; forebear models --promote {version}")
    return "\n".join(lines)


def _estimate_line(each: "ClauseEstimate") -> str:
    before, bits = each.before / UNITS_PER_BIT, each.weight / UNITS_PER_BIT
    name = f"{each.record_type:<15} {each.clause:<28}"
    return f"{name} {before:>7.2f} {bits:>7.2f}  {each.reason}"
