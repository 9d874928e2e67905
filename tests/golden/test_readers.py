"""The real files beside the repository: each is imported, and nothing of it is unsaid."""

import re
import unicodedata
from pathlib import Path

import pytest
from benchmarks.quality.readers import GEDCOM, LEFT_OUT, Outcome, read_one

from forebear.ingest.readers.gedcom.file import read_gedcom

# Names there tell the mark that follows, such as "E2 (Unicode: acute, 0301)" and its code.
MARK = re.compile(r"\(Unicode: [^,]+(?:, [a-z ]+)?, ([0-9A-F]{4})\)")
pytestmark = pytest.mark.shared

# Rows read and records kept of each record file.
COUNTS = {
    "coroners/wa_coroners_inquests_v1-1.tsv": (2894, 2530),
    "freereg/raw/DEVLANBU.CSV": (128, 128),
    "freereg/raw/HRTCALBA.csv": (186, 186),
    "freereg/raw/HRTCALBU.csv": (125, 125),
    "freereg/raw/HRTWILMA.csv": (545, 539),
    "london_poor_law/petitions.csv": (10045, 5038),
    "parish_sondondo/entierros_clean.csv": (2192, 2121),
    "parish_sondondo/matrimonios_clean.csv": (1719, 1719),
}
# People kept of the larger trees.
TREES = {
    "royal92.ged": 2970,
    "malformed_mix/encoding/ansel-lf.ged": 35,
    "malformed_mix/encoding/utf16le.ged": 3,
    "malformed_mix/gedcom-5.5/torture-test/TGC551.ged": 15,
    "gedcom7_official/gedcom70/maximal70.gdz": 2,
}


def read(shared_data: Path, name: str) -> Outcome:
    return read_one(shared_data / name, name)


@pytest.mark.parametrize("name", COUNTS)
def test_a_record_file_gives_its_records(shared_data: Path, name: str) -> None:
    outcome = read(shared_data, f"records/{name}")

    assert outcome.rejected == ""
    assert (outcome.read, outcome.stored) == COUNTS[name]


@pytest.mark.parametrize("name", TREES)
def test_a_tree_gives_its_people(shared_data: Path, name: str) -> None:
    outcome = read(shared_data, f"gedcom/{name}")

    assert outcome.rejected == ""
    assert outcome.stored == TREES[name]


def test_every_line_of_every_small_tree_has_a_fate(shared_data: Path) -> None:
    paths = [
        path
        for path in sorted((shared_data / "gedcom").rglob("*"))
        if path.suffix.lower() in GEDCOM and path.stat().st_size < 150_000
    ]

    outcomes = [read_one(path, path.name) for path in paths]

    assert len(outcomes) > 100
    assert [outcome.file for outcome in outcomes if outcome.rejected or not outcome.adds_up] == []


def test_ansel_marks_are_those_the_test_file_says_they_are(shared_data: Path) -> None:
    file = read_gedcom(shared_data / "gedcom/malformed_mix/encoding/ansel-lf.ged")
    marks = {root: MARK.search(root.text_of("NAME")) for root in file.roots}
    marked = {root: chr(int(match[1], 16)) for root, match in marks.items() if match}

    for root, mark in marked.items():
        place = next(child for child in root.walk() if child.tag == "PLAC")
        letters = unicodedata.normalize("NFD", place.text)
        assert letters.count(mark) == 26, root.text_of("NAME")

    assert len(marked) > 20


def test_the_answers_stay_out(shared_data: Path) -> None:
    for name in LEFT_OUT:
        path = next((shared_data / "records").rglob(name))
        assert read_one(path, name).rejected.startswith("left out")
