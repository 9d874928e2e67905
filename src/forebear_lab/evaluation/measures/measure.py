"""The measure as a value.

A measure is a name, a cutoff and options.  It has one text form (`ndcg@100`,
`nce@100(types=8,ideal=supply)`), under which commands, reports and models know it;
`parse_measure` is the way back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from forebear.errors import InputError
from forebear_lab.evaluation.measures.definition import Definition, Options
from forebear_lab.evaluation.measures.judged_ranking import JudgedRanking
from forebear_lab.evaluation.measures.named import MEASURES
from forebear_lab.evaluation.measures.options import OptionValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What is measured: a name that `MEASURES` knows, how deep, and by which conventions."""

    name: str
    cutoff: int | None = None  # None: the whole list
    # What differs from the definition's defaults, in its order; may be given as a mapping.
    options: tuple[tuple[str, OptionValue], ...] = field(default=())

    def __post_init__(self) -> None:
        if self.name not in MEASURES:
            raise InputError(
                f"no measure is called {self.name!r}", hint=f"known: {', '.join(MEASURES)}"
            )
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

        Nothing found is worth nothing, whatever is measured: an empty list is perfectly
        varied by definition, and a system must not gain by staying silent.
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
        known = self.definition.options
        for name in given:
            if name not in known:
                raise InputError(
                    f"measure {self.name!r} has no option {name!r}",
                    hint=f"it has {', '.join(known)}" if known else "it has none",
                )
        read = {name: self._read_option(name, given[name]) for name in known if name in given}
        return tuple((name, value) for name, value in read.items() if value != known[name].default)

    def _read_option(self, name: str, value: OptionValue) -> OptionValue:
        if value is None:
            return None
        try:
            return self.definition.options[name].read(str(value))
        except InputError as error:
            raise InputError(f"option {name!r} of measure {self.name!r}: {error.message}") from None
