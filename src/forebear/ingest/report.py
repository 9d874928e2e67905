"""What came of an import, how far has it come, and what is wrong with which row?"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far an import has come."""

    rows_read: int
    accepted: int  # records
    written: int  # lags behind where households are gathered before they are written
    bytes_done: int
    bytes_total: int
    seconds: float

    @property
    def rate(self) -> float:
        """Return the rows read a second."""
        return self.rows_read / self.seconds if self.seconds else 0.0

    @property
    def share(self) -> float:
        """Return how much is done, from 0 to 1; reading and writing count alike."""
        read = self.bytes_done / self.bytes_total if self.bytes_total else 1.0
        written = self.written / self.accepted if self.accepted else 1.0
        return min(1.0, read * (1 + written) / 2)

    @property
    def seconds_left(self) -> float | None:
        """Return a guess from what is done so far; ``None`` before anything is."""
        return self.seconds * (1 - self.share) / self.share if self.share else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedRow:
    """An entry that became no record: why, and its cells as they stand in the file."""

    issue: Issue
    cells: tuple[tuple[str, str], ...]


@dataclass(slots=True, kw_only=True)
class ImportCounts:
    """How many records a file adds, changes, leaves as they are, or no longer has."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    moved: int = 0  # unchanged, but on another line
    removed: int = 0
    attached: tuple[str, ...] = ()  # removed, but kept because a person of a tree has them attached

    @property
    def changes_nothing(self) -> bool:
        """Return whether the archive is already as the file has it."""
        return not (self.added or self.changed or self.moved or self.removed)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What came of importing one file."""

    file: str
    collection: str
    read: int  # rows below the heading
    accepted: int
    personas: int
    warnings: tuple[Issue, ...] = ()
    refusals: tuple[Issue, ...] = ()
    seconds: float = 0.0
    dry_run: bool = False
    # What became of the file's lines, where a reader counts them: understood, kept, reported.
    lines: dict[str, int] = field(default_factory=dict)
    counts: ImportCounts = field(default_factory=ImportCounts)
    notes: tuple[str, ...] = ()  # on the file as a whole: sheets that were not read
    resumed: bool = False  # the import went on where an earlier one was interrupted

    @property
    def refused(self) -> int:
        """Return the number of rows that became no record."""
        return len(self.refusals)

    @property
    def warned(self) -> int:
        """Return the number of records kept with a warning or more."""
        return len({issue.line for issue in self.warnings})

    @property
    def rate(self) -> float:
        """Return the rows read a second."""
        return self.read / self.seconds if self.seconds else 0.0

    def to_dict(self) -> dict[str, object]:
        """Return the report as JSON has it."""
        return {
            "file": self.file,
            "collection": self.collection,
            "dry_run": self.dry_run,
            "resumed": self.resumed,
            "read": self.read,
            "kept": self.accepted,
            "warned": self.warned,
            "refused": self.refused,
            "added": self.counts.added,
            "changed": self.counts.changed,
            "unchanged": self.counts.unchanged,
            "gone": self.counts.removed,
            "kept_because_attached": list(self.counts.attached),
            "personas": self.personas,
            "seconds": round(self.seconds, 3),
            "rows_per_second": round(self.rate, 1),
            **({"lines": self.lines} if self.lines else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
            "warned_by_reason": count_reasons(self.warnings),
            "refused_by_reason": count_reasons(self.refusals),
            "warnings": [_issue_to_dict(issue) for issue in self.warnings],
            "refusals": [_issue_to_dict(issue) for issue in self.refusals],
        }

    def __str__(self) -> str:
        return self.to_text(shown=5)

    def to_text(self, *, shown: int | None = None) -> str:
        """Return the report for people; ``shown`` limits the lines listed under a heading."""
        tense = "would be kept" if self.dry_run else "kept"
        head = (
            f"{self.file} to {self.collection}: {self.read:,} rows read, {self.accepted:,} {tense} "
            f"({self.warned:,} with warnings), {self.refused:,} refused, "
            f"{self.personas:,} personas, {self.seconds:.1f} s ({self.rate:,.0f} rows/s)"
        )
        head += f"\n{self._counts_text()}"
        if self.lines:
            counts = ", ".join(f"{count:,} {fate}" for fate, count in self.lines.items())
            head += f"\nlines: {counts}"
        head += "".join(f"\nnote: {note}" for note in self.notes)
        if self.counts.attached:
            head += "\ngone from the file, but kept because attached: "
            head += ", ".join(self.counts.attached)
        refused = _list_issues("refused", self.refusals, shown)
        return "\n".join([head, *refused, *_list_issues("warnings", self.warnings, shown)])

    def _counts_text(self) -> str:
        counts = self.counts
        text = (
            f"{counts.added:,} added, {counts.changed:,} changed, {counts.unchanged:,} unchanged, "
            f"{counts.removed:,} gone"
        )
        return f"{text}; resumed after an interruption" if self.resumed else text


def same_id_twice(record_id: str, first_line: int, line: int) -> Issue:
    """Return that the id of a row is that of an earlier one."""
    detail = f"id {record_id!r} stands on line {first_line} and on line {line}"
    return Issue(line=line, reason="same id twice", detail=detail)


def count_reasons(issues: Iterable[Issue]) -> dict[str, int]:
    """Return how often each reason occurs, the most frequent first."""
    return dict(Counter(issue.reason for issue in issues).most_common())


def _issue_to_dict(issue: Issue) -> dict[str, object]:
    return {"line": issue.line, "reason": issue.reason, "detail": issue.detail}


def _list_issues(title: str, issues: tuple[Issue, ...], shown: int | None) -> list[str]:
    if not issues:
        return []
    counts = [f"  {count:,} × {reason}" for reason, count in count_reasons(issues).items()]
    lines = [f"    {issue}" for issue in issues[:shown]]
    hidden = len(issues) - len(lines)
    more = [f"    ... and {hidden:,} more"] if hidden else []
    return [f"{title}:", *counts, *lines, *more]
