"""What survives a power cut?

A process does one command after the other and appends a line to a file after each: the command is
then acknowledged.  All its operations on files are recorded.  The power is cut after a random
number of them, and everything that was not synced is lost or not, by chance.  The archive must be
sound, and hold what it held after the last command that was acknowledged, or after the next one:
attachments, votes and takedowns.  A backup that was acknowledged must be there.
"""

import json
import random
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from attack.file_operations import (
    Disk,
    Operation,
    compile_library,
    missing_compiler,
    preloaded,
    read_log,
)
from attack.outcome import Attack, Outcome, Plan, Tries
from attack.running import end, start_python
from attack.worlds import attach_some, make_rows, write_census
from forebear.archive import create_archive, open_archive

ROWS = 240
ATTACHMENTS = 8
TAKEDOWNS = 4  # of the first records that are attached
# Runs the commands of a file, and acknowledges each by its number.  Another connection stays open,
# as that of a server does: then the end of a command is no checkpoint, and syncs nothing.
PROGRAM = """
import json, sys
from pathlib import Path
from typing import NamedTuple
from forebear.archive import open_archive
from forebear.cli.app import run
commands = json.loads(Path(sys.argv[1]).read_text("utf-8"))
with open(sys.argv[2], "a", encoding="utf-8") as acknowledged, open_archive(commands[0][-1]):
    for number, words in enumerate(commands):
        sys.argv = ["forebear", *words]
        try:
            if words[0] == "vote":  # as a server does for a visitor
                with open_archive(words[-1]) as archive:
                    archive.vote(words[1], words[2], "attach")
            else:
                run()
        except SystemExit as ended:
            if ended.code:
                sys.exit(f"{words}: {ended.code}")
        acknowledged.write(f"{number}\\n")
        acknowledged.flush()
"""
ACKNOWLEDGED = "acknowledged"
Pairs = frozenset[tuple[str, str]]  # searches and records


class State(NamedTuple):
    """What an archive has acknowledged, and must not forget."""

    attached: Pairs
    votes: Pairs
    hidden: frozenset[str]


def run(plan: Plan) -> Outcome:
    """Record one process and cut its power again and again."""
    if reason := missing_compiler():
        return Outcome(tries=0, skipped=reason)
    rng = random.Random(plan.seed)
    folder, start, log = plan.folder / "disk", plan.folder / "start", plan.folder / "operations"
    commands = prepare(plan.folder, folder, rng)
    states = list(states_after(commands, read_state(folder / "archive.forebear")))
    shutil.copytree(folder, start)
    first = Disk(folder)
    script = plan.folder / "commands.json"
    script.write_text(json.dumps(commands), "utf-8")
    library = compile_library(plan.folder)
    process = start_python(
        PROGRAM, script, folder / ACKNOWLEDGED, environment=preloaded(library, folder, log=log)
    )
    try:
        _, error = process.communicate(timeout=300)
    finally:
        end(process)
    if process.returncode:
        return Outcome(tries=plan.tries, failures=(f"a command failed: {error.strip()[-200:]}",))
    operations = read_log(log)
    failures = []
    in_flight = 0
    moments = sorted(rng.randint(0, len(operations)) for _ in range(plan.tries))
    replayed = 0
    for number, moment in enumerate(moments):
        for operation in operations[replayed:moment]:
            first.replay(operation)
        replayed = moment
        files = first.cut_power(rng)
        done = acknowledged_before(operations[:moment], folder)
        in_flight += bool(done < len(commands))
        where = f"power cut after file operation {moment} of {len(operations)} (seed {plan.seed})"
        if problems := list(verify(folder, files, commands, states, done)):
            failures.append(f"{where}: {'; '.join(problems[:3])}")
        plan.progress(number + 1)
    return Outcome(
        tries=plan.tries,
        failures=tuple(failures),
        worst=f"{in_flight} of {plan.tries} cuts during {len(operations)} file operations",
    )


def prepare(sources: Path, folder: Path, rng: random.Random) -> list[list[str]]:
    """Make the archive, and return the commands that change it."""
    folder.mkdir()
    path = folder / "archive.forebear"
    rows = make_rows(rng, ROWS)
    file, mapping = write_census(sources, rows)
    few, few_mapping = write_census(sources, rows[:80], name="few")
    with create_archive(path) as archive:
        archive.import_file(file, mapping=str(mapping))
    attach_some(path, records=5)
    with open_archive(path) as archive:
        result = archive.search(given="Mary", surname="Green")
        keys = [hit.record for hit in result[: 2 * ATTACHMENTS]]
        # A takedown hides the household, and nobody may vote for what is hidden.
        hidden = {record.key for key in keys[:TAKEDOWNS] for record in archive.household(key)}
        others = [hit.record for hit in result[:] if hit.record not in {*keys, *hidden}]
    attaching = [["attach", result.id, key] for key in keys]
    voting = [["vote", result.id, key] for key in others[:ATTACHMENTS]]
    commands = [
        *attaching[:ATTACHMENTS],
        *voting[: ATTACHMENTS // 2],
        ["takedown", keys[0], "--reason", "asked by the family"],
        ["import", str(few), "--mapping", str(few_mapping)],
        *attaching[ATTACHMENTS:],
        ["takedown", keys[1], "--reason", "asked by the family"],
        ["backup", str(folder / "copy.forebear")],
        ["collections", "--delete", "few"],
        ["takedown", keys[0], "--restore"],
        ["compact"],
        ["takedown", keys[2], "--reason", "asked by the family"],
        *voting[ATTACHMENTS // 2 :],
        ["restore", str(folder / "copy.forebear")],
        ["takedown", keys[3], "--reason", "asked by the family"],
        *voting[: ATTACHMENTS // 2],
    ]
    return [[*words, "--archive", str(path)] for words in commands]


def acknowledged_before(operations: Sequence[Operation], folder: Path) -> int:
    """Return how many commands were acknowledged."""
    name = str(folder.resolve() / ACKNOWLEDGED)
    text = b"".join(step.data for step in operations if step.kind == "w" and step.path == name)
    return len(text.split())


def verify(
    folder: Path,
    files: dict[str, bytes],
    commands: list[list[str]],
    states: list[State],
    done: int,
) -> Iterator[str]:
    """Yield what is wrong with the files after a power cut."""
    shutil.rmtree(folder)
    folder.mkdir()
    for name, content in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(content)
    path, copy = folder / "archive.forebear", folder / "copy.forebear"
    try:
        with open_archive(path) as archive:
            yield from (f"check: {fault}" for fault in archive.check().faults)
            archive.search(given="Mary", surname="Green", log=False)
        state = read_state(path)
        if state not in states[done : done + 2]:
            last = " ".join(commands[done - 1][:3]) if done else "nothing"
            yield f"after {last!r}, acknowledged: {difference(states[done], state)}"
        if copy.exists():
            with open_archive(copy) as archive:
                yield from (f"check of the backup: {fault}" for fault in archive.check().faults)
        elif any(words[0] == "backup" for words in commands[:done]):
            yield "a backup that was acknowledged is not there"
    except Exception as error:
        yield f"{type(error).__name__}: {error}"


def read_state(path: Path) -> State:
    """Return what an archive has acknowledged."""
    with open_archive(path) as archive:
        return State(
            attached=frozenset(
                (judged.search.id, record)
                for judged in archive.judged_searches()
                for record in judged.attached
            ),
            votes=frozenset((vote.search_id, vote.record_key) for vote in archive.votes()),
            hidden=frozenset(archive.takedowns()),
        )


def states_after(commands: list[list[str]], state: State) -> Iterator[State]:
    """Yield what the archive holds at first, and after each command."""
    saved = state
    yield state
    for words in commands:
        match words:
            case ["attach", search, record, *_]:
                state = state._replace(attached=state.attached | {(search, record)})
            case ["vote", search, record, *_]:
                state = state._replace(votes=state.votes | {(search, record)})
            case ["takedown", record, "--restore", *_]:
                state = state._replace(hidden=state.hidden - {record})
            case ["takedown", record, *_]:
                state = state._replace(hidden=state.hidden | {record})
            case ["backup", *_]:
                saved = state
            case ["restore", *_]:
                state = saved
        yield state


def difference(expected: State, actual: State) -> str:
    """Return what is lost of a state, and what came from nowhere."""
    return ", ".join(
        f"{len(before - after)} {name} lost and {len(after - before)} more"
        for name, before, after in zip(State._fields, expected, actual, strict=True)
        if before != after
    )


ATTACK = Attack(
    name="power cut",
    question="Does what was acknowledged survive a power cut?",
    tries=Tries(quick=12, normal=200, full=2_000),
    run=run,
)
