"""How is text in ANSEL, the old encoding of libraries and of GEDCOM, read?

ANSEL writes a diacritic before its letter, Unicode after it: so marks wait until the
letter has come, and several of them keep their order.
"""

from functools import cache

from forebear.normalize.spelling import compose
from forebear.tables import read_table


def decode_ansel(data: bytes) -> tuple[str, int]:
    """Return the text, composed, and how many bytes had no meaning."""
    letters, marks = _table()
    text: list[str] = []
    waiting = ""
    unknown = 0
    for byte in data:
        if byte in marks:
            waiting += marks[byte]
            continue
        letter = chr(byte) if byte < 0x80 else letters.get(byte, "")
        if not letter:
            unknown += 1
            letter = "\N{REPLACEMENT CHARACTER}"
        text.append(letter + waiting)
        waiting = ""
    return compose("".join(text) + waiting), unknown


@cache
def _table() -> tuple[dict[int, str], dict[int, str]]:
    letters: dict[int, str] = {}
    marks: dict[int, str] = {}
    for row in read_table("ingest/ansel"):
        kind = marks if row["kind"] == "mark" else letters
        kind[int(row["byte"], 16)] = chr(int(row["codepoint"], 16))
    return letters, marks
