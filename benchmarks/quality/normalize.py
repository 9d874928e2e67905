"""What share of the golden cases is understood right, and which are missed?

Run ``python -m benchmarks.quality.normalize``; it ends with status 1 if a bar is not reached.
"""

import csv
import os
import sys
from pathlib import Path

from forebear.normalize.row_answers import ANSWERERS, Answer

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(os.environ.get("FOREBEAR_SHARED", ROOT.parent / "shared")) / "data" / "golden"
BARS = {"dates": 0.98, "ages": 0.98, "names": 0.95, "name_pairs": 0.95, "places": 0.95}


def main() -> int:
    below = False
    for kind, bar in BARS.items():
        right, misses = judge(kind, GOLDEN / f"{kind}.csv")
        share = right / (right + len(misses))
        print(f"{kind:<12}{right:>5} of {right + len(misses):<5}{share:8.4f}  (wanted {bar})")
        print(
            *(f"    {miss}" for miss in misses), sep="\n" if misses else "", end="\n" * bool(misses)
        )
        below = below or share < bar
    return 1 if below else 0


def judge(kind: str, path: Path) -> tuple[int, list[str]]:
    """Return how many rows are right, and what is wrong with the others."""
    _, answer_row = ANSWERERS[kind]
    right, misses = 0, []
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            wrong = differences(kind, answer_row(row), row)
            if wrong:
                asked = [row[column] for column in ANSWERERS[kind][0]]
                misses.append(f"{asked}: {', '.join(wrong)}")
            else:
                right += 1
    return right, misses


def differences(kind: str, answer: Answer, row: dict[str, str]) -> list[str]:
    """Return each column in which an answer is not the row's."""
    if kind == "name_pairs":
        wanted = row["relation"] != "different"
        return [] if answer["joined"] == wanted else [f"{answer['reasons']}, not {row['relation']}"]
    return [
        f"{column} {value!r}, not {row[column]!r}"
        for column, value in answer.items()
        if _comparable(kind, column, str(value)) != _comparable(kind, column, row[column])
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
