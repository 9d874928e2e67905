"""Do many processes that use one archive at a time disturb each other?

Readers search while an import writes, several processes attach at once, two imports wait for each
other, and an archive is restored while a server answers from it.  No reader may fail, nothing that
was acknowledged may be lost, and the archive is sound afterwards.
"""

import json
import random
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from attack.kills import ATTACHING, IN_SMALL_BATCHES, attachments_of, digest_of, faults_of
from attack.outcome import Attack, Outcome, Plan, Tries
from attack.running import (
    TRACEBACK,
    CannotRun,
    end,
    missing_feature,
    run_forebear,
    serving,
    start_python,
)
from attack.web import plain, send
from attack.worlds import attach_some, correct, make_rows, write_census
from forebear.archive import create_archive, open_archive

ROWS = 400
SECONDS = 120
# Searches without pause until a file is there, and prints how many searches it made.
READING = """
import sys
from pathlib import Path
from forebear.archive import open_archive
count = 0
with open_archive(sys.argv[1]) as archive:
    while not Path(sys.argv[2]).exists() or not count:
        archive.search(given="Mary", surname="Green", viewer="public", log=False)[:10]
        archive.counts(viewer="public")
        count += 1
print(count)
"""


def run(plan: Plan) -> Outcome:
    """Run the scenarios in turn."""
    rng = random.Random(plan.seed)
    failures = []
    searches = 0
    for number in range(plan.tries):
        scenario = SCENARIOS[number % len(SCENARIOS)]
        folder = plan.folder / str(number)
        folder.mkdir()
        try:
            problems = list(scenario(folder, rng))
        except CannotRun as missing:
            problems = list(missing_feature(missing, 1).failures)
        searches += sum(int(text) for text in problems if text.isdigit())
        problems = [text for text in problems if not text.isdigit()]
        if problems:
            name = scenario.__name__.replace("_", " ")
            failures.append(f"{name} (try {number}, seed {plan.seed}): {'; '.join(problems[:3])}")
        plan.progress(number + 1)
    return Outcome(
        tries=plan.tries, failures=tuple(failures), worst=f"{searches:,} searches meanwhile"
    )


def readers_during_an_import(folder: Path, rng: random.Random) -> Iterator[str]:
    """Search while a corrected file is imported; yields the number of searches."""
    path, table = make_archive(folder, rng)
    corrected, mapping = write_census(folder, correct(rng, table))
    done = folder / "done"
    readers = [start_python(READING, path, done) for _ in range(2)]
    writer = start_python(
        IN_SMALL_BATCHES, "import", corrected, "--mapping", mapping, "--archive", path
    )
    try:
        yield from ended(writer)
        done.touch()
        for reader in readers:
            yield from ended(reader)
    finally:
        for process in (writer, *readers):
            end(process)
    yield from faults_of(path)


def parallel_attachments(folder: Path, rng: random.Random) -> Iterator[str]:
    """Attach from three processes at once."""
    path, _ = make_archive(folder, rng)
    processes = [start_python(ATTACHING, path, "15") for _ in range(3)]
    acknowledged: set[tuple[str, ...]] = set()
    try:
        for process in processes:
            out, error = process.communicate(timeout=SECONDS)
            acknowledged |= {tuple(line.split()) for line in out.splitlines()}
            if process.returncode:
                yield f"attaching fails: {error.strip()[-150:]}"
    finally:
        for process in processes:
            end(process)
    if lost := acknowledged - attachments_of(path):
        yield f"{len(lost)} of {len(acknowledged)} acknowledged attachments are lost"
    yield from faults_of(path)


def two_imports(folder: Path, rng: random.Random) -> Iterator[str]:
    """Import two files at once; the archive has both, as if one had come after the other."""
    table = make_rows(rng, ROWS)
    one, one_mapping = write_census(folder, table)
    two, two_mapping = write_census(folder, table[: ROWS // 2], name="two")
    paths = [folder / "at_once.forebear", folder / "in_turn.forebear"]
    for path in paths:
        create_archive(path).close()
    words = [
        ("import", str(file), "--mapping", str(mapping))
        for file, mapping in ((one, one_mapping), (two, two_mapping))
    ]
    processes = [
        start_python(IN_SMALL_BATCHES, *command, "--archive", paths[0]) for command in words
    ]
    try:
        for process in processes:
            yield from ended(process)
    finally:
        for process in processes:
            end(process)
    with open_archive(paths[1]) as archive:
        archive.import_file(one, mapping=str(one_mapping))
        archive.import_file(two, mapping=str(two_mapping))
    yield from faults_of(paths[0])
    if digest_of(paths[0]) != digest_of(paths[1]):
        yield "two imports at once differ from two in turn"


def restore_while_serving(folder: Path, rng: random.Random) -> Iterator[str]:
    """Replace an archive that a server answers from."""
    path, table = make_archive(folder, rng)
    copy = folder / "copy.forebear"
    with open_archive(path) as archive:
        archive.backup(copy)
        digest = archive.digest()
    corrected, mapping = write_census(folder, correct(rng, table))
    with open_archive(path) as archive:
        archive.import_file(corrected, mapping=str(mapping))
    request = "/api/1/search?given=Mary&surname=Green"
    with serving(path) as server:
        statuses = [send(server, plain(server.port, request), "127.0.5.1").status]
        restored = run_forebear("restore", copy, "--archive", path)
        if restored.code:
            yield f"restore fails: {restored.error.strip()[-150:]}"
        deadline = time.monotonic() + 3
        while time.monotonic() < deadline:
            statuses.append(send(server, plain(server.port, request), "127.0.5.1").status)
            time.sleep(0.2)
        if server.process.poll() is not None:
            yield f"the server ended with {server.process.returncode}"
        elif statuses[0] != 200 or statuses[-1] != 200:
            yield f"the server answers {statuses[0]} before and {statuses[-1]} after"
        if any(status >= 500 for status in statuses):
            yield f"a search during the restore gets {max(statuses)}"
        if any(TRACEBACK in line for line in server.errors):
            yield "a traceback in the server's messages"
        with urllib.request.urlopen(f"{server.url}/api/1/collections", timeout=30) as answer:
            records = sum(collection["records"] for collection in json.load(answer))
        if records != ROWS:
            yield f"the server still counts {records} records, not {ROWS}"
    yield from faults_of(path)
    if digest_of(path) != digest:
        yield "the restored archive differs from the backup"


def make_archive(folder: Path, rng: random.Random) -> tuple[Path, list[list[str]]]:
    """Make an archive of a census with attachments; return it with its rows."""
    path, table = folder / "archive.forebear", make_rows(rng, ROWS)
    file, mapping = write_census(folder, table)
    with create_archive(path) as archive:
        archive.import_file(file, mapping=str(mapping))
    attach_some(path, records=5)
    return path, table


def ended(process: "subprocess.Popen[str]") -> Iterator[str]:
    """Wait for a process; yield a number that it prints, and what went wrong."""
    try:
        out, error = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        yield f"a process hangs for {SECONDS} s"
        return
    if process.returncode:
        yield f"a process ends with {process.returncode}: {error.strip()[-150:]}"
    if out.strip().isdigit():
        yield out.strip()


Scenario = Callable[[Path, random.Random], Iterator[str]]
SCENARIOS: tuple[Scenario, ...] = (
    readers_during_an_import,
    parallel_attachments,
    two_imports,
    restore_while_serving,
)
ATTACK = Attack(
    name="concurrency",
    question="Do processes that use one archive disturb each other?",
    tries=Tries(quick=4, normal=12, full=120),
    run=run,
)
