"""In which encoding is a GEDCOM file written, and what does it say in it?

The header names an encoding, but programs err.  A byte order mark goes before it, and so
does text that is valid UTF-8 with letters beyond ASCII, for no other encoding looks like
that by accident.
"""

import codecs
import re
from dataclasses import dataclass

from forebear.ingest.readers.ansel import decode_ansel

DECLARED = re.compile(rb"[\r\n]\s*1[ \t]+CHAR[ \t]+([^\r\n]*)")
HEADER_BYTES = 1 << 16
# By what the header says in letters and digits alone.
ENCODINGS = {
    "ANSEL": "ansel",
    "UTF8": "utf-8",
    "UNICODE": "utf-8",
    "UTF16": "utf-8",
    "ASCII": "cp1252",
    "USASCII": "cp1252",
    "ANSI": "cp1252",
    "WINDOWS": "cp1252",
    "IBMWINDOWS": "cp1252",
    "CP1252": "cp1252",
    "WINDOWS1252": "cp1252",
    "LATIN1": "cp1252",
    "ISO88591": "cp1252",
    "WINDOWS1250": "cp1250",
    "WINDOWS1251": "cp1251",
    "IBMPC": "cp437",
    "IBM": "cp437",
    "IBMDOS": "cp437",
    "MSDOS": "cp437",
    "OEM": "cp437",
    "CP437": "cp437",
    "CP850": "cp850",
    "MACINTOSH": "mac_roman",
    "MAC": "mac_roman",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """The text of a file, and what is to be said of how it was found."""

    text: str
    encoding: str
    notes: tuple[str, ...] = ()


def decode_gedcom(data: bytes) -> Decoded:
    """Return the text of a GEDCOM file; never fails, what makes no sense is marked."""
    marked = _marked(data)
    if marked:
        return _decode(data, marked)
    declared = _declared(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        name = ENCODINGS.get(_key(declared), "")
        if name in ("", "utf-8"):
            return _decode(data, "cp1252", f"the text is not {declared or 'UTF-8'}, read as cp1252")
        return _decode(data, name)
    return Decoded(text=text, encoding="utf-8")


def _marked(data: bytes) -> str:
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if data[1:2] == b"\0":  # the file starts with the digit 0
        return "utf-16-le"
    return "utf-16-be" if data[:1] == b"\0" else ""


def _declared(data: bytes) -> str:
    found = DECLARED.search(data[:HEADER_BYTES])
    return found[1].decode("ascii", "replace").strip() if found else ""


def _key(declared: str) -> str:
    return "".join(letter for letter in declared.upper() if letter.isalnum())


def _decode(data: bytes, encoding: str, *notes: str) -> Decoded:
    if encoding == "ansel":
        text, unknown = decode_ansel(data)
    else:
        text = data.decode(encoding, "replace")
        unknown = text.count("\N{REPLACEMENT CHARACTER}")
    if unknown:
        notes = (*notes, f"{unknown} characters have no meaning in {encoding}")
    return Decoded(text=text, encoding=encoding, notes=notes)
