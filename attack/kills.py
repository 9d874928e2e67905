"""Is an archive sound after ``kill -9`` at any moment, and can the work be finished?

Each kind of work runs once undisturbed, with its operations on files counted, and then is killed
before a random one of them.  Each time no process is left, the archive opens and ``check`` is
clean; nothing that was acknowledged is lost; and the same work, run again, leads to an archive
that has the same digest as one that was never disturbed.
"""

import json
import random
import re
import shutil
import signal
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from attack.file_operations import compile_library, missing_compiler, preloaded, read_log
from attack.outcome import Attack, Outcome, Plan, Tries
from attack.running import (
    PROGRAM,
    CannotRun,
    end,
    left_behind,
    missing_feature,
    run_forebear,
    start_python,
)
from attack.worlds import (
    attach_some,
    build_once,
    copy_archive,
    correct,
    make_rows,
    write_census,
)
from forebear.archive import create_archive, open_archive

ROWS = 600
PATIENCE_SECONDS = 120
# Little is stored at a time, so that kills fall between what was stored and what was not.
IN_SMALL_BATCHES = """
from forebear.cli.app import main
from forebear.ingest import pipeline
pipeline.BATCH_RECORDS = pipeline.STORED_PERSONAS = 100
main()
"""
# Attaches records one by one, and prints each once it is stored.
ATTACHING = """
import sys
from forebear.archive import open_archive
with open_archive(sys.argv[1]) as archive:
    result = archive.search(given="Mary", surname="Green")
    for hit in result[:int(sys.argv[2])]:
        archive.attach(result.id, hit.record)
        print(result.id, hit.record, flush=True)
"""
ATTACHMENTS = 40
VOTES = 12
RECORD = re.compile(r"census:[\w.:-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The archives before the work, and the files that it reads."""

    folder: Path
    empty: Path
    census: Path  # an archive of the census, with attachments
    other: Path  # a backup of another archive
    file: Path
    corrected: Path
    mapping: Path
    library: Path

    @property
    def victim(self) -> Path:
        """The archive that is killed; the folder has nothing else."""
        return self.folder / "victim" / "victim.forebear"

    @property
    def copy(self) -> Path:
        """Where a backup of the victim is written."""
        return self.folder / "victim" / "copy.forebear"


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A kind of work that is killed."""

    name: str
    before: Callable[[World], Path]  # the archive that it starts from
    start: Callable[[World, dict[str, str]], "subprocess.Popen[str]"]
    # Yields what is wrong; gets the digests before and after undisturbed work, and the output.
    verify: Callable[[World, str, str, str], Iterator[str]]
    # Waits for the process, or uses it; returns its output and messages.
    drive: Callable[["subprocess.Popen[str]"], tuple[str, str]] = lambda process: (
        process.communicate(timeout=PATIENCE_SECONDS)
    )


def run(work: Work, plan: Plan) -> Outcome:
    """Kill one kind of work again and again."""
    if reason := missing_compiler():
        return Outcome(tries=0, skipped=reason)
    rng = random.Random(plan.seed)
    world = make_world(plan)
    library = world.library
    prepare(world, work)
    before = digest_of(world.victim)
    log = plan.folder / "operations"
    folder = world.victim.parent
    try:
        code, _, error = run_once(world, work, preloaded(library, folder, log=log))
    except CannotRun as missing:
        return missing_feature(missing, plan.tries)
    if code not in (0, -signal.SIGTERM):
        message = f"the work itself fails: {error.strip()[-200:]}"
        return missing_feature(CannotRun(message), plan.tries)
    total = len(read_log(log))
    after = digest_of(world.victim)
    failures = []
    killed = 0
    for number in range(plan.tries):
        moment = rng.randint(1, max(total, 1))
        prepare(world, work)
        where = f"{work.name} killed before file operation {moment} of {total} (seed {plan.seed})"
        code, out, error = run_once(world, work, preloaded(library, folder, kill_at=moment))
        killed += code == -9
        problems = ["processes left behind"] if error == LEFT else []
        try:
            problems += work.verify(world, before, after, out)
        except Exception as fault:
            problems.append(f"{type(fault).__name__}: {fault}")
        if problems:
            failures.append(f"{where}: {'; '.join(problems[:3])}")
        plan.progress(number + 1)
    return Outcome(
        tries=plan.tries,
        failures=tuple(failures),
        worst=f"{killed} of {plan.tries} died in one of {total} file operations",
    )


LEFT = "left behind"


def run_once(world: World, work: Work, environment: dict[str, str]) -> tuple[int, str, str]:
    """Run the work until it ends or dies; return its code, output and messages."""
    process = work.start(world, environment)
    try:
        out, error = work.drive(process)
        process.wait(timeout=PATIENCE_SECONDS)
        return process.returncode, out, LEFT if left_behind(process) else error
    finally:
        end(process)
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def make_world(plan: Plan) -> World:
    """Return the archives that work starts from; all kinds of work share them."""
    sources = build_once(
        plan.shared / f"kills{plan.seed}",
        lambda folder: build_sources(folder, random.Random(plan.seed)),
    )
    (plan.folder / "victim").mkdir()
    return World(
        folder=plan.folder,
        empty=sources / "empty.forebear",
        census=sources / "census.forebear",
        other=sources / "other.forebear",
        file=sources / "census.csv",
        corrected=sources / "again" / "census.csv",
        mapping=sources / "census.toml",
        library=sources / "file_operations.so",
    )


def build_sources(folder: Path, rng: random.Random) -> None:
    """Make the archives and files that work starts from."""
    compile_library(folder)
    table = make_rows(rng, ROWS)
    file, mapping = write_census(folder, table)
    (folder / "again").mkdir()  # a corrected file has the same name
    write_census(folder / "again", correct(rng, table))
    create_archive(folder / "empty.forebear").close()
    with create_archive(folder / "census.forebear") as archive:
        archive.import_file(file, mapping=str(mapping))
    attach_some(folder / "census.forebear", searches=24, records=12)
    few, few_mapping = write_census(folder, table[:100], name="few")
    with create_archive(folder / "other.forebear") as archive:
        archive.import_file(few, mapping=str(few_mapping))


def prepare(world: World, work: Work) -> None:
    """Put the archive in place from which the work starts."""
    shutil.rmtree(world.victim.parent)
    world.victim.parent.mkdir()
    copy_archive(work.before(world), world.victim)


def digest_of(path: Path) -> str:
    """Return what an archive says in all, without opening it for writing."""
    with open_archive(path) as archive:
        return archive.digest()


def faults_of(path: Path) -> Iterator[str]:
    """Yield what ``check`` finds."""
    with open_archive(path) as archive:
        for fault in archive.check().faults:
            yield f"check of {path.name}: {fault}"


def command(
    *words: str, program: str = PROGRAM
) -> Callable[[World, dict[str, str]], "subprocess.Popen[str]"]:
    """Return the start of a command; {names} in its words are attributes of the world."""

    def start(world: World, environment: dict[str, str]) -> "subprocess.Popen[str]":
        values = {name: str(getattr(world, name)) for name in (*World.__slots__, "victim", "copy")}
        return start_python(
            program, *(word.format(**values) for word in words), environment=environment
        )

    return start


def verify_import(
    file: Callable[[World], Path], world: World, _before: str, after: str, _out: str
) -> Iterator[str]:
    """Check the archive, then finish the import."""
    yield from faults_of(world.victim)
    with open_archive(world.victim) as archive:
        archive.import_file(file(world), mapping=str(world.mapping))
    yield from faults_of(world.victim)
    if digest_of(world.victim) != after:
        yield "the finished import differs from an undisturbed one"


def verify_deletion(world: World, before: str, after: str, _out: str) -> Iterator[str]:
    """Check that the collection is deleted or is not, then delete it."""
    yield from faults_of(world.victim)
    if digest_of(world.victim) not in (before, after):
        yield "the collection is deleted in part"
    with open_archive(world.victim) as archive:
        if any(collection.name == "census" for collection in archive.collections()):
            archive.delete_collection("census")
    yield from faults_of(world.victim)
    if digest_of(world.victim) != after:
        yield "the finished deletion differs from an undisturbed one"


def verify_same(world: World, before: str, _after: str, _out: str) -> Iterator[str]:
    """Check that the archive says what it said, and that what was attached is there."""
    yield from faults_of(world.victim)
    if digest_of(world.victim) != before:
        yield "the records changed"
    if attachments_of(world.victim) < attachments_of(world.census):
        yield "attachments were lost"


def verify_backup(world: World, before: str, after: str, out: str) -> Iterator[str]:
    """Check that the copy is whole or not there, and that another backup can be written."""
    yield from verify_same(world, before, after, out)
    if world.copy.exists():
        yield from faults_of(world.copy)
        if digest_of(world.copy) != before:
            yield "an incomplete backup has the name of the target"
        world.copy.unlink()
    with open_archive(world.victim) as archive:
        archive.backup(world.copy)
    if digest_of(world.copy) != before:
        yield "the second backup differs from the archive"


def verify_restore(world: World, before: str, after: str, _out: str) -> Iterator[str]:
    """Check that the archive is the old or the new one."""
    yield from faults_of(world.victim)
    if digest_of(world.victim) not in (before, after):
        yield "neither the old archive nor the new one"
    if before == after:
        yield "the undisturbed restore changed nothing"


def verify_training(world: World, before: str, after: str, out: str) -> Iterator[str]:
    """Check that a model can be loaded and searched with."""
    yield from verify_same(world, before, after, out)
    with open_archive(world.victim) as archive:
        archive.model()
        if not archive.search(given="Mary", surname="Green", log=False):
            yield "a search with the model finds nothing"


def verify_attachments(world: World, before: str, _after: str, out: str) -> Iterator[str]:
    """Check that every attachment that was printed is stored."""
    yield from faults_of(world.victim)
    if digest_of(world.victim) != before:
        yield "the records changed"
    lines = [line for line in out.splitlines(keepends=True) if line.endswith("\n")]
    lost = {tuple(line.split()) for line in lines} - attachments_of(world.victim)
    if lost:
        yield f"{len(lost)} of {len(lines)} acknowledged attachments are lost"


def attachments_of(path: Path) -> set[tuple[str, ...]]:
    """Return every attachment as search and record."""
    with open_archive(path) as archive:
        return {
            (judged.search.id, record)
            for judged in archive.judged_searches()
            for record in judged.attached
        }


def drive_votes(process: "subprocess.Popen[str]") -> tuple[str, str]:
    """Search and vote through a server until it dies or all votes are given; return the votes."""
    assert process.stderr is not None
    lines = []
    for line in process.stderr:
        lines.append(line)
        if line.startswith("http://"):
            break
    else:
        process.wait()
        if process.returncode == -9:  # killed before it listened
            return "", ""
        raise CannotRun(f"`forebear serve --allow-votes` ended: {''.join(lines)[-200:].strip()}")
    url = lines[-1].strip()
    stored = []
    try:
        person = {"given": "Mary", "surname": "Green"}
        keys = search_keys(url, person)
        for key in keys[:VOTES]:
            vote(url, person, key)
            stored.append(key)
    except urllib.error.HTTPError as refused:
        process.terminate()
        raise CannotRun(f"POST /judge with --allow-votes: HTTP {refused.code}") from None
    except OSError:
        pass  # it was killed
    process.terminate()
    return "".join(f"{key}\n" for key in stored), ""


def search_keys(url: str, person: dict[str, str]) -> list[str]:
    """Return the records that a search over the JSON API finds."""
    address = f"{url}/api/1/search?{urllib.parse.urlencode({**person, 'size': 100})}"
    with urllib.request.urlopen(address, timeout=30) as answer:
        return [hit["record"] for hit in json.load(answer)["results"]]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Follow nothing: the redirect is the acknowledgment."""


def vote(url: str, person: dict[str, str], record: str, kind: str = "attach") -> None:
    """Vote for a record, as the button of a page does; return once it is acknowledged."""
    data = urllib.parse.urlencode({"record": record, "kind": kind}).encode()
    address = f"{url}/judge?{urllib.parse.urlencode(person)}"
    try:
        urllib.request.build_opener(_NoRedirect).open(address, data, timeout=30).close()
    except urllib.error.HTTPError as answer:
        if answer.code != 303:
            raise


def verify_votes(world: World, before: str, _after: str, out: str) -> Iterator[str]:
    """Check that every vote that was acknowledged is stored."""
    yield from faults_of(world.victim)
    if digest_of(world.victim) != before:
        yield "the records changed"
    lost = set(out.split()) - voted_records(world.victim)
    if lost:
        yield f"{len(lost)} of {len(out.split())} acknowledged votes are lost"


def voted_records(path: Path) -> set[str]:
    """Return the records with votes that are held back."""
    listed = run_forebear("votes", "list", "--json", "--archive", path)
    if listed.code:
        raise CannotRun(f"`forebear votes list --json`: {listed.error.strip()}")
    return set(RECORD.findall(listed.out))


IMPORT = ("--mapping", "{mapping}", "--archive", "{victim}")
KINDS = (
    Work(
        name="import",
        before=lambda world: world.empty,
        start=command("import", "{file}", *IMPORT, program=IN_SMALL_BATCHES),
        verify=partial(verify_import, lambda world: world.file),
    ),
    Work(
        name="re-import",
        before=lambda world: world.census,
        start=command("import", "{corrected}", *IMPORT, program=IN_SMALL_BATCHES),
        verify=partial(verify_import, lambda world: world.corrected),
    ),
    Work(
        name="delete",
        before=lambda world: world.census,
        start=command("collections", "--delete", "census", "--archive", "{victim}"),
        verify=verify_deletion,
    ),
    Work(
        name="compact",
        before=lambda world: world.census,
        start=command("compact", "--archive", "{victim}"),
        verify=verify_same,
    ),
    Work(
        name="backup",
        before=lambda world: world.census,
        start=command("backup", "{copy}", "--archive", "{victim}"),
        verify=verify_backup,
    ),
    Work(
        name="restore",
        before=lambda world: world.census,
        start=command("restore", "{other}", "--archive", "{victim}"),
        verify=verify_restore,
    ),
    Work(
        name="train",
        before=lambda world: world.census,
        start=command("train", "--seed", "1", "--promote", "--archive", "{victim}"),
        verify=verify_training,
    ),
    Work(
        name="attach",
        before=lambda world: world.census,
        start=command("{victim}", str(ATTACHMENTS), program=ATTACHING),
        verify=verify_attachments,
    ),
    Work(
        name="serve",
        before=lambda world: world.census,
        start=command("serve", "--allow-votes", "--port", "0", "--archive", "{victim}"),
        verify=verify_votes,
        drive=drive_votes,
    ),
)
ATTACKS = tuple(
    Attack(
        name=f"kill {work.name}",
        question=f"Is the archive sound after kill -9 during {work.name}?",
        tries=Tries(quick=1, normal=10, full=100),
        run=partial(run, work),
    )
    for work in KINDS
)
