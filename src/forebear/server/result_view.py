"""What does a page show of a result?  Hits, counts, facets and links to other pages."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from forebear.archive.result import Hit, Page
from forebear.errors import NotFoundError
from forebear.records.collections import RECORD_TYPES
from forebear.search.facets import Facet, facet_words
from forebear.search.query.describe import QueryFact
from forebear.search.results.describe import Description
from forebear.search.results.duplicates import identical_words
from forebear.search.results.page import ListCount
from forebear.search.results.probability import probability_words
from forebear.server.explanation_view import ExplanationView, view_explanation
from forebear.server.form import SearchForm
from forebear.server.responses import public_message
from forebear.server.searches import VisitorSearch

Judgment = Literal["", "attached", "rejected", "maybe"]
MAX_VALUES = 12  # of a facet


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A button beside a hit: what it does, and its words."""

    kind: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HitView:
    """A hit as a page shows it."""

    rank: int
    description: Description
    address: str
    percent: str  # "" where no number is shown
    words: str
    bar: int  # the probability in whole percent
    why: ExplanationView
    judgment: Judgment
    buttons: tuple[Button, ...]  # for visitors who may attach and reject
    also: tuple[tuple[str, str], ...]  # records of the same event: key and address
    identical: tuple[tuple[str, str], ...]  # identical records: key and address
    identical_words: str
    is_first_unlikely: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CountView:
    """How much of a list there is, as a page shows it."""

    title: str
    count: ListCount
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLink:
    """A link to a page of the same search."""

    number: int
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetLink:
    """A value of a facet, with the address of the same search filtered by it."""

    words: str
    records: int
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetView:
    """A facet, with the address of the same search without a filter by it."""

    title: str
    values: tuple[FacetLink, ...]
    chosen: str  # the values filtered by, in words
    without: str  # the address


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    """A page of a result."""

    hits: tuple[HitView, ...]
    counts: tuple[CountView, ...]
    facets: tuple[FacetView, ...]
    followed: tuple[str, ...]
    relaxed: tuple[str, ...]
    links: tuple[PageLink, ...]  # to every page
    next_address: str  # the page after this one, whatever records arrive; "" on the last
    other_order: str  # the address of the list in its other order
    search_pairs: tuple[tuple[str, str], ...]  # the search, as hidden fields of a form
    number: int
    first: int  # rank of the first hit
    last: int
    total: int
    read_as: tuple[QueryFact, ...]  # the query as it was understood
    fields: SearchForm  # with its facts
    not_in_fields: tuple[QueryFact, ...]
    unused: tuple[str, ...]
    suggestion: str  # why no percentages are shown, and what to add
    model: str
    search_id: str
    judge_address: str  # "" for visitors who may not attach or reject
    review_address: str  # "" for visitors who are not signed in
    is_complete: bool  # whether the visitor looked at all records
    maybe: tuple[tuple[str, str], ...]  # records that are kept in view: key and address


def view_result(
    form: SearchForm, search: VisitorSearch, *, may_judge: bool, is_signed_in: bool
) -> ResultView:
    """Return what a page shows of the result of a search."""
    result = search.result
    page = result.page(form.page, cursor=form.after or None)
    if page.number > 1 and not page.hits:
        raise NotFoundError(
            f"there is no page {page.number}", hint=f"{result.total} records in all"
        )
    back = form.address("", search_id=result.id, page=form.page)
    judge_address = form.address("/judge", search_id=result.id, page=form.page)
    review_address = form.address("/review", search_id=result.id, page=form.page)
    return ResultView(
        hits=tuple(
            _view_hit(search, page, hit, back, is_signed_in=is_signed_in) for hit in page.hits
        ),
        counts=tuple(_view_count(count) for count in result.lists),
        facets=tuple(_view_facet(facet, form) for facet in result.facets()),
        followed=tuple(map(str, result.followed)),
        relaxed=tuple(map(str, result.relaxed)),
        links=tuple(_links(form, page)),
        next_address=_next(form, page),
        other_order=form.ordered("score" if form.order == "types" else "types").address(),
        search_pairs=tuple(form.pairs(search_id=result.id)),
        number=page.number,
        first=page.hits[0].rank if page.hits else 0,
        last=page.hits[-1].rank if page.hits else 0,
        total=result.total,
        read_as=result.read_as,
        fields=form.with_fields(result.query) if form.text else form,
        not_in_fields=form.not_in_fields(result.query) if form.text else (),
        unused=result.unused,
        suggestion=public_message(result.suggestion),
        model=result.model,
        search_id=result.id,
        judge_address=judge_address if may_judge else "",
        review_address=review_address if is_signed_in else "",
        is_complete=search.is_complete,
        maybe=tuple((key, record_address(key, back)) for key in sorted(search.maybe)),
    )


def record_address(record_key: str, back: str = "") -> str:
    """Return the address of a record, with the search to go back to."""
    return f"/record/{quote(record_key, safe='/:')}{back}"


def _view_hit(
    search: VisitorSearch, page: Page, hit: Hit, back: str, *, is_signed_in: bool
) -> HitView:
    shown, judgment = hit.shown_probability, _judgment(hit.record, search)
    return HitView(
        rank=hit.rank,
        description=hit.description,
        address=record_address(hit.record, back),
        percent="" if shown is None else f"{shown:.0%}",
        words="" if page.result.suggestion else probability_words(hit.probability),
        bar=round(100 * (shown or 0)),
        why=view_explanation(hit.explain()),
        judgment=judgment,
        buttons=_buttons(judgment, is_signed_in=is_signed_in),
        also=tuple((key, record_address(key, back)) for key in hit.also),
        identical=tuple((key, record_address(key, back)) for key in hit.identical),
        identical_words=identical_words(hit.identical),
        is_first_unlikely=hit.rank == page.less_likely_from,
    )


def _judgment(record_key: str, search: VisitorSearch) -> Judgment:
    if record_key in search.attached:
        return "attached"
    if record_key in search.rejected:
        return "rejected"
    return "maybe" if record_key in search.maybe else ""


def _buttons(judgment: Judgment, *, is_signed_in: bool) -> tuple[Button, ...]:
    """Return the buttons of a hit; visitors who are not signed in only vote."""
    instead = " instead" if judgment in ("attached", "rejected") else ""
    buttons = [
        Button(kind=kind, words=f"{kind.capitalize()}{instead}")
        for kind, done in (("attach", "attached"), ("reject", "rejected"))
        if judgment != done
    ]
    if is_signed_in and not judgment:
        buttons.append(Button(kind="maybe", words="Maybe"))
    elif is_signed_in:
        is_attached = judgment == "attached"
        kind, words = ("detach", "Detach") if is_attached else ("undo", "Undo")
        buttons.append(Button(kind=kind, words=words))
    return tuple(buttons)


def _view_count(count: ListCount) -> CountView:
    title = RECORD_TYPES[count.record_type].title
    return CountView(title=title, count=count, message=public_message(count.message))


def _view_facet(facet: Facet, form: SearchForm) -> FacetView:
    chosen = form.filters.get(facet.name, ())
    return FacetView(
        title=facet.name.capitalize(),
        values=tuple(
            FacetLink(
                words=value.words,
                records=value.records,
                address=form.filtered(facet.name, value.value).address(),
            )
            for value in facet.values[:MAX_VALUES]
        ),
        chosen=", ".join(facet_words(facet.name, value) for value in chosen),
        without=form.filtered(facet.name, "").address(),
    )


def _next(form: SearchForm, page: Page) -> str:
    if page.is_last:
        return ""
    after = str(page.next_cursor or "")
    return form.address(search_id=page.result.id, page=page.number + 1, after=after)


def _links(form: SearchForm, page: Page) -> Iterator[PageLink]:
    for number in range(1, -(-page.result.total // page.size) + 1):
        yield PageLink(number=number, address=form.address(search_id=page.result.id, page=number))
