"""A page of results for people and as JSON, and the trace of how it came about."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from forebear.archive import Archive
from forebear.records.privacy import Viewer
from forebear.search.model import UNITS_PER_BIT
from forebear.search.results.describe import Description
from forebear.search.results.likely import LEAST_CHANCE
from forebear.search.results.page import ListCount, PageHit, ResultPage
from forebear.search.results.trace import Stage
from forebear.search.searcher import SearchResult

if TYPE_CHECKING:
    from forebear.search.results.facets import Facet

MOST_VALUES = 8  # of a facet, in text; JSON has them all


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPage:
    """A page with all that is told beside it."""

    archive: Archive
    result: SearchResult
    page: ResultPage
    viewer: Viewer
    search_id: str
    facets: "Sequence[Facet]" = ()
    trace: bool = False

    def describe(self, shown: PageHit) -> Description:
        """Return a hit in a few words."""
        hit = shown.hit.hit
        return self.archive.describe(hit.record_key, hit.position, viewer=self.viewer)


def page_text(shown: ShownPage) -> str:
    """Return a page of results for people."""
    page, result = shown.page, shown.result
    lines = [f"searched under one more name: {each}" for each in result.followed]
    lines += [f"relaxed, because little was found: {step}" for step in result.relaxed]
    for each in page.hits:
        if each.rank == page.less_likely_from:
            lines.append(f"---- less likely below: each under {LEAST_CHANCE:.0%} ----")
        lines.extend(_hit_lines(shown, each))
    if not page.hits:
        lines.append("no record found")
    lines += ["", *(_count_line(count) for count in page.counts)]
    lines.extend(facet_line(facet) for facet in shown.facets)
    if result.unused:
        lines.append(f"not used in this search: {', '.join(result.unused)}")
    if page.next_cursor:
        lines.append(f"next page: --cursor {page.next_cursor}")
    if shown.search_id:
        lines.append(f"search {shown.search_id}, model {result.model.name}")
    return "\n".join(lines)


def headline(told: Description) -> str:
    """Return a record's first line: type, name, role, date."""
    parts = [told.name, told.role, told.date]
    return f"{told.title:<9} " + ", ".join(part for part in parts if part)


def details(told: Description) -> list[str]:
    """Return a record's further lines: place, relatives, key."""
    age = f"age {told.age}" if told.age else ""
    relatives = "; ".join(told.relatives[:6])
    lines = [", ".join(part for part in (told.place, age) if part), relatives, told.record_key]
    return [line for line in lines if line]


def page_value(shown: ShownPage) -> dict[str, Any]:
    """Return a page of results as JSON has it."""
    page, result = shown.page, shown.result
    value: dict[str, Any] = {
        "search": shown.search_id,
        "model": result.model.name,
        "page": page.number,
        "total": page.total,
        "results": [_hit_value(shown, each) for each in page.hits],
        "less_likely_from": page.less_likely_from,
        "next": str(page.next_cursor) if page.next_cursor else None,
        "followed": [asdict(each) for each in result.followed],
        "relaxed": [{"fact": step.fact, "instead": step.words} for step in result.relaxed],
        "lists": [asdict(count) for count in page.counts],
        "unused": list(result.unused),
    }
    if shown.facets:
        value["facets"] = {
            facet.name: {each.value: each.records for each in facet.values}
            for facet in shown.facets
        }
    if shown.trace:
        value["trace"] = [_stage_value(stage) for stage in result.trace]
    return value


def trace_text(result: SearchResult) -> str:
    """Return how a result came about, a line for each stage and list."""
    head = (
        f"{'stage':<21} {'list':<14} {'clauses':>7} {'ways in':>7} {'candidates':>10} "
        f"{'cap':>6} {'impossible':>10} {'hits':>5} {'ms':>8}  state"
    )
    rows = [
        f"{stage.stage:<21} {stage.list_name or 'all':<14} {stage.clauses or '':>7} "
        f"{stage.branches or '':>7} {stage.candidates or '':>10} {stage.cap or '':>6} "
        f"{stage.excluded or '':>10} {stage.hits or '':>5} {stage.seconds * 1000:>8.2f}"
        f"  {stage.state}".rstrip()
        for stage in result.trace
    ]
    return "\n".join([head, *rows])


def _stage_value(stage: Stage) -> dict[str, Any]:
    value = asdict(stage)
    return {"stage": value.pop("stage"), "list": value.pop("list_name"), **value}


def _hit_lines(shown: ShownPage, each: PageHit) -> list[str]:
    told = shown.describe(each)
    lines = [f"{each.rank:>3}  {each.hit.probability:>4.0%}  {headline(told)}"]
    lines += [f"             {line}" for line in details(told)]
    lines += [f"             the same event: {key}" for key in each.also]
    return lines


def _hit_value(shown: ShownPage, each: PageHit) -> dict[str, Any]:
    told = shown.describe(each)
    return {
        "rank": each.rank,
        "record": told.record_key,
        "record_type": told.record_type,
        "score": each.hit.score / UNITS_PER_BIT,
        "probability": each.hit.probability,
        "name": told.name,
        "role": told.role,
        "date": told.date,
        "place": told.place,
        "relatives": list(told.relatives),
        "same_event": list(each.also),
    }


def _count_line(count: ListCount) -> str:
    line = f"{count.name}: {count.shown} shown of {count.records}"
    if count.excluded:
        line += f", {count.excluded} left out as impossible by date (--show-impossible)"
    if count.state != "complete":
        line += f", {count.state}: {count.message}"
    return line


def facet_line(facet: "Facet") -> str:
    """Return how records spread over one thing, the first values of it."""
    shown = ", ".join(f"{each.words} {each.records:,}" for each in facet.values[:MOST_VALUES])
    more = len(facet.values) - MOST_VALUES
    return f"by {facet.name}: {shown}" + (f" and {more} more" if more > 0 else "")
