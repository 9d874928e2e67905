"""Which fact do the cells of a column look like, whatever its heading says?"""

import re
from collections.abc import Callable, Sequence

from forebear.ingest.register_words import find_marital, find_relation, find_sex
from forebear.normalize.dates import read_date

ENOUGH = 0.7  # of the filled cells of a column must be what its heading promises
YEAR = re.compile(r"(?<!\d)(1[0-9]\d\d|20\d\d)(?:(?!\d)|[01]\d[0-3]\d(?!\d))")  # 1780, 17800112


def fact_of_cells(cells: Sequence[str]) -> str:
    """Return the fact that the cells of a column without a telling heading look like."""
    for fact in ("sex", "relation", "date"):
        if len(cells) > 2 and cells_fit(fact, cells):
            return fact
    return ""


def cells_fit(fact: str, cells: Sequence[str]) -> bool:
    """Return whether most of the cells are what the column is said to hold."""
    tests: dict[str, Callable[[str], object]] = {
        "date": lambda cell: YEAR.search(cell) and read_date(cell).is_known,
        "sex": find_sex,
        "marital": find_marital,
        "relation": find_relation,
        "age": lambda cell: any(map(str.isdigit, cell)) or len(cell) < 20,
        "name": lambda cell: not cell.replace(" ", "").isdigit(),
        "given": lambda cell: not cell.isdigit(),
        "surname": lambda cell: not cell.isdigit(),
        "middle": lambda cell: not cell.isdigit(),
        "place": lambda cell: not cell.isdigit(),
        "county": lambda cell: not cell.isdigit(),
        "occupation": lambda cell: not cell.isdigit(),
    }
    test = tests.get(fact)
    return test is None or sum(bool(test(cell)) for cell in cells) >= ENOUGH * len(cells)
