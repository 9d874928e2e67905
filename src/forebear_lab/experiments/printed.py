"""What the paper prints: its tables as it has them, and the orderings that it claims."""

from collections.abc import Iterator
from dataclasses import dataclass

from forebear.tables import read_table


def experiment_table(name: str) -> list[dict[str, str]]:
    """Return the rows of one of the tables of experiments."""
    return read_table(f"experiments/{name}", package="forebear_lab")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The paper says that one method is better than another by a measure."""

    measure: str  # "ndcg" or "nce"
    better: str
    worse: str
    claim: str


def paper_claims() -> Iterator[Claim]:
    """Yield the orderings that the paper claims of fusion."""
    for row in experiment_table("paper_claims"):
        yield Claim(**row)


def printed_fusion() -> dict[str, dict[str, float]]:
    """Return the paper's figures of fusion, by method and measure."""
    return {
        row["method"]: {name: float(row[name]) for name in ("ndcg", "nce", "seconds") if row[name]}
        for row in experiment_table("paper_fusion")
    }


def printed_records() -> dict[tuple[str, str], dict[str, float]]:
    """Return the paper's figures of coordinate ascent, by shape and method."""
    return {
        (row["shape"], row["method"]): {
            "ndcg": float(row["ndcg"]),
            "seconds": float(row["seconds"]),
        }
        for row in experiment_table("paper_records")
    }
