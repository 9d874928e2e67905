"""Are the values right?  Ours against NIST's printed ones, ir_measures' and scikit-learn's.

Random files with ties, graded judgments, documents that were judged and not found, queries
that were judged and not answered; for measures of diversity, judgments by subtopic.
"""

import json
import os
import random
import subprocess
import tempfile
from pathlib import Path

from sklearn.metrics import ndcg_score

from benchmarks.speed.evaluation_data import make_data
from forebear.learning.measures import ndcg_of_arrays
from forebear_lab.evaluation.evaluate import evaluate_files
from forebear_lab.evaluation.files import JudgmentFiles
from forebear_lab.evaluation.measures.measure import parse_measure
from forebear_lab.evaluation.tables import Table

PEERS = Path(__file__).with_name("evaluation_peers.py")
RELEVANCE = [
    *("nDCG@5", "nDCG@100", "nDCG", "P@5", "P(rel=2)@10", "R@10", "R@100", "AP", "AP@10"),
    *("AP(rel=2)", "RR", "RR(rel=2)", "Success@1", "Success@5"),
]
DIVERSITY = ["alpha_nDCG@5", "alpha_nDCG@20", "alpha_nDCG(alpha=0.9)@10", "StRecall@10", "AP_IA"]
NIST = {"ndcg": "ndcg", "map": "ap", "recip_rank": "mrr"} | {
    f"{theirs}_{cutoff}": f"{ours}@{cutoff}"
    for theirs, ours in (("ndcg_cut", "ndcg"), ("P", "P"), ("recall", "R"), ("map_cut", "ap"))
    for cutoff in (5, 10, 15, 20, 30, 100, 200, 500, 1000)
}


def check_values(peers_python: Path | None, *, seeds: int) -> Table:
    """Return how far apart our values and theirs are, at most."""
    rows = [check_nist(), *(check_scikit_learn(seed) for seed in range(1, seeds + 1))]
    if peers_python is not None:
        for seed in range(1, seeds + 1):
            rows.append(check_ir_measures(peers_python, seed, RELEVANCE, by_subtopic=False))
            rows.append(check_ir_measures(peers_python, seed, DIVERSITY, by_subtopic=True))
    headings = ("values against", "seed", "compared", "furthest apart", "equal")
    return Table(headings=headings, rows=rows)


def row(what: str, seed: str, compared: int, apart: float, bound: float) -> tuple[str, ...]:
    return what, seed, str(compared), f"{apart:.0e}", "yes" if apart <= bound else "NO"


def check_nist() -> tuple[str, ...]:
    shared = Path(os.environ.get("FOREBEAR_SHARED", Path(__file__).parents[3] / "shared"))
    folder = shared / "data/rank/trec_eval"
    if not folder.is_dir():
        return "NIST's expected output", "", "0", "not here", "NO"
    measures = {theirs: parse_measure(ours) for theirs, ours in NIST.items()}
    judgments = JudgmentFiles(qrels=folder / "qrels.test")
    evaluation = evaluate_files(folder / "results.test", judgments, list(measures.values()))
    compared, apart = 0, 0.0
    for line in (folder / "out.test.aq").read_text().splitlines():
        name, query, value = line.split()
        if name in measures:
            values = {
                **evaluation.per_query(measures[name]),
                "all": evaluation.mean(measures[name]),
            }
            apart = max(apart, abs(float(f"{values[query]:.4f}") - float(value)))
            compared += 1
    return row("NIST's expected output", "", compared, apart, 1e-12)


def check_scikit_learn(seed: int) -> tuple[str, ...]:
    data = make_data(200, seed)
    scores = (data.scores // 4).reshape(-1, 100)  # so that many are tied
    grades = data.grades.reshape(-1, 100)
    ours = ndcg_of_arrays(scores.ravel(), grades.ravel(), data.offsets, cutoff=10)
    theirs = [ndcg_score([g], [s], k=10) for g, s in zip(grades, scores, strict=True)]
    return row("scikit-learn, ties averaged", str(seed), 200, abs(ours - theirs).max(), 1e-9)


def check_ir_measures(
    python: Path, seed: int, measures: list[str], *, by_subtopic: bool
) -> tuple[str, ...]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_random(folder, random.Random(seed), by_subtopic=by_subtopic)
        line = [str(python), str(PEERS), "values", str(folder), *measures]
        done = subprocess.run(line, check=True, stdout=subprocess.PIPE, text=True)
        theirs = json.loads(done.stdout)
        parsed = {text: parse_measure(text) for text in measures}
        judgments = JudgmentFiles(qrels=folder / "qrels.txt", by_subtopic=by_subtopic)
        ours = evaluate_files(folder / "a.run", judgments, list(parsed.values()))
    apart = [
        abs(ours.per_query(parsed[text])[query] - value)
        for text, values in theirs.items()
        for query, value in values.items()
    ]
    what = "ir_measures, by subtopic" if by_subtopic else "ir_measures, tied and graded"
    return row(what, str(seed), len(apart), max(apart), 1e-6 if by_subtopic else 1e-9)


def write_random(folder: Path, draw: random.Random, *, by_subtopic: bool) -> None:
    """Write random files; with subtopics, scores are distinct: ndeval has its own order."""
    documents = [f"d{number}" for number in range(300)]
    with (folder / "a.run").open("w") as run, (folder / "qrels.txt").open("w") as qrels:
        for query in range(120):
            ranked = draw.sample(documents, draw.randint(1, 150))
            for rank, document in enumerate(ranked, start=1):
                score = -rank if by_subtopic else draw.randint(0, 60) / 4
                if query % 20:
                    run.write(f"q{query} Q0 {document} {rank} {score} t\n")
            for document in draw.sample(documents, draw.randint(1, 60)):
                topics = draw.sample("12345", draw.randint(1, 3)) if by_subtopic else "0"
                for topic in topics:
                    qrels.write(f"q{query} {topic} {document} {draw.choice([0, 0, 1, 2])}\n")
            qrels.write(f"q{query} {1 if by_subtopic else 0} always 2\n")
