"""What was learned, and what do searches use?

``forebear models``, ``weights``, ``probabilities`` and ``variants``.
"""

from dataclasses import asdict
from enum import StrEnum
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
from forebear.interactions.trials import MAX_SEARCHES, PROMOTE_AT, STOP_AT, Trial, describe_trial
from forebear.search.expansion.learned_variants import NameField
from forebear.search.model import SHIPPED, UNITS_PER_BIT

if TYPE_CHECKING:
    from forebear.learning.agreement import AgreementEstimate
    from forebear.learning.name_variants import VariantReport
    from forebear.learning.registry import ProbabilityOffset
    from forebear.search.expansion.learned_variants import LearnedVariant

weights_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

MAX_PERSONAS = 100_000  # a sample of more would take days
probabilities_app = typer.Typer(help="Adapt probabilities to this archive.", no_args_is_help=True)
variants_app = typer.Typer(
    help="Manage name variants learned from attachments.", no_args_is_help=True
)
FirstArgument = Annotated[str, typer.Argument(help="One of the two names.")]
SecondArgument = Annotated[str, typer.Argument(help="The other name.")]


@weights_app.callback()
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


@weights_app.command()
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


@probabilities_app.command()
def calibrate(path: ArchiveOption = None, as_json: JsonOption = False) -> None:
    """Estimate how likely people are to be in this archive.

    The logged searches of the command line, of --batch and of signed-in visitors are repeated;
    at least 100 are needed, and no judgments.
    """
    with open_archive(path) as archive:
        offsets = archive.calibrate_probabilities(progress=print_message)
    print_result([asdict(offset) for offset in offsets], as_json, lambda: _offsets_text(offsets))


@probabilities_app.command("list")
def list_offsets(path: ArchiveOption = None, as_json: JsonOption = False) -> None:
    """List the offsets that were estimated."""
    with open_archive(path) as archive:
        offsets = archive.probability_offsets()
    print_result(
        [asdict(offset) for offset in offsets],
        as_json,
        lambda: _offsets_text(offsets) if offsets else "none: probabilities are those of the model",
    )


@probabilities_app.command()
def reset(path: ArchiveOption = None) -> None:
    """Delete the offsets."""
    with open_archive(path) as archive:
        archive.reset_probabilities()
    print_message("probabilities are those of the model")


def _offsets_text(offsets: "tuple[ProbabilityOffset, ...]") -> str:
    return "\n".join(
        f"{offset.viewer:<7} {offset.model:<10} {offset.bits:>+6.2f} bits, "
        f"from {offset.searches:,} searches, {offset.at[:10]}"
        for offset in offsets
    )


class VariantKind(StrEnum):
    """What the two names are."""

    GIVEN = "given"
    SURNAME = "surname"


KindOption = Annotated[VariantKind, typer.Option(help="What the two names are.")]


@variants_app.command()
def learn(
    path: ArchiveOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print the pairs.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Learn pairs of names that attachments join for three people, against chance.

    Each person must be attached by another searcher, or by links that you imported.
    """
    with open_archive(path) as archive:
        report = archive.learn_name_variants(dry_run=dry_run, progress=print_message)
    print_result(asdict(report), as_json, lambda: _learned_text(report))


@variants_app.command("list")
def list_variants(path: ArchiveOption = None, as_json: JsonOption = False) -> None:
    """List the learned pairs, also those that were revoked."""
    with open_archive(path) as archive:
        variants = archive.name_variants()
    print_result([asdict(one) for one in variants], as_json, lambda: _variants_text(variants))
    if not variants:
        print_message("no name variants were learned; `forebear variants learn` looks for some")


@variants_app.command()
def revoke(
    first: FirstArgument,
    second: SecondArgument,
    path: ArchiveOption = None,
    kind: KindOption = VariantKind.GIVEN,
) -> None:
    """Stop using a learned pair; it is not learned again."""
    with open_archive(path) as archive:
        archive.revoke_name_variant(first, second, kind=_name_field(kind))
    print_message(f"revoked {first} and {second}")


@variants_app.command()
def restore(
    first: FirstArgument,
    second: SecondArgument,
    path: ArchiveOption = None,
    kind: KindOption = VariantKind.GIVEN,
) -> None:
    """Use a revoked pair again."""
    with open_archive(path) as archive:
        archive.restore_name_variant(first, second, kind=_name_field(kind))
    print_message(f"{first} and {second} are variants again")


def _name_field(kind: VariantKind) -> NameField:
    return "given" if kind is VariantKind.GIVEN else "surname"


def _learned_text(report: "VariantReport") -> str:
    learned = len(report.learned)
    skipped = f", {report.skipped:,} could not be repeated" if report.skipped else ""
    summary = (
        f"learned {learned:,} of {report.compared:,} pairs that the attachments of "
        f"{report.searches:,} searches join{skipped}"
    )
    return "\n".join(filter(None, (_variants_text(report.learned), summary)))


def _variants_text(variants: "tuple[LearnedVariant, ...]") -> str:
    return "\n".join(
        f"{one.kind:<8} {one.first:<14} {one.second:<14} {one.persons:>3} persons "
        f"({one.expected:.2g} by chance), {one.searchers} searchers, {_variant_state(one)}"
        for one in variants
    )


def _variant_state(variant: "LearnedVariant") -> str:
    if variant.revoked_at:
        return f"revoked {variant.revoked_at[:10]}"
    return f"learned {variant.learned_at[:10]}"


def trial_text(trial: Trial, current: str) -> str:
    """Return how far a trial is, and what happens next; ``current`` is the model in use."""
    text = f"trial of {describe_trial(trial, PROMOTE_AT)}"
    if trial.state != "running":
        return f"{text}. It has ended."
    if trial.incumbent != current:
        return f"{text}. It waits, because searches use {current}."
    return (
        f"{text}. {trial.share:.0%} of the searches are interleaved; {trial.challenger} is "
        f"promoted at {PROMOTE_AT:g}, and the trial ends at 1/{1 / STOP_AT:g} or after "
        f"{MAX_SEARCHES:,} searches with attachments."
    )


def trial_value(trial: Trial) -> dict[str, Any]:
    """Return a trial as JSON has it."""
    return {**asdict(trial), "needed": PROMOTE_AT, "text": describe_trial(trial, PROMOTE_AT)}
