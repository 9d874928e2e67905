"""Which operations did a process do on its files, and what is on the disk if it stops in between?

A library that is preloaded into the program (``file_operations.c``) counts and records every
operation below one folder.  With a number it kills the process before the operation of that
number: kills at all moments between two operations leave the same files.

``Disk`` replays a record up to a moment and cuts the power there.  What was written before the
last sync of a file is there; of what was written after it, any part may be.  A new name, a rename
or a deletion is certain once its folder was synced; before that, any of the first few may be done.
"""

import random
import shutil
import struct
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")
HEADER = struct.Struct("=c6q")
SECTOR = 512
REBUILT = "-shm"  # SQLite rebuilds it from the file next to it


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation on a file."""

    kind: str  # write, truncate, sync, rename, unlink, create, link: the first letter
    path: str
    second: str  # the new name of a rename or link
    offset: int
    length: int
    data: bytes
    inode: int


def missing_compiler() -> str:
    """Return why the library cannot be compiled; empty if it can."""
    return "" if shutil.which("cc") else "no C compiler (install your system's package `gcc`)"


@cache
def compile_library(folder: Path) -> Path:
    """Compile the library into a folder."""
    library = folder / "file_operations.so"
    command = ["cc", "-shared", "-fPIC", "-O2", "-o", str(library), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True, capture_output=True)
    return library


def preloaded(
    library: Path, folder: Path, *, log: Path | None = None, kill_at: int | None = None
) -> dict[str, str]:
    """Return the environment of a process that is recorded, or killed before an operation."""
    environment = {"LD_PRELOAD": str(library), "ATTACK_FOLDER": str(folder.resolve())}
    if log is not None:
        environment["ATTACK_LOG"] = str(log)
    if kill_at is not None:
        environment["ATTACK_KILL"] = str(kill_at)
    return environment


def read_log(path: Path) -> list[Operation]:
    """Return the operations that were recorded."""
    return list(_read(path.read_bytes())) if path.exists() else []


def _read(log: bytes) -> Iterator[Operation]:
    start = 0
    while start < len(log):
        kind, offset, length, path_length, second_length, data_length, inode = HEADER.unpack_from(
            log, start
        )
        start += HEADER.size
        path, second, data = (
            log[start : start + path_length],
            log[start + path_length : start + path_length + second_length],
            log[start + path_length + second_length :][:data_length],
        )
        start += path_length + second_length + data_length
        yield Operation(
            kind=kind.decode(),
            path=path.decode(),
            second=second.decode(),
            offset=offset,
            length=length,
            data=data,
            inode=inode,
        )


@dataclass(slots=True)
class _Content:
    """The content of a file: what a sync made durable, and the changes since."""

    durable: bytes = b""
    pending: list[Operation] = field(default_factory=list)

    def sync(self) -> None:
        self.durable = apply_changes(self.durable, self.pending)
        self.pending = []


class Disk:
    """The files below a folder, as operations change them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._by_inode: dict[int, _Content] = {}
        self._durable_names: dict[str, _Content] = {}
        self._pending_names: list[tuple[str, str, _Content | None]] = []  # folder, name, content
        for path in self._folder.rglob("*"):
            if path.is_file() and not path.name.endswith(REBUILT):
                content = _Content(durable=path.read_bytes())
                self._by_inode[path.stat().st_ino] = content
                self._durable_names[str(path)] = content

    def replay(self, operation: Operation) -> None:
        """Do one operation."""
        if operation.path.endswith(REBUILT):
            return
        match operation.kind:
            case "w" | "t":
                content = self._by_inode.setdefault(operation.inode, _Content())
                content.pending.append(operation)
            case "s":
                if operation.inode in self._by_inode:
                    self._by_inode[operation.inode].sync()
                self._sync_folder(operation.path)
            case "c":
                content = self._by_inode[operation.inode] = _Content()
                self._rename(operation.path, content)
            case "u":
                self._rename(operation.path, None)
            case "r" | "l":
                if operation.kind == "r":
                    self._rename(operation.path, None)
                self._rename(operation.second, self._by_inode.get(operation.inode, _Content()))

    def cut_power(self, rng: random.Random) -> dict[str, bytes]:
        """Return the files by name that are there when the power comes back."""
        names = dict(self._durable_names)
        for _, name, content in self._pending_names[: rng.randint(0, len(self._pending_names))]:
            _set(names, name, content)
        share = rng.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        return {
            name: apply_changes(content.durable, list(_survivors(content.pending, share, rng)))
            for name, content in names.items()
        }

    def _rename(self, name: str, content: _Content | None) -> None:
        self._pending_names.append((str(Path(name).parent), name, content))

    def _sync_folder(self, path: str) -> None:
        for folder, name, content in self._pending_names:
            if folder == path:
                _set(self._durable_names, name, content)
        self._pending_names = [entry for entry in self._pending_names if entry[0] != path]


def _set(names: dict[str, _Content], name: str, content: _Content | None) -> None:
    if content is None:
        names.pop(name, None)
    else:
        names[name] = content


def _survivors(
    pending: Sequence[Operation], share: float, rng: random.Random
) -> Iterator[Operation]:
    """Yield the changes that reached the disk; one may be torn between two sectors."""
    torn = rng.randrange(len(pending)) if pending and rng.random() < 0.3 else -1
    for number, operation in enumerate(pending):
        if rng.random() >= share:
            continue
        if number == torn and operation.kind == "w" and len(operation.data) > SECTOR:
            length = SECTOR * rng.randint(1, len(operation.data) // SECTOR)
            yield Operation(
                kind="w",
                path=operation.path,
                second="",
                offset=operation.offset,
                length=length,
                data=operation.data[:length],
                inode=operation.inode,
            )
        else:
            yield operation


def apply_changes(content: bytes, changes: Sequence[Operation]) -> bytes:
    """Return a content after writes and truncations."""
    if not changes:
        return content
    changed = bytearray(content)
    for change in changes:
        if change.kind == "t":
            del changed[change.length :]
            changed.extend(bytes(change.length - len(changed)))
        else:
            changed.extend(bytes(max(0, change.offset - len(changed))))
            changed[change.offset : change.offset + len(change.data)] = change.data
    return bytes(changed)
