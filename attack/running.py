"""How does an attack run the program?

Each process starts in a process group, which ends with it: nothing that an attack started
outlives the attack, however it ends.
"""

import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from attack.outcome import Outcome

PROGRAM = "from forebear.cli.app import main; main()"
# Says at the end how much memory it took at most, in KB.
MEASURED = """
import atexit, resource, sys
from forebear.cli.app import main
atexit.register(lambda: sys.__stderr__.write(
    f"\\npeak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}"))
main()
"""
PEAK = re.compile(r"\npeak (\d+)$")
TRACEBACK = "Traceback (most recent call last)"
EXIT_CODES = frozenset({0, 1, 2, 3})
_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP = 1, 24  # from <sys/prctl.h>
_IGNORE_MODES = (1, 2)  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A command that has ended."""

    words: tuple[str, ...]
    code: int
    out: str
    error: str
    seconds: float
    peak_megabytes: float = 0.0  # of memory, if it was measured

    @property
    def has_traceback(self) -> bool:
        """Whether a user saw a traceback."""
        return TRACEBACK in self.error or TRACEBACK in self.out

    @property
    def fault(self) -> str:
        """What no command may do, in one line; empty if it did nothing of it."""
        if self.has_traceback:
            lines = (self.error + self.out).strip().splitlines()
            last = [line for line in lines if not line.startswith(("error:", " "))][-1]
            return f"traceback ({last[:120]}) from {self.command}"
        if self.code not in EXIT_CODES:
            return f"exit code {self.code} from {self.command}: {self.error.strip()[-200:]!r}"
        return ""

    @property
    def command(self) -> str:
        """The command as typed, shortened."""
        return " ".join(["forebear", *(word[:80] for word in self.words)])


def run_forebear(
    *words: str | Path,
    seconds: float = 60,
    stdin: bytes | None = None,
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    measured: bool = False,
) -> Finished:
    """Run a command to its end, or kill it after so many seconds (code -9)."""
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-c", MEASURED if measured else PROGRAM, *map(str, words)],
        stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
        cwd=cwd,
        start_new_session=True,
        preexec_fn=_end_with_parent,
    )
    try:
        out, error = process.communicate(stdin, timeout=seconds)
    except subprocess.TimeoutExpired:
        end(process)
        out, error = process.communicate()
    message = error.decode(errors="replace")
    peak = PEAK.search(message)
    return Finished(
        words=tuple(map(str, words)),
        code=process.returncode,
        out=out.decode(errors="replace"),
        error=PEAK.sub("", message),
        seconds=time.monotonic() - started,
        peak_megabytes=int(peak[1]) / 1024 if peak else 0.0,
    )


def start_python(
    program: str, *words: str | Path, environment: Mapping[str, str] | None = None
) -> "subprocess.Popen[str]":
    """Start a Python program in a process group; its output is read from pipes."""
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env={**os.environ, **(environment or {})},
        start_new_session=True,
        preexec_fn=_end_with_parent,
    )


def end(process: "subprocess.Popen[str] | subprocess.Popen[bytes]") -> None:
    """Kill a process with its group, and wait for it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def left_behind(process: "subprocess.Popen[str]", seconds: float = 10) -> bool:
    """Return whether the group of a dead process still has members after some seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.02)
    return True


class Driver:
    """A process that runs one command after the other, so that each need not start the program.

    If a command kills the process, or takes too long, the next one gets a new process.
    """

    def __init__(self, *, seconds: float = 60, is_limited: bool = False) -> None:
        self._seconds = seconds
        self._is_limited = is_limited  # file modes hold for it, even as root
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> "Driver":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def run(self, *words: str | Path) -> Finished:
        """Run a command."""
        started = time.monotonic()
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(self._seconds, end, (process,))
        timer.start()
        try:
            process.stdin.write(json.dumps(list(map(str, words))) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        seconds = time.monotonic() - started
        if not line:
            process.wait()
            code, out, error = process.returncode, "", "the process died"
            self.stop()
        else:
            code, out, error = json.loads(line)
        return Finished(
            words=tuple(map(str, words)), code=code, out=out, error=error, seconds=seconds
        )

    def stop(self) -> None:
        """End the process; the next command starts another."""
        if self._process is not None:
            end(self._process)
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with suppress(BrokenPipeError):
                        pipe.close()
        self._process = None

    def _start(self) -> "subprocess.Popen[str]":
        self._process = subprocess.Popen(
            [sys.executable, "-c", DRIVEN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
            preexec_fn=_limit if self._is_limited else _end_with_parent,
        )
        return self._process


# Runs the command of each line, and prints its code, output and messages.
DRIVEN = """
import contextlib, io, json, sys, warnings
from forebear.cli.app import run
lines, answers = sys.stdin, sys.stdout
for line in lines:
    sys.argv = ["forebear", *json.loads(line)]
    code = 0
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        try:
            warnings.resetwarnings()
            run()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        except BaseException:
            import traceback
            traceback.print_exc()
            code = 70
    answers.write(json.dumps([code, out.getvalue(), error.getvalue()]) + "\\n")
    answers.flush()
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """A running ``forebear serve``."""

    process: "subprocess.Popen[str]"
    url: str
    errors: list[str]  # lines of standard error after the address

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self.url.rsplit(":", 1)[1])


@contextmanager
def serving(
    archive: Path, *options: str, environment: Mapping[str, str] | None = None
) -> Iterator[Serving]:
    """Serve an archive on a free port of the loopback address until the block ends."""
    process = start_python(
        PROGRAM, "serve", "--archive", archive, "--port", "0", *options, environment=environment
    )
    lines: list[str] = []
    try:
        assert process.stderr is not None
        assert process.stdout is not None
        url = ""
        for line in process.stderr:  # notices may come before the address
            if line.startswith("http://"):
                url = line.strip()
                break
            lines.append(line)
        if not url:
            raise CannotRun(f"`forebear serve {' '.join(options)}` ended: {''.join(lines)[-300:]}")
        threading.Thread(target=lambda: lines.extend(process.stderr or ()), daemon=True).start()
        yield Serving(process=process, url=url, errors=lines)
    finally:
        end(process)


class CannotRun(Exception):  # noqa: N818
    """The program lacks what an attack needs, which is a failure of the program."""


def missing_feature(error: CannotRun, tries: int) -> Outcome:
    """Return the outcome of an attack on something that the program does not have."""
    return Outcome(tries=tries, failures=(str(error).replace("\n", " "),))


def _end_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _limit() -> None:
    """Take the right to ignore file modes from root; other users do not have it."""
    _end_with_parent()
    if sys.platform == "linux" and os.geteuid() == 0:
        for capability in _IGNORE_MODES:
            ctypes.CDLL(None).prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
