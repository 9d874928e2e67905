"""Fit the constants of the probabilities that a shipped model has, and write them to its table.

    python -m benchmarks.quality.fit_probabilities --folder /tmp/probability_sets

Run it whenever weights, clauses or the gate change.  It uses the tuning halves only: linked
soldiers, as they are and with their rows taken out; London orders of even hash, half of whose
examinations are not there; simulated archives of seeds from 1,000 on, with a third of the people
removed.  The result depends on nothing else, so the same data give the same table.  Record types
that no source has get the constants of the nearest type, marked as a guess.
"""

import argparse
import csv
import sys
from dataclasses import replace
from pathlib import Path

from benchmarks.quality.london import SHARED
from benchmarks.quality.probability_data import FIRST_TUNING_SEED, london, simulated, soldiers
from forebear.learning.probability import JudgedHits, fit_constants
from forebear.search.model import DEFAULT, HAND_SET, ProbabilityConstants, shipped_constants

TABLE = Path(__file__).parents[2] / "src/forebear/search/tables/probability.csv"
HEADINGS = ("model", "constant", "class", "value", "note")
WORLDS = ((20_000, FIRST_TUNING_SEED + 41), (100_000, FIRST_TUNING_SEED + 42))
QUERIES = 1500
PLACES = 2
NEAREST = {
    "divorce": "marriage",
    "naturalization": "immigration",
    "land_tax": "residence",
    "newspaper": "obituary",
    "family_tree": "birth",
}


def main() -> int:
    options = _options()
    sets = tuning_sets(options.folder, options.model)
    start = shipped_constants(options.start)
    fitted = fit_constants([search for part in sets.values() for search in part], start)
    for name, part in sets.items():
        present = sum(bool(search.labels.any()) for search in part)
        print(f"{name}: {len(part):,} searches, {present:,} with a right record", file=sys.stderr)
    write_table(options.table, options.model, fitted)
    print(f"b {fitted.scale:.2f}; {len(fitted.levels)} levels in {options.table}")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--folder", type=Path, required=True, help="keeps the archives")
    parser.add_argument("--model", default=DEFAULT, help="whose constants are fitted")
    parser.add_argument("--start", default=HAND_SET, help="whose constants they start from")
    parser.add_argument("--table", type=Path, default=TABLE)
    return parser.parse_args()


def tuning_sets(folder: Path, model: str) -> dict[str, list[JudgedHits]]:
    """Return the searches that constants are fitted on, by source."""
    linked = soldiers(SHARED, folder, "tune", model=model, linked=True)
    sets = {
        "soldiers": [*linked, *(search.without_right() for search in linked)],
        "London": london(SHARED, folder, "tune", model=model),
    }
    for personas, seed in WORLDS:
        sets[f"simulated, {personas:,}, seed {seed}"] = simulated(
            folder, personas=personas, seed=seed, queries=QUERIES, model=model
        )
    return sets


def write_table(path: Path, model: str, constants: ProbabilityConstants) -> None:
    """Write the constants of a model to the table; those of other models stay."""
    constants = with_guesses(constants)
    with path.open(encoding="utf-8", newline="") as file:
        others = [
            tuple(row[name] for name in HEADINGS)
            for row in csv.DictReader(file)
            if row["model"] != model
        ]
    rows = [
        (model, "scale", "", constants.scale, ""),
        (model, "gate", "", constants.gate, ""),
        *((model, "level", name, value, _note(name)) for name, value in constants.levels.items()),
        *((model, "present", name, value, "") for name, value in constants.present.items()),
    ]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADINGS)
        writer.writerows(others)
        writer.writerows((*row[:3], f"{row[3]:.{PLACES}f}", row[4]) for row in rows)


def with_guesses(constants: ProbabilityConstants) -> ProbabilityConstants:
    """Return the constants with those of the nearest type for types that no source has."""
    levels = dict(constants.levels)
    for name, nearest in NEAREST.items():
        levels[name] = constants.level(nearest)
        levels[f"{name}.kin"] = constants.level(f"{nearest}.kin")
    present = {name: share for name, share in constants.present.items() if name not in NEAREST}
    return replace(constants, levels=dict(sorted(levels.items())), present=present)


def _note(name: str) -> str:
    nearest = NEAREST.get(name.partition(".")[0])
    return f"a guess: as {nearest}" if nearest else ""


if __name__ == "__main__":
    sys.exit(main())
