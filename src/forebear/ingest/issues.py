"""What is wrong with one row, said so that like faults can be counted together."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """A fault of the row that starts on this line."""

    line: int
    reason: str  # the same words for the same fault: "age not understood"
    detail: str = ""  # the value found

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}{': ' if self.detail else ''}{self.detail}"
