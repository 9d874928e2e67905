"""Which records do attacks use?  An invented census, and the records of the demo."""

import csv
import fcntl
import random
import shutil
from collections.abc import Callable
from pathlib import Path

from forebear.archive import create_archive, open_archive

DEMO = Path(__file__).resolve().parent.parent / "demo" / "records"
DEMO_TABLES = ("baptisms", "marriages", "burials", "census")
GIVEN = ("Thomas", "Mary", "William", "Ellen", "Job", "Ann", "Eve", "Ida", "Amos", "Ruth")
SURNAMES = ("Thurlow", "Green", "Brown", "Aldous", "Kersey", "Wood", "Reed", "Hill", "Death")
PARISHES = ("Layham", "Hadleigh", "Raydon", "Polstead")
HEADINGS = ("household", "year", "parish", "given", "surname", "relation", "age", "born")
# Without an id: the names of the records are the harder case.
MAPPING = """
[collection]
name = "census"
title = "An invented census"
record_type = "census"
country = "England"
[record]
group = "household"
date = "year"
census_day = true
place = "parish"
[[persona]]
role = "person"
principal = true
given = "given"
surname = "surname"
relation = "relation"
age = "age"
events.birth = { place = "born" }
"""
HOUSEHOLD = 4


def make_rows(rng: random.Random, count: int) -> list[list[str]]:
    """Return invented rows, four of a household."""
    rows = []
    surname = ""
    for number in range(count):
        is_head = number % HOUSEHOLD == 0
        surname = rng.choice(SURNAMES) if is_head else surname
        relation = "Head" if is_head else rng.choice(("Wife", "Son", "Daughter", "Lodger"))
        rows.append(
            [
                f"h{number // HOUSEHOLD}",
                "1851",
                rng.choice(PARISHES),
                rng.choice(GIVEN),
                surname,
                relation,
                str(rng.randrange(80)),
                rng.choice(PARISHES),
            ]
        )
    return rows


def correct(rng: random.Random, rows: list[list[str]]) -> list[list[str]]:
    """Return the rows with some of them corrected, some removed and some added."""
    corrected = []
    for row in rows:
        fate = rng.random()
        if fate < 0.05:
            continue
        if fate < 0.10:
            corrected.append(["extra", *row[1:3], rng.choice(GIVEN), "Newman", *row[5:]])
        corrected.append([*row[:3], row[3] + " Jane", *row[4:]] if fate > 0.9 else row)
    return corrected


def write_table(path: Path, rows: list[list[str]]) -> None:
    """Write rows of the census as a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(HEADINGS)
        writer.writerows(rows)


def write_census(folder: Path, rows: list[list[str]], name: str = "census") -> tuple[Path, Path]:
    """Write a census and its mapping; return both paths."""
    file, mapping = folder / f"{name}.csv", folder / f"{name}.toml"
    mapping.write_text(MAPPING.replace('"census"\ntitle', f'"{name}"\ntitle'), encoding="utf-8")
    write_table(file, rows)
    return file, mapping


def build_once(folder: Path, build: Callable[[Path], None]) -> Path:
    """Fill a folder, unless another attack has done so or is about to."""
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = folder.with_suffix(".built")
        if not built.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            build(folder)
            built.touch()
    return folder


def make_demo(path: Path) -> Path:
    """Make an archive of the demo's records."""
    with create_archive(path) as archive:
        for name in DEMO_TABLES:
            archive.import_file(DEMO / f"{name}.csv", mapping=str(DEMO / f"{name}.toml"))
    return path


def copy_archive(source: Path, target: Path) -> None:
    """Copy an archive that no process has open, and leave nothing of the one that was there."""
    for path in target.parent.glob(f"{target.name}*"):
        path.unlink()
    target.write_bytes(source.read_bytes())
    wal = source.with_name(f"{source.name}-wal")
    if wal.exists():
        target.with_name(f"{target.name}-wal").write_bytes(wal.read_bytes())


def attach_some(path: Path, *, searches: int = 1, records: int = 60) -> None:
    """Attach the best records of searches, so that some that are deleted must stay."""
    with open_archive(path) as archive:
        for number in range(searches):
            given, surname = GIVEN[number % len(GIVEN)], SURNAMES[number % len(SURNAMES)]
            result = archive.search(given=given, surname=surname)
            # as links, which teach from the first one
            archive.record_actions(
                [(result.id, hit.record, "attach") for hit in result[:records]], source="link"
            )
