"""Which cells of real columns name a place, and which name none?

Every distinct cell of the occupation, status and note columns of the shared records is labeled as
no place, every distinct cell of their place columns as a place.  The labels are those of the
columns: a note "died at Bristol" and an abode "Widow" are labeled wrongly.  Cells that say that
something is missing are left out.

There are two series.  A hash of the text divides either into a tuning and a judging half:

- ``old`` has the columns that the first rules were made with.  Its judging half was looked at six
  times before this series existed, so it is not fresh.
- ``fresh`` has columns of other sources, and the hash is salted.  The entries of the probate
  calendar are prose; "late of PLACE in the County of COUNTY OCCUPATION who died" gives both.
  All of them judge: the fit never sees that source.  Statuses of the Sondondo registers that name
  one of its villages ("Indios de Ishua") are left out.

A text of one series that the other has too belongs to ``old``.
"""

import csv
import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from anyascii import anyascii
from python_calamine import CalamineWorkbook

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("FOREBEAR_SHARED", ROOT.parent / "shared")) / "data"
FRESH_OF_TESTS = ROOT / "tests" / "golden" / "fresh_cells"
CENSUS = "records/freecen/census.csv"
FREEREG = "records/freereg/freereg_"
CORONERS = "records/coroners/wa_coroners_inquests_v1-1.tsv"
NEW_SOUTH_WALES = "records/naturalization/new_south_wales.csv"
SONDONDO = "records/parish_sondondo/"
LONDON = "records/london_poor_law/removal_order"
PROBATE = "records/probate/trained_ner.xlsx"
Columns = tuple[tuple[str, str, tuple[str, ...], str], ...]
# What cells are, by file and columns; the county code of the source where it has one.
OF_COUPLES = ("groom_occupation", "bride_occupation")
PARTS = ("social_condition", "marital_status", "legitimacy_status")
BAPTIZED = ("father", "mother", "parents", "godfather", "godmother")
OLD: Columns = (
    ("occupation", CENSUS, ("occupation",), "CON"),
    ("occupation", f"{FREEREG}baptisms.csv", ("father_occupation",), "SOM"),
    (
        "occupation",
        f"{FREEREG}marriages.csv",
        (*OF_COUPLES, *(f"{name.split('_')[0]}_father_occupation" for name in OF_COUPLES)),
        "SOM",
    ),
    ("status", f"{FREEREG}marriages.csv", ("groom_condition", "bride_condition"), "SOM"),
    ("status", f"{FREEREG}burials.csv", ("relationship",), "SOM"),
    ("status", CENSUS, ("relationship", "disability"), "CON"),
    ("note", CENSUS, ("notes",), "CON"),
    ("note", f"{FREEREG}baptisms.csv", ("notes",), "SOM"),
    ("note", f"{FREEREG}burials.csv", ("notes",), "SOM"),
    ("note", f"{FREEREG}marriages.csv", ("notes",), "SOM"),
    ("place", CENSUS, ("birth_place_verbatim", "street", "parish"), "CON"),
    ("place", f"{FREEREG}baptisms.csv", ("abode",), "SOM"),
    ("place", f"{FREEREG}burials.csv", ("abode",), "SOM"),
    ("place", f"{FREEREG}marriages.csv", ("groom_parish", "bride_parish"), "SOM"),
    ("occupation", "records/old_bailey/obv_defendants_trials.tsv", ("deft_occupation",), ""),
    ("note", CORONERS, ("cause_of_death", "verdict"), "MDX"),
    ("note", NEW_SOUTH_WALES, ("Remarks",), ""),
    ("place", CORONERS, ("parish",), "MDX"),
    ("place", NEW_SOUTH_WALES, ("NativePlace",), ""),
    ("place", f"{SONDONDO}bautismos_clean.csv", ("event_place",), ""),
    ("place", f"{SONDONDO}matrimonios_clean.csv", ("husband_birth_place",), ""),
)
FRESH: Columns = (
    (
        "status",
        f"{SONDONDO}bautismos_clean.csv",
        ("baptized_legitimacy_status", *(f"{person}_social_condition" for person in BAPTIZED)),
        "",
    ),
    (
        "status",
        f"{SONDONDO}matrimonios_clean.csv",
        tuple(f"{person}_{part}" for person in ("husband", "wife") for part in PARTS),
        "",
    ),
    (
        "status",
        f"{SONDONDO}entierros_clean.csv",
        tuple(f"deceased_{part}" for part in PARTS),
        "",
    ),
    ("status", f"{LONDON}_names.tsv", ("name_add",), "MDX"),
    ("status", CORONERS, ("deceased_additional_info",), "MDX"),
    ("place", f"{LONDON}s.tsv", ("to_place",), "MDX"),
    ("place", f"{LONDON}_names.tsv", ("removed_to",), "MDX"),
    ("place", f"{FREEREG}baptisms.csv", ("church", "place"), "SOM"),
    ("place", f"{FREEREG}marriages.csv", ("groom_abode", "bride_abode", "church"), "SOM"),
    ("place", CENSUS, ("birth_place", "ecc_parish"), "CON"),
    ("place", f"{SONDONDO}bautismos_clean.csv", ("baptized_birth_place",), ""),
    (
        "place",
        f"{SONDONDO}matrimonios_clean.csv",
        ("wife_birth_place", "husband_resident_in", "wife_resident_in"),
        "",
    ),
    (
        "place",
        f"{SONDONDO}entierros_clean.csv",
        ("deceased_birth_place", "burial_place", "doctrine"),
        "",
    ),
)
VILLAGES = (  # columns whose words are names of the places of Sondondo
    (f"{SONDONDO}bautismos_clean.csv", "event_geographic_descriptor_2"),
    (f"{SONDONDO}bautismos_clean.csv", "event_geographic_descriptor_3"),
    (f"{SONDONDO}matrimonios_clean.csv", "husband_birth_place"),
)
GEDCOM_TAGS = {"OCCU": "occupation", "PLAC": "place"}
PLACE_COMMAS = 2  # of a PLAC of GEDCOM; with fewer, many are notes ("killed by 60th Monarch")
COUNTIES = ("Durham", "Somerset", "Cornwall", "Kent", "Norfolk", "Devon", "Lancashire", "Suffolk")
MISSING = re.compile(
    r"|-|null|\?|\[\]|\[?roto\]?|na|n\.? ?k\.?|unk(?:nown)?|unreadable|not (?:given|stated)|no name"
    r"|(?:born )?at sea|of"
)
_SEVERAL_PLACES = re.compile(r"\bboth$|\bbut late of\b|\band of\b")
_ENTRY = re.compile(
    r"\b(?:late|formerly) of (?P<place>.{3,60}?) in the [Cc]ounty of (?P<county>[A-Z][a-z]+) "
    r"(?P<occupation>[A-Z][A-Za-z' ]{2,50}?),? (?:deceased )?who died"
)
_CLEAN_PLACE = re.compile(
    r"(?:[0-9]{1,3} )?[A-Z][a-z.'’]+(?:[- ](?:[a-z]{2,7}|[A-Z][a-z.'’]+)){0,5}"
)
_CLEAN_OCCUPATION = re.compile(r"[A-Z][a-z']+(?: (?:[a-z]{1,4}|[A-Z][a-z']+)){0,7}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A distinct text of one kind of column."""

    kind: str
    source: str
    text: str
    within: str  # the county code of its source, "" if there is none
    series: str = "old"
    county: str = ""  # that the source itself names after it
    rows: int = 1  # that have it

    @property
    def half(self) -> str:
        """Return the half of its series."""
        if self.source == "probate":
            return "judging"
        salt = "" if self.series == "old" else "second series of places: "
        return "judging" if digest(salt + self.text) % 2 else "tuning"


def digest(text: str) -> int:
    """Return a number of 32 bits that depends on the text alone, not on its case."""
    return int.from_bytes(hashlib.sha256(text.lower().encode()).digest()[:4], "big")


def read_cells() -> list[Cell]:
    """Return the distinct cells of every column, without those of the fresh cells of the tests."""
    seen = _cells_of_tests()
    cells: dict[tuple[str, str], Cell] = {}
    rows: Counter[tuple[str, str]] = Counter()
    villages = _villages()
    old = (*_cells_of_tables(OLD, "old"), *_cells_of_gedcom())
    fresh = (*_cells_of_tables(FRESH, "fresh"), *_cells_of_probate())
    for cell in (*old, *fresh):
        text = cell.text.lower()
        if MISSING.fullmatch(text) or not any(map(str.isalpha, text)) or text in seen:
            continue
        if cell.kind == "status" and not villages.isdisjoint(_words(text)):
            continue
        cells.setdefault((cell.kind, text), cell)
        rows[cell.kind, text] += 1
    return [replace(cell, rows=rows[key]) for key, cell in cells.items()]


def _cells_of_tests() -> set[str]:
    seen = set()
    for path in FRESH_OF_TESTS.glob("places*.csv"):
        for row in _rows(path):
            seen.update((row["text"].lower(), row["text"].lower().partition(",")[0]))
    return seen


def _cells_of_tables(columns: Columns, series: str) -> Iterator[Cell]:
    for kind, path, names, county in columns:
        for row in _rows(SHARED / path):
            for name in names:
                text = " ".join((row[name] or "").split())
                source = path.split("/")[1]
                yield Cell(kind=kind, source=source, text=text, within=county, series=series)


def _cells_of_gedcom() -> Iterator[Cell]:
    for path in sorted((SHARED / "gedcom").rglob("*.ged")):
        for line in path.read_bytes().decode("utf-8", "replace").splitlines():
            _, tag, value, *_ = (*line.split(maxsplit=2), "", "", "")
            is_used = tag == "OCCU" or (tag == "PLAC" and value.count(",") >= PLACE_COMMAS)
            if is_used and "\ufffd" not in value:
                text = " ".join(value.split())
                yield Cell(kind=GEDCOM_TAGS[tag], source="gedcom", text=text, within="")


def _cells_of_probate() -> Iterator[Cell]:
    """Yield the occupation and the place of each entry, where the recognized text is clean."""
    sheet = CalamineWorkbook.from_path(SHARED / PROBATE).get_sheet_by_name("Sheet1")
    for row in sheet.to_python()[1:]:
        entry = _ENTRY.search(" ".join(str(row[0]).split()).replace("- ", ""))
        if entry is None:
            continue
        cell = Cell(
            kind="place",
            source="probate",
            text=entry["place"],
            within="",
            series="fresh",
            county=entry["county"],
        )
        if _CLEAN_PLACE.fullmatch(cell.text) and not _SEVERAL_PLACES.search(cell.text):
            yield cell
        if _CLEAN_OCCUPATION.fullmatch(entry["occupation"]):
            yield replace(cell, kind="occupation", text=entry["occupation"])


def _villages() -> set[str]:
    return {
        word
        for path, column in VILLAGES
        for row in _rows(SHARED / path)
        for word in _words(row[column] or "")
        if len(word) > 3
    }


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", anyascii(text).lower())


def _rows(path: Path) -> Iterable[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ",")
