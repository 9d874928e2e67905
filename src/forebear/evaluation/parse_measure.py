"""From the text form of a measure to its value.

    measure = name ["@" cutoff] ["(types=" count ")"]

Names are not case-sensitive, so `nDCG@10`, as other tools spell it, is `ndcg@10`.
"""

import re

from forebear.errors import InputError
from forebear.evaluation.measures.measure import Measure
from forebear.evaluation.measures.named import MEASURES, TYPED_MEASURES

_FORM = re.compile(r"(?P<name>[a-z]+)(@(?P<cutoff>[0-9]{1,9}))?(\(types=(?P<types>[0-9]{1,9})\))?")


def parse_measure(text: str) -> Measure:
    """Return the measure that a text such as ``nce@100(types=8)`` means.

    >>> parse_measure("nDCG@10")
    Measure(name='ndcg', cutoff=10, type_count=None)
    """
    found = _FORM.fullmatch(text.strip().lower())
    if found is None:
        raise InputError(
            f"measure {text!r} is not of the form NAME@CUTOFF",
            hint="write for example ndcg@100 or nce@100(types=8)",
        )
    name, cutoff, types = found["name"], found["cutoff"], found["types"]
    if name not in MEASURES:
        raise InputError(f"no measure is called {name!r}", hint=f"known: {', '.join(MEASURES)}")
    if types and name not in TYPED_MEASURES:
        raise InputError(f"measure {name!r} does not look at types, but {text!r} gives them")
    return Measure(
        name=name,
        cutoff=int(cutoff) if cutoff else None,
        type_count=int(types) if types else None,
    )
