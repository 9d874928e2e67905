"""Which address shows which page?"""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, BackgroundTasks, Form, Request
from fastapi.responses import RedirectResponse, Response

from forebear import __version__
from forebear.archive import Archive
from forebear.errors import AccessError, ArchiveError, ForebearError
from forebear.records.collections import RECORD_TYPES
from forebear.server.explanation_view import view_rows
from forebear.server.form import LABELS, SearchForm, read_form
from forebear.server.limits import Turns
from forebear.server.options import ServerOptions
from forebear.server.record_view import view_collection, view_neighbors, view_record
from forebear.server.responses import message_for_public, render, status_of, wants_json
from forebear.server.result_view import record_address, view_result
from forebear.server.searches import Searches
from forebear.server.visitors import Visitor, read_visitor, sign_in, sign_out

JudgeKind = Literal["attach", "reject", "maybe", "detach", "undo"]
ReviewKind = Literal["complete", "undo"]


def make_routes(archive: Archive, options: ServerOptions, turns: Turns) -> APIRouter:
    """Return the routes of an archive's page."""
    router = APIRouter(include_in_schema=False)
    searches = Searches(
        archive,
        allow_votes=options.allow_votes,
        challenger=options.challenger,
        limits=options.log_limits,
    )
    _add_searches(router, archive, searches, turns)
    _add_records(router, archive, searches)
    _add_sessions(router, archive, options)

    @router.get("/health")
    async def health() -> dict[str, str]:
        # Neither a lock nor a thread is waited for, and nothing of the archive is read.
        if not archive.path.exists():
            raise ArchiveError("the archive's file is not there")
        return {"status": "ok", "version": __version__}

    return router


def _add_searches(router: APIRouter, archive: Archive, searches: Searches, turns: Turns) -> None:
    """Add the search page, what is done with its results, and why a record is missing."""

    @router.get("/")
    def search(request: Request, tasks: BackgroundTasks) -> Response:
        form = read_form(request.query_params.multi_items())
        visitor = read_visitor(request, archive)
        if not form.is_submitted:
            return _home(archive, form, visitor)
        try:
            return _results(archive, searches, form, tasks, visitor, turns)
        except ForebearError as error:
            if wants_json(request):
                raise
            return _form_again(archive, form, error, visitor)

    @router.post("/judge")
    def judge(
        request: Request, record: Annotated[str, Form()], kind: Annotated[JudgeKind, Form()]
    ) -> Response:
        form = read_form(request.query_params.multi_items())
        action = searches.act(form, record, kind, visitor=read_visitor(request, archive))
        back = form.address(search_id=action.search_id, page=form.page)
        place = f"#hit-{action.rank}" if action.rank else ""
        return RedirectResponse(back + place, status_code=303)

    @router.post("/review")
    def review(request: Request, kind: Annotated[ReviewKind, Form()]) -> Response:
        form = read_form(request.query_params.multi_items())
        search_id = searches.review(
            form, is_complete=kind == "complete", visitor=read_visitor(request, archive)
        )
        back = form.address(search_id=search_id, page=form.page)
        return RedirectResponse(f"{back}#review", status_code=303)

    @router.get("/missing")
    def missing(request: Request, record: str) -> Response:
        form = read_form(request.query_params.multi_items())
        key = record.strip()
        back = form.address("", search_id=form.search_id)
        with turns.take():
            reason = searches.missing(form, key)
        rows, total = view_rows(reason.rows if reason else ())
        return render(
            "missing.html",
            visitor=read_visitor(request, archive),
            key=key,
            reason=reason,
            rows=rows,
            total=total,
            person=form.person,
            back=f"/{back}",
            record_address=record_address(key, back),
        )


def _add_records(router: APIRouter, archive: Archive, searches: Searches) -> None:
    """Add the pages of a record, of those around it, and of a collection."""

    @router.get("/record/{record_key:path}")
    def record(request: Request, record_key: str, tasks: BackgroundTasks) -> Response:
        form = read_form(request.query_params.multi_items())
        visitor = read_visitor(request, archive)
        back = form.address("", search_id=form.search_id, page=form.page)
        shown = view_record(archive, record_key, back=back)
        if visitor.is_signed_in and form.search_id:
            tasks.add_task(searches.note_opened, form, record_key, visitor)
        beside = record_address(record_key, back).replace("/record/", "/beside/", 1)
        return render(
            "record.html",
            visitor=visitor,
            record=shown,
            back=back and f"/{back}",
            beside=beside,
        )

    @router.get("/beside/{record_key:path}")
    def beside(request: Request, record_key: str) -> Response:
        form = read_form(request.query_params.multi_items())
        back = form.address("", search_id=form.search_id, page=form.page)
        rows = view_neighbors(archive, record_key, back=back)
        return render(
            "beside.html",
            visitor=read_visitor(request, archive),
            key=record_key,
            rows=rows,
            back=record_address(record_key, back),
        )

    @router.get("/browse/{collection}")
    def browse(
        request: Request,
        collection: str,
        place: str = "",
        year: str = "",
        after: str = "",
        before: str = "",
    ) -> Response:
        view = view_collection(
            archive, collection, place=place, year=year, after=after, before=before
        )
        return render("browse.html", visitor=read_visitor(request, archive), collection=view)


def _add_sessions(router: APIRouter, archive: Archive, options: ServerOptions) -> None:
    """Add the addresses that sign a visitor in and out."""

    @router.get("/sign-in/{token}")
    def open_link(request: Request, token: str) -> Response:
        link = archive.sign_in(token)
        if link is None:
            raise AccessError(
                "this sign-in link is not valid: it has expired, was revoked, or is incomplete",
                hint="ask whoever runs the archive for a new one",
            )
        response = RedirectResponse("/", status_code=303)
        sign_in(response, token, link, is_https=options.is_https(request.headers["host"]))
        return response

    @router.post("/sign-out")
    def end_session() -> Response:
        response = RedirectResponse("/", status_code=303)
        sign_out(response)
        return response


def _home(archive: Archive, form: SearchForm, visitor: Visitor) -> Response:
    counts = archive.counts(viewer="public")
    return render(
        "home.html",
        visitor=visitor,
        **_form_values(archive, form),
        records=sum(counts.values()),
    )


def _results(
    archive: Archive,
    searches: Searches,
    form: SearchForm,
    tasks: BackgroundTasks,
    visitor: Visitor,
    turns: Turns,
) -> Response:
    with turns.take():
        search = searches.open(form, visitor)
        view = view_result(
            form,
            search,
            may_judge=searches.may_act(visitor),
            is_signed_in=visitor.is_signed_in,
        )
        values = _form_values(archive, form)
        response = render("results.html", visitor=visitor, **values, result=view)
    if not search.is_logged:
        searches.log.add(search.result, visitor)
        tasks.add_task(searches.log.flush)
    return response


def _form_again(
    archive: Archive, form: SearchForm, error: ForebearError, visitor: Visitor
) -> Response:
    values = _form_values(archive, form)
    return render(
        "form_again.html",
        visitor=visitor,
        status=status_of(error),
        message=message_for_public(error),
        hint=error.hint,
        **values,
    )


def _form_values(archive: Archive, form: SearchForm) -> dict[str, Any]:
    names = [record_list.record_type for record_list in archive.lists(viewer="public")]
    types = {name: RECORD_TYPES[name].title for name in names}
    return {"form": form, "labels": LABELS, "mistakes": form.mistakes(), "types": types}
