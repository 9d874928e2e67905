"""``forebear models``: what was learned, which model is in use, promote and roll back."""

from pathlib import Path
from typing import Annotated

import typer

from forebear.archive import open_archive
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    answer,
    archive_path,
    print_notices,
    talk,
)


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
            talk.print(f"searches now use {promote}")
        if roll_back:
            talk.print(f"searches now use {opened.roll_back()}")
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
    answer(
        value,
        as_json,
        lambda: "\n".join(
            f"{'*' if version == current else ' '} {version:<10} {at:<26} {note}"
            for version, at, note in rows
        ),
    )
    print_notices(notices)
