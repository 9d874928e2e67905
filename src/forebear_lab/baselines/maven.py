"""How are programs run within limits, and how are Java programs fetched?

The kernel ends a process whose CPU time, of all its threads, reaches a limit (RLIMIT_CPU of
setrlimit(2)), so a program may use the same time on a busy machine as on a quiet one. A program
that it starts is counted and limited separately. By the clock a process may take many times longer,
which only stops one that hangs.

Maven knows where its repository is, so no address is needed here. A fetched file is compared with
its SHA-512 before it gets its name; several runs may fetch at once, and the last rename wins.

A program that is not installed or exceeds a limit is no error of the experiment: `NotRunError` says
why, and the experiment shows the reason in place of figures.
"""

import ctypes
import hashlib
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
OUT_OF_MEMORY = 3  # how Java exits under -XX:+ExitOnOutOfMemoryError
_POLL_SECONDS = 0.05
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)
PATIENCE = 20.0  # times the CPU time that a process may take by the clock
_GRACE_SECONDS = 5  # between the signal that ends a process and the one that it cannot catch


class NotRunError(Exception):
    """A program cannot run here; the message says why."""


class LimitError(NotRunError):
    """A program needed more time or memory than it may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """A file in Maven's repository, and what it must hash to."""

    group: str
    name: str
    version: str
    sha512: str
    kind: str = "jar"

    @property
    def file_name(self) -> str:
        """Return the name under which Maven copies it."""
        return f"{self.name}-{self.version}.{self.kind}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one run of a program may need."""

    seconds: float = 600.0  # of CPU, all threads
    memory_mb: int = 4096  # of Java's heap
    patience: float = PATIENCE  # times the seconds by the clock, against hangs


def fetch_artifact(artifact: Artifact, folder: Path) -> Path:
    """Return the file, fetched the first time."""
    path = folder / artifact.file_name
    if path.is_file():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix="fetch-") as work:
        copy = copy_artifact(artifact, Path(work))
        with copy.open("rb") as file:
            digest = hashlib.file_digest(file, "sha512").hexdigest()
        if digest != artifact.sha512:
            raise NotRunError(f"{copy.name} has SHA-512 {digest}, not the one expected")
        os.replace(copy, path)
    return path


def copy_artifact(artifact: Artifact, folder: Path) -> Path:
    """Let Maven copy a file into a folder; nothing is checked."""
    if shutil.which("mvn") is None:
        raise NotRunError(f"Maven is needed to fetch {artifact.name} (Debian: apt install maven)")
    coordinates = f"{artifact.group}:{artifact.name}:{artifact.version}:{artifact.kind}"
    line = ["mvn", "-q", "-B", "-ntp", COPY, f"-Dartifact={coordinates}"]
    # Maven writes progress and terminal codes to standard output, which is for results.
    done = subprocess.run(
        [*line, f"-DoutputDirectory={folder}"],
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        check=False,
    )
    path = folder / artifact.file_name
    if done.returncode or not path.is_file():
        raise NotRunError(f"Maven could not fetch {coordinates}")
    return path


def find_java(*, oldest: int, newest: int = 99, variables: Sequence[str] = ("JAVA_HOME",)) -> Path:
    """Return the home of a Java of these versions; those named by variables come first."""
    for home in java_homes(variables):
        if oldest <= java_version(home) <= newest:
            return home
    span = f"{oldest} or newer" if newest == 99 else f"{oldest} to {newest}"
    raise NotRunError(
        f"Java {span} is needed: install one (Debian: openjdk-17-jre-headless) "
        f"or set {variables[0]}"
    )


def java_homes(variables: Sequence[str]) -> Iterator[Path]:
    """Yield the Java installations of this machine, those named first."""
    for variable in variables:
        if os.environ.get(variable):
            yield Path(os.environ[variable])
    if java := shutil.which("java"):
        yield Path(java).resolve().parent.parent
    yield from sorted(Path("/usr/lib/jvm").glob("*"))


def java_version(home: Path) -> int:
    """Return the feature version of a Java, 0 if there is none."""
    java = home / "bin" / "java"
    if not java.is_file():
        return 0
    output = subprocess.run([str(java), "-version"], capture_output=True, text=True, check=False)
    version = re.search(r'version "(\d+)', output.stderr)
    return int(version[1]) if version else 0


def java_command(home: Path, classpath: Sequence[Path], limits: Limits) -> list[str]:
    """Return how a Java program is started: with one processor and no more than the memory."""
    return [
        str(home / "bin" / "java"),
        f"-Xmx{limits.memory_mb}m",
        "-XX:+ExitOnOutOfMemoryError",
        "-XX:ActiveProcessorCount=1",
        "-XX:+UseSerialGC",
        "-cp",
        os.pathsep.join(map(str, classpath)),
    ]


def run_limited(command: Sequence[str], limits: Limits, log: Path) -> float:
    """Run a program to its end and return its seconds of CPU; what it prints goes to the log.

    It is killed with all its children when its time is over, and whenever this call ends early; on
    Linux also when this process is killed.
    """

    def prepare() -> None:
        die_with_parent()
        limit_cpu(limits.seconds)

    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=prepare,
        )
    try:
        usage = _wait(process, time.monotonic() + limits.patience * limits.seconds)
    finally:
        with suppress(ProcessLookupError):  # it has ended, and left no child
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if usage is None or usage > limits.seconds:
        raise LimitError(f"needs more than {limits.seconds:g} s of CPU")
    if process.returncode == OUT_OF_MEMORY:
        raise LimitError(f"needs more than {limits.memory_mb:,} MB")
    if process.returncode:
        raise NotRunError(f"failed with exit code {process.returncode}: {_last_line(log)}")
    return usage


def die_with_parent() -> None:
    """Let Linux kill the process that calls this when its parent ends, however it ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def _wait(process: subprocess.Popen[bytes], deadline: float) -> float | None:
    """Wait for the end and return the seconds of CPU; None if a limit came first."""
    while time.monotonic() < deadline:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return None if exceeded_cpu(status) else usage.ru_utime + usage.ru_stime
        time.sleep(_POLL_SECONDS)
    return None


def _last_line(log: Path) -> str:
    lines = [line.strip() for line in log.read_text("utf-8", "replace").splitlines()]
    # Of a stack trace the first line says what is wrong.
    messages = [line for line in lines if line and not line.startswith("at ")]
    return messages[-1][-200:] if messages else "it printed nothing"


def limit_cpu(seconds: float) -> None:
    """Let the kernel end this process after these seconds of CPU, rounded up.

    No core is written.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hardest = resource.getrlimit(resource.RLIMIT_CPU)
    soft, hard = max(1, math.ceil(seconds)), max(1, math.ceil(seconds)) + _GRACE_SECONDS
    if hardest != resource.RLIM_INFINITY:
        soft, hard = min(soft, hardest), min(hard, hardest)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def exceeded_cpu(status: int) -> bool:
    """Return whether a process ended by its limit of CPU, from its status of wait(2)."""
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
