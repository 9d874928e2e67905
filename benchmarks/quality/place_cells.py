"""Is an occupation read as a place, and is a place lost as an occupation?  Cells of real columns.

    python -m benchmarks.quality.place_cells [--half judging] [--show 40]

Every distinct cell of the occupation, status and note columns of the shared records must name no
place; every distinct cell of their place columns must name one.  Each is read alone, within the
county of its source and before the name of a county ("Coal Miner, Durham").  The labels are those
of the columns: a note "died at Bristol" and an abode "Widow" count as errors although they are not.

A hash of the text divides the cells into halves.  The table ``places/likeness`` is fitted on the
tuning half, and its errors were in view when the rules were made; the other half judges.  How the
fit does on sources that it never saw, ``scripts/make_place_likeness.py`` prints.
"""

import argparse
import csv
import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from forebear.normalize.places import PlaceReading, read_place
from forebear_lab.evaluation.tables import Table

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("FOREBEAR_SHARED", ROOT.parent / "shared")) / "data"
FRESH = ROOT / "tests" / "golden" / "fresh_cells"
FREEREG = "records/freereg/freereg_"
CORONERS = "records/coroners/wa_coroners_inquests_v1-1.tsv"
# What cells are, by file and column; the county of the source where it has one.
COLUMNS = (
    ("occupation", "records/freecen/census.csv", "occupation", "CON"),
    ("occupation", f"{FREEREG}baptisms.csv", "father_occupation", "SOM"),
    ("occupation", f"{FREEREG}marriages.csv", "groom_occupation", "SOM"),
    ("occupation", f"{FREEREG}marriages.csv", "bride_occupation", "SOM"),
    ("occupation", f"{FREEREG}marriages.csv", "groom_father_occupation", "SOM"),
    ("occupation", f"{FREEREG}marriages.csv", "bride_father_occupation", "SOM"),
    ("status", f"{FREEREG}marriages.csv", "groom_condition", "SOM"),
    ("status", f"{FREEREG}marriages.csv", "bride_condition", "SOM"),
    ("status", f"{FREEREG}burials.csv", "relationship", "SOM"),
    ("status", "records/freecen/census.csv", "relationship", "CON"),
    ("status", "records/freecen/census.csv", "disability", "CON"),
    ("note", "records/freecen/census.csv", "notes", "CON"),
    ("note", f"{FREEREG}baptisms.csv", "notes", "SOM"),
    ("note", f"{FREEREG}burials.csv", "notes", "SOM"),
    ("note", f"{FREEREG}marriages.csv", "notes", "SOM"),
    ("place", "records/freecen/census.csv", "birth_place_verbatim", "CON"),
    ("place", "records/freecen/census.csv", "street", "CON"),
    ("place", "records/freecen/census.csv", "parish", "CON"),
    ("place", f"{FREEREG}baptisms.csv", "abode", "SOM"),
    ("place", f"{FREEREG}burials.csv", "abode", "SOM"),
    ("place", f"{FREEREG}marriages.csv", "groom_parish", "SOM"),
    ("place", f"{FREEREG}marriages.csv", "bride_parish", "SOM"),
    ("occupation", "records/old_bailey/obv_defendants_trials.tsv", "deft_occupation", ""),
    ("note", CORONERS, "cause_of_death", "MDX"),
    ("note", CORONERS, "verdict", "MDX"),
    ("note", "records/naturalization/new_south_wales.csv", "Remarks", ""),
    ("place", CORONERS, "parish", "MDX"),
    ("place", "records/naturalization/new_south_wales.csv", "NativePlace", ""),
    ("place", "records/parish_sondondo/bautismos_clean.csv", "event_place", ""),
    ("place", "records/parish_sondondo/matrimonios_clean.csv", "husband_birth_place", ""),
)
GEDCOM_TAGS = {"OCCU": "occupation", "PLAC": "place"}
PLACE_COMMAS = 2  # of a PLAC of GEDCOM; with fewer, many are notes ("killed by 60th Monarch")
COUNTIES = ("Durham", "Somerset", "Cornwall", "Kent", "Norfolk", "Devon", "Lancashire", "Suffolk")
MISSING = frozenset({"", "-", "NULL", "?", "[]"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A distinct text of one kind of column."""

    kind: str
    source: str
    text: str
    within: str  # the county code of its source, "" if there is none
    rows: int = 1  # that have it

    @property
    def half(self) -> str:
        return "judging" if _digest(self.text) % 2 else "tuning"

    @property
    def is_right(self) -> bool:
        """Return whether all forms of the cell name a place, or none of them does."""
        is_place = self.kind == "place"
        return all((reading.place is not None) == is_place for reading in self._readings())

    def _readings(self) -> Iterator[PlaceReading]:
        within = (self.within,) if self.within else ()
        yield read_place(self.text, within=within)
        yield read_place(self.text)
        if self.kind != "place":
            county = COUNTIES[_digest(self.text) % len(COUNTIES)]
            yield read_place(f"{self.text}, {county}")


def main() -> None:
    options = _options()
    cells = [cell for cell in read_cells() if cell.half == options.half]
    rows = []
    for group in sorted({(cell.kind, cell.source) for cell in cells}):
        members = [cell for cell in cells if (cell.kind, cell.source) == group]
        wrong = [cell for cell in members if not cell.is_right]
        of_rows = 1 - sum(cell.rows for cell in wrong) / sum(cell.rows for cell in members)
        rows.append((*group, len(members), len(wrong), 1 - len(wrong) / len(members), of_rows))
        for text in sorted((cell.text for cell in wrong), key=_digest)[: options.show]:
            print(f"    {' '.join(group)}: {text}")
    headings = ("cells", "source", "distinct", "wrong", "right", "of rows")
    print(Table(headings=headings, rows=rows).as_text())


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--half", choices=("tuning", "judging"), default="tuning")
    parser.add_argument("--show", type=int, default=0, help="cells read wrong, of each kind")
    return parser.parse_args()


def read_cells() -> list[Cell]:
    """Return the distinct cells of every column, without those of the fresh cells of the tests."""
    seen = _cells_of_tests()
    cells: dict[tuple[str, str], Cell] = {}
    rows: Counter[tuple[str, str]] = Counter()
    for cell in (*_cells_of_tables(), *_cells_of_gedcom()):
        text = cell.text.lower()
        if cell.text not in MISSING and any(map(str.isalpha, text)) and text not in seen:
            cells.setdefault((cell.kind, text), cell)
            rows[cell.kind, text] += 1
    return [replace(cell, rows=rows[key]) for key, cell in cells.items()]


def _cells_of_tests() -> set[str]:
    seen = set()
    for path in FRESH.glob("places*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                seen.update((row["text"].lower(), row["text"].lower().partition(",")[0]))
    return seen


def _cells_of_tables() -> Iterator[Cell]:
    for kind, path, column, county in COLUMNS:
        with (SHARED / path).open(encoding="utf-8-sig", newline="") as file:
            delimiter = "\t" if path.endswith(".tsv") else ","
            for row in csv.DictReader(file, delimiter=delimiter):
                text = " ".join((row[column] or "").split())
                yield Cell(kind=kind, source=path.split("/")[1], text=text, within=county)


def _cells_of_gedcom() -> Iterator[Cell]:
    for path in sorted((SHARED / "gedcom").rglob("*.ged")):
        for line in path.read_bytes().decode("utf-8", "replace").splitlines():
            _, tag, value, *_ = (*line.split(maxsplit=2), "", "", "")
            is_used = tag == "OCCU" or (tag == "PLAC" and value.count(",") >= PLACE_COMMAS)
            if is_used and "\ufffd" not in value:
                text = " ".join(value.split())
                yield Cell(kind=GEDCOM_TAGS[tag], source="gedcom", text=text, within="")


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.lower().encode()).digest()[:4], "big")


if __name__ == "__main__":
    main()
