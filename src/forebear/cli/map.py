"""``forebear map``: a mapping for a table nobody has described yet."""

from pathlib import Path
from typing import Annotated

import typer

from forebear.cli.options import JsonOption, answer, talk
from forebear.ingest.propose import propose_mapping


def propose(
    file: Annotated[Path, typer.Argument(help="A table: CSV, TSV or a spreadsheet.")],
    as_json: JsonOption = False,
) -> None:
    """Propose a mapping file from a table's headings and rows, and say what is unsure."""
    proposal = propose_mapping(file)
    answer(
        {"mapping": proposal.to_toml(), "unsure": proposal.doubts, "unused": proposal.unused},
        as_json,
        lambda: proposal.to_toml().rstrip("\n"),
    )
    if not as_json:
        doubts, unused = len(proposal.doubts), len(proposal.unused)
        talk.print(
            f"{doubts} doubt{'' if doubts == 1 else 's'}, {unused} "
            f"column{'' if unused == 1 else 's'} unused; they are listed at the top of the "
            "mapping; read it over before you import"
        )
