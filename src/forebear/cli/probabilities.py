"""``forebear probabilities``: how far is this archive from the one its model was fitted on?"""

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    open_archive,
    print_message,
    print_result,
)

if TYPE_CHECKING:
    from forebear.learning.registry import ProbabilityOffset

app = typer.Typer(help="Adapt probabilities to this archive.", no_args_is_help=True)


@app.command()
def calibrate(path: ArchiveOption = None, as_json: JsonOption = False) -> None:
    """Estimate how likely people are to be in this archive.

    The logged searches of the command line, of --batch and of signed-in visitors are repeated;
    at least 100 are needed, and no judgments.
    """
    with open_archive(path) as archive:
        offsets = archive.calibrate_probabilities(progress=print_message)
    print_result([asdict(offset) for offset in offsets], as_json, lambda: _text(offsets))


@app.command("list")
def list_offsets(path: ArchiveOption = None, as_json: JsonOption = False) -> None:
    """List the offsets that were estimated."""
    with open_archive(path) as archive:
        offsets = archive.probability_offsets()
    print_result(
        [asdict(offset) for offset in offsets],
        as_json,
        lambda: _text(offsets) if offsets else "none: probabilities are those of the model",
    )


@app.command()
def reset(path: ArchiveOption = None) -> None:
    """Delete the offsets."""
    with open_archive(path) as archive:
        archive.reset_probabilities()
    print_message("probabilities are those of the model")


def _text(offsets: "tuple[ProbabilityOffset, ...]") -> str:
    return "\n".join(
        f"{offset.viewer:<7} {offset.model:<10} {offset.bits:>+6.2f} bits, "
        f"from {offset.searches:,} searches, {offset.at[:10]}"
        for offset in offsets
    )
