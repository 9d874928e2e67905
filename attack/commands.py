"""Does any command end in a traceback, hang, or print what a terminal obeys?

Every command gets hostile arguments: very long, of control characters, not UTF-8, like options,
of the wrong type, missing files, folders, pipes, sockets, unreadable and broken files.  A command
passes if it ends in time with an exit status of 0 to 3, and if a failure has a short message.
Commands run in this process, as typed: starting Python takes longer than most of them.
"""

import io
import os
import random
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import typer.main

import forebear
from attack.outcome import Attack, Outcome, Plan, Tries
from forebear.cli.app import COMMANDS, make_app
from forebear.cli.app import run as run_program
from forebear.printing import printable

ROOT = Path(__file__).resolve().parents[1]
EXIT_STATUSES = (0, 1, 2, 3)
MAX_SECONDS = 60  # the machine may be busy; a command that hangs would never end
MAX_MESSAGE = 6000  # characters, usage and hints included
# These serve or experiment until they are stopped.
LONG_COMMANDS = frozenset({"serve", "experiment"})
TEXTS = (
    *("", " ", "-", "--", "--json", "-h", "'", '"', "\\", "%s", "{}", "$(id)", "../../x", "~", "*"),
    *("x" * 255, "x" * 256, "x" * 5000, "[" * 100_000, "{" * 5000, '{"a":' * 5000, "é" * 300),
    *("Mary\x1b[2J\x07", "a\nb", "a\rb", "\t", "\x7f", "\u202eabc", "\ud800", "a\udcffb", "\ufeff"),
    *("nan", "inf", "-inf", "1e999", "-1", "0", "1", "99999999999999999999", "1.5", "٣", "0x10"),
    *(
        "{}",
        "[]",
        "null",
        '{"given": 1}',
        '{"names": {}}',
        "q.givenName=a",
        "q.x=",
        "a=b",
        "=",
        "a=,",
    ),
    *("Mary Brown b. 1851", "burials:1", "1", "x:y", ":", "a:b:c", "@I1@", "1851", "census"),
)


class _HangError(BaseException):
    """A command did not end in time; no handler of errors in the program may catch it."""


class Parameter(NamedTuple):
    """An argument (without a flag) or an option of a command."""

    name: str
    flag: str
    takes_value: bool


def run(plan: Plan) -> Outcome:
    """Run hostile commands."""
    rng = random.Random(plan.seed)
    commands = list(find_commands())
    failures: list[str] = []
    longest, slowest = 0.0, ""
    with hostile_folder(plan.folder) as paths:
        for number in range(plan.tries):
            words = hostile_words(rng, commands, paths)
            started = time.monotonic()
            if fault := fault_of(words):
                failures.append(f"try {number}: {fault}: {_typed(words)}")
            if (seconds := time.monotonic() - started) > longest:
                longest, slowest = seconds, words[0]
            plan.progress(number + 1)
    return Outcome(
        tries=plan.tries,
        failures=tuple(failures),
        worst=f"longest {longest:.1f} s ({slowest})",
    )


def find_commands() -> Iterator[tuple[tuple[str, ...], list[Parameter]]]:
    """Yield the words of every command with its parameters."""
    program: Any = typer.main.get_command(make_app(*(COMMANDS.keys() - LONG_COMMANDS)))
    waiting: list[tuple[tuple[str, ...], Any]] = [((), program)]
    while waiting:
        words, command = waiting.pop()
        if hasattr(command, "commands"):
            waiting += [((*words, name), part) for name, part in command.commands.items()]
            continue
        yield (
            words,
            [
                Parameter(
                    parameter.name,
                    parameter.opts[-1] if parameter.param_type_name == "option" else "",
                    not getattr(parameter, "is_flag", False),
                )
                for parameter in command.params
                if parameter.name not in ("install_completion", "show_completion")
            ],
        )


def hostile_words(
    rng: random.Random,
    commands: list[tuple[tuple[str, ...], list[Parameter]]],
    paths: tuple[str, ...],
) -> list[str]:
    """Return the words of one command line."""
    words, parameters = rng.choice(commands)
    typed = list(words)
    for parameter in parameters:
        if parameter.name == "path" and parameter.flag:
            continue  # the archive, mostly that of the environment
        if rng.random() < (0.9 if not parameter.flag else 0.15):
            value = rng.choice(paths) if rng.random() < 0.4 else rng.choice(TEXTS)
            typed += [parameter.flag] if parameter.flag else []
            typed += [value] if parameter.takes_value else []
    if rng.random() < 0.15:
        typed += ["--archive", rng.choice((*paths, *TEXTS))]
    if rng.random() < 0.05:
        typed.append(rng.choice(TEXTS))
    # A command line has no NUL, and surrogates only for bytes that are not UTF-8.
    return [word.replace("\0", "").replace("\ud800", "\udc80") for word in typed]


def fault_of(words: list[str]) -> str:
    """Run a command in this process and return what is wrong with how it ended, if anything is."""
    out, error = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    out.reconfigure(errors="backslashreplace")
    error.reconfigure(errors="backslashreplace")
    before, sys.argv = sys.argv, ["forebear", *words]
    status: object = 0
    try:
        with redirect_stdout(out), redirect_stderr(error), _time_limit():
            run_program()
    except SystemExit as ended:
        status = ended.code or 0
    except _HangError:
        return f"no end after {MAX_SECONDS} s"
    except BaseException as failure:
        return f"{type(failure).__name__} was raised"
    finally:
        sys.argv = before
    message = _text(error)
    if "Traceback" in message:
        return f"traceback ({[line for line in message.splitlines() if line[:1].isalpha()][-2]})"
    if status not in EXIT_STATUSES:
        return f"exit status {status}"
    if status in (2, 3) and not message.strip():
        return "no message"
    if len(message) > MAX_MESSAGE:
        return f"a message of {len(message):,} characters"
    if printable(message) != message:
        return "a message with control characters"
    return "" if printable(_text(out)) == _text(out) else "a result with control characters"


@contextmanager
def hostile_folder(folder: Path) -> Iterator[tuple[str, ...]]:
    """Make a small archive and paths of all kinds, and work in their folder meanwhile."""
    demo = ROOT / "demo" / "records"
    archive = folder / "archive.forebear"
    with forebear.create(archive) as created:
        created.import_file(demo / "burials.csv", mapping=str(demo / "burials.toml"))
    for name, data in {
        "empty": b"",
        "zeros": b"\0" * 1000,
        "noise.json": random.Random(1).randbytes(1000),
        "object.json": b"{}",
        "list.json": b"[[[]]]",
        "queries.jsonl": b'{"id": "1", "surname": "Brown"}\n',
        "tree.ged": b"0 HEAD\n0 @I1@ INDI\n1 NAME Mary /Brown/\n0 TRLR\n",
        "table.csv": b'a,b\n1,2\n"',
        "mapping.toml": b"[collection]\nname = 1\n",
        "run.trec": b"1 Q0 burials:1 1 2.5 x\n",
        "bomb.xml": b'<!DOCTYPE a [<!ENTITY b "c">]><A2A>&b;</A2A>',
        "unreadable.csv": b"a,b\n",
        "archive\x1b[2J.csv": b"a,b\n1,2\n",
        "broken.forebear": archive.read_bytes()[:5000],
    }.items():
        (folder / name).write_bytes(data)
    (folder / "unreadable.csv").chmod(0)
    (folder / "folder.json").mkdir()
    os.mkfifo(folder / "pipe.json")
    shutil.copy(demo / "burials.csv", folder / "burials.csv")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(folder / "socket.json"))
        before = Path.cwd()
        environment = os.environ.get("FOREBEAR_ARCHIVE")
        os.environ["FOREBEAR_ARCHIVE"] = str(archive)
        names = sorted(path.name for path in folder.iterdir() if path != archive)
        try:
            os.chdir(folder)
            yield (*names, "missing/file.csv", "x" * 300 + ".json", "burials.csv/x", "n" * 300)
        finally:
            os.chdir(before)
            os.environ.pop("FOREBEAR_ARCHIVE")
            if environment is not None:
                os.environ["FOREBEAR_ARCHIVE"] = environment


@contextmanager
def _time_limit() -> Iterator[None]:
    def end(_number: int, _frame: FrameType | None) -> None:
        raise _HangError

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, MAX_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined, no-any-return]


def _typed(words: list[str]) -> str:
    return "forebear " + " ".join(ascii(word[:60]) for word in words)


ATTACK = Attack(
    name="commands",
    question="Does any command end in a traceback, hang, or print what a terminal obeys?",
    tries=Tries(quick=40, normal=600, full=6000),
    run=run,
)
