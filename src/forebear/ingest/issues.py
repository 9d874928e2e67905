"""What is wrong with one row, in words by which equal faults can be counted?"""

from msgspec import Struct
from msgspec.structs import force_setattr

from forebear.printing import MAX_MESSAGE, shorten

MAX_DETAIL = 300  # characters


class Issue(Struct, frozen=True, kw_only=True, gc=False):
    """A fault of the row that starts on this line."""

    line: int
    reason: str  # the same words for the same fault: "age not understood"
    detail: str = ""  # the value found, shortened

    def __post_init__(self) -> None:
        """Shorten what a cell or a heading of the file made too long."""
        force_setattr(self, "reason", shorten(self.reason, MAX_MESSAGE))
        force_setattr(self, "detail", shorten(self.detail, MAX_DETAIL))

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}{': ' if self.detail else ''}{self.detail}"


def same_id_twice(record_id: str, first_line: int, line: int) -> Issue:
    """Return that the id of a row is that of an earlier one."""
    detail = f"id {record_id!r} stands on line {first_line} and on line {line}"
    return Issue(line=line, reason="same id twice", detail=detail)
