"""In which encoding is a text file written?

A byte order mark says so, and zero bytes at every other place show UTF-16 without one.
Otherwise text that is valid UTF-8 is UTF-8, since other text hardly ever is by accident.
What is left is one of the old encodings of one byte a letter: Windows, DOS or Macintosh.
Each is tried on the words around the bytes that differ; the one that makes letters inside
words out of most of them wins, and Windows-1252 wins a draw, being the encoding of the
spreadsheets in which most transcriptions were made.
"""

import codecs
import re
import unicodedata
from pathlib import Path

from forebear.errors import InputError

MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
START_BYTES = 4096  # a binary file has a zero byte in the first few
OLD_ENCODINGS = ("cp1252", "cp850", "cp437", "mac_roman")
SAMPLE_BYTES = 1 << 20
SAMPLE_WORDS = 2000
WORD = re.compile(rb"(?<![A-Za-z\x80-\xff])[A-Za-z]*+[\x80-\xff][A-Za-z\x80-\xff]*+")


def find_encoding(path: Path, told: str = "") -> str:
    """Return the encoding as told, else as found, having read the file to its end in it."""
    with path.open("rb") as file:
        start = file.read(START_BYTES)
    marked = next((name for mark, name in MARKS.items() if start.startswith(mark)), "")
    marked = marked or _unmarked_utf16(start)
    if b"\0" in start and not marked and not told:
        raise InputError(
            f"{path}:1: this is not a table but a binary file",
            hint="save it as CSV, XLSX or ODS and import that",
        )
    if told or marked:
        return _checked(path, [told or marked])
    if _decodes(path, "utf-8") is None:
        return "utf-8"
    return _checked(path, ["utf-8", likeliest(_sample(path))])


def likeliest(data: bytes) -> str:
    """Return which old encoding makes most sense of the bytes beyond ASCII.

    >>> likeliest("Müller, Zoë; José Peña".encode("mac_roman"))
    'mac_roman'
    """
    words = WORD.findall(data)[:SAMPLE_WORDS]
    return max(OLD_ENCODINGS, key=lambda name: sum(_sense(word, name) for word in words))


def _sense(word: bytes, encoding: str) -> int:
    """Return how many letters of a word look right, less those that look wrong."""
    text = word.decode(encoding, "replace")
    sense = 0
    for position, letter in enumerate(text):
        if letter.isascii():
            continue
        kind = unicodedata.category(letter)
        before = text[position - 1] if position else ""
        if kind == "Ll":
            sense += 3 if "LATIN" in unicodedata.name(letter, "") else -2
        elif kind == "Lu":
            # Capitals stand first, or among capitals.
            sense += 2 if not before.islower() else -2
        else:
            sense += 0 if letter in "’‘“”–—£°ªº½¼" else -2
    return sense


def _unmarked_utf16(start: bytes) -> str:
    """Return UTF-16 in the order its zero bytes show, if most letters have one."""
    even, odd = start[0::2].count(0), start[1::2].count(0)
    half = len(start) // 2
    if half and odd > 0.6 * half and even < 0.1 * half:
        return "utf-16-le"
    return "utf-16-be" if half and even > 0.6 * half and odd < 0.1 * half else ""


def _sample(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(SAMPLE_BYTES)


def _checked(path: Path, choices: list[str]) -> str:
    """Return the last of the choices, unless the text stops making sense in it."""
    line = _decodes(path, choices[-1])
    if line is None:
        return choices[-1]
    raise InputError(
        f"{path}: the text is not {' or '.join(choices)}: undecodable after line {line}",
        hint="tell the encoding in the mapping's [table], or save the file as UTF-8",
    )


def _decodes(path: Path, encoding: str) -> int | None:
    """Return the last line before the text stops making sense, ``None`` if it all does."""
    number = 0
    try:
        with path.open(encoding=encoding, newline="") as file:
            for _ in file:
                number += 1
    except UnicodeError:
        return number
    return None
