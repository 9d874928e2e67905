"""What a name of a measure stands for: each measure's own file says it in its last lines."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from forebear_lab.evaluation.measures.judged_ranking import JudgedRanking
from forebear_lab.evaluation.measures.options import Option

# The grade of each record; its type, whatever its grade; what it covers (its type, or the
# subtopics for which it is relevant); or its grade for each aspect.
LooksAt = Literal["grades", "types", "aspects", "graded aspects"]
Options = Mapping[str, Any]  # every option of the measure, as its `Option` reads it
Calculation = Callable[[JudgedRanking, int | None, Options], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A measure's name, what it looks at, what it can be told, and how it is calculated."""

    name: str
    calculate: Calculation  # from the judged ranking, the cutoff and the options
    spellings: tuple[str, ...] = ()  # other names in use, in lower case
    options: Mapping[str, Option] = field(default_factory=dict)
    looks_at: LooksAt = "grades"
