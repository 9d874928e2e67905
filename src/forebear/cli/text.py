"""How are results and explanations written, for people and as JSON?"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from forebear.archive.result import Hit, Page, Result
from forebear.search.model import UNITS_PER_BIT
from forebear.search.results.describe import Description
from forebear.search.results.duplicates import identical_words
from forebear.search.results.figures import format_bits, write_figures
from forebear.search.results.page import ListCount
from forebear.search.results.probability import UNLIKELY, probability_words

# Late, because a search must start fast.
if TYPE_CHECKING:
    from forebear.search.facets import Facet
    from forebear.search.results.explain import Explanation, Row
    from forebear.search.results.figures import RowFigures
    from forebear.search.results.missing import MissingReason

MAX_VALUES = 8  # of a facet, in text; JSON has them all
MAX_RELATIVES = 6
COLUMN_WIDTHS = (24, 24, 24, 40)  # at most, of an explanation; longer texts are wrapped
BITS_WIDTH = 7
MAX_BRANCHES = 3  # into the list, in text; JSON has them all


def page_text(page: Page, facets: "Sequence[Facet]" = ()) -> str:
    """Return a page of results for people."""
    result = page.result
    lines = [f"read as: {', '.join(map(str, result.read_as))}"]
    lines += [f"searched under one more name: {name}" for name in result.followed]
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


def explanation_text(
    description: Description, explanation: "Explanation", *, clauses: bool = False
) -> str:
    """Return why a record has its probability, one row per fact, in bits that add up."""
    lines = [_headline(description), *(f"  {line}" for line in _details(description)), ""]
    chance = explanation.probability
    total = f"{probability_words(chance)}, {chance:.1%}"
    lines += _table(explanation.rows, total=total, clauses=clauses)
    if not clauses:
        return "\n".join(lines)
    lines += ["", "the order of the list:"]
    lines += [f"{format_bits(step.bits, 6):>12}  {step.words}" for step in explanation.steps]
    score = format_bits(explanation.score / UNITS_PER_BIT, 6)
    lines += ["-" * 12, f"{score:>12}  bits, which the list is ordered by"]
    rules = {rule for clause in explanation.clauses for rule in clause.rules}
    if rules:
        ordered = sorted(rules, key=lambda rule: int(rule.number))
        lines += ["", *(f"rule {rule.number}: {rule.words}" for rule in ordered)]
    return "\n".join(lines)


def missing_text(missing: "MissingReason", *, clauses: bool = False) -> str:
    """Return why a record is not in the list, and how it compares."""
    lines = [f"{missing.record_key} is not in the list ({missing.kind}): {missing.words}"]
    for branch in missing.branches[:MAX_BRANCHES]:
        lines.append(f"  not a candidate by {branch.name}:")
        for miss in branch.misses:
            recorded = miss.record_says or "nothing"
            lines.append(f"    {miss.fact}: you said {miss.you_said}; the record says {recorded}")
    if len(missing.branches) > MAX_BRANCHES:
        lines.append(f"  nor by {len(missing.branches) - MAX_BRANCHES} other ways")
    if missing.hint:
        lines.append(f"hint: {missing.hint}")
    if missing.rows:
        lines += ["", *_table(missing.rows, total="all facts together", clauses=clauses)]
    return "\n".join(lines)


def _table(rows: "Sequence[Row]", *, total: str, clauses: bool) -> Iterator[str]:
    """Yield the rows of an explanation as lines, if asked with the clauses behind them."""
    figures, sum_of_all = write_figures(rows)
    cells = [("fact", "you said", "the record says", "verdict")]
    cells += [(row.fact, row.you_said, row.record_says, row.verdict) for row in rows]
    columns = zip(*cells, ("", "", "", total), strict=True)
    widths = [
        min(width, max(map(len, column)))
        for column, width in zip(columns, COLUMN_WIDTHS, strict=True)
    ]
    for number, (line, bits) in enumerate(
        zip(cells, ["bits", *(figure.bits for figure in figures)], strict=True)
    ):
        wrapped = (wrap(cell, width) for cell, width in zip(line, widths, strict=True))
        for parts in zip_longest(*wrapped, fillvalue=""):
            padded = (part.ljust(width) for part, width in zip(parts, widths, strict=True))
            yield f"{'  '.join(padded)}  {bits:>{BITS_WIDTH}}".rstrip()
            bits = ""  # on the first line only
        if clauses and number:
            yield from _clause_lines(rows[number - 1], figures[number - 1])
    before = sum(widths[:-1]) + 2 * len(widths[:-1])
    yield "-" * (before + widths[-1] + 2 + BITS_WIDTH)
    yield f"{'':{before}}{total:<{widths[-1]}}  {sum_of_all:>{BITS_WIDTH}}"


def _clause_lines(row: "Row", figures: "RowFigures") -> Iterator[str]:
    for clause, figure in zip(row.clauses, figures.clauses, strict=True):
        note = f" ({clause.note})" if clause.note else ""
        rules = "".join(f", rule {rule.number}" for rule in clause.rules)
        yield f"{figure:>{BITS_WIDTH + 4}}  {clause.words}{note}  [{clause.clause}{rules}]"


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
    if hit.identical:
        yield f"             {identical_words(hit.identical)}: {', '.join(hit.identical)}"
    for key in hit.also:
        yield f"             the same event: {key}"


def _count_line(count: ListCount) -> str:
    line = f"{count.name}: {count.shown} shown of {count.records}"
    if count.excluded:
        line += f", {count.excluded} impossible by date (--show-impossible shows them)"
    if count.state != "complete":
        line += f", {count.state}: {count.message}"
    return line
