"""Do searches with a varied first page lead to more attachments?

The paper's reason for NCE is engagement.  Logged searches are divided into thirds by the NCE of
their first page, and the attachments of each third are counted.  A page of fewer than two records
cannot vary, so such searches are counted apart.

The thirds differ in more than variety: a frequent name fills the page with census entries and is
hard to attach, a rare one finds one record of each type.  So a difference is no proof that variety
causes attachments.  Simulated users examine records by rank and attach right ones, whatever their
types: what they show is how far that alone makes a difference.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from forebear.archive import Archive
from forebear.interactions.compact import FIRST_PAGE
from forebear.interactions.events import Action, JudgedSearch, LoggedSearch, judge
from forebear.kernels.ndcg import Floats
from forebear.learning.measures import nce_of_arrays
from forebear_lab.evaluation.tables import Table
from forebear_lab.simulation.behavior import Behavior, act
from forebear_lab.simulation.users import Visit

RESAMPLES = 2_000
THIRDS = ("lowest", "middle", "highest")
CAVEAT = (
    "Thirds of searches by the NCE of the first page. They differ in who is searched for as well, "
    "so a difference does not prove that variety causes attachments."
)
SIMULATED_USERS = (
    "The users are simulated: they attach by rank and relevance alone, so this checks the method "
    "and says nothing about people."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstPage:
    """The record types on the first page of a search, and how many records were attached."""

    types: tuple[str, ...]
    attached: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Third:
    """A third of the searches, and their attachments."""

    name: str
    nce_from: float
    nce_to: float
    searches: int
    attachments: float  # per search
    low: float  # of the 95 % interval, by bootstrap over searches
    high: float
    share: float  # of searches with an attachment


@dataclass(frozen=True, slots=True, kw_only=True)
class Engagement:
    """Attachments per search by the NCE of the first page."""

    thirds: tuple[Third, ...]
    too_short: int  # searches whose page had fewer than two records
    simulated: bool = False  # the users

    @property
    def caveat(self) -> str:
        """Return what the figures do not show."""
        short = f"{self.too_short:,} searches found fewer than two records and are not counted."
        return " ".join([CAVEAT, *([SIMULATED_USERS] if self.simulated else []), short])

    def value(self) -> dict[str, Any]:
        """Return everything as plain values."""
        names = Third.__slots__
        rows = [{name: getattr(third, name) for name in names} for third in self.thirds]
        return {"thirds": rows, "too_short": self.too_short, "caveat": self.caveat}

    def table(self) -> Table:
        """Return the thirds as a table."""
        return Table(
            headings=("NCE of page 1", "from", "to", "searches", "attachments", "95 %", "any"),
            rows=[
                (
                    third.name,
                    third.nce_from,
                    third.nce_to,
                    third.searches,
                    third.attachments,
                    f"[{third.low:.3f}, {third.high:.3f}]",
                    f"{third.share:.1%}",
                )
                for third in self.thirds
            ],
        )


def read_first_pages(archive: Archive) -> list[FirstPage]:
    """Return the first pages of all logged searches."""
    return [_first_page(search, actions) for search, actions in archive.logged_searches()]


def measure_engagement(
    pages: Sequence[FirstPage], *, type_count: int, seed: int, simulated: bool = False
) -> Engagement:
    """Divide searches into thirds by the NCE of their first page, and count attachments.

    Searches of equal NCE stay in one third, so thirds may be unequal, and one may be missing.
    """
    usable = [page for page in pages if len(page.types) > 1]
    values = _page_nce(usable, type_count)
    attached = np.array([page.attached for page in usable], np.float64)
    low, high = np.quantile(values, [1 / 3, 2 / 3]) if usable else (0.0, 0.0)
    places = (values > low).astype(int) + (values > high)
    random = np.random.default_rng(seed)
    thirds = []
    for place, name in enumerate(THIRDS):
        rows = np.flatnonzero(places == place)
        if rows.size:
            sampled = attached[rows[random.integers(rows.size, size=(RESAMPLES, rows.size))]]
            ends = np.quantile(sampled.mean(axis=1), [0.025, 0.975])
            thirds.append(
                Third(
                    name=name,
                    nce_from=float(values[rows].min()),
                    nce_to=float(values[rows].max()),
                    searches=int(rows.size),
                    attachments=float(attached[rows].mean()),
                    low=float(ends[0]),
                    high=float(ends[1]),
                    share=float((attached[rows] > 0).mean()),
                )
            )
    too_short = len(pages) - len(usable)
    return Engagement(thirds=tuple(thirds), too_short=too_short, simulated=simulated)


def simulate_first_pages(
    searches: Sequence[JudgedSearch],
    visits: Mapping[str, Visit],
    *,
    seed: int,
    behavior: Behavior | None = None,
) -> list[FirstPage]:
    """Return the first pages of users' searches, and what they attach from the whole list.

    A user passes over records that he or she attached or rejected in an earlier search.
    """
    decided: dict[str, set[str]] = {}
    pages = []
    for one in searches:
        visit = visits.get(one.search.id)
        if visit is not None:
            already = decided.setdefault(visit.user, set())
            actions = act(
                one.search.shown,
                one.attached,
                user=visit.user,
                query_id=visit.query_id,
                seed=seed,
                behavior=behavior or Behavior(),
                already=already,
            )
            already.update(actions.attached, actions.rejected)
            types = _page_types(one.search)
            pages.append(FirstPage(types=types, attached=len(actions.attached)))
    return pages


def _first_page(search: LoggedSearch, actions: Iterable[Action]) -> FirstPage:
    return FirstPage(types=_page_types(search), attached=len(judge(search, actions).attached))


def _page_types(search: LoggedSearch) -> tuple[str, ...]:
    """Return the record types on the first page; a compact entry has no lists, but its types."""
    if search.types:
        return search.types
    type_of = {key: shown.record_type for shown in search.lists for key in shown.records}
    return tuple(type_of[key] for key in search.shown[:FIRST_PAGE] if key in type_of)


def _page_nce(pages: Sequence[FirstPage], type_count: int) -> Floats:
    names = sorted({name for page in pages for name in page.types})
    number = {name: place for place, name in enumerate(names)}
    types = [number[name] for page in pages for name in page.types]
    offsets = np.cumsum([0, *(len(page.types) for page in pages)])
    return nce_of_arrays(
        np.array(types, np.int64), offsets, type_count=max(type_count, len(names), 1)
    )
