"""How are results and explanations written, for people and as JSON?"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from forebear.archive.result import Hit, Page, Result
from forebear.search.model import UNITS_PER_BIT
from forebear.search.results.describe import Description
from forebear.search.results.explain import Explanation, Reason
from forebear.search.results.page import ListCount
from forebear.search.results.probability import UNLIKELY, probability_words

# Late, because a search must start fast.
if TYPE_CHECKING:
    from forebear.search.results.absence import Absence
    from forebear.search.results.facets import Facet

MAX_VALUES = 8  # of a facet, in text; JSON has them all
MAX_RELATIVES = 6
VERDICTS = ("matched", "absent", "in conflict")


def page_text(page: Page, facets: "Sequence[Facet]" = ()) -> str:
    """Return a page of results for people."""
    result = page.result
    lines = [f"searched under one more name: {name}" for name in result.followed]
    lines += [f"relaxed, because little was found: {step}" for step in result.relaxed]
    if result.suggestion:
        lines.append(result.suggestion)
    for hit in page.hits:
        if hit.rank == page.less_likely_from:
            lines.append(f"---- less likely below: each under {UNLIKELY:.0%} ----")
        lines.extend(_hit_lines(hit))
    if not page.hits:
        number = f" on page {page.number}: there are {result.total} in all" if result.total else ""
        lines.append(f"no record found{number}")
    lines += ["", *(_count_line(count) for count in result.lists)]
    lines.extend(facet_line(facet) for facet in facets)
    if result.unused:
        lines.append(f"not used in this search: {', '.join(result.unused)}")
    if page.next_cursor:
        lines.append(f"next page: --cursor {page.next_cursor}")
    if result.id:
        lines.append(f"search {result.id}, model {result.model}")
    return "\n".join(lines)


def page_value(
    page: Page, facets: "Sequence[Facet]" = (), *, trace: bool = False
) -> dict[str, Any]:
    """Return a page of results for JSON."""
    value = page.to_dict()
    if facets:
        value["facets"] = facets_value(facets)
    if trace:
        stages = [asdict(stage) for stage in page.result.trace]
        value["trace"] = [
            {"stage": stage.pop("stage"), "list": stage.pop("list_name"), **stage}
            for stage in stages
        ]
    return value


def trace_text(result: Result) -> str:
    """Return what each stage of a search did, a line for each stage and list."""
    head = (
        f"{'stage':<21} {'list':<14} {'clauses':>7} {'branches':>8} {'candidates':>10} "
        f"{'cap':>6} {'impossible':>10} {'hits':>5} {'ms':>8}  state"
    )
    rows = [
        f"{stage.stage:<21} {stage.list_name or 'all':<14} {stage.clauses or '':>7} "
        f"{stage.branches or '':>8} {stage.candidates or '':>10} {stage.cap or '':>6} "
        f"{stage.excluded or '':>10} {stage.hits or '':>5} {stage.seconds * 1000:>8.2f}"
        f"  {stage.state}".rstrip()
        for stage in result.trace
    ]
    return "\n".join([head, *rows])


def facet_line(facet: "Facet") -> str:
    """Return how many records each value of a facet has, for the first values."""
    values = ", ".join(f"{value.words} {value.records:,}" for value in facet.values[:MAX_VALUES])
    more = len(facet.values) - MAX_VALUES
    return f"by {facet.name}: {values}" + (f" and {more} more" if more > 0 else "")


def facets_value(facets: "Sequence[Facet]") -> dict[str, dict[str, int]]:
    """Return the counts of facets for JSON."""
    return {facet.name: {value.value: value.records for value in facet.values} for facet in facets}


def row_line(description: Description) -> str:
    """Return a record as a row of its register."""
    parts = [description.date, description.name, description.role, description.place]
    return f"  {description.record_key}  " + ", ".join(part for part in parts if part)


def row_value(description: Description) -> dict[str, str]:
    """Return a record as a row of its register, for JSON."""
    return {
        "record": description.record_key,
        "date": description.date,
        "name": description.name,
        "role": description.role,
        "place": description.place,
        "source": description.source,
    }


def explanation_text(description: Description, explanation: Explanation) -> str:
    """Return why a record has its score, in bits that add up."""
    lines = [_headline(description), *(f"  {line}" for line in _details(description))]
    for verdict in VERDICTS:
        reasons = [reason for reason in explanation.reasons if reason.verdict == verdict]
        if reasons:
            lines += ["", f"{verdict}:", *map(_reason_line, reasons)]
    lines += ["", "the list:"]
    lines += [f"{step.bits:>+12.6f}  {step.words}" for step in explanation.steps]
    lines.append("-" * 12)
    lines.append(f"{explanation.score / UNITS_PER_BIT:>+12.6f}  bits, which the list is ordered by")
    lines += ["", "the probability:"]
    lines += [f"{step.bits:>+12.6f}  {step.words}" for step in explanation.odds]
    lines.append("-" * 12)
    lines.append(
        f"{explanation.log_odds:>+12.6f}  log2 odds: {probability_words(explanation.probability)}, "
        f"{explanation.probability:.1%}"
    )
    rules = {rule for reason in explanation.reasons for rule in reason.rules}
    if rules:
        ordered = sorted(rules, key=lambda rule: int(rule.number))
        lines += ["", *(f"rule {rule.number}: {rule.words}" for rule in ordered)]
    return "\n".join(lines)


def explanation_value(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation for JSON."""
    return {
        "record": explanation.record_key,
        "in_list": True,
        "list": explanation.list_name,
        "score": explanation.score / UNITS_PER_BIT,
        "probability": explanation.probability,
        "log_odds": explanation.log_odds,
        "odds": [asdict(step) for step in explanation.odds],
        "shift": explanation.shift / UNITS_PER_BIT,
        "steps": [
            {"kind": step.kind, "bits": step.bits, "words": step.words}
            for step in explanation.steps
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
            for reason in explanation.reasons
        ],
    }


def missing_text(missing: "Absence") -> str:
    """Return why a record is not in the list."""
    lines = [f"{missing.record_key} is not in the list ({missing.kind}): {missing.words}"]
    for branch in missing.ways:
        lines.append(f"  not a candidate by {branch.name}:")
        for miss in branch.misses:
            terms = ", ".join(miss.found) or "nothing"
            lines.append(
                f"    {miss.condition}: expected {', '.join(miss.wanted)}; the record has {terms}"
            )
    if missing.hint:
        lines.append(f"hint: {missing.hint}")
    return "\n".join(lines)


def missing_value(missing: "Absence") -> dict[str, Any]:
    """Return for JSON why a record is not in the list."""
    value = asdict(missing)
    key, score = value.pop("record_key"), value.pop("score")
    score = None if score is None else score / UNITS_PER_BIT
    return {"record": key, "in_list": False, **value, "score": score}


def _headline(description: Description) -> str:
    parts = [description.name, description.role, description.date]
    return f"{description.title:<9} " + ", ".join(part for part in parts if part)


def _details(description: Description) -> Iterator[str]:
    age = f"age {description.age}" if description.age else ""
    place = ", ".join(part for part in (description.place, age) if part)
    relatives = "; ".join(description.relatives[:MAX_RELATIVES])
    yield from filter(None, (place, relatives, description.record_key))


def _hit_lines(hit: Hit) -> Iterator[str]:
    shown = hit.shown_probability
    percent = "" if shown is None else f"{shown:.0%}"
    yield f"{hit.rank:>3}  {percent:>4}  {_headline(hit.description)}"
    for line in _details(hit.description):
        yield f"             {line}"
    for key in hit.also:
        yield f"             the same event: {key}"


def _count_line(count: ListCount) -> str:
    line = f"{count.name}: {count.shown} shown of {count.records}"
    if count.excluded:
        line += f", {count.excluded} impossible by date (--show-impossible shows them)"
    if count.state != "complete":
        line += f", {count.state}: {count.message}"
    return line


def _reason_line(reason: Reason) -> str:
    note = f" ({reason.note})" if reason.note else ""
    rules = "".join(f", rule {rule.number}" for rule in reason.rules)
    return f"{reason.bits:>+12.6f}  {reason.words}{note}  [{reason.clause}{rules}]"
