"""``forebear init``, ``map`` and ``import``: how do files become records of an archive?"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

import forebear
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    grouped,
    open_archive,
    print_message,
    print_result,
    progress_bar,
)
from forebear.errors import InputError
from forebear.ingest.readers.table import REFUSED_COLUMNS, guard_cells
from forebear.ingest.report import RefusedRow
from forebear.printing import printable


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterOptions:
    """Which cluster has the records, and how they are spread over it."""

    hosts: Annotated[
        str, typer.Option(help="Nodes of the cluster: https://one:9200,https://two:9200.")
    ] = ""
    prefix: Annotated[
        str, typer.Option(help="How the names of its indexes begin; else the file's name.")
    ] = ""
    shards: Annotated[int, typer.Option(min=1, help="Shards of each index.")] = 1
    replicas: Annotated[int, typer.Option(min=0, help="Copies of each shard.")] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessOptions:
    """How to sign in to the cluster."""

    ca: Annotated[
        Path | None, typer.Option(help="CA file (PEM) that signs for the nodes; else the system's.")
    ] = None
    certificate: Annotated[
        Path | None, typer.Option(help="Client certificate (PEM) to show to the cluster.")
    ] = None
    key: Annotated[
        Path | None, typer.Option(help="Private key (PEM, mode 0600) of the client certificate.")
    ] = None
    user: Annotated[
        str, typer.Option(help="User of the cluster; password in FOREBEAR_CLUSTER_PASSWORD.")
    ] = ""
    password_file: Annotated[
        Path | None, typer.Option(help="File (mode 0600) that holds the user's password.")
    ] = None
    api_key_file: Annotated[
        Path | None,
        typer.Option(help="File (mode 0600) that holds an API key; or FOREBEAR_CLUSTER_API_KEY."),
    ] = None

    def access(self) -> forebear.ClusterAccess:
        """Return what the archive remembers of it."""
        return forebear.ClusterAccess(
            ca=_absolute(self.ca),
            certificate=_absolute(self.certificate),
            key=_absolute(self.key),
            user=self.user,
            password_file=_absolute(self.password_file),
            api_key_file=_absolute(self.api_key_file),
        )


@grouped
def init(
    path: Annotated[Path, typer.Argument(help="The file to create.")],
    *,
    storage: Annotated[
        Literal["file", "opensearch"], typer.Option(help="Where to store the records.")
    ] = "file",
    cluster: ClusterOptions,
    sign_in: AccessOptions,
) -> None:
    """Create an empty archive."""
    access = sign_in.access()
    if storage == "file":
        if cluster.hosts or access != forebear.ClusterAccess():
            raise InputError(
                "--hosts and the options to sign in are for a cluster",
                hint="add --storage opensearch",
            )
        forebear.create(path).close()
        print_message(f"created {path}")
        return
    nodes = tuple(host.strip() for host in cluster.hosts.split(",") if host.strip())
    if not nodes:
        raise InputError("which cluster?", hint="give --hosts http://localhost:9200")
    address = forebear.ClusterAddress(
        hosts=nodes,
        prefix=cluster.prefix or path.stem.lower(),
        shards=cluster.shards,
        replicas=cluster.replicas,
        access=access,
    )
    forebear.create(path, cluster=address).close()
    print_message(f"created {path}, its records at {cluster.hosts} under {address.prefix!r}")


def _absolute(path: Path | None) -> str:
    return str(path.absolute()) if path else ""


def propose(
    file: Annotated[Path, typer.Argument(help="A table: CSV, TSV or a spreadsheet.")],
    as_json: JsonOption = False,
) -> None:
    """Propose a mapping file for a table."""
    from forebear.ingest.propose import propose_mapping  # late: an import does not need it

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


def import_records(
    files: Annotated[
        list[Path], typer.Argument(help="Tables, GEDCOM, Gramps, A2A, JSON lines or text.")
    ],
    path: ArchiveOption = None,
    mapping: Annotated[
        str | None,
        typer.Option(help="A mapping file, or the name of a built-in mapping."),
    ] = None,
    collection: Annotated[
        str | None, typer.Option(help="Name of the collection, instead of the mapping's.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Report what would be imported; write nothing.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Import even if most earlier records are removed.")
    ] = False,
    refused: Annotated[
        Path | None, typer.Option(help="Write the refused rows to this CSV file.")
    ] = None,
    shown: Annotated[int, typer.Option(help="Warnings and refusals to list for each file.")] = 5,
    as_json: JsonOption = False,
) -> None:
    """Import files, or what changed in files imported before."""
    reports = []
    rows = RefusedRows(files)
    with open_archive(path) as archive:
        for file in files:
            with progress_bar(file.name) as update:
                report = archive.import_file(
                    file,
                    mapping=mapping,
                    collection=collection,
                    dry_run=dry_run,
                    replace=replace,
                    progress=lambda p: update(p.share, f"{p.rate:,.0f} rows/s"),
                    refused=partial(rows.add, file),
                )
            reports.append(report)
            if not as_json:
                print(printable(report.to_text(shown=shown)))
    if refused is not None:
        rows.write(refused)
    if as_json:
        print_result([report.to_dict() for report in reports], True, str)


class RefusedRows:
    """The rows that an import refused, as a table to correct and import again.

    It has the columns of the file, then the line and the reason; where several files were
    imported, the file too.  No cell is a formula to a spreadsheet.
    """

    def __init__(self, files: Sequence[Path]) -> None:
        self._has_file_column = len(files) > 1
        self._rows: list[tuple[Path, RefusedRow]] = []

    def add(self, file: Path, row: RefusedRow) -> None:
        """Add a row of a file."""
        self._rows.append((file, row))

    def write(self, path: Path) -> None:
        """Write the rows as CSV."""
        columns = dict.fromkeys(name for _, row in self._rows for name, _ in row.cells)
        file_column = ["file"] if self._has_file_column else []
        try:
            with path.open("w", encoding="utf-8", newline="") as out:
                writer = csv.writer(out)
                writer.writerow([*guard_cells(columns), *file_column, *REFUSED_COLUMNS])
                for file, row in self._rows:
                    cells, issue = dict(row.cells), row.issue
                    values = [cells.get(column, "") for column in columns]
                    file_name = [file.name] if self._has_file_column else []
                    reason = ": ".join(part for part in (issue.reason, issue.detail) if part)
                    writer.writerow(guard_cells([*values, *file_name, str(issue.line), reason]))
        except OSError as error:
            raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from None
