"""How are results and explanations written, for people and as JSON?"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from forebear.archive.result import Hit, Page, Result
from forebear.search.model import UNITS_PER_BIT
from forebear.search.results.describe import Description
from forebear.search.results.explain import Explanation, Reason
from forebear.search.results.likely import LEAST_CHANCE
from forebear.search.results.page import ListCount
from forebear.search.results.trace import Stage

if TYPE_CHECKING:
    from forebear.search.results.absence import Absence, Miss
    from forebear.search.results.facets import Facet


MOST_VALUES = 8  # of a facet, in text; JSON has them all


def page_text(page: Page, facets: "Sequence[Facet]" = ()) -> str:
    """Return a page of results for people."""
    result = page.result
    lines = [f"searched under one more name: {name}" for name in result.followed]
    lines += [f"relaxed, because little was found: {step}" for step in result.relaxed]
    for hit in page.hits:
        if hit.rank == page.less_likely_from:
            lines.append(f"---- less likely below: each under {LEAST_CHANCE:.0%} ----")
        lines.extend(_hit_lines(hit))
    if not page.hits:
        lines.append("no record found")
    lines += ["", *(_count_line(count) for count in result.lists)]
    lines.extend(facet_line(facet) for facet in facets)
    if result.unused:
        lines.append(f"not used in this search: {', '.join(result.unused)}")
    if page.next_cursor:
        lines.append(f"next page: --cursor {page.next_cursor}")
    if result.id:
        lines.append(f"search {result.id}, model {result.model}")
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
    page: Page, facets: "Sequence[Facet]" = (), *, trace: bool = False
) -> dict[str, Any]:
    """Return a page of results as JSON has it."""
    value = page.to_dict()
    if facets:
        value["facets"] = {
            facet.name: {counted.value: counted.records for counted in facet.values}
            for facet in facets
        }
    if trace:
        value["trace"] = [_stage_value(stage) for stage in page.result.trace]
    return value


def trace_text(result: Result) -> str:
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


def _hit_lines(hit: Hit) -> list[str]:
    lines = [f"{hit.rank:>3}  {hit.probability:>4.0%}  {headline(hit.description)}"]
    lines += [f"             {line}" for line in details(hit.description)]
    lines += [f"             the same event: {key}" for key in hit.also]
    return lines


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


VERDICTS = ("matched", "absent", "in conflict")


def explanation_text(told: Description, found: Explanation) -> str:
    """Return why a record stands where it stands, in bits that add up."""
    lines = [headline(told), *(f"  {line}" for line in details(told))]
    for verdict in VERDICTS:
        reasons = [reason for reason in found.reasons if reason.verdict == verdict]
        if reasons:
            lines += ["", f"{verdict}:", *map(_reason_line, reasons)]
    lines += ["", "the list:", *(f"{step.bits:>+12.6f}  {step.words}" for step in found.steps)]
    lines.append("-" * 12)
    lines.append(
        f"{found.score / UNITS_PER_BIT:>+12.6f}  bits: the right record with a chance of "
        f"{found.probability:.1%}"
    )
    every = {rule for reason in found.reasons for rule in reason.rules}
    rules = sorted(every, key=lambda rule: int(rule.number))
    if rules:
        lines += ["", *(f"rule {rule.number}: {rule.words}" for rule in rules)]
    return "\n".join(lines)


def explanation_value(found: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON has it."""
    return {
        "record": found.record_key,
        "in_list": True,
        "list": found.list_name,
        "score": found.score / UNITS_PER_BIT,
        "probability": found.probability,
        "shift": found.shift / UNITS_PER_BIT,
        "steps": [
            {"kind": step.kind, "bits": step.bits, "words": step.words} for step in found.steps
        ],
        "reasons": [
            {
                "clause": reason.clause,
                "verdict": reason.verdict,
                "bits": reason.bits,
                "words": reason.words,
                "note": reason.note,
                "rules": [asdict(rule) for rule in reason.rules],
            }
            for reason in found.reasons
        ],
    }


def absence_text(found: "Absence") -> str:
    """Return why a record is not in the list."""
    lines = [f"{found.record_key} is not in the list ({found.kind}): {found.words}"]
    for way in found.ways:
        lines += [f"  way in by {way.name}:", *(f"    {_miss_line(miss)}" for miss in way.misses)]
    if found.hint:
        lines.append(f"hint: {found.hint}")
    return "\n".join(lines)


def absence_value(found: "Absence") -> dict[str, Any]:
    """Return an absence as JSON has it."""
    value = asdict(found)
    key, score = value.pop("record_key"), value.pop("score")
    score = None if score is None else score / UNITS_PER_BIT
    return {"record": key, "in_list": False, **value, "score": score}


def _reason_line(reason: Reason) -> str:
    note = f" ({reason.note})" if reason.note else ""
    rules = "".join(f", rule {rule.number}" for rule in reason.rules)
    return f"{reason.bits:>+12.6f}  {reason.words}{note}  [{reason.clause}{rules}]"


def _miss_line(miss: "Miss") -> str:
    found = ", ".join(miss.found) or "nothing"
    return f"misses {miss.condition}: wanted {', '.join(miss.wanted)}; the record has {found}"
