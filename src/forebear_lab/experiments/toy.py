"""The paper's toy data: what does the customized start give, and what do diversity measures say?

Two small worked examples.  Four records with four binary features show the weights of the
customized start and how they rank; three lists of eight records show which measures distinguish
lists that differ in variety.
"""

from dataclasses import dataclass

import numpy as np

from forebear.kernels.ndcg import Floats
from forebear.learning.starts import frequency_weights, uniform_weights
from forebear_lab.evaluation.measures.alpha_ndcg import alpha_ndcg, greedy_order, round_robin
from forebear_lab.evaluation.measures.definition import Aspects, JudgedRanking
from forebear_lab.evaluation.measures.entropy import cumulative_entropy
from forebear_lab.evaluation.measures.measure import parse_measure
from forebear_lab.evaluation.measures.ndcg import expected_ndcg
from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.experiments.data import experiment_table

LISTS = ("list1", "list2", "list3")
TYPES = 4
NCE_EXPLAINED = (
    "The printed NCE is each list's cumulative entropy (7.466, 12.375 and 8.975 bits) divided by "
    "a number between 298.2 and 304.3, such as 300 = 100 * log2(8): the bound of 100 records of "
    "8 types, not the ideal of these 8 records of 4 types. By the paper's definition list 2, "
    "which alternates all types, is ideal and has 1."
)
IA_EXPLAINED = (
    "The printed NDCG-IA, MRR-IA and MAP-IA take each type's records as a separate list, "
    "numbered from 1, so how types alternate cannot matter to them; with places in the whole "
    "list, as Agrawal et al. define them, the values are those marked `full`."
)
ALPHA_EXPLAINED = (
    "Alpha-NDCG, which the paper discusses but does not print, orders the three lists as NCE "
    "does; what NCE has for itself is that it needs neither judgments nor intents."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Toy:
    """The toy tables."""

    features: Table
    weights: Table
    scores: Table
    diversity: Table
    notes: tuple[str, ...] = (NCE_EXPLAINED, IA_EXPLAINED, ALPHA_EXPLAINED)

    def tables(self) -> dict[str, Table]:
        """Return the tables by their titles."""
        return {
            "Toy training data": self.features,
            "Feature weights": self.weights,
            "Score and rank": self.scores,
            "Comparison of diversity metrics": self.diversity,
        }


def make_toy() -> Toy:
    """Compute the examples."""
    rows = experiment_table("toy_records")
    names = [name for name in rows[0] if name.startswith("f")]
    features = np.array([[row[name] == "1" for name in names] for row in rows])
    labels = [int(row["label"]) for row in rows]
    new = frequency_weights(features, np.array(labels) > 0)
    old = uniform_weights(len(names))
    return Toy(
        features=Table(
            headings=("record", "label", *names),
            rows=[
                (row["record"], int(row["label"]), *(int(row[name]) for name in names))
                for row in rows
            ],
        ),
        weights=Table(
            headings=("weights", *names),
            rows=[("w_new", *new.tolist()), ("w_old", *old.tolist())],
        ),
        scores=_scores([row["record"] for row in rows], labels, features @ new, features @ old),
        diversity=_diversity(),
    )


def _scores(
    names: list[str],
    labels: list[int],
    new: Floats,
    old: Floats,
) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (name, str(label), float(n), _rank(n, new), float(o), _rank(o, old))
        for name, label, n, o in zip(names, labels, new, old, strict=True)
    ]
    values = [expected_ndcg(scores.tolist(), labels) for scores in (new, old)]
    rows.append(("NDCG, ties averaged", "", values[0], "", values[1], ""))
    return Table(headings=("record", "label", "s_new", "rank_new", "s_old", "rank_old"), rows=rows)


def _rank(score: float, scores: Floats) -> str:
    """Return the rank, or the ranks that equal scores share."""
    first, last = int((scores > score).sum()) + 1, int((scores >= score).sum())
    return str(first) if first == last else f"{first}-{last}"


def _diversity() -> Table:
    rows: list[tuple[Cell, ...]] = []
    for printed in experiment_table("toy_printed"):
        measure = printed["measure"]
        rows.append((measure, *_values(measure), *(printed[name] for name in LISTS)))
    for measure in (
        "ndcg_ia@8(positions=full)",
        "mrr_ia@8(positions=full)",
        "map_ia@8(positions=full)",
    ):
        rows.append((measure, *_values(measure), "-", "-", "-"))
    for ideal in ("declared", "supply"):
        measure = f"alpha_ndcg@8(ideal={ideal})"
        rows.append((measure, *(_alpha(name, ideal) for name in LISTS), "-", "-", "-"))
    sums = [cumulative_entropy(_types(name)) for name in LISTS]
    rows.append(("cumulative entropy, bits", *sums, "-", "-", "-"))
    headings = ("measure", *LISTS, *(f"{name}, printed" for name in LISTS))
    return Table(headings=headings, rows=rows)


def _values(name: str) -> list[float]:
    measure = parse_measure(name)
    return [measure.of(_ranking(list_name)) for list_name in LISTS]


def _alpha(name: str, ideal: str) -> float:
    types = _types(name)
    best = greedy_order(types) if ideal == "supply" else round_robin(len(types), type_count=TYPES)
    return alpha_ndcg(types, ideal=best)


def _types(name: str) -> list[str]:
    return [row[name] for row in experiment_table("toy_lists")]


def _ranking(name: str) -> JudgedRanking:
    types, grades = _types(name), [int(row["label"]) for row in experiment_table("toy_lists")]
    records = tuple({kind: grade} for kind, grade in zip(types, grades, strict=True))
    return JudgedRanking(
        grades=tuple(grades),
        judged=tuple(grades),
        types=tuple(types),
        type_count=TYPES,
        supply={kind: types.count(kind) for kind in dict.fromkeys(types)},
        aspects=Aspects(ranked=records, judged=records, by_type=True),
    )
