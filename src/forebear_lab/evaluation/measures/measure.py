"""Which measure does a text such as `nce@100(types=8,ideal=supply)` mean?

    measure = name ["@" cutoff] ["(" option "=" value {"," option "=" value} ")"]

A measure has one text form, in which commands, reports and models show it; an option with its
default is not written.  Reading is more tolerant: names are not case-sensitive, other names in
use are accepted, and the parentheses may come before the cutoff with values in quotes, so
`nDCG(dcg='exp-log2')@10`, as ir_measures spells it, is `ndcg@10(gain=exponential)`.

`MEASURES` is the one table of names: the definitions at the end of each module.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from forebear.errors import InputError
from forebear_lab.evaluation.measures import aspects, entropy, intents, ndcg, relevance
from forebear_lab.evaluation.measures.definition import (
    Definition,
    JudgedRanking,
    Options,
    OptionValue,
)

MEASURES: dict[str, Definition] = {
    definition.name: definition
    for module in (ndcg, relevance, entropy, aspects, intents)
    for definition in module.DEFINITIONS
}
SPELLINGS: dict[str, str] = {
    spelling: definition.name
    for definition in MEASURES.values()
    for spelling in (definition.name, *definition.spellings)
}
_OPTIONS = r"\((?P<{0}>[^()]*)\)"
_FORM = re.compile(
    r"(?P<name>[^\W\d][\w-]*)\s*"
    rf"({_OPTIONS.format('before')})?\s*(@\s*(?P<cutoff>[0-9]{{1,9}}))?\s*"
    rf"({_OPTIONS.format('after')})?"
)
_OPTION = re.compile(r"\s*(?P<name>\w+)\s*=\s*(?P<quote>['\"]?)(?P<value>[\w.+-]+)(?P=quote)\s*")
# How ir_measures spells options that have another name here.
_IR_MEASURES_OPTIONS = {
    ("dcg", "log2"): ("gain", "linear"),
    ("dcg", "exp-log2"): ("gain", "exponential"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A name of `MEASURES`, how many records it looks at, and its options."""

    name: str
    cutoff: int | None = None  # None: the whole list
    # What differs from the definition's defaults, in its order; may be given as a mapping.
    options: tuple[tuple[str, OptionValue], ...] = field(default=())

    def __post_init__(self) -> None:
        _check_name(self.name, self.name in MEASURES)
        if self.cutoff is not None and self.cutoff < 1:
            raise InputError(f"the cutoff of measure {self.name!r} is {self.cutoff}, not 1 or more")
        object.__setattr__(self, "options", self._read_options(dict(self.options)))

    @property
    def definition(self) -> Definition:
        """Return what the name stands for."""
        return MEASURES[self.name]

    @property
    def settings(self) -> Options:
        """Return every option, given or not."""
        defaults = {name: option.default for name, option in self.definition.options.items()}
        return defaults | dict(self.options)

    def of(self, ranking: JudgedRanking) -> float:
        """Return the measure of one query's ranking.

        An empty list has value 0, whatever is measured: it is perfectly varied by definition,
        and a system must not gain by returning nothing.
        """
        if not ranking.grades:
            return 0.0
        return self.definition.calculate(ranking, self.cutoff, self.settings)

    def __str__(self) -> str:
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        options = ",".join(f"{name}={value}" for name, value in self.options)
        return f"{self.name}{cutoff}" + (f"({options})" if options else "")

    def _read_options(
        self, given: Mapping[str, OptionValue]
    ) -> tuple[tuple[str, OptionValue], ...]:
        options = self.definition.options
        for name in given:
            if name not in options:
                raise InputError(
                    f"measure {self.name!r} has no option {name!r}",
                    hint=f"it has {', '.join(options)}" if options else "it has none",
                )
        values = {name: self._read_option(name, given[name]) for name in options if name in given}
        return tuple(pair for pair in values.items() if pair[1] != options[pair[0]].default)

    def _read_option(self, name: str, value: OptionValue) -> OptionValue:
        if value is None:
            return None
        try:
            return self.definition.options[name].read(str(value))
        except InputError as error:
            raise InputError(f"option {name!r} of measure {self.name!r}: {error.message}") from None


def parse_measure(text: str) -> Measure:
    """Return the measure that a text such as ``nce@100(types=8)`` means.

    >>> str(parse_measure("nDCG@10")), str(parse_measure("alpha_nDCG(alpha=0.9)@20"))
    ('ndcg@10', 'alpha_ndcg@20(alpha=0.9)')
    """
    match = _FORM.fullmatch(text.strip())
    if match is None or (match["before"] and match["after"]):
        raise InputError(
            f"measure {text!r} is not of the form NAME@CUTOFF(OPTION=VALUE)",
            hint="write for example ndcg@100 or nce@100(types=8,ideal=supply)",
        )
    name = match["name"].lower().replace("-", "_").replace("α", "alpha")
    _check_name(match["name"], name in SPELLINGS)
    return Measure(
        name=SPELLINGS[name],
        cutoff=int(match["cutoff"]) if match["cutoff"] else None,
        options=tuple(_parse_options(match["before"] or match["after"] or "", text).items()),
    )


def _check_name(name: str, exists: bool) -> None:
    if not exists:
        raise InputError(f"no measure is called {name!r}", hint=f"known: {', '.join(MEASURES)}")


def _parse_options(text: str, measure: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in text.split(",") if text.strip() else ():
        match = _OPTION.fullmatch(part)
        if match is None or match["name"] in options:
            raise InputError(
                f"measure {measure!r}: expected each option once as NAME=VALUE; found {part!r}"
            )
        pair = match["name"], match["value"]
        name, value = _IR_MEASURES_OPTIONS.get(pair, pair)
        options[name] = value
    return options
