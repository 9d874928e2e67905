"""``forebear weights``: weights from how an archive's own records agree."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forebear.archive import open_archive
from forebear.cli.options import ArchiveOption, JsonOption, answer, archive_path, talk
from forebear.errors import InputError
from forebear.search.model import UNITS_PER_BIT

if TYPE_CHECKING:
    from forebear.learning.agreement import AgreementEstimate, ClauseEstimate

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
            progress=lambda message: talk.print(message),
        )
    found, version = estimate.agreement, estimate.version
    if out is not None:
        out.write_text(found.model.to_json(), "utf-8")
    answer(_value(found, version, promote), as_json, lambda: _text(found, version, promote))


def _value(found: "AgreementEstimate", version: str, promoted: bool) -> dict[str, Any]:
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


def _text(found: "AgreementEstimate", version: str, promoted: bool) -> str:
    lines = [f"model {version}, estimated from {found.queries} personas of the archive"]
    for record_type, matches in found.matches.items():
        kept = " (too few: weights kept)" if record_type in found.unchanged else ""
        lines.append(f"  {record_type}: {matches:,.0f} likely matches{kept}")
    lines.append(f"{'record type':<15} {'clause':<28} {'before':>7} {'bits':>7}  reason")
    lines += [_line(each) for each in found.clauses if each.matches]
    lines.append("promoted" if promoted else f"not promoted; forebear models --promote {version}")
    return "\n".join(lines)


def _line(each: "ClauseEstimate") -> str:
    before, bits = each.before / UNITS_PER_BIT, each.weight / UNITS_PER_BIT
    name = f"{each.record_type:<15} {each.clause:<28}"
    return f"{name} {before:>7.2f} {bits:>7.2f}  {each.reason}"
