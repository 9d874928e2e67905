"""Results for people and as JSON: the page, the trace, the explanation."""

from typing import Any

from forebear.archive import Archive
from forebear.records.privacy import Viewer
from forebear.search.model import GRID
from forebear.search.results.describe import Description
from forebear.search.results.explain import Explanation
from forebear.search.results.page import ListCount, ResultPage
from forebear.search.searcher import SearchResult


def page_text(
    archive: Archive, result: SearchResult, page: ResultPage, *, viewer: Viewer, search_id: str
) -> str:
    """Return a page of results for people."""
    lines = []
    for rank, hit in page.hits:
        told = archive.describe(hit.hit.record_key, hit.hit.position, viewer=viewer)
        lines.append(f"{rank:>3}  {hit.probability:>4.0%}  {headline(told)}")
        lines.extend(f"             {line}" for line in details(told))
    if not lines:
        lines.append("no record found")
    lines += ["", *(_count_line(count) for count in page.counts)]
    if result.unused:
        lines.append(f"not used in this search: {', '.join(result.unused)}")
    if search_id:
        lines.append(f"search {search_id}, model {result.model.name}")
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


def page_value(
    archive: Archive,
    result: SearchResult,
    page: ResultPage,
    *,
    viewer: Viewer,
    search_id: str,
    trace: bool,
) -> dict[str, Any]:
    """Return a page of results as JSON has it."""
    value: dict[str, Any] = {
        "search": search_id,
        "model": result.model.name,
        "page": page.number,
        "total": page.total,
        "results": [],
        "lists": [
            {
                "name": count.name,
                "record_type": count.record_type,
                "shown": count.shown,
                "records": count.records,
                "excluded": count.excluded,
                "state": count.state,
                "message": count.message,
            }
            for count in page.counts
        ],
        "unused": list(result.unused),
    }
    for rank, hit in page.hits:
        told = archive.describe(hit.hit.record_key, hit.hit.position, viewer=viewer)
        value["results"].append(
            {
                "rank": rank,
                "record": told.record_key,
                "record_type": told.record_type,
                "score": hit.score / GRID,
                "probability": hit.probability,
                "name": told.name,
                "role": told.role,
                "date": told.date,
                "place": told.place,
                "relatives": list(told.relatives),
            }
        )
    if trace:
        value["trace"] = [
            {
                "stage": stage.stage,
                "list": stage.list_name,
                "clauses": stage.clauses,
                "candidates": stage.candidates,
                "hits": stage.hits,
                "seconds": stage.seconds,
            }
            for stage in result.trace
        ]
    return value


def trace_text(result: SearchResult) -> str:
    """Return how a result came about, a line for each stage and list."""
    head = f"{'stage':<14} {'list':<12} {'clauses':>7} {'candidates':>10} {'hits':>5} {'ms':>8}"
    rows = [
        f"{stage.stage:<14} {stage.list_name or 'all':<12} {stage.clauses or '':>7} "
        f"{stage.candidates or '':>10} {stage.hits or '':>5} {stage.seconds * 1000:>8.2f}"
        for stage in result.trace
    ]
    return "\n".join([head, *rows])


def explanation_text(told: Description, found: Explanation) -> str:
    """Return why a record stands where it stands, in bits that add up."""
    lines = [headline(told), *(f"  {line}" for line in details(told)), ""]
    for reason in found.reasons:
        note = f" ({reason.note})" if reason.note else ""
        lines.append(f"{reason.bits:>+9.3f}  {reason.words}{note}  [{reason.clause}]")
    lines.append(f"{found.shift / GRID:>+9.3f}  shift of the list {found.list_name}")
    lines.append(f"{'-' * 9}")
    lines.append(
        f"{found.score / GRID:>+9.3f}  bits: the right record with a chance of "
        f"{found.probability:.1%}"
    )
    return "\n".join(lines)


def explanation_value(found: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON has it."""
    return {
        "record": found.record_key,
        "list": found.list_name,
        "score": found.score / GRID,
        "probability": found.probability,
        "shift": found.shift / GRID,
        "reasons": [
            {
                "clause": reason.clause,
                "bits": reason.bits,
                "words": reason.words,
                "note": reason.note,
            }
            for reason in found.reasons
        ],
    }


def _count_line(count: ListCount) -> str:
    line = f"{count.name}: {count.shown} shown of {count.records}"
    if count.excluded:
        line += f", {count.excluded} left out as impossible by date"
    if count.state != "complete":
        line += f", {count.state}: {count.message}"
    return line
