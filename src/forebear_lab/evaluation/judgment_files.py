"""The files that a run is judged by."""

from dataclasses import dataclass
from pathlib import Path

from forebear.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgmentFiles:
    """What a run is judged by: judgments, and the types of documents if measures ask for them.

    Judgments are read by subtopic if told, or if a measure looks at what documents cover
    and there are no types.
    """

    qrels: Path
    types: Path | None = None  # a document and its type a line
    type_runs: Path | None = None  # or a folder of runs, one a type
    by_subtopic: bool = False

    def __post_init__(self) -> None:
        if self.types and self.type_runs:
            raise InputError("the types come from a file or from runs, one a type, not from both")
