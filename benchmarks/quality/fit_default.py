"""Fit the weights of the model `default` by record type, and write them as its table.

    python -m benchmarks.quality.fit_default --folder /tmp/default_sets
    python -m benchmarks.quality.fit_probabilities --folder /tmp/default_sets --model default

Run both whenever clauses or the gate change, with a new folder: the second fits the constants that
the new weights need.  Weights are fitted around the hand-set ones
(`forebear.learning.hierarchical`), on tuning parts only (`default_data`).  The tuning parts are
also divided in two, and each half is ranked by the weights of the other; and each source is left
out once, and ranked by weights that never saw it.  ``--judge`` also ranks the judging parts, by the
weights of all sources and by those that never saw the source.  A report in JSON has the hashes of
the data, the counts and the figures.
"""

import argparse
import csv
import hashlib
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from benchmarks.quality.default_data import (
    COLUMNS,
    SOURCES,
    JudgedLists,
    input_hashes,
    judged_lists,
    source_of,
)
from benchmarks.quality.default_measures import HEADINGS, Floats, differences, measure_lists
from forebear.learning.hierarchical import (
    CLAUSE_SD,
    SHIFT_SD,
    SOURCE_SD,
    WEIGHT_SD,
    JudgedRecords,
    Prior,
    fit_weights,
)
from forebear.records.collections import RECORD_TYPES
from forebear.search.expansion.catalog import load_catalog
from forebear.search.expansion.clause_hashes import catalog_hash, clause_hashes
from forebear.search.model import UNITS_PER_BIT, hand_set_model, to_units
from forebear_lab.evaluation.tables import Cell, Table

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "src/forebear/search/tables/default_model.csv"
STARTING = Path(__file__).with_name("starting_weights.csv")
REPORT = ROOT / "docs/reference/default_model.json"
FIRST = 30  # records of a list that weights are fitted on, beside the right ones
# What each source counts for, as a number of right records.  The two generators of simulated
# archives count together as much as a real source.
RIGHT_RECORDS = {"soldiers": 3000, "London": 3000, "simulated": 1500, "lab": 1500}
LISTWISE = 3.0  # what the listwise loss counts beside the logistic one
FOLDS = 2

Lists = Mapping[str, JudgedLists]
Weights = tuple[Floats, Floats]  # of COLUMNS, and shifts of RECORD_TYPES, in bits


def main() -> int:
    options = _options()
    tuning = judged_lists(options.folder, "tune")
    before = hand_set_weights()
    fitted = fit_lists(tuning)
    unseen = {source: fit_lists(_without(tuning, source)) for source in SOURCES}
    results = {
        "tuning, by weights of the other half": differences(
            tuning, measure_parts(tuning, before), cross_fit(tuning)
        ),
        "tuning, by weights that never saw the source": differences(
            tuning, measure_parts(tuning, before), measure_parts(tuning, unseen)
        ),
    }
    if options.judge:
        judging = judged_lists(options.folder, "judge")
        base = measure_parts(judging, before)
        results |= {
            "judging": differences(judging, base, measure_parts(judging, fitted)),
            "judging, by weights that never saw the source": differences(
                judging, base, measure_parts(judging, unseen)
            ),
        }
    for title, rows in results.items():
        print(f"\n{title}\n{Table(headings=HEADINGS, rows=rows).as_text()}", flush=True)
    write_table(options.table, fitted)
    report = _report(tuning, results)
    options.report.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"\n{len(COLUMNS):,} weights in {options.table}")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--folder", type=Path, required=True, help="keeps archives and lists")
    parser.add_argument("--table", type=Path, default=TABLE)
    parser.add_argument("--report", type=Path, default=REPORT)
    parser.add_argument("--judge", action="store_true", help="look at the judging parts too")
    return parser.parse_args()


def hand_set_weights() -> Weights:
    """Return the weights of the model `hand-set`."""
    model = hand_set_model()
    weights = np.array([model.weight(*column) for column in COLUMNS], np.float64)
    shifts = np.array([model.shift(name, name) for name in RECORD_TYPES], np.float64)
    return weights / UNITS_PER_BIT, shifts / UNITS_PER_BIT


def starting_weights() -> Weights:
    """Return the weights that the fit starts from: hand-set, and reasoned ones of newer clauses.

    A reasoned weight of one record type goes before the hand-set one.
    """
    weights, shifts = hand_set_weights()
    with STARTING.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    bits = {(row["record_type"], row["clause"]): float(row["bits"]) for row in rows}
    newer = [bits.get(("*", clause), 0.0) for _, clause in COLUMNS]
    of_type = np.array([bits.get(column, 0.0) for column in COLUMNS])
    return np.where(of_type, of_type, np.where(weights, weights, newer)), shifts


def fit_lists(lists: Lists) -> Weights:
    """Return the weights that fit these lists, on the grid of all models."""
    weights, shifts = starting_weights()
    clauses = {clause: place for place, clause in enumerate(sorted({c for _, c in COLUMNS}))}
    polarity = {
        (name, row.clause): row.polarity for name, rows in load_catalog().items() for row in rows
    }
    prior = Prior(
        weights=weights,
        clauses=np.array([clauses[clause] for _, clause in COLUMNS]),
        signs=np.array([polarity[column] for column in COLUMNS]),
        shifts=shifts,
    )
    fit = fit_weights(_joined(lists, weights), prior, listwise=LISTWISE)
    return _on_grid(fit.weights), _on_grid(fit.shifts)


def cross_fit(lists: Lists) -> dict[str, Floats]:
    """Return the measures of each query under weights that were fitted on the other half."""
    folds = {name: _folds(name, part, [*lists].index(name)) for name, part in lists.items()}
    measured = {name: np.zeros((len(part.right), 3)) for name, part in lists.items()}
    for fold in range(FOLDS):
        weights = fit_lists(
            {
                name: part.take(np.flatnonzero(folds[name] != fold))
                for name, part in lists.items()
                if (folds[name] != fold).any()
            }
        )
        for name, part in lists.items():
            held = np.flatnonzero(folds[name] == fold)
            measured[name][held] = measure_lists(part.take(held), *weights)
    return measured


def measure_parts(lists: Lists, weights: Weights | Mapping[str, Weights]) -> dict[str, Floats]:
    """Return the measures of each query; weights may differ by source."""
    return {
        name: measure_lists(
            part, *(weights[source_of(name)] if isinstance(weights, Mapping) else weights)
        )
        for name, part in lists.items()
    }


def _without(lists: Lists, source: str) -> Lists:
    return {name: part for name, part in lists.items() if source_of(name) != source}


def _folds(name: str, part: JudgedLists, number: int) -> NDArray[np.int64]:
    """Return the fold of each query: persons stay together, and so do simulated archives."""
    if source_of(name) in ("simulated", "lab"):
        return np.full(len(part.right), number % FOLDS)
    digests = (hashlib.sha256(f"fold {person}".encode()).digest() for person in part.persons)
    return np.array([digest[0] % FOLDS for digest in digests], np.int64)


def _joined(lists: Lists, start: Floats) -> JudgedRecords:
    """Return the best records of all parts, each source with its total weight."""
    chosen = {name: part.first(FIRST, start) for name, part in lists.items()}
    right = dict.fromkeys(SOURCES, 0)
    for name, part in chosen.items():
        right[source_of(name)] += int(part.labels.sum())
    sizes = np.concatenate([np.diff(part.offsets) for part in chosen.values()])
    sources = [SOURCES.index(source_of(name)) for name in chosen]
    queries = [len(part.right) for part in chosen.values()]
    counted = [RIGHT_RECORDS[source_of(name)] / right[source_of(name)] for name in chosen]
    return JudgedRecords(
        fired=csr_array(vstack([part.fired for part in chosen.values()])),
        labels=np.concatenate([part.labels for part in chosen.values()]),
        lists=np.concatenate([part.types for part in chosen.values()]),
        shifted=csr_array(np.eye(len(RECORD_TYPES))),
        offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        sources=np.repeat(sources, queries),
        weights=np.repeat(np.repeat(counted, queries), sizes),
    )


def _on_grid(bits: Floats) -> Floats:
    return np.array([to_units(value) for value in bits.tolist()]) / UNITS_PER_BIT


def write_table(path: Path, weights: Weights) -> None:
    """Write a row for each clause and a column for each record type."""
    bits = dict(zip(COLUMNS, weights[0].tolist(), strict=True))
    clauses = dict.fromkeys(clause for _, clause in COLUMNS)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("clause", *RECORD_TYPES))
        writer.writerow(("shift", *_cells(weights[1].tolist())))
        for clause in clauses:
            writer.writerow((clause, *_cells(bits.get((name, clause)) for name in RECORD_TYPES)))


def _cells(bits: Iterable[float | None]) -> list[str]:
    """Return weights as text; a clause that a type does not have is empty."""
    return ["" if value is None else f"{value:.6f}".rstrip("0").rstrip(".") for value in bits]


def _report(lists: Lists, results: Mapping[str, Sequence[Sequence[Cell]]]) -> dict[str, object]:
    return {
        "command": "python -m benchmarks.quality.fit_default",
        "clauses": catalog_hash(clause_hashes()),
        "files": input_hashes(),
        "parts": {
            name: {
                "queries": len(part.right),
                "records": len(part.labels),
                "right": int(part.right.sum()),
                "right retrieved": int(part.labels.sum()),
            }
            for name, part in lists.items()
        },
        "clause sd": CLAUSE_SD,
        "weight sd": WEIGHT_SD,
        "source sd": SOURCE_SD,
        "shift sd": SHIFT_SD,
        "listwise": LISTWISE,
        "right records of each source": RIGHT_RECORDS,
        "results": {
            title: [dict(zip(HEADINGS, row, strict=True)) for row in rows]
            for title, rows in results.items()
        },
    }


if __name__ == "__main__":
    sys.exit(main())
