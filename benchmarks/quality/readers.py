"""Is every real file we have imported, or refused with a reason a person understands?

Every record file and every GEDCOM and GEDZIP file next to the repository is read with the
mapping that is recognized for it; nothing is written.  A file that raises anything but our
own errors would end the run, and a GEDCOM file whose lines do not add up is marked.

    python -m benchmarks.quality.readers [--json] [FOLDER]
"""

import io
import json
import os
import sys
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from forebear.errors import InputError
from forebear.ingest.find_mapping import recognize
from forebear.ingest.readers.gedcom.lines import decode_gedcom
from forebear.ingest.report import count_reasons
from forebear.ingest.run import import_file
from forebear.ingest.store import Group, RecordStore, SourceFile
from forebear.records.collections import Collection

ROOT = Path(__file__).resolve().parents[2]
GEDCOM = (".ged", ".gdz")
# Files that are not imported, and why.
LEFT_OUT = {
    "links.csv": "the answers: who is who, by a historian",
    "removal_orders.tsv": "the queries of the London test",
    "removal_order_names.tsv": "the queries of the London test",
    "petitioners.csv": "the people of petitions.csv once more, without their petitions",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one file."""

    file: str
    collection: str = ""
    read: int = 0
    stored: int = 0
    warned: int = 0
    refused: int = 0
    personas: int = 0
    lines: dict[str, int] = field(default_factory=dict)
    line_count: int = 0  # of a GEDCOM file, counted apart
    reasons: dict[str, int] = field(default_factory=dict)
    warnings: dict[str, int] = field(default_factory=dict)
    rejected: str = ""  # why nothing of it was read
    seconds: float = 0.0

    @property
    def adds_up(self) -> bool:
        return sum(self.lines.values()) == self.line_count


class Nowhere(RecordStore):
    """A writer for reading only."""

    def put_collection(self, collection: Collection) -> None:
        pass

    def write(self, groups: Sequence[Group], *, file: SourceFile | None = None) -> None:
        pass


def shared_data() -> Path:
    return Path(os.environ.get("FOREBEAR_SHARED", ROOT.parent / "shared")) / "data"


def read_all(folder: Path) -> Iterator[Outcome]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and (path.suffix.lower() in GEDCOM or "records" in path.parts):
            yield read_one(path, str(path.relative_to(folder)))


def read_one(path: Path, name: str) -> Outcome:
    if path.name in LEFT_OUT:
        return Outcome(file=name, rejected=f"left out: {LEFT_OUT[path.name]}")
    try:
        mapping = recognize(path)
        if mapping is None:
            return Outcome(file=name, rejected="no mapping for its headings")
        report = import_file(path, mapping, Nowhere(), dry_run=True)
    except InputError as error:
        return Outcome(file=name, rejected=error.message)
    is_gedcom = path.suffix.lower() in GEDCOM
    return Outcome(
        file=name,
        collection=report.collection,
        read=report.read,
        stored=report.accepted,
        warned=report.warned,
        refused=report.refused,
        personas=report.personas,
        lines=report.lines,
        line_count=count_lines(path) if is_gedcom else 0,
        reasons=count_reasons(report.refusals),
        warnings=count_reasons(report.warnings),
        seconds=report.seconds,
    )


def count_lines(path: Path) -> int:
    """Count the lines of a GEDCOM file by Python's own notion of lines, not by our reader's."""
    data = path.read_bytes()
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            data = archive.read("gedcom.ged")
    text = decode_gedcom(data).text
    return sum(1 for _ in io.StringIO(text, newline=None))


def table_of(outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield (
        f"{'file':<68} {'read':>7} {'stored':>7} {'warned':>7} {'refused':>7} {'personas':>8} "
        f"{'underst.':>8} {'as it is':>8} {'reported':>8} {'s':>5}"
    )
    for outcome in outcomes:
        if outcome.rejected:
            yield f"{outcome.file:<68} {outcome.rejected}"
            continue
        lines = [outcome.lines.get(fate, 0) for fate in ("understood", "kept", "reported")]
        counts = [f"{count:>8,}" for count in lines] if outcome.lines else [" " * 8] * 3
        mark = "" if outcome.adds_up else f"  LINES DO NOT ADD UP: {outcome.line_count}"
        yield (
            f"{outcome.file:<68} {outcome.read:>7,} {outcome.stored:>7,} {outcome.warned:>7,} "
            f"{outcome.refused:>7,} {outcome.personas:>8,} {' '.join(counts)} "
            f"{outcome.seconds:>5.1f}{mark}"
        )


def summary_of(outcomes: Sequence[Outcome]) -> Iterator[str]:
    for title, group in (
        ("GEDCOM and GEDZIP", [o for o in outcomes if Path(o.file).suffix.lower() in GEDCOM]),
        ("record files", [o for o in outcomes if Path(o.file).suffix.lower() not in GEDCOM]),
    ):
        read = [outcome for outcome in group if not outcome.rejected]
        yield (
            f"{title}: {len(group)} files, {len(read)} imported, {len(group) - len(read)} not; "
            f"{sum(o.stored for o in read):,} records of {sum(o.read for o in read):,} stored, "
            f"{sum(o.personas for o in read):,} personas"
        )
        reasons: dict[str, int] = {}
        for outcome in read:
            for reason, count in outcome.reasons.items():
                reasons[reason] = reasons.get(reason, 0) + count
        yield from (f"  refused {count:,} × {reason}" for reason, count in reasons.items())


def main() -> None:
    arguments = [word for word in sys.argv[1:] if word != "--json"]
    outcomes = [*read_all(Path(arguments[0]) if arguments else shared_data())]
    if "--json" in sys.argv:
        print(json.dumps([asdict(outcome) for outcome in outcomes], ensure_ascii=False, indent=1))
    else:
        print("\n".join([*table_of(outcomes), "", *summary_of(outcomes)]))


if __name__ == "__main__":
    main()
