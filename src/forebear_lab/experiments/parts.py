"""How are the parts of an experiment run?  On one thread, and saved so that it can be resumed.

A part is one learner on one fold.  Its file is written under another name and then renamed, so it
is complete or absent; its key names the data and the settings, and a part of other data or settings
is computed again.  A part also has the date, a description of the machine, and its load.
"""

import json
import os
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from forebear_lab.baselines.maven import NotRunError

Part = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnrunMethod:
    """A method that could not run, and why."""

    name: str
    title: str
    reason: str


class FinishedParts:
    """The parts in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "parts"
        self._folder.mkdir(parents=True, exist_ok=True)

    def read(self, name: str, key: str) -> Part | None:
        """Return a part if it is saved with this key."""
        saved = _read(self._folder / f"{name}.json")
        return saved if saved is not None and saved.get("key") == key else None

    def get(
        self,
        name: str,
        key: str,
        compute: Callable[[], Part],
        is_valid: Callable[[Part], bool] = lambda _saved: True,
    ) -> tuple[Part, bool]:
        """Return a part, computed unless a valid one is saved, and whether it was saved."""
        saved = self.read(name, key)
        if saved is not None and is_valid(saved):
            return saved, True
        origin = {"date": today(), "machine": describe_machine(), "load": _load_average()}
        part = {"key": key, **compute(), **origin}
        path = self._folder / f"{name}.json"
        partial = path.with_suffix(".partial")
        partial.write_text(json.dumps(part), "utf-8")
        os.replace(partial, path)
        return part, False


def get_or_reason(
    parts: FinishedParts,
    name: str,
    key: str,
    compute: Callable[[], Part],
    is_valid: Callable[[Part], bool] = lambda _saved: True,
) -> tuple[Part, bool]:
    """Return a part; of what cannot run here, the reason, which is not saved."""
    try:
        return parts.get(name, key, compute, is_valid)
    except NotRunError as error:
        return {"not_run": str(error)}, False


def today() -> str:
    """Return the date as it is written to parts and pages."""
    return date.today().isoformat()


def describe_machine() -> str:
    """Return the system, the processors and the version of Python, without the machine's name."""
    python = f"Python {platform.python_version()}"
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors, {python}"


def _load_average() -> float:
    """Return how many processes wanted a processor during the last five minutes, on average."""
    return round(os.getloadavg()[1], 1)


def _read(path: Path) -> Part | None:
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit matrix products to one thread if threadpoolctl is installed, for fair timings."""
    try:
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]
    except ImportError:
        yield
        return
    with threadpool_limits(limits=1):
        yield
