"""In which encoding is a text file written?

A byte order mark says so.  Otherwise text that is valid UTF-8 is UTF-8, since other text
hardly ever is by accident, and what is left is taken for Windows-1252, the encoding of
the spreadsheets in which most transcriptions were made.
"""

import codecs
from pathlib import Path

from forebear.errors import InputError

MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
START_BYTES = 4096  # a binary file has a zero byte in the first few


def find_encoding(path: Path, told: str = "") -> str:
    """Return the encoding as told, else as found, having read the file to its end in it."""
    with path.open("rb") as file:
        start = file.read(START_BYTES)
    marked = next((name for mark, name in MARKS.items() if start.startswith(mark)), "")
    if b"\0" in start and not marked and not told:
        raise InputError(
            f"{path}:1: this is not a table but a binary file",
            hint="save the spreadsheet as CSV and import that",
        )
    choices = [told] if told else [marked] if marked else ["utf-8", "cp1252"]
    for encoding in choices[:-1]:
        if _decodes(path, encoding) is None:
            return encoding
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
