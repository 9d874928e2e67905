"""Which rule is it that a number of the catalog names?"""

from functools import cache

from forebear.tables import read_table


@cache
def rule_titles() -> dict[str, str]:
    """Return the title of each rule by its number."""
    return {row["number"]: row["title"] for row in read_table("search/rules")}


@cache
def rule_modules() -> dict[str, str]:
    """Return the module of each rule by its number."""
    return {row["number"]: row["module"] for row in read_table("search/rules")}
