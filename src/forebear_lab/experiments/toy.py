"""The paper's toy data: what does the customized start give, and what do diversity measures say?

Two small worked examples.  Four records with four binary features show the weights of the
customized start and how they rank; three lists of eight records show which measures distinguish
lists that differ in variety.
"""

from dataclasses import dataclass

import numpy as np

from forebear.kernels.ndcg import Floats
from forebear.learning.starts import frequency_weights, uniform_weights
from forebear_lab.evaluation.measures.aspects import alpha_ndcg, greedy_order, round_robin
from forebear_lab.evaluation.measures.definition import Aspects, JudgedRanking
from forebear_lab.evaluation.measures.entropy import cumulative_entropy
from forebear_lab.evaluation.measures.measure import parse_measure
from forebear_lab.evaluation.measures.ndcg import expected_ndcg
from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.experiments.data import experiment_table
from forebear_lab.experiments.verdicts import Verdict

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
    """The toy tables, and whether what the paper says of them is so."""

    features: Table
    weights: Table
    scores: Table
    diversity: Table
    claims: tuple[Verdict, ...]
    notes: tuple[str, ...] = (NCE_EXPLAINED, IA_EXPLAINED, ALPHA_EXPLAINED)

    def tables(self) -> dict[str, Table]:
        """Return the tables by their titles."""
        return {
            "Toy training data, the paper's table 1": self.features,
            "Feature weights, table 2": self.weights,
            "Score and rank, table 3": self.scores,
            "Comparison of diversity metrics, table 6": self.diversity,
        }


def make_toy() -> Toy:
    """Compute the examples."""
    rows = experiment_table("toy_records")
    names = [name for name in rows[0] if name.startswith("f")]
    features = np.array([[row[name] == "1" for name in names] for row in rows])
    labels = [int(row["label"]) for row in rows]
    new = frequency_weights(features, np.array(labels) > 0)
    old = uniform_weights(len(names))
    scores = _scores([row["record"] for row in rows], labels, features @ new, features @ old)
    diversity = _diversity()
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
            rows=[
                ("w_new", *new.tolist()),
                ("w_old", *old.tolist()),
                *(
                    (f"{row['weights']}, printed", *(row[name] for name in names))
                    for row in experiment_table("toy_printed_weights")
                ),
            ],
        ),
        scores=scores,
        diversity=diversity,
        claims=(*_score_claims(scores), *_diversity_claims(diversity)),
    )


def _scores(
    names: list[str],
    labels: list[int],
    new: Floats,
    old: Floats,
) -> Table:
    printed = {row["record"]: (row["s_new"], row["s_old"]) for row in _printed_scores()}
    rows: list[tuple[Cell, ...]] = [
        (name, str(label), float(n), _rank(n, new), float(o), _rank(o, old), *printed[name])
        for name, label, n, o in zip(names, labels, new, old, strict=True)
    ]
    values = [expected_ndcg(scores.tolist(), labels) for scores in (new, old)]
    rows.append(("NDCG, ties averaged", "", values[0], "", values[1], "", "-", "-"))
    headings = ("record", "label", "s_new", "rank_new", "s_old", "rank_old")
    return Table(headings=(*headings, "s_new, printed", "s_old, printed"), rows=rows)


def _printed_scores() -> list[dict[str, str]]:
    return experiment_table("toy_printed_scores")


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


def _score_claims(scores: Table) -> list[Verdict]:
    new, old = ({str(row[0]): float(row[column]) for row in scores.rows} for column in (2, 4))
    ideal = new["NDCG, ties averaged"]
    return [
        _judge(
            "The customized start puts both relevant records first",
            ideal == 1,
            f"NDCG {ideal:.4f}; with equal weights {old['NDCG, ties averaged']:.4f}",
        ),
        _judge(
            "Equal weights put the irrelevant r3 above the relevant r1",
            old["r3"] > old["r1"],
            f"scores {old['r3']:g} and {old['r1']:g}",
        ),
    ]


def _diversity_claims(diversity: Table) -> list[Verdict]:
    values = {
        str(row[0]): [float(value) for value in row[1:4]]
        for row in diversity.rows
        if "@" in str(row[0])
    }
    printed_names = [row["measure"] for row in experiment_table("toy_printed")]
    srecall, nce_name = printed_names[-2:]
    above = [name for name in printed_names if values[name][1] > values[name][0]]
    in_order = [name for name, (first, second, third) in values.items() if second > third > first]
    printed = [float(experiment_table("toy_printed")[-1][name]) for name in LISTS]
    nce = [round(value, 3) for value in values[nce_name]]
    return [
        _judge(
            "Of the printed measures only S-recall and NCE put list 2 above list 1",
            above == [srecall, nce_name],
            f"these do: {', '.join(above)}",
        ),
        _judge(
            "S-recall does not distinguish lists 2 and 3",
            values[srecall][1] == values[srecall][2],
            "{:.3f} and {:.3f}".format(*values[srecall][1:]),
        ),
        _judge(
            "Of the printed measures only NCE puts list 2 above 3 above 1",
            [name for name in in_order if name in printed_names] == [nce_name],
            f"of all measures these do: {', '.join(in_order)}",
        ),
        _judge(
            "The printed NCE follow from the paper's definition",
            nce == printed,
            f"by the definition {', '.join(f'{value:.3f}' for value in nce)}",
        ),
    ]


def _judge(claim: str, is_so: bool, figures: str) -> Verdict:
    return Verdict(claim=claim, answer="holds" if is_so else "does not hold", figures=figures)


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
