"""Does an archive answer wherever it can be read, and is nothing lost where it cannot be written?

The disks: a read-only mount, a read-only file (mode 444), a read-only folder (mode 555), and a full
disk.  On each, commands that read must work and those that write must end with an error that says
why.  Afterwards, on a disk that can be written to, the archive says what it said.
"""

import errno
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attack.damage import make_archive
from attack.outcome import Attack, Outcome, Plan, Tries
from attack.running import Driver
from attack.worlds import make_rows, write_census
from forebear.archive import open_archive

MOUNT_BYTES = 4 << 20
READING = ("search", "show", "check", "collections", "backup")
WRITING = ("import", "attach", "takedown")
DISKS = ("read-only mount", "read-only file", "read-only folder", "full disk")


def run(plan: Plan) -> Outcome:
    """Run every command on every disk."""
    if not can_mount(plan.folder):
        return Outcome(tries=0, skipped="not root, or mounting is not permitted")
    rng = random.Random(plan.seed)
    original = plan.folder / "original.forebear"
    key = make_archive(plan.folder, original, rng)
    file, mapping = write_census(plan.folder, make_rows(rng, 2_000), name="more")
    with open_archive(original) as archive:
        digest = archive.digest()
        search = archive.search(given="Mary", surname="Green")
        attached = len(archive.judged_searches())
    commands: dict[str, tuple[str, ...]] = {
        "search": ("search", "--given", "Mary", "--surname", "Green", "--json"),
        "show": ("show", key),
        "check": ("check",),
        "collections": ("collections",),
        "backup": ("backup", str(plan.folder / "copy.forebear")),
        "import": ("import", str(file), "--mapping", str(mapping)),
        "attach": ("attach", search.id, key),
        "takedown": ("takedown", key, "--reason", "asked"),
    }
    tries = [(disk, name) for disk in DISKS for name in commands]
    rng.shuffle(tries)
    driver = Driver(is_limited=True)
    failures = []
    slowest = (0.0, "")
    for number in range(plan.tries):
        disk, name = tries[number % len(tries)]
        with prepared(disk, plan.folder, original) as path:
            (plan.folder / "copy.forebear").unlink(missing_ok=True)
            finished = driver.run(*commands[name], "--archive", path)
            problems = [finished.fault]
            if name in READING and finished.code:
                problems.append(f"{name} fails: {finished.error.strip()[-150:]}")
            if name in WRITING and not finished.code and disk != "full disk":
                problems.append(f"{name} reports success")
            if name in WRITING and finished.code and "error: " not in finished.error:
                problems.append(f"{name} does not say why: {finished.error.strip()[-150:]}")
            slowest = max(slowest, (finished.seconds, f"{name}, {disk}"))
            content = plan.folder / "after.forebear"
            take(path, content)
        with open_archive(content) as archive:
            problems += [f"check afterwards: {fault}" for fault in archive.check().faults]
            if name != "import" and archive.digest() != digest:
                problems.append("the records changed")
            if len(archive.judged_searches()) < attached:
                problems.append("attachments were lost")
        if problems := [problem for problem in problems if problem]:
            failures.append(f"{disk}, {name}: {'; '.join(problems)}")
        plan.progress(number + 1)
    driver.stop()
    return Outcome(
        tries=plan.tries,
        failures=tuple(failures),
        worst=f"longest {slowest[0]:.1f} s ({slowest[1]})",
    )


@contextmanager
def prepared(disk: str, folder: Path, original: Path) -> Iterator[Path]:
    """Put a copy of an archive on a disk that cannot be written to."""
    place = folder / "disk"
    place.mkdir()
    is_mounted = disk in ("read-only mount", "full disk")
    try:
        if is_mounted:
            mount("-t", "tmpfs", "-o", f"size={MOUNT_BYTES},mode=755", "tmpfs", place)
        path = place / "archive.forebear"
        shutil.copy(original, path)
        if disk == "read-only mount":
            mount("-o", "remount,ro", place)
        elif disk == "full disk":
            fill(place / "filler")
        elif disk == "read-only file":
            path.chmod(0o444)
        else:
            place.chmod(0o555)
        yield path
    finally:
        if is_mounted:
            subprocess.run(["umount", "--lazy", str(place)], check=False, capture_output=True)
        place.chmod(0o755)
        shutil.rmtree(place)


def take(path: Path, target: Path) -> None:
    """Copy an archive from its disk, with what belongs to it."""
    for old in target.parent.glob(f"{target.name}*"):
        old.unlink()
    shutil.copy(path, target)
    target.chmod(0o600)
    wal = path.with_name(f"{path.name}-wal")
    if wal.exists():
        shutil.copy(wal, target.with_name(f"{target.name}-wal"))


def fill(path: Path) -> None:
    """Write until the disk is full."""
    with path.open("wb", buffering=0) as filler:
        for size in (1 << 16, 1 << 12, 1):
            try:
                while True:
                    filler.write(bytes(size))
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise


def can_mount(folder: Path) -> bool:
    """Return whether this user may mount a disk."""
    if os.name != "posix" or os.geteuid() != 0:
        return False
    place = folder / "mounted"
    place.mkdir()
    try:
        mount("-t", "tmpfs", "-o", "size=65536", "tmpfs", place)
    except (OSError, subprocess.CalledProcessError):
        return False
    subprocess.run(["umount", str(place)], check=True, capture_output=True)
    return True


def mount(*words: str | Path) -> None:
    """Mount a disk."""
    subprocess.run(["mount", *map(str, words)], check=True, capture_output=True)


ATTACK = Attack(
    name="disks",
    question="Do full and read-only disks answer, and lose nothing?",
    tries=Tries(quick=6, normal=32, full=32),
    run=run,
)
