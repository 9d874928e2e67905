"""From the text form of a measure to its value.

    measure = name ["@" cutoff] ["(" option "=" value {"," option "=" value} ")"]

Names are not case-sensitive, other names in use are known, and the parentheses may stand
before the cutoff with values in quotes, so `nDCG(dcg='exp-log2')@10`, as ir_measures spells
it, is `ndcg@10(gain=exponential)`.
"""

import re

from forebear.errors import InputError
from forebear_lab.evaluation.measures.measure import Measure
from forebear_lab.evaluation.measures.named import MEASURES, SPELLINGS

_OPTIONS = r"\((?P<{0}>[^()]*)\)"
_FORM = re.compile(
    r"(?P<name>[^\W\d][\w-]*)\s*"
    rf"({_OPTIONS.format('before')})?\s*(@\s*(?P<cutoff>[0-9]{{1,9}}))?\s*"
    rf"({_OPTIONS.format('after')})?"
)
_OPTION = re.compile(r"\s*(?P<name>\w+)\s*=\s*(?P<quote>['\"]?)(?P<value>[\w.+-]+)(?P=quote)\s*")
# How ir_measures spells what we spell otherwise.
_THEIR_OPTIONS = {("dcg", "log2"): ("gain", "linear"), ("dcg", "exp-log2"): ("gain", "exponential")}


def parse_measure(text: str) -> Measure:
    """Return the measure that a text such as ``nce@100(types=8)`` means.

    >>> str(parse_measure("nDCG@10")), str(parse_measure("alpha_nDCG(alpha=0.9)@20"))
    ('ndcg@10', 'alpha_ndcg@20(alpha=0.9)')
    """
    found = _FORM.fullmatch(text.strip())
    if found is None or (found["before"] and found["after"]):
        raise InputError(
            f"measure {text!r} is not of the form NAME@CUTOFF(OPTION=VALUE)",
            hint="write for example ndcg@100 or nce@100(types=8,ideal=supply)",
        )
    name = _plain(found["name"])
    if name not in SPELLINGS:
        raise InputError(
            f"no measure is called {found['name']!r}", hint=f"known: {', '.join(MEASURES)}"
        )
    return Measure(
        name=SPELLINGS[name],
        cutoff=int(found["cutoff"]) if found["cutoff"] else None,
        options=tuple(_parse_options(found["before"] or found["after"] or "", text).items()),
    )


def _plain(name: str) -> str:
    return name.lower().replace("-", "_").replace("α", "alpha")


def _parse_options(text: str, measure: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in text.split(",") if text.strip() else ():
        found = _OPTION.fullmatch(part)
        if found is None or found["name"] in options:
            raise InputError(
                f"measure {measure!r}: expected each option once as NAME=VALUE; found {part!r}"
            )
        pair = found["name"], found["value"]
        name, value = _THEIR_OPTIONS.get(pair, pair)
        options[name] = value
    return options
