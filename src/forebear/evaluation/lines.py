"""Text files line by line, plain or compressed: what TREC and LETOR files have in common.

A file is compressed if it begins as gzip files do, whatever its name; it is written
compressed if its name ends in `.gz`.  What cannot be read is an `InputError` that names
the file, so that no foreign exception leaves this package.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NoReturn, cast

from forebear.errors import InputError

GZIP_START = b"\x1f\x8b"


def read_rows(path: Path, *, columns: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each line's number and its words, which must be as many as ``columns`` names.

    Blank lines are skipped.  ``columns`` is written as the error shows it.
    """
    expected = len(columns.split())
    for number, line in read_lines(path):
        words = line.split()
        if words and len(words) != expected:
            refuse(path, number, found=line.strip(), wanted=f"{expected} columns: {columns}")
        if words:
            yield number, words


def refuse(path: Path, number: int, *, found: str, wanted: str) -> NoReturn:
    """Raise the error for a line that is not what it should be."""
    raise InputError(f"{path}, line {number}: expected {wanted}; found {found!r}")


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write the lines to a file, compressed if its name ends in ``.gz``."""
    content = "".join(f"{line}\n" for line in lines).encode()
    if path.suffix == ".gz":
        content = gzip.compress(content, mtime=0)  # no clock: equal runs are equal files
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each line with its number, from 1."""
    number = 0
    try:
        with _open(path) as file:
            for number, line in enumerate(file, start=1):
                yield number, line.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}, line {number}: not UTF-8 text") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path} is a damaged gzip file, after line {number}") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def _open(path: Path) -> BinaryIO:
    with path.open("rb") as file:
        compressed = file.read(len(GZIP_START)) == GZIP_START
    return cast(BinaryIO, gzip.open(path)) if compressed else path.open("rb")
