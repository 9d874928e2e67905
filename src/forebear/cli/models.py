"""``forebear models`` and ``weights``: what was learned, and what do searches use?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    open_archive,
    print_message,
    print_notices,
    print_result,
    write_file,
)
from forebear.search.model import SHIPPED, UNITS_PER_BIT

if TYPE_CHECKING:
    from forebear.learning.agreement import AgreementEstimate

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

MAX_PERSONAS = 100_000  # a sample of more would take days


@app.callback()
def weights() -> None:
    """Estimate weights from the records, without judgments."""


def models(
    path: ArchiveOption = None,
    promote: Annotated[str | None, typer.Option(help="Use this version in searches.")] = None,
    roll_back: Annotated[
        bool, typer.Option("--roll-back", help="Return to the model used before.")
    ] = False,
    export: Annotated[str | None, typer.Option(help="Print this version as JSON.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="With --export: write the JSON to this file.")
    ] = None,
    trials: Annotated[
        bool, typer.Option("--trials", help="Show the trials of `forebear serve --trial`.")
    ] = False,
    end_trial: Annotated[
        bool, typer.Option("--end-trial", help="End the running trial without a promotion.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List, promote, roll back or export models."""
    if trials or end_trial:
        _show_trials(path, end=end_trial, as_json=as_json)
        return
    with open_archive(path) as archive:
        if promote is not None:
            archive.promote(promote)
            print_message(f"searches now use {promote}")
        if roll_back:
            print_message(f"searches now use {archive.roll_back()}")
        if export is not None:
            text = archive.export_model(export)
            if out is not None:
                write_file(out, text)
            else:
                print(text)
            return
        entries, current = archive.models(), archive.current_model()
        notices = archive.notices()
    value = {
        "current": current,
        "notices": list(notices),
        "models": [
            {"version": entry.version, "saved_at": entry.saved_at, "note": entry.note}
            for entry in entries
        ],
    }
    rows = [(name, "", note) for name, note in SHIPPED.items()]
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


def _show_trials(path: Path | None, *, end: bool, as_json: bool) -> None:
    from forebear.cli.trials import trial_text, trial_value

    with open_archive(path) as archive:
        if end:
            archive.end_trial()
        else:
            archive.settle_trial()
        trials, current = archive.trials(), archive.current_model()
    if not trials:
        print_message("there was no trial; forebear serve --trial MODEL starts one")
    print_result(
        [trial_value(trial) for trial in trials],
        as_json,
        lambda: "\n".join(trial_text(trial, current) for trial in trials),
    )


@app.command()
def estimate(
    path: ArchiveOption = None,
    out: Annotated[Path | None, typer.Option(help="Write the model to this file, as JSON.")] = None,
    promote: Annotated[
        bool, typer.Option("--promote", help="Use the estimated weights in searches.")
    ] = False,
    personas: Annotated[
        int,
        typer.Option(
            min=1, max=MAX_PERSONAS, help="Number of people of the archive to search for."
        ),
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of every random choice.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Estimate weights from how the archive's records agree."""
    with open_archive(path) as archive:
        estimate = archive.estimate_weights(
            seed=seed, personas=personas, promote=promote, progress=print_message
        )
    agreement, version = estimate.agreement, estimate.version
    if out is not None:
        write_file(out, agreement.model.to_json())
    print_result(
        _estimate_value(agreement, version, promote),
        as_json,
        lambda: _estimate_text(agreement, version, promote),
    )


def _estimate_value(agreement: "AgreementEstimate", version: str, promoted: bool) -> dict[str, Any]:
    return {
        "version": version,
        "promoted": promoted,
        "personas": agreement.queries,
        "matches": dict(agreement.matches),
        "kept": list(agreement.unchanged),
        "clauses": [
            {
                "record_type": clause.record_type,
                "clause": clause.clause,
                "before": clause.before / UNITS_PER_BIT,
                "bits": clause.weight / UNITS_PER_BIT,
                "m": clause.match_rate,
                "u": clause.other_rate,
                "reason": clause.reason,
            }
            for clause in agreement.clauses
        ],
    }


def _estimate_text(agreement: "AgreementEstimate", version: str, promoted: bool) -> str:
    lines = [f"model {version}, estimated from {agreement.queries} personas of the archive"]
    for record_type, matches in agreement.matches.items():
        note = " (too few: weights unchanged)" if record_type in agreement.unchanged else ""
        lines.append(f"  {record_type}: {matches:,.0f} likely matches{note}")
    lines.append(f"{'record type':<15} {'clause':<28} {'before':>7} {'bits':>7}  reason")
    lines += [
        f"{clause.record_type:<15} {clause.clause:<28} {clause.before / UNITS_PER_BIT:>7.2f} "
        f"{clause.weight / UNITS_PER_BIT:>7.2f}  {clause.reason}"
        for clause in agreement.clauses
        if clause.matches
    ]
    lines.append("promoted" if promoted else f"not promoted; forebear models --promote {version}")
    return "\n".join(lines)
