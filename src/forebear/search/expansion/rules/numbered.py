"""Which rule is it that a number of the catalog names?"""

import csv
from functools import cache
from importlib.resources import files


@cache
def rule_titles() -> dict[str, str]:
    """Return the title of each rule by its number."""
    return {row["number"]: row["title"] for row in _rows()}


@cache
def rule_modules() -> dict[str, str]:
    """Return the module of each rule by its number."""
    return {row["number"]: row["module"] for row in _rows()}


def _rows() -> list[dict[str, str]]:
    text = files(__package__).joinpath("rules.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))
