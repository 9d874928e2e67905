"""Is damage of an archive's file noticed, and does it ever end in a traceback?

Bytes of a copy are changed, zeroed or cut off.  Every command must end with an exit code of ours
and without a traceback.  Where the content of a table differs from what it was, ``check`` must
report it.  Answers that differ although the command reported nothing are counted.
"""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

from attack.outcome import Attack, Outcome, Plan, Tries
from attack.running import Driver
from attack.worlds import attach_some, make_rows, write_census
from forebear.archive import create_archive, open_archive

ROWS = 300
NOT_CHECKED = frozenset({"sqlite_sequence"})  # SQLite's


def run(plan: Plan) -> Outcome:
    """Damage one copy after the other."""
    rng = random.Random(plan.seed)
    original, damaged = plan.folder / "original.forebear", plan.folder / "damaged.forebear"
    key = make_archive(plan.folder, original, rng)
    content = original.read_bytes()
    tables = contents(original)
    questions = {
        "search": ("search", "--given", "Mary", "--surname", "Green", "--no-log", "--json"),
        "show": ("show", key, "--json"),
        "collections": ("collections", "--json"),
    }
    failures = []
    unnoticed = reported = 0
    with Driver() as driver:
        expected = {}
        for name, words in questions.items():
            finished = driver.run(*words, "--archive", original)
            if finished.code:
                raise RuntimeError(f"{finished.command}: {finished.error}")
            expected[name] = stable(finished.out)
        for number in range(plan.tries):
            kind, change = damage(rng, content)
            where = f"{kind} (try {number}, seed {plan.seed})"
            problems = []
            for name, words in questions.items():
                put(damaged, change)
                finished = driver.run(*words, "--archive", damaged)
                problems.append(finished.fault)
                is_changed = not finished.code and stable(finished.out) != expected[name]
                unnoticed += is_changed and not finished.error
            put(damaged, change)
            differing = differing_tables(damaged, tables)
            put(damaged, change)
            check = driver.run("check", "--archive", damaged)
            problems.append(check.fault)
            reported += check.code != 0
            if differing and check.code == 0:
                problems.append(f"check reports nothing, but {', '.join(differing)} differ")
            put(damaged, change)
            copy = plan.folder / "copy.forebear"
            copy.unlink(missing_ok=True)
            problems.append(driver.run("backup", copy, "--archive", damaged).fault)
            if problems := [problem for problem in problems if problem]:
                failures.append(f"{where}: {'; '.join(problems)}")
            plan.progress(number + 1)
    return Outcome(
        tries=plan.tries,
        failures=tuple(failures),
        worst=f"{unnoticed} answers changed unnoticed; check reported {reported} of {plan.tries}",
    )


def make_archive(folder: Path, path: Path, rng: random.Random) -> str:
    """Make an archive with records, searches and attachments; return the key of a record."""
    file, mapping = write_census(folder, make_rows(rng, ROWS))
    with create_archive(path) as archive:
        archive.import_file(file, mapping=str(mapping))
    attach_some(path, records=5)
    with open_archive(path) as archive:
        hits = archive.search(surname="Green", log=False)
        key: str = hits[0].record
        archive.takedown(hits[3].record, reason="asked by the family")
    with open_archive(path) as archive:  # leaves its answers in the file
        archive.search(given="Mary", surname="Green", log=False)
    return key


def damage(rng: random.Random, content: bytes) -> tuple[str, bytes]:
    """Return a damaged content and what was done to it."""
    changed = bytearray(content)
    place = rng.randrange(len(content))
    match rng.choice(("flip", "flip", "flip", "zero", "cut")):
        case "flip":
            bit = 1 << rng.randrange(8)
            changed[place] ^= bit
            return f"bit {bit} of byte {place} flipped", bytes(changed)
        case "zero":
            length = rng.choice((16, 512, 4096))
            changed[place : place + length] = bytes(len(changed[place : place + length]))
            return f"{length} bytes from {place} zeroed", bytes(changed)
        case _:
            return f"cut off at {place}", bytes(changed[:place])


def put(path: Path, content: bytes) -> None:
    """Write a damaged file, and delete what an earlier command left next to it."""
    for beside in path.parent.glob(f"{path.name}-*"):
        beside.unlink()
    path.write_bytes(content)


def contents(path: Path) -> dict[str, list[object]]:
    """Return the rows of every table."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as file:
        names = [
            name
            for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if name not in NOT_CHECKED
        ]
        file.text_factory = bytes  # damaged text may not be UTF-8
        return {name: file.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}


def differing_tables(path: Path, expected: dict[str, list[object]]) -> list[str]:
    """Return the tables whose rows are not what they were."""
    try:
        actual = contents(path)
    except (sqlite3.Error, UnicodeError) as error:
        return [f"the file ({error})"]
    return [name for name in expected if actual.get(name) != expected[name]]


def stable(output: str) -> str:
    """Return an output without what differs between two equal searches."""
    return "\n".join(
        line for line in output.splitlines() if '"search"' not in line and "seconds" not in line
    )


ATTACK = Attack(
    name="damaged files",
    question="Is damage reported, and never a traceback?",
    tries=Tries(quick=6, normal=100, full=1_000),
    run=run,
)
