"""What an experiment has finished, kept on disk so that a killed one goes on where it stopped.

A part is one learner on one fold.  Its file is written under another name and then renamed, so
it is whole or not there; its key names the data and the settings, and a part of other data or
settings is made again.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

Part = dict[str, Any]


class FinishedParts:
    """The parts in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "parts"
        self._folder.mkdir(parents=True, exist_ok=True)

    def get(self, name: str, key: str, make: Callable[[], Part]) -> tuple[Part, bool]:
        """Return a part, made unless it is there, and whether it was there."""
        path = self._folder / f"{name}.json"
        found = _read(path)
        if found is not None and found.get("key") == key:
            return found, True
        made = {"key": key, **make()}
        partial = path.with_suffix(".partial")
        partial.write_text(json.dumps(made), "utf-8")
        os.replace(partial, path)
        return made, False


def _read(path: Path) -> Part | None:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
