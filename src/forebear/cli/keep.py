"""Which commands maintain an archive?

collections, lists, takedown, check, reindex, backup, restore, compact, copy and delete.
"""

from pathlib import Path
from typing import Annotated

import typer

import forebear
from forebear import Collection
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    archive_path,
    open_archive,
    print_message,
    print_notices,
    print_result,
    progress_bar,
)
from forebear.errors import InputError
from forebear.normalize.place_levels import place_id
from forebear.storage.places import Coverage, place_label

HAS_FAULTS = 1  # exit status


def collections(
    path: ArchiveOption = None,
    delete: Annotated[
        str | None, typer.Option(help="Delete this collection with its records.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the collections, or delete one."""
    with open_archive(path) as archive:
        if delete is not None:
            print_message(f"deleted {delete} with {archive.delete_collection(delete):,} records")
        records, public = archive.counts(viewer="owner"), archive.counts(viewer="public")
        rows = []
        for collection in archive.collections():
            name = collection.name
            row: dict[str, object] = {
                "name": name,
                "title": collection.title,
                "record_type": collection.record_type,
                "records": records[name],
                "public": public.get(name, 0),
                **_coverage(collection, archive.coverage(name)),
            }
            if as_json:
                shares = archive.field_presence(name)
                row["fields"] = {field: round(share, 4) for field, share in shares.items()}
            rows.append(row)
        unfinished = archive.unfinished_imports()
    for file in unfinished:
        print_message(
            f"import of {file.name} to {file.collection} was interrupted; run it again to finish it"
        )
    if not rows:
        print_message("the archive has no collections; add one with `forebear import`")
    print_result(
        rows,
        as_json,
        lambda: "\n".join(
            f"{row['name']:<20} {row['record_type']:<10} {row['records']:>10,} records, "
            f"{row['public']:,} public  {row['title']}{_years(row)}"
            for row in rows
        ),
    )


def _coverage(collection: Collection, coverage: Coverage) -> dict[str, object]:
    """Return what a collection covers: as its mapping states, else as its records show."""
    stated = [place_id(place.levels) for place in collection.places]
    return {
        "places": [place_label(place) for place in stated or coverage.places],
        "first_year": collection.first_year or coverage.first_year,
        "last_year": collection.last_year or coverage.last_year,
    }


def _years(row: dict[str, object]) -> str:
    years = [str(row[key]) for key in ("first_year", "last_year") if row[key] is not None]
    return f", {'-'.join(dict.fromkeys(years))}" if years else ""


def lists(
    path: ArchiveOption = None,
    custom: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="NAME=COLLECTION,...: rank these in a separate list; may be repeated."
        ),
    ] = None,
    reset: Annotated[
        bool, typer.Option("--reset", help="Back to one list for each record type.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show or change which collections are ranked together."""
    with open_archive(path) as archive:
        if reset:
            archive.reset_lists()
        for text in custom or ():
            name, equals, names = text.partition("=")
            if not equals:
                raise InputError(f"--set {text!r} names no collections", hint="write NAME=A,B")
            archive.set_list(name.strip(), [part.strip() for part in names.split(",")])
        record_lists = archive.lists()
    print_result(
        [
            {
                "name": list_.name,
                "record_type": list_.record_type,
                "collections": list(list_.collections),
            }
            for list_ in record_lists
        ],
        as_json,
        lambda: "\n".join(
            f"{list_.name:<20} {list_.record_type:<14} {', '.join(list_.collections)}"
            for list_ in record_lists
        ),
    )


def takedown(
    record: Annotated[str | None, typer.Argument(help="The record: COLLECTION:ID.")] = None,
    path: ArchiveOption = None,
    reason: Annotated[str, typer.Option(help="Who requested it, and why.")] = "",
    restore: Annotated[bool, typer.Option("--restore", help="Show the record again.")] = False,
    erase: Annotated[
        bool, typer.Option("--erase", help="Delete the record for good; then run compact.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Hide a record from the public, or list hidden records."""
    if restore and record is None:
        raise InputError("restore what?", hint="forebear takedown COLLECTION:ID --restore")
    with open_archive(path) as archive:
        if record is not None:
            if restore:
                archive.restore(record)
            elif erase:
                archive.erase(record)
                print_message(f"erased {record}; run `forebear compact` to remove its words")
            else:
                archive.takedown(record, reason=reason)
        hidden = archive.takedowns()
    print_result(hidden, as_json, lambda: "\n".join(f"{key}  {why}" for key, why in hidden.items()))


def check(
    path: ArchiveOption = None,
    digest: Annotated[
        bool, typer.Option("--digest", help="Also print a hash of the archive's contents.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compare the index with the records; exit with 1 on faults."""
    with open_archive(path) as archive:
        report = archive.check()
        notices = archive.notices()
        hashed = {"digest": archive.digest()} if digest else {}
    head = f"{report.records:,} records, {report.personas:,} personas, {len(report.faults)} faults"
    print_result(
        {
            "records": report.records,
            "personas": report.personas,
            "faults": list(report.faults),
            "notices": list(notices),
            **hashed,
        },
        as_json,
        lambda: "\n".join([head, *report.faults, *hashed.values()]),
    )
    print_notices(notices)
    if report.faults:
        raise typer.Exit(HAS_FAULTS)


def reindex(path: ArchiveOption = None) -> None:
    """Rewrite the index by the rules of this version."""
    with open_archive(path) as archive, progress_bar("reindexing") as update:
        archive.reindex(lambda done, total: update(done / max(total, 1), f"{done:,} of {total:,}"))
    print_message("the index is up to date")


def backup(
    target: Annotated[Path, typer.Argument(metavar="PATH", help="Where to write the copy.")],
    path: ArchiveOption = None,
) -> None:
    """Write a copy of the archive while it is in use."""
    with open_archive(path) as archive:
        archive.backup(target)
    print_message(f"wrote {target}")


def restore(
    source: Annotated[Path, typer.Argument(metavar="BACKUP", help="The backup to restore.")],
    path: ArchiveOption = None,
) -> None:
    """Replace the archive by a backup, also while it is in use."""
    target = archive_path(path)
    visible = forebear.restore(source, target)
    print_message(f"restored {target}")
    if visible:
        print_message(
            f"{len(visible):,} records were taken down since the backup and are visible again; "
            f"take them down again with `forebear takedown`: {', '.join(visible)}"
        )


def compact(path: ArchiveOption = None) -> None:
    """Free the space that deleted records left."""
    file = archive_path(path)
    with forebear.open(file) as archive:
        before = file.stat().st_size
        archive.compact()
    print_message(f"{before / 1e6:,.1f} MB before, {file.stat().st_size / 1e6:,.1f} MB after")


def copy(
    source: Annotated[Path, typer.Argument(help="The archive to copy from.")],
    target: Annotated[
        Path, typer.Argument(help="The archive to copy to; create it with `forebear init`.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Copy everything from one archive to another, and compare."""
    with forebear.open(source) as old, forebear.open(target) as new:
        report = old.copy_to(new)
    value = {
        "collections": report.collections,
        "records": report.records,
        "digest": report.digest,
    }
    text = f"{report.records:,} records of {report.collections} collections, the same on both ends"
    print_result(value, as_json, lambda: text)


def delete(
    path: Annotated[Path, typer.Argument(help="The archive's file.")],
    yes: Annotated[bool, typer.Option("--yes", help="Confirm.")] = False,
) -> None:
    """Delete an archive and everything in it, in a cluster too."""
    if not yes:
        raise InputError(
            f"{str(path)!r} would be deleted with all its records, searches and models",
            hint="add --yes to confirm",
        )
    with forebear.open(path) as archive:
        archive.delete()
    print_message(f"deleted {path}")
