"""The trace: what every stage of a search did for every list, and what it cost."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from forebear.search.record_search.ranked_list import ListSearch, RankedList


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One line of the trace: a stage, for one list or for all, and what it cost."""

    stage: str  # facts, expansion, record search, fusion; "relaxed ..." when run again
    list_name: str = ""  # "" for all lists
    clauses: int = 0
    branches: int = 0  # of the gate
    candidates: int = 0
    excluded: int = 0  # impossible by date
    cap: int = 0  # how many candidates the gate lets in before it is narrowed
    hits: int = 0
    state: str = ""  # of the list: complete, narrowed, partial, failed
    seconds: float


@dataclass(slots=True, kw_only=True)
class Trace:
    """The stages of a search as they happen."""

    stages: list[Stage] = field(default_factory=list)
    again: str = ""  # before the stages of a search that is run again

    @contextmanager
    def timed(self, stage: str, list_name: str = "") -> Iterator[dict[str, int]]:
        """Note a stage with its time, and what is put in the figures it is given."""
        figures: dict[str, int] = {}
        started = time.perf_counter()
        yield figures
        seconds = time.perf_counter() - started
        self.stages.append(
            Stage(
                stage=f"{self.again}{stage}",
                list_name=list_name,
                clauses=figures.get("clauses", 0),
                candidates=figures.get("candidates", 0),
                hits=figures.get("hits", 0),
                seconds=seconds,
            )
        )

    def add_list(self, search: ListSearch | None, ranked: RankedList) -> None:
        """Note the result of a list."""
        self.stages.append(
            Stage(
                stage=f"{self.again}record search",
                list_name=ranked.name,
                clauses=len(ranked.clauses),
                branches=len(search.gate.branches) if search else 0,
                candidates=ranked.candidates,
                excluded=ranked.excluded,
                cap=search.gate.limit if search else 0,
                hits=len(ranked.hits),
                state=ranked.state,
                seconds=ranked.seconds,
            )
        )
