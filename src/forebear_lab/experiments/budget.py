"""How many training queries can a learner see within its budget of time?

Learners differ a thousandfold in speed.  Each gets the same seconds of CPU, so that other work on
the machine costs it nothing, and the largest of some common
sizes that fits: all training queries, half of them, a quarter, and so on, always the first of one
random order, so a smaller sample is part of a larger one.  The smallest size is run first, and a
trial of the next tells how the time grows (as a power of the size); the largest size that should
fit is then run.  What exceeds its time after all is stopped, and the next smaller size is tried.

A learner runs in a separate process, because a loop in compiled code cannot be interrupted.  The
kernel stops that process at its limit of CPU time, which is for training and for scoring; what
trained longer than the seconds of training does not fit either.
"""

import json
import math
import os
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from forebear_lab.baselines.maven import (
    PATIENCE,
    LimitError,
    NotRunError,
    die_with_parent,
    exceeded_cpu,
    limit_cpu,
)
from forebear_lab.experiments.parts import Part

SMALLEST = 300  # training queries; fewer are not worth a row
_POLL_SECONDS = 0.02

# From the number of training queries, and whether only the time of training ("seconds") matters.
Compute = Callable[[int, bool], Part]


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The CPU time of one training, of scoring the test queries, and of all runs for one part."""

    seconds: float = 20 * 60
    scoring: float = 6 * 60
    whole: float = 30 * 60
    patience: float = PATIENCE  # times these by the clock, against hangs


def sample_sizes(queries: int, *, smallest: int = SMALLEST) -> list[int]:
    """Return the common sizes, the largest first.

    >>> sample_sizes(2000)
    [2000, 1000, 500]
    >>> sample_sizes(50)
    [50]
    """
    sizes = [queries]
    while sizes[-1] // 2 >= smallest:
        sizes.append(sizes[-1] // 2)
    return sizes


def measure_within(compute: Compute, sizes: Sequence[int], budget: Budget) -> tuple[Part, int]:
    """Return the part of the largest size that fits the budget, and the size."""
    began = _children_seconds()

    def run(size: int) -> Part | None:
        left = budget.whole - (_children_seconds() - began)
        limit = min(budget.seconds + budget.scoring, left)
        try:
            part = run_within(partial(compute, size, False), limit, budget.patience)
        except LimitError:
            return None
        return part if part["seconds"] <= budget.seconds else None

    smallest, candidates = None, list(sizes)
    if len(sizes) > 2:
        smallest = run(sizes[-1])
        candidates = _predicted(compute, sizes, smallest, budget) if smallest else []
    for size in candidates:
        if part := run(size):
            return part, size
    if smallest is None:
        raise LimitError(f"needs more than {budget.seconds:g} s of CPU for {sizes[-1]} queries")
    return smallest, sizes[-1]


def _predicted(compute: Compute, sizes: Sequence[int], smallest: Part, budget: Budget) -> list[int]:
    """Return the sizes above the smallest whose time should fit, the largest first."""
    small, larger = sizes[-1], sizes[-2]
    least = max(smallest["seconds"], 1e-3)
    if least * larger / small > budget.seconds:  # time grows with the size at least
        return []
    try:
        part = run_within(partial(compute, larger, True), budget.seconds, budget.patience)
    except LimitError:
        return []
    seconds = max(part["seconds"], 1e-3)
    power = max(1.0, math.log(seconds / least) / math.log(larger / small))
    return [size for size in sizes[:-1] if seconds * (size / larger) ** power <= budget.seconds]


def run_within(compute: Callable[[], Part], seconds: float, patience: float = PATIENCE) -> Part:
    """Run a computation in a separate process, which is killed when its CPU time is over."""
    with tempfile.TemporaryDirectory(prefix="forebear-budget-") as folder:
        answer = Path(folder) / "part.json"
        child = os.fork()
        if not child:
            _answer(compute, answer, seconds)
        with suppress(OSError):  # it did so itself, or has ended
            os.setpgid(child, child)
        _wait_for(child, seconds, time.monotonic() + patience * seconds)
        if not answer.is_file():
            raise NotRunError("the process of the learner was killed")
        part: Part = json.loads(answer.read_text("utf-8"))
    if "limit" in part:
        raise LimitError(part["limit"])
    if "failed" in part:
        raise NotRunError(part["failed"])
    return part


def _answer(compute: Callable[[], Part], path: Path, seconds: float) -> None:
    """Compute in the child process, write the part or what went wrong, and end the process."""
    try:
        die_with_parent()
        os.setpgid(0, 0)  # so that Java, its child, can be killed with it
        limit_cpu(seconds)
        try:
            part = compute()
        except LimitError as error:
            part = {"limit": str(error)}
        except Exception as error:
            part = {"failed": f"{type(error).__name__}: {error}"}
        path.write_text(json.dumps(part), "utf-8")
    finally:
        os._exit(0)


def _wait_for(child: int, seconds: float, deadline: float) -> None:
    try:
        while time.monotonic() < deadline:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                child = 0
                if exceeded_cpu(status):
                    break
                return
            time.sleep(_POLL_SECONDS)
    finally:
        if child:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
    raise LimitError(f"needs more than {seconds:g} s of CPU")


def _children_seconds() -> float:
    """Return the CPU time of all processes that this one has waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
