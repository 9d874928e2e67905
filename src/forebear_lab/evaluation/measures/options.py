"""What a measure can be told in parentheses: `nce@100(types=8,ideal=supply)`.

An option has a default, which is not written, so that a measure has one text form.
"""

from dataclasses import dataclass

from forebear.errors import InputError

OptionValue = str | int | float | None


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words, the first of which is the default."""

    words: tuple[str, ...]

    @property
    def default(self) -> str:
        """Return the value that is not written."""
        return self.words[0]

    def read(self, text: str) -> str:
        """Return the value that a text means."""
        if text not in self.words:
            raise InputError(f"expected {' or '.join(self.words)}, not {text!r}")
        return text


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number from 1."""

    default: int | None

    def read(self, text: str) -> int:
        """Return the value that a text means."""
        if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
            raise InputError(f"expected a whole number from 1, not {text!r}")
        return int(text)


@dataclass(frozen=True, slots=True)
class Share:
    """A number from 0 to 1."""

    default: float

    def read(self, text: str) -> float:
        """Return the value that a text means."""
        try:
            share = float(text)
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1:
            raise InputError(f"expected a number from 0 to 1, not {text!r}")
        return share


Option = Choice | Count | Share
