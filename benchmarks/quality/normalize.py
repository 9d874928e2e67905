"""What share of the golden and of the fresh cells is understood right, and which are missed?

The parsers were made with the golden cells in view.  The fresh cells (``tests/golden/fresh_cells``)
were written before the parsers saw them, and nothing is tuned on them: their share is what to
expect of other registers.

Run ``python -m benchmarks.quality.normalize``; its status is 1 if a golden bar is not reached.
"""

import csv
import os
import sys
from pathlib import Path

from forebear.cli.normalize import READERS, RowResult

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(os.environ.get("FOREBEAR_SHARED", ROOT.parent / "shared")) / "data" / "golden"
FRESH = ROOT / "tests" / "golden" / "fresh_cells"
BARS = {"dates": 0.98, "ages": 0.98, "names": 0.95, "name_pairs": 0.95, "places": 0.95}


def main() -> int:
    is_below = False
    for kind, bar in BARS.items():
        share = report(f"{kind} (bar {bar})", kind, GOLDEN / f"{kind}.csv")
        is_below = is_below or share < bar
        for path in sorted(FRESH.glob(f"{kind}*.csv")):
            report(f"{path.stem}, fresh", kind, path)
    return 1 if is_below else 0


def report(title: str, kind: str, path: Path) -> float:
    """Print how many rows of a file are right and which are not; return the share."""
    right, misses = judge(kind, path)
    cases = right + len(misses)
    print(f"{title:<30}{right:>5} of {cases:<5}{right / cases:8.4f}")
    for miss in misses:
        print(f"    {miss}")
    return right / cases


def judge(kind: str, path: Path) -> tuple[int, list[str]]:
    """Return how many rows are right, and what is wrong with the others."""
    _, answer_row = READERS[kind]
    right, misses = 0, []
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            wrong = differences(kind, answer_row(row), row)
            if wrong:
                cells = [row[column] for column in READERS[kind][0]]
                misses.append(f"{cells}: {', '.join(wrong)}")
            else:
                right += 1
    return right, misses


def differences(kind: str, answer: RowResult, row: dict[str, str]) -> list[str]:
    """Return each column in which an answer is not the row's."""
    if kind == "name_pairs":
        is_one_name = row["relation"] != "different"
        return (
            []
            if answer["joined"] == is_one_name
            else [f"{answer['reasons']}, not {row['relation']}"]
        )
    return [
        f"{column} {value!r}, not {row[column]!r}"
        for column, value in answer.items()
        if column in row
        and _comparable(kind, column, str(value)) != _comparable(kind, column, row[column])
    ]


def _comparable(kind: str, column: str, value: str) -> object:
    """Return what is compared: of names neither case, points, commas nor spaces count."""
    if kind != "names":
        return value
    if column in ("flags", "relation"):
        return frozenset(_plain(part) for part in value.split(";"))
    return _plain(value)


def _plain(value: str) -> str:
    return " ".join(value.lower().replace(".", " ").replace(",", " ").split())


if __name__ == "__main__":
    sys.exit(main())
