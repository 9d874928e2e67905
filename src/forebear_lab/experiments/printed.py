"""What the paper prints: its tables as it has them, and the orderings that it claims."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files


def read_table(name: str) -> list[dict[str, str]]:
    """Return the rows of one of our tables, by heading."""
    text = (files("forebear_lab.experiments") / "tables" / f"{name}.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The paper says that one method is better than another by a measure."""

    measure: str  # "ndcg" or "nce"
    better: str
    worse: str
    claim: str


def paper_claims() -> Iterator[Claim]:
    """Yield the orderings that the paper claims of fusion."""
    for row in read_table("paper_claims"):
        yield Claim(**row)


def printed_fusion() -> dict[str, dict[str, float]]:
    """Return the paper's figures of fusion, by method and measure."""
    return {
        row["method"]: {name: float(row[name]) for name in ("ndcg", "nce", "seconds") if row[name]}
        for row in read_table("paper_fusion")
    }


def printed_records() -> dict[tuple[str, str], dict[str, float]]:
    """Return the paper's figures of coordinate ascent, by shape and method."""
    return {
        (row["shape"], row["method"]): {
            "ndcg": float(row["ndcg"]),
            "seconds": float(row["seconds"]),
        }
        for row in read_table("paper_records")
    }
