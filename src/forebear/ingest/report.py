"""What came of an import, and how far has it come?"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from forebear.ingest.difference import ImportCounts
from forebear.ingest.issues import Issue


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far an import has come."""

    rows_read: int
    kept: int
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
        written = self.written / self.kept if self.kept else 1.0
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What came of importing one file."""

    file: str
    collection: str
    read: int  # rows below the heading
    kept: int
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
            "kept": self.kept,
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
            f"{self.file} to {self.collection}: {self.read:,} rows read, {self.kept:,} {tense} "
            f"({self.warned:,} with warnings), {self.refused:,} refused, "
            f"{self.personas:,} personas, {self.seconds:.1f} s ({self.rate:,.0f} rows/s)"
        )
        head += f"\n{self._tally_text()}"
        if self.lines:
            counts = ", ".join(f"{count:,} {fate}" for fate, count in self.lines.items())
            head += f"\nlines: {counts}"
        head += "".join(f"\nnote: {note}" for note in self.notes)
        if self.counts.attached:
            head += "\ngone from the file, but kept because attached: "
            head += ", ".join(self.counts.attached)
        refused = _list_issues("refused", self.refusals, shown)
        return "\n".join([head, *refused, *_list_issues("warnings", self.warnings, shown)])

    def _tally_text(self) -> str:
        counts = self.counts
        text = (
            f"{counts.added:,} added, {counts.changed:,} changed, {counts.unchanged:,} unchanged, "
            f"{counts.removed:,} gone"
        )
        return f"{text}; resumed after an interruption" if self.resumed else text


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
