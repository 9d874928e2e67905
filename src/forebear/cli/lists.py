"""``forebear lists``: which collections are ranked together."""

from typing import Annotated

import typer

from forebear.archive import open_archive
from forebear.cli.options import ArchiveOption, JsonOption, answer, archive_path
from forebear.errors import InputError


def lists(
    archive: ArchiveOption = None,
    make: Annotated[
        list[str] | None,
        typer.Option("--set", help="NAME=COLLECTION,...: a list of its own; may be repeated."),
    ] = None,
    reset: Annotated[
        bool, typer.Option("--reset", help="Back to one list for each record type.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show or change which collections make up which ranked list."""
    with open_archive(archive_path(archive)) as opened:
        if reset:
            opened.reset_lists()
        for text in make or ():
            name, equals, names = text.partition("=")
            if not equals:
                raise InputError(f"--set {text!r} names no collections", hint="write NAME=A,B")
            opened.set_list(name.strip(), [each.strip() for each in names.split(",")])
        found = [
            {
                "name": each.name,
                "record_type": each.record_type,
                "collections": list(each.collections),
            }
            for each in opened.lists()
        ]
    answer(
        found,
        as_json,
        lambda: "\n".join(
            f"{each['name']:<20} {each['record_type']:<14} {', '.join(each['collections'])}"
            for each in found
        ),
    )
