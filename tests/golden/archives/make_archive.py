"""Makes a small archive with records of every built-in mapping, to be kept for its format version.

Run it with the program whose format is to be kept: ``python make_archive.py OUT.archive``.
Every row is invented here, cell by cell, from the words in its column's name.
"""

import csv
import gzip
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from forebear.archive import create_archive
from forebear.ingest.find_mapping import builtin_mappings, load_mapping
from forebear.search.expansion.clause_hashes import catalog_hash, clause_hashes
from forebear.search.model import hand_set_model

GIVEN = ("Thomas", "Mary Ann", "William", "Ellen")
SURNAMES = ("Thurlow", "Green", "Thurlow", "Brown")
# The first of these words that a column's name holds decides what its cells hold.
CELLS = {
    "lastname": SURNAMES,
    "surname": SURNAMES,
    "census_year": ("1851",) * 4,
    "date": ("12 Mar 1751", "3 Apr 1752", "1 May 1753", "9 Jun 1754"),
    "year": ("1751", "1752", "1753", "1754"),
    "father_forename": ("John", "Peter", "John", "Job"),
    "father_given": ("John", "Peter", "John", "Job"),
    "forename": GIVEN,
    "given": GIVEN,
    "firstname": GIVEN,
    "examinants": ("Thomas Thurlow", "Mary Green", "William Thurlow", "Ellen Brown"),
    "petitioners": ("Thomas Thurlow", "Mary Green", "William Thurlow", "Ellen Brown"),
    "name": GIVEN,
    "sex": ("M", "F", "M", "F"),
    "gender": ("male", "female", "male", "female"),
    "age_unit": ("",) * 4,
    "age": ("31", "28", "4", "60"),
    "parish": ("Layham",) * 4,
    "county": ("Suffolk",) * 4,
    "place": ("Hadleigh",) * 4,
    "occupation": ("weaver", "", "", "widow"),
    "hh": ("1", "1", "1", "2"),
    "schedule": ("1", "1", "1", "2"),
    "file": ("SFK/made.vld",) * 4,
    "id": ("1", "2", "3", "4"),
    "rec": ("1", "2", "3", "4"),
    "img": ("i1", "i2", "i3", "i4"),
    "line": ("1", "2", "3", "4"),
}
PROBATE = (
    "text,name,death date,death location,location,county,proved_by_name\n"
    '"THURLOW Thomas of Layham","[\'Thomas Thurlow\']","[\'12 March 1851\']","[\'Layham\']",'
    "\"['Layham']\",\"['Suffolk']\",\"['John Green']\"\n"
)
GEDCOM = (
    "0 HEAD\n1 SOUR MADE\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n"
    "0 @I1@ INDI\n1 NAME Thomas /Thurlow/\n1 SEX M\n1 BIRT\n2 DATE 12 MAR 1821\n"
    "2 PLAC Layham, Suffolk, England\n1 FAMS @F1@\n"
    "0 @I2@ INDI\n1 NAME Ellen /Brown/\n1 SEX F\n1 FAMS @F1@\n"
    "0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 MARR\n2 DATE 1845\n0 TRLR\n"
)
GRAMPS = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<database xmlns="http://gramps-project.org/xml/1.7.1/">'
    '<events><event handle="_e1" id="E1"><type>Birth</type><dateval val="1821-03-12"/></event>'
    '</events><people><person handle="_i1" id="I1"><gender>M</gender><name type="Birth Name">'
    "<first>Thomas</first><surname>Thurlow</surname></name>"
    '<eventref hlink="_e1" role="Primary"/></person></people></database>'
)
A2A = (
    '<A2A xmlns="http://Mindbus.nl/A2A"><Person pid="a"><PersonName><PersonNameFirstName>Thomas'
    "</PersonNameFirstName><PersonNameLastName>Thurlow</PersonNameLastName></PersonName></Person>"
    '<Event eid="e"><EventType>Doop</EventType><EventDate><Year>1751</Year></EventDate></Event>'
    "<RelationEP><PersonKeyRef>a</PersonKeyRef><EventKeyRef>e</EventKeyRef>"
    "<RelationType>Kind</RelationType></RelationEP></A2A>"
)
TEXT = "DIED. On the 3rd of March, 1851, at Layham, Suffolk, aged 63, Mr. Thomas Thurlow, weaver.\n"
JSON_LINES = [
    {
        "collection": "letters",
        "id": "l1",
        "record_type": "church",
        "event": {"kind": "other"},
        "personas": [
            {"role": "writer", "names": [{"given": "Thomas", "surname": "Thurlow"}]},
        ],
    }
]


def main() -> None:
    """Make the archive named on the command line."""
    path = Path(sys.argv[1])
    archive = create_archive(path)
    with tempfile.TemporaryDirectory() as folder:
        for name in builtin_mappings():
            report = archive.import_file(write_source(Path(folder), name), mapping=name)
            print(report.to_text(shown=2))
    result = archive.search(given="Thomas", surname="Thurlow", search_id="kept")
    archive.attach("kept", result[0].record)
    archive.takedown(result[1].record, reason="asked by the family")
    archive.import_model(json.dumps(learned_model()), note="kept", promote=True)
    archive.compact()
    print(f"{path}: {path.stat().st_size:,} bytes, attached {result[0].record}")
    archive.close()


def learned_model() -> dict[str, Any]:
    """Return a model as if it had been learned from this archive: one weight is its own."""
    model: dict[str, Any] = json.loads(hand_set_model().to_json())
    model["weights"]["census"]["self.given.exact"] = 9.5
    hashes = clause_hashes()
    return {**model, "catalog": catalog_hash(hashes), "clauses": hashes}


def write_source(folder: Path, name: str) -> Path:
    """Write a file of invented entries that a built-in mapping reads."""
    mapping = load_mapping(name)
    if mapping.format == "table":
        return write_table(folder / f"{name}.csv", sorted(mapping.columns))
    if mapping.format == "gramps":
        path = folder / "made.gramps"
        path.write_bytes(gzip.compress(GRAMPS.encode()))
        return path
    lines = "".join(json.dumps(line) + "\n" for line in JSON_LINES)
    texts = {"gedcom": GEDCOM, "a2a": A2A, "text": TEXT, "jsonl": lines}
    path = folder / f"made_{mapping.format}.txt"
    path.write_text(texts[mapping.format], encoding="utf-8")
    return path


def write_table(path: Path, columns: list[str]) -> Path:
    """Write a table of four rows, or the one whose cells are lists."""
    if path.stem == "probate_calendar":
        path.write_text(PROBATE, encoding="utf-8")
        return path
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([invent(column, row) for column in columns] for row in range(4))
    return path


def invent(column: str, row: int) -> str:
    """Return a cell for a column of this name."""
    for word, cells in CELLS.items():
        if word in column.casefold():
            return cells[row]
    return ""


if __name__ == "__main__":
    main()
