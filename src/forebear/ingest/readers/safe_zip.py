"""How is a file inside a ZIP or gzip archive read without trusting the archive?

Nothing is ever written to disk, so a member's path can do no harm; one that tries to leave
its folder is refused all the same, since an archive that has one was made to do harm.  What
an archive says of sizes is not believed: members are read up to a limit and no further.
"""

import gzip
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from forebear.errors import InputError

MAX_BYTES = 1 << 30  # one gigabyte unpacked
MAX_MEMBERS = 100_000
PIECE_BYTES = 1 << 18
ENCRYPTED = 0x1
ZIP_FAULTS = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    UnicodeError,
)


def open_zip(path: Path) -> zipfile.ZipFile:
    """Open a ZIP archive whose members all stay where they belong."""
    try:
        archive = zipfile.ZipFile(path)
        names = archive.namelist()
    except ZIP_FAULTS as error:
        raise InputError(f"{path}: not a ZIP archive: {error}", hint="save it again") from error
    if len(names) > MAX_MEMBERS:
        archive.close()
        raise InputError(
            f"{path}: {len(names):,} files in one archive", hint=f"at most {MAX_MEMBERS:,} are read"
        )
    for name in names:
        parts = name.replace("\\", "/").split("/")
        if ".." in parts or name.startswith(("/", "\\")) or ":" in parts[0]:
            archive.close()
            raise InputError(
                f"{path}: the archive holds {name!r}, which points outside of it",
                hint="an archive from a trustworthy program has no such path",
            )
    return archive


def read_member(archive: zipfile.ZipFile, name: str, *, limit: int = MAX_BYTES) -> bytes:
    """Return a member of an archive, unless it unpacks to more than the limit."""
    where = f"{archive.filename}: {name}"
    try:
        info = archive.getinfo(name)
        if info.flag_bits & ENCRYPTED:
            raise InputError(f"{where}: protected by a password", hint="save it without one")
        with archive.open(info) as file:
            return read_at_most(file, limit, where)
    except KeyError as error:
        raise InputError(f"{where}: not in the archive", hint="save it again") from error
    except InputError:
        raise
    except ZIP_FAULTS as error:
        raise InputError(f"{where}: cannot be unpacked: {error}", hint="save it again") from error


def member_pieces(archive: zipfile.ZipFile, name: str, *, limit: int) -> Iterator[bytes]:
    """Yield a member of an archive in pieces, unless it unpacks to more than the limit."""
    where = f"{archive.filename}: {name}"
    try:
        if archive.getinfo(name).file_size > limit:  # what it says; what it is, is counted below
            raise InputError(f"{where}: too large unpacked", hint="split the file")
        with archive.open(name) as file:
            while piece := file.read(PIECE_BYTES):
                limit -= len(piece)
                if limit < 0:
                    raise InputError(f"{where}: too large unpacked", hint="split the file")
                yield piece
    except InputError:
        raise
    except ZIP_FAULTS as error:
        raise InputError(f"{where}: cannot be unpacked: {error}", hint="save it again") from error


def read_gzip(path: Path, *, limit: int = MAX_BYTES) -> bytes:
    """Return what a gzip file unpacks to, unless that is more than the limit."""
    try:
        with gzip.open(path) as file:
            return read_at_most(file, limit, str(path))
    except InputError:
        raise
    except ZIP_FAULTS as error:
        raise InputError(f"{path}: cannot be unpacked: {error}", hint="save it again") from error


def read_at_most(file: IO[bytes] | gzip.GzipFile, limit: int, where: str) -> bytes:
    """Return the whole file, or refuse it as too large."""
    data = bytearray()
    while piece := file.read(PIECE_BYTES):  # reading all at once would reserve all the limit
        data += piece
        if len(data) > limit:
            raise InputError(f"{where}: more than {limit:,} bytes unpacked", hint="split the file")
    return bytes(data)
