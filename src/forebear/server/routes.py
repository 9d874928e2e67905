"""Which address shows which page?"""

from typing import Annotated, Any

from fastapi import APIRouter, BackgroundTasks, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from forebear.archive import Archive
from forebear.errors import ForebearError
from forebear.interactions.events import ActionKind
from forebear.records.collections import RECORD_TYPES
from forebear.server.browse_view import view_collection, view_neighbors
from forebear.server.errors import message_for_public, status_of, wants_json
from forebear.server.form import LABELS, SearchForm, read_form
from forebear.server.record_view import view_record
from forebear.server.render import render
from forebear.server.result_view import record_address, view_result
from forebear.server.searches import Searches
from forebear.server.visitors import Visitor, read_visitor


def make_routes(archive: Archive) -> APIRouter:
    """Return the routes of an archive's page."""
    router = APIRouter(include_in_schema=False)
    searches = Searches(archive)

    @router.get("/")
    def search(request: Request, tasks: BackgroundTasks) -> Response:
        form = read_form(request.query_params.multi_items())
        if not form.is_submitted:
            return _home(archive, form)
        try:
            return _results(archive, searches, form, tasks, read_visitor(request))
        except ForebearError as error:
            if wants_json(request):
                raise
            return _form_again(archive, form, error)

    @router.post("/judge")
    def judge(
        request: Request, record: Annotated[str, Form()], kind: Annotated[ActionKind, Form()]
    ) -> Response:
        form = read_form(request.query_params.multi_items())
        action = searches.act(form, record, kind, visitor=read_visitor(request))
        back = form.address(search_id=action.search_id, page=form.page)
        place = f"#hit-{action.rank}" if action.rank else ""
        return RedirectResponse(back + place, status_code=303)

    @router.get("/record/{record_key:path}")
    def record(request: Request, record_key: str) -> Response:
        form = read_form(request.query_params.multi_items())
        back = form.address("", search_id=form.search_id, page=form.page)
        shown = view_record(archive, record_key, back=back)
        beside = record_address(record_key, back).replace("/record/", "/beside/", 1)
        return render("record.html", record=shown, back=back and f"/{back}", beside=beside)

    @router.get("/beside/{record_key:path}")
    def beside(request: Request, record_key: str) -> Response:
        form = read_form(request.query_params.multi_items())
        back = form.address("", search_id=form.search_id, page=form.page)
        rows = view_neighbors(archive, record_key, back=back)
        return render(
            "beside.html", key=record_key, rows=rows, back=record_address(record_key, back)
        )

    @router.get("/missing")
    def missing(request: Request, record: str) -> Response:
        form = read_form(request.query_params.multi_items())
        key = record.strip()
        back = form.address("", search_id=form.search_id)
        reason = searches.missing(form, key)
        return render(
            "missing.html",
            key=key,
            reason=reason,
            person=form.person,
            back=f"/{back}",
            record_address=record_address(key, back),
        )

    @router.get("/browse/{collection}")
    def browse(
        collection: str,
        place: str = "",
        year: str = "",
        page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    ) -> Response:
        view = view_collection(archive, collection, place=place, year=year, page=page)
        return render("browse.html", collection=view)

    @router.get("/health")
    def health() -> dict[str, str | int]:
        return {"status": "ok", "records": sum(_counts(archive).values())}

    return router


def _home(archive: Archive, form: SearchForm) -> Response:
    counts = _counts(archive)
    return render("home.html", **_form_values(archive, form), records=sum(counts.values()))


def _results(
    archive: Archive, searches: Searches, form: SearchForm, tasks: BackgroundTasks, visitor: Visitor
) -> Response:
    search = searches.open(form)
    view = view_result(form, search)
    response = render("results.html", **_form_values(archive, form), result=view)
    if not search.is_logged:
        searches.log.add(search.result, visitor)
        tasks.add_task(searches.log.flush)
    return response


def _form_again(archive: Archive, form: SearchForm, error: ForebearError) -> Response:
    values = _form_values(archive, form)
    return render(
        "form_again.html",
        status=status_of(error),
        message=message_for_public(error),
        hint=error.hint,
        **values,
    )


def _form_values(archive: Archive, form: SearchForm) -> dict[str, Any]:
    names = [record_list.record_type for record_list in archive.lists()]
    types = {name: RECORD_TYPES[name].title for name in names}
    return {"form": form, "labels": LABELS, "mistakes": form.mistakes(), "types": types}


def _counts(archive: Archive) -> dict[str, int]:
    return archive.counts(viewer=archive.viewer("public"))
