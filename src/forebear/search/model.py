"""A model: what a search has learned, as a value.

It holds a weight in bits for every clause of every record type, and for every list a shift, a
slope (what a bit of its scores is worth) and conditions (what each fact of the query adds to
the shift).  Evidence is counted in bits: a weight is log2 of how much more likely its firing
makes the record the right one, on a grid of 1/64 between -16 and 16, so that sums are exact.
The constants of `ProbabilityConstants` turn scores into probabilities; they are fitted whenever
weights are.  A model is saved as JSON, never pickled, and carries what it was learned from.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from math import isfinite
from typing import Any

from forebear.errors import ModelError
from forebear.tables import read_table

UNITS_PER_BIT = 64
MAX_BITS = 16
DEFAULT_LEVEL = 9.0
DEFAULT_SHARE = 1 / 3
DEFAULT = "default"  # fitted weights, by record type
HAND_SET = "hand-set"
ESTIMATED_METHOD = "agreement"  # of a model estimated without judgments
SHIPPED = {  # models that every archive has, the one that searches use first
    DEFAULT: "weights fitted on open and simulated records",
    HAND_SET: "weights set by hand",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbabilityConstants:
    """What turns the scores of a model into probabilities (`search.results.probability`).

    A class is a record type, or ``baptism.kin`` where the record is not about the person.
    """

    scale: float  # b: what a bit of a score is worth
    levels: Mapping[str, float]  # a, by class
    present: Mapping[str, float] = field(default_factory=dict)  # by class, the share of searches
    # whose rivals have the right record among them, where the constants were fitted
    gate: float = 0.75  # c: what doubling the records that pass the gate takes away

    def level(self, name: str) -> float:
        """Return the level of a class; one that was never fitted has that of its type, or 9."""
        if name in self.levels:
            return self.levels[name]
        return self.levels.get(name.partition(".")[0], DEFAULT_LEVEL)

    def share(self, name: str) -> float:
        """Return how many rival groups of a class had a right record; about a third if unknown."""
        return self.present.get(name, DEFAULT_SHARE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Weights of clauses by record type, and what moves each list, in 64ths of a bit.

    What moves a list stands under its name, else under its record type.
    """

    name: str
    weights: Mapping[str, Mapping[str, int]]
    shifts: Mapping[str, int]
    slopes: Mapping[str, int] = field(default_factory=dict)  # 64 leaves the scores as they are
    conditions: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # then by fact
    catalog: str = ""  # one hash of all clauses it was learned for; "" if it fits any
    clauses: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # their hashes, by type
    lists: Mapping[str, Sequence[str]] = field(default_factory=dict)  # collections of each list
    data: str = ""  # hash of what it was learned from
    seed: int | None = None
    method: str = ""  # that learned it: "map", "paper", "agreement"; "" if none did
    around: str = ""  # the model that it was learned near
    cutoff: str = ""  # the time of the newest search it was learned from, UTC, ISO 8601
    measures: Mapping[str, float] = field(default_factory=dict)
    probability: ProbabilityConstants | None = None  # None: it shows no probabilities

    def weight(self, record_type: str, clause: str) -> int:
        """Return a clause's weight; a clause the model has never seen weighs nothing."""
        return self.weights.get(record_type, {}).get(clause, 0)

    def weights_of(self, record_type: str, clauses: Sequence[str]) -> tuple[int, ...]:
        """Return the weight of each of these clauses."""
        of_type = self.weights.get(record_type, {})
        return tuple([of_type.get(clause, 0) for clause in clauses])

    def shift(self, list_name: str, record_type: str) -> int:
        """Return the shift of a list."""
        return self.shifts.get(list_name, self.shifts.get(record_type, 0))

    def slope(self, list_name: str, record_type: str) -> int:
        """Return what a bit of a list's scores is worth."""
        return self.slopes.get(list_name, self.slopes.get(record_type, UNITS_PER_BIT))

    def conditions_of(self, list_name: str, record_type: str) -> Mapping[str, int]:
        """Return what each fact of a query adds to the shift of a list."""
        return self.conditions.get(list_name, self.conditions.get(record_type, {}))

    def to_json(self) -> str:
        """Return the model as JSON, weights in bits."""
        value: dict[str, Any] = {
            "name": self.name,
            "catalog": self.catalog,
            "clauses": self.clauses,
            "lists": {name: list(collections) for name, collections in self.lists.items()},
            "data": self.data,
            "seed": self.seed,
            "method": self.method,
            "around": self.around,
            "cutoff": self.cutoff,
            "measures": dict(self.measures),
            "shifts": _in_bits(self.shifts),
            "slopes": _in_bits(self.slopes),
            "conditions": {name: _in_bits(facts) for name, facts in self.conditions.items()},
            "weights": {name: _in_bits(weights) for name, weights in self.weights.items()},
        }
        if self.probability is not None:
            value["probability"] = asdict(self.probability)
        return json.dumps(value, indent=1, sort_keys=True)


def model_from_json(text: str) -> Model:
    """Return the model that a JSON text describes."""
    try:
        value: dict[str, Any] = json.loads(text)
        return Model(
            name=value["name"],
            catalog=value["catalog"],
            clauses=value.get("clauses", {}),
            lists={name: tuple(members) for name, members in value.get("lists", {}).items()},
            data=value["data"],
            seed=value["seed"],
            method=value.get("method", ""),
            around=value.get("around", ""),
            cutoff=value.get("cutoff", ""),
            measures=value["measures"],
            shifts=_in_units(value["shifts"]),
            slopes=_slopes(value.get("slopes", {})),
            conditions={name: _in_units(f) for name, f in value.get("conditions", {}).items()},
            weights={name: _in_units(weights) for name, weights in value["weights"].items()},
            probability=_constants(value.get("probability")),
        )
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise ModelError(f"not a model: {error}") from None


def to_units(bits: float) -> int:
    """Return bits as whole 64ths, inside the range a weight may have.

    >>> to_units(1.5), to_units(99)
    (96, 1024)
    """
    # In this order what is not a number stays so, and is refused by `round`.
    return round(min(max(bits, -MAX_BITS), MAX_BITS) * UNITS_PER_BIT)


def _in_bits(values: Mapping[str, int]) -> dict[str, float]:
    return {name: bits / UNITS_PER_BIT for name, bits in values.items()}


def _in_units(values: Mapping[str, float]) -> dict[str, int]:
    return {name: to_units(bits) for name, bits in values.items()}


def _slopes(values: Mapping[str, float]) -> dict[str, int]:
    slopes = _in_units(values)
    for name, slope in slopes.items():
        if slope <= 0:  # it would turn the list around, or make all its records alike
            raise ValueError(
                f"the slope of {name!r} is {values[name]}, wanted at least 1/{UNITS_PER_BIT}"
            )
    return slopes


def _constants(value: Mapping[str, Any] | None) -> ProbabilityConstants | None:
    if value is None:
        return None
    constants = ProbabilityConstants(
        scale=float(value["scale"]),
        gate=float(value["gate"]),
        levels={name: float(level) for name, level in value["levels"].items()},
        present={name: float(share) for name, share in value["present"].items()},
    )
    numbers = [constants.scale, constants.gate, *constants.levels.values()]
    if not all(map(isfinite, numbers)) or constants.scale <= 0:
        raise ValueError(f"the probabilities have the scale {constants.scale}, wanted above 0")
    for name, share in constants.present.items():
        if not 0 < share < 1:
            raise ValueError(f"the share of {name!r} is {share}, wanted between 0 and 1")
    return constants


@cache
def shipped_constants(model: str = DEFAULT) -> ProbabilityConstants:
    """Return the constants that were fitted for a shipped model."""
    rows = [row for row in read_table("search/probability") if row["model"] == model]
    values = {(row["constant"], row["class"]): float(row["value"]) for row in rows}
    return ProbabilityConstants(
        scale=values["scale", ""],
        gate=values["gate", ""],
        levels={name: value for (kind, name), value in values.items() if kind == "level"},
        present={name: value for (kind, name), value in values.items() if kind == "present"},
    )


def shipped_model(name: str) -> Model:
    """Return one of SHIPPED."""
    return default_model() if name == DEFAULT else hand_set_model()


@cache
def default_model() -> Model:
    """Return the model that searches use before any is promoted: fitted weights by type."""
    shifts, *rows = read_table("search/default_model")
    names = [name for name in shifts if name != "clause"]
    return Model(
        name=DEFAULT,
        weights={
            name: {row["clause"]: to_units(float(row[name])) for row in rows if row[name]}
            for name in names
        },
        shifts={name: to_units(float(shifts[name])) for name in names},
        probability=shipped_constants(DEFAULT),
    )


@cache
def hand_set_model() -> Model:
    """Return the model that the fitted one starts from: weights set by hand, with reasons."""
    weights: dict[str, dict[str, int]] = {}
    shifts: dict[str, int] = {}
    for row in hand_set_rows():
        if row["clause"] == "shift":
            shifts[row["record_type"]] = to_units(float(row["bits"]))
        else:
            of_type = weights.setdefault(row["record_type"], {})
            of_type[row["clause"]] = to_units(float(row["bits"]))
    general = weights.get("*", {})
    return Model(
        name=HAND_SET,
        weights={name: {**general, **weights.get(name, {})} for name in shifts},
        shifts=shifts,
        probability=shipped_constants(HAND_SET),
    )


def hand_set_rows() -> list[dict[str, str]]:
    """Return the table of hand-set weights: record type (* for all), clause, bits, reason."""
    return read_table("search/hand_set")
