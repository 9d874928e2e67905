"""What a page shows of an answer: hits, counts and the way to the other pages."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from forebear.archive import Archive
from forebear.errors import NotFoundError
from forebear.records.privacy import Viewer
from forebear.records.record_types import RECORD_TYPES
from forebear.search.fusion.shifted import FusedHit
from forebear.search.results.describe import Description
from forebear.search.results.page import ListCount, ResultPage, make_page
from forebear.server.chances import chance_percent, chance_words
from forebear.server.error_answers import public_message
from forebear.server.explanation_view import ExplanationView, view_explanation
from forebear.server.search_form import SearchForm
from forebear.server.searches import FoundSearch

Judgment = Literal["", "attached", "rejected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HitView:
    """A hit as a page shows it."""

    rank: int
    told: Description
    address: str
    percent: str
    words: str
    bar: int  # the chance in whole percent
    why: ExplanationView
    judgment: Judgment


@dataclass(frozen=True, slots=True, kw_only=True)
class CountView:
    """How much of a list there is, as a page shows it."""

    title: str
    count: ListCount
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLink:
    """A way to a page of the same search."""

    number: int
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    """A page of an answer."""

    hits: tuple[HitView, ...]
    counts: tuple[CountView, ...]
    links: tuple[PageLink, ...]  # to every page
    number: int
    first: int  # rank of the first hit
    last: int
    total: int
    unused: tuple[str, ...]
    model: str
    search_id: str
    judge_address: str


def view_result(
    archive: Archive, form: SearchForm, found: FoundSearch, search_id: str
) -> ResultView:
    """Return what a page shows of an answer that is logged under an id."""
    result = found.result
    page = make_page(result.fused, result.lists, number=form.page)
    if page.number > 1 and not page.hits:
        raise NotFoundError(f"there is no page {page.number}", hint=f"{page.total} records in all")
    viewer = archive.viewer(is_owner=False)
    back = form.address("", search_id=search_id, page=form.page)
    return ResultView(
        hits=tuple(_view_hit(archive, viewer, found, rank, hit, back) for rank, hit in page.hits),
        counts=tuple(_view_count(count) for count in page.counts),
        links=tuple(_links(form, page, search_id)),
        number=page.number,
        first=page.hits[0][0] if page.hits else 0,
        last=page.hits[-1][0] if page.hits else 0,
        total=page.total,
        unused=result.unused,
        model=result.model.name,
        search_id=search_id,
        judge_address=form.address("/judge", search_id=search_id, page=form.page),
    )


def record_address(record_key: str, back: str = "") -> str:
    """Return the address of a record, with the search to go back to."""
    return f"/record/{quote(record_key, safe='/:')}{back}"


def _view_hit(
    archive: Archive, viewer: Viewer, found: FoundSearch, rank: int, hit: FusedHit, back: str
) -> HitView:
    told = archive.describe(hit.hit.record_key, hit.hit.position, viewer=viewer)
    return HitView(
        rank=rank,
        told=told,
        address=record_address(told.record_key, back),
        percent=chance_percent(hit.probability),
        words=chance_words(hit.probability),
        bar=round(100 * hit.probability),
        why=view_explanation(found.result.explain(hit)),
        judgment=_judgment(told.record_key, found),
    )


def _judgment(record_key: str, found: FoundSearch) -> Judgment:
    if record_key in found.attached:
        return "attached"
    return "rejected" if record_key in found.rejected else ""


def _view_count(count: ListCount) -> CountView:
    title = RECORD_TYPES[count.record_type].title
    return CountView(title=title, count=count, message=public_message(count.message))


def _links(form: SearchForm, page: ResultPage, search_id: str) -> Iterator[PageLink]:
    for number in range(1, -(-page.total // page.size) + 1):
        yield PageLink(number=number, address=form.address(search_id=search_id, page=number))
