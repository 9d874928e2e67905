"""``forebear init``, ``map`` and ``import``: how do files become records of an archive?"""

import csv
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from forebear.archive import create_archive, open_archive
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    archive_path,
    print_message,
    print_result,
    progress_bar,
)
from forebear.errors import InputError
from forebear.ingest.propose import propose_mapping
from forebear.ingest.reading import RefusedRow
from forebear.storage.port import ClusterAddress


def import_records(
    files: Annotated[
        list[Path], typer.Argument(help="Tables, GEDCOM, Gramps, A2A, JSON lines or text.")
    ],
    archive: ArchiveOption = None,
    mapping: Annotated[
        str | None,
        typer.Option(help="A mapping file, or the name of a built-in one; else recognized."),
    ] = None,
    collection: Annotated[
        str | None, typer.Option(help="Name of the collection, instead of the mapping's.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Report only, write nothing.")] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Even if most records of the file before go.")
    ] = False,
    refused: Annotated[
        Path | None, typer.Option(help="Write the refused rows to this CSV file.")
    ] = None,
    shown: Annotated[int, typer.Option(help="Warnings and refusals listed of each file.")] = 5,
    as_json: JsonOption = False,
) -> None:
    """Import files, or what they change if they are known, and report on every row."""
    reports = []
    rows = RefusedRows(files)
    with open_archive(archive_path(archive)) as opened:
        for path in files:
            with progress_bar(path.name) as update:
                report = opened.import_file(
                    path,
                    mapping=mapping,
                    collection=collection,
                    dry_run=dry_run,
                    replace=replace,
                    progress=lambda p: update(p.share, f"{p.rate:,.0f} rows/s"),
                    refused=partial(rows.add, path),
                )
            reports.append(report)
            if not as_json:
                print(report.to_text(shown=shown))
    if refused is not None:
        rows.write(refused)
    if as_json:
        print_result([report.to_dict() for report in reports], True, str)


class RefusedRows:
    """Gathers refused rows."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._names_files = len(files) > 1
        self._rows: list[tuple[Path, RefusedRow]] = []

    def add(self, file: Path, row: RefusedRow) -> None:
        """Add a row of a file."""
        self._rows.append((file, row))

    def write(self, path: Path) -> None:
        """Write the rows as CSV."""
        columns = dict.fromkeys(name for _, row in self._rows for name, _ in row.cells)
        told = ["file"] if self._names_files else []
        try:
            with path.open("w", encoding="utf-8", newline="") as out:
                writer = csv.writer(out)
                writer.writerow([*columns, *told, "line", "reason"])
                for file, row in self._rows:
                    cells = dict(row.cells)
                    where = [file.name] if self._names_files else []
                    found = [cells.get(column, "") for column in columns]
                    writer.writerow([*found, *where, row.issue.line, _reason(row)])
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror}") from None


def _reason(row: RefusedRow) -> str:
    return ": ".join(part for part in (row.issue.reason, row.issue.detail) if part)


def propose(
    file: Annotated[Path, typer.Argument(help="A table: CSV, TSV or a spreadsheet.")],
    as_json: JsonOption = False,
) -> None:
    """Propose a mapping file from a table's headings and rows, and say what is unsure."""
    proposal = propose_mapping(file)
    print_result(
        {"mapping": proposal.to_toml(), "unsure": proposal.doubts, "unused": proposal.unused},
        as_json,
        lambda: proposal.to_toml().rstrip("\n"),
    )
    if not as_json:
        doubts, unused = len(proposal.doubts), len(proposal.unused)
        print_message(
            f"{doubts} doubt{'' if doubts == 1 else 's'}, {unused} "
            f"column{'' if unused == 1 else 's'} unused; they are listed at the top of the "
            "mapping; read it over before you import"
        )


def init(
    path: Annotated[Path, typer.Argument(help="The file to make.")],
    storage: Annotated[
        Literal["file", "opensearch"], typer.Option(help="Where its records live.")
    ] = "file",
    hosts: Annotated[
        str, typer.Option(help="Of the cluster: http://one:9200,http://two:9200.")
    ] = "",
    prefix: Annotated[
        str, typer.Option(help="Of the names of its indexes; else the name of the file.")
    ] = "",
    shards: Annotated[int, typer.Option(min=1, help="Of each index in the cluster.")] = 1,
    replicas: Annotated[int, typer.Option(min=0, help="Copies of each shard.")] = 1,
) -> None:
    """Make an empty archive, in one file or in an OpenSearch cluster."""
    if storage == "file":
        if hosts:
            raise InputError("--hosts is for a cluster", hint="add --storage opensearch")
        create_archive(path).close()
        print_message(f"made {path}")
        return
    named = tuple(host.strip() for host in hosts.split(",") if host.strip())
    if not named:
        raise InputError("which cluster?", hint="give --hosts http://localhost:9200")
    address = ClusterAddress(
        hosts=named, prefix=prefix or path.stem.lower(), shards=shards, replicas=replicas
    )
    create_archive(path, cluster=address).close()
    print_message(f"made {path}, its records at {hosts} under {address.prefix!r}")
