"""How is text that others wrote shown in a message or on a terminal?

A cell, a path or an argument may have a hundred thousand characters, and characters that move the
cursor, color the screen or turn the direction of writing.  Messages have at most
`MAX_MESSAGE` characters and say how many were left out; control characters are shown as escapes.
"""

import re

MAX_MESSAGE = 1000  # characters
_END = 200  # of them, at least: what is wrong is often said at the end
# All control characters but tab and line feed, and the signs that turn the direction of writing.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Return the text with control characters and lone surrogates as escapes.

    >>> printable("Mary\x1b[2J Brown")
    'Mary\\x1b[2J Brown'
    """
    return _CONTROL.sub(_escape, text)


def shorten(text: str, limit: int = MAX_MESSAGE) -> str:
    """Return the text as a message: printable, its middle left out if it is longer than the limit.

    >>> shorten("age not understood: 'aaaaaaaaaaaaaaaaaaaa'", 30)
    "age not understood: 'aa ... (12 characters left out) ... aaaaaa'"
    """
    if len(text) > limit:
        end = min(_END, limit // 4)
        left_out = f"{len(text) - limit:,} characters left out"
        text = f"{text[: limit - end]} ... ({left_out}) ... {text[-end:]}"
    return printable(text)


def _escape(sign: re.Match[str]) -> str:
    return sign[0].encode("unicode_escape").decode("ascii")
