"""Is an archive sound after ``kill -9`` at any moment of an import, and does the import go on?

An import of an invented census and a re-import of its corrected file are killed at random
moments of their work, counted in processor time.  Each time the archive must open, ``check``
must find no fault, and the same command, run again, must lead to an archive that says the
same as one that was never disturbed.

    python -m benchmarks.quality.kills [--kills 30] [--rows 6000] [--seed 0]
"""

import argparse
import csv
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from forebear.archive import create_archive, open_archive

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
# Little is stored at a time, so that kills fall between what was stored and what was not.
PROGRAM = """
from forebear.cli.app import main
from forebear.ingest import ahead, reading
reading.BATCH_RECORDS = ahead.STORED_PERSONAS = 500
main()
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one kill."""

    command: str  # import or re-import
    after_seconds: float
    was_running: bool  # else it had ended before
    records: int  # that the archive had then
    faults: int
    resumed: bool
    is_equal: bool  # at last, to the archive that was never disturbed

    @property
    def is_right(self) -> bool:
        return self.faults == 0 and self.is_equal


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--rows", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print("command     killed after  running  records  faults  resumed  equal")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for outcome in kill_imports(
            Path(folder), kills=arguments.kills, rows=arguments.rows, seed=arguments.seed
        ):
            print(
                f"{outcome.command:<10} {outcome.after_seconds:>12.2f}s  {outcome.was_running!s:<7}"
                f"  {outcome.records:>7,}  {outcome.faults:>6}  {outcome.resumed!s:<7}"
                f"  {outcome.is_equal}",
                flush=True,
            )
            wrong += not outcome.is_right
    print(f"{wrong} wrong")
    return 1 if wrong else 0


def kill_imports(folder: Path, *, kills: int, rows: int, seed: int) -> Iterator[Outcome]:
    """Yield the outcome of every kill of an import and of a re-import."""
    rng = random.Random(seed)
    mapping, file = folder / "census.toml", folder / "census.csv"
    mapping.write_text(MAPPING, encoding="utf-8")
    table = make_rows(rng, rows)
    empty, first, second = (folder / f"{name}.forebear" for name in ("empty", "first", "second"))
    create_archive(empty).close()
    # Most of a small import is the start of the program, of which a kill shows nothing.
    start = run_until(run_program("collections", "--archive", empty))
    stages = (("import", empty, first, table), ("re-import", first, second, correct(rng, table)))
    for command, before, after, content in stages:
        write_table(file, content)
        copy_archive(before, after)
        work = run_until(run_import(file, mapping, after))
        with open_archive(after) as archive:
            digest = archive.digest()
        for _ in range(kills):
            victim = folder / "victim.forebear"
            copy_archive(before, victim)
            yield kill_one(command, file, mapping, victim, digest, rng.uniform(start, work))
        if command == "import":
            attach_some(first)


def kill_one(
    command: str, file: Path, mapping: Path, victim: Path, undisturbed: str, seconds: float
) -> Outcome:
    """Kill an import after so much work, look at the archive, and let the import go on."""
    process = run_import(file, mapping, victim)
    run_until(process, seconds)
    was_running = process.poll() is None
    process.kill()
    process.wait()
    with open_archive(victim) as archive:
        report = archive.check()
    with open_archive(victim) as archive:
        resumed = archive.import_file(file, mapping=str(mapping)).resumed
        faults = len(report.faults) + len(archive.check().faults)
        is_equal = archive.digest() == undisturbed
    return Outcome(
        command=command,
        after_seconds=seconds,
        was_running=was_running,
        records=report.records,
        faults=faults,
        resumed=resumed,
        is_equal=is_equal,
    )


def run_import(file: Path, mapping: Path, archive: Path) -> "subprocess.Popen[bytes]":
    """Start an import in a separate process."""
    return run_program("import", file, "--mapping", mapping, "--archive", archive)


def run_program(*words: str | Path) -> "subprocess.Popen[bytes]":
    """Start a command in a separate process."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *map(str, words)], stdout=subprocess.DEVNULL
    )


def run_until(process: "subprocess.Popen[bytes]", seconds: float = math.inf) -> float:
    """Wait until a process has worked so long, or has ended; return how long it worked."""
    worked = 0.0
    while process.poll() is None and worked < seconds:
        worked = max(worked, _worked(process.pid))
        time.sleep(0.002)
    return worked


def _worked(pid: int) -> float:
    """Return the processor time of a process: a busy machine does not change it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(HEADINGS)
        writer.writerows(rows)


def copy_archive(source: Path, target: Path) -> None:
    """Copy an archive, and leave nothing of the one that was there."""
    for ending in ("", "-wal", "-shm"):
        Path(f"{target}{ending}").unlink(missing_ok=True)
    with open_archive(source) as archive:
        archive.backup(target)


def attach_some(path: Path) -> None:
    """Attach the best records of a search, so that some that go must stay."""
    with open_archive(path) as archive:
        result = archive.search(given="Thomas", surname="Thurlow")
        for hit in result[:60]:
            archive.attach(result.id, hit.record)


if __name__ == "__main__":
    sys.exit(main())
