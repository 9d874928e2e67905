"""Which commands maintain an archive?

collections, lists, takedown, check, reindex, backup, compact, copy and delete.
"""

from pathlib import Path
from typing import Annotated

import typer

from forebear.archive import Archive, open_archive
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    archive_path,
    print_message,
    print_notices,
    print_result,
    progress_bar,
)
from forebear.errors import InputError
from forebear.normalize.places import place_id
from forebear.records.collections import Collection
from forebear.storage.places import Coverage, place_label

FAULTS_FOUND = 1


def collections(
    archive: ArchiveOption = None,
    delete: Annotated[str | None, typer.Option(help="Delete this one with its records.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the collections with what they hold, or delete one."""
    with open_archive(archive_path(archive)) as opened:
        if delete is not None:
            print_message(f"deleted {delete} with {opened.delete_collection(delete):,} records")
        owner = opened.viewer("owner")
        counts = {
            viewer: opened.counts(viewer=opened.viewer(viewer)) for viewer in ("owner", "public")
        }
        rows = [
            {
                "name": each.name,
                "title": each.title,
                "record_type": each.record_type,
                "records": counts["owner"][each.name],
                "public": counts["public"][each.name],
                **_coverage(each, opened.coverage(each.name, viewer=owner)),
                **({"fields": _presence(opened, each.name)} if as_json else {}),
            }
            for each in opened.collections()
        ]
        unfinished = opened.unfinished_imports()
    for file in unfinished:
        print_message(
            f"import of {file.name} to {file.shelf} was interrupted; run it again to go on"
        )
    print_result(
        rows,
        as_json,
        lambda: "\n".join(
            f"{row['name']:<20} {row['record_type']:<10} {row['records']:>10,} records, "
            f"{row['public']:,} public  {row['title']}{_years(row)}"
            for row in rows
        ),
    )


def _coverage(collection: Collection, found: Coverage) -> dict[str, object]:
    """Return what a collection covers: as its mapping says, else as its records are."""
    told = [place_id(place.levels) for place in collection.places]
    return {
        "places": [place_label(place) for place in told or found.places],
        "first_year": collection.first_year or found.first_year,
        "last_year": collection.last_year or found.last_year,
    }


def _presence(archive: Archive, collection: str) -> dict[str, float]:
    found = archive.field_presence(collection, viewer=archive.viewer("owner"))
    return {field: round(share, 4) for field, share in found.items()}


def _years(row: dict[str, object]) -> str:
    years = [str(row[key]) for key in ("first_year", "last_year") if row[key] is not None]
    return f", {'-'.join(dict.fromkeys(years))}" if years else ""


def takedown(
    record: Annotated[str | None, typer.Argument(help="The record: COLLECTION:ID.")] = None,
    archive: ArchiveOption = None,
    reason: Annotated[str, typer.Option(help="Who asked, and why.")] = "",
    restore: Annotated[bool, typer.Option("--restore", help="Take it back.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Hide a record from the public for good, or list those hidden."""
    with open_archive(archive_path(archive)) as opened:
        if record is not None:
            if restore:
                opened.restore(record)
            else:
                opened.takedown(record, reason=reason)
        hidden = opened.takedowns()
    print_result(hidden, as_json, lambda: "\n".join(f"{key}  {why}" for key, why in hidden.items()))


def check(
    archive: ArchiveOption = None,
    digest: Annotated[
        bool, typer.Option("--digest", help="Also print a hash of all that the archive says.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compare the index with what the records say; exit with 1 if they disagree."""
    with open_archive(archive_path(archive)) as opened:
        report = opened.check()
        notices = opened.notices()
        hashed = {"digest": opened.digest()} if digest else {}
    told = f"{report.records:,} records, {report.personas:,} personas, {len(report.faults)} faults"
    print_result(
        {
            "records": report.records,
            "personas": report.personas,
            "faults": list(report.faults),
            "notices": list(notices),
            **hashed,
        },
        as_json,
        lambda: "\n".join([told, *report.faults, *hashed.values()]),
    )
    print_notices(notices)
    if report.faults:
        raise typer.Exit(FAULTS_FOUND)


def reindex(archive: ArchiveOption = None) -> None:
    """Write the index of all records again, by the rules of this version."""
    with (
        open_archive(archive_path(archive)) as target,
        progress_bar("reindexing") as update,
    ):
        target.reindex(lambda done, total: update(done / max(total, 1), f"{done:,} of {total:,}"))
    print_message("the index is up to date")


def backup(
    path: Annotated[Path, typer.Argument(help="Where to write the copy.")],
    archive: ArchiveOption = None,
) -> None:
    """Write a copy of the archive, while others go on using it."""
    with open_archive(archive_path(archive)) as opened:
        opened.backup(path)
    print_message(f"wrote {path}")


def compact(archive: ArchiveOption = None) -> None:
    """Give back the space that deletions left."""
    path = archive_path(archive)
    before = path.stat().st_size if path.exists() else 0
    with open_archive(path) as opened:
        opened.compact()
    print_message(f"{before / 1e6:,.1f} MB before, {path.stat().st_size / 1e6:,.1f} MB after")


def copy(
    source: Annotated[Path, typer.Argument(help="The archive to copy from.")],
    target: Annotated[Path, typer.Argument(help="The archive to copy to; `init` makes it.")],
    as_json: JsonOption = False,
) -> None:
    """Copy records, searches, models and trees from one archive to another, and compare."""
    with open_archive(source) as old, open_archive(target) as new:
        report = old.copy_to(new)
    value = {
        "collections": report.collections,
        "records": report.records,
        "digest": report.digest,
    }
    told = f"{report.records:,} records of {report.collections} collections, the same on both ends"
    print_result(value, as_json, lambda: told)


def delete(
    path: Annotated[Path, typer.Argument(help="The archive's file.")],
    yes: Annotated[bool, typer.Option("--yes", help="Yes, with all its records.")] = False,
) -> None:
    """Delete an archive: its file, and all that it has in a cluster."""
    if not yes:
        raise InputError(
            f"{str(path)!r} would be deleted with all its records, searches and models",
            hint="if you mean it, add --yes",
        )
    with open_archive(path) as archive:
        archive.delete()
    print_message(f"deleted {path}")


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
    print_result(
        found,
        as_json,
        lambda: "\n".join(
            f"{each['name']:<20} {each['record_type']:<14} {', '.join(each['collections'])}"
            for each in found
        ),
    )
