"""Which JSON does a program get?  The reading part of an archive under ``/api/1``.

Everything here is for the public: the privacy mask is that of the pages.  A search is stateless
and not logged; a page continues by the cursor of the one before.  Errors are problem details
(RFC 9457).  The models below describe the responses in ``/openapi.json``.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Body, FastAPI, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from forebear.archive import Archive
from forebear.archive.result import Result
from forebear.errors import InputError
from forebear.records.codec import collection_to_json, record_to_json
from forebear.search.facets import FILTERS
from forebear.search.query.person_query import PersonQuery
from forebear.search.search_result import SearchOptions
from forebear.server.form import FILTER, LABELS, read_form
from forebear.server.limits import Turns

PREFIX = "/api/1"
MAX_SIZE = 100  # hits per page
OPTIONS = frozenset({"text", "type", "impossible", "order", "size", "cursor", "record"})


class Problem(BaseModel):
    """An error, as RFC 9457 describes problem details."""

    type: str = Field(examples=["about:blank"])
    title: str = Field(examples=["Bad request"])
    status: int = Field(examples=[400])
    detail: str = Field(examples=["date of birth: 'soon' is not understood as a date"])
    code: str = Field(description="The heading in docs/reference/errors.md.", examples=["query"])
    hint: str | None = Field(default=None, examples=["write it like 1851 or abt 1851"])


class HitModel(BaseModel):
    """A record in which the person may appear."""

    rank: int
    record: str = Field(description="COLLECTION:ID", examples=["marriages:MAR-0032"])
    record_type: str
    score: float = Field(description="In bits.")
    probability: float = Field(ge=0, le=1, description="Not rounded; it never rises.")
    shown_probability: float | None = Field(
        description="In steps of 0.05; null if under 0.05, or where no numbers should be shown."
    )
    name: str
    role: str
    date: str
    place: str
    relatives: list[str]
    same_event: list[str] = Field(description="Other records of the same event.")
    identical: list[str] = Field(description="Identical records of the same collection.")


class ListModel(BaseModel):
    """What one ranked list contributed."""

    model_config = ConfigDict(extra="allow")

    name: str
    record_type: str
    state: str = Field(description="complete, narrowed, partial or failed", examples=["complete"])


class QueryFactModel(BaseModel):
    """A fact of the query, as it was understood."""

    fact: str = Field(examples=["surname"])
    value: str = Field(examples=["Thurlow"])


class PageModel(BaseModel):
    """One page of a result."""

    read_as: list[QueryFactModel] = Field(description="The query as it was understood.")
    model: str
    total: int
    results: list[HitModel]
    less_likely_from: int | None
    suggestion: str = Field(description="Why no numbers are shown, and what to change; else empty.")
    next: str | None = Field(description="The cursor of the next page.")
    followed: list[dict[str, Any]]
    relaxed: list[dict[str, str]]
    lists: list[ListModel]
    unused: list[str]


class RuleModel(BaseModel):
    """A rule by which facts of the query become what a record would say."""

    number: str
    words: str


class ClauseModel(BaseModel):
    """One clause that fired."""

    clause: str
    words: str
    note: str = Field(description="What a rule inferred, if one did.")
    rules: list[RuleModel]
    bits: float


class RowModel(BaseModel):
    """What a fact, the list or other records add to log2 of the odds."""

    kind: str = Field(description="fact, type, list, rivals or pooling", examples=["fact"])
    fact: str
    you_said: str
    record_says: str
    verdict: str
    bits: float
    clauses: list[ClauseModel] = Field(description="They add up to the row.")


class StepModel(BaseModel):
    """One step to the score that the list is ordered by."""

    kind: str
    words: str
    bits: float


class MissModel(BaseModel):
    """A fact by which a record does not pass the gate."""

    fact: str
    you_said: str
    record_says: str


class BranchModel(BaseModel):
    """A branch of the gate, and what the record misses there."""

    name: str
    misses: list[MissModel]


class ExplanationModel(BaseModel):
    """Why a record has its probability, or why it is not in the result."""

    record: str
    in_result: bool
    rank: int | None = None
    list: str | None = None
    probability: float | None = None
    log_odds: float | None = Field(default=None, description="log2 of the odds.")
    rows: Sequence[RowModel] = Field(default=[], description="They add up to log_odds.")
    score: float | None = Field(default=None, description="In bits.")
    steps: Sequence[StepModel] = Field(default=[], description="They add up to score.")
    kind: str | None = Field(default=None, description="Which kind of reason it is missing for.")
    missing: str | None = Field(default=None, description="Why it is not in the result.")
    hint: str | None = None
    branches: Sequence[BranchModel] = []


class FacetValueModel(BaseModel):
    """A value of a facet; ``value`` is what a filter takes."""

    value: str
    words: str
    records: int


class CollectionModel(BaseModel):
    """A collection and how many of its records are public."""

    model_config = ConfigDict(extra="allow")

    name: str
    title: str
    record_type: str
    records: int


Facets = dict[str, list[FacetValueModel]]
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": words}
    for status, words in ((400, "Bad request"), (404, "Not found"), (503, "Not available"))
}
PROBLEM_SCHEMA = {"schema": {"$ref": "#/components/schemas/Problem"}}
Cursor = Annotated[str, Query(description="`next` of the page before.")]
Size = Annotated[int, Query(ge=1, le=MAX_SIZE, description="Hits per page.")]
RecordKey = Annotated[str, Query(description="COLLECTION:ID", examples=["marriages:MAR-0032"])]
# The parameters of a search, which the form of the page defines.
FORM = {
    "parameters": [
        {
            "name": "text",
            "in": "query",
            "description": "A line of text, instead of single facts.",
            "schema": {"type": "string"},
            "example": "Thomas Thurlow b. 1812, husband of Maria Aldous",
        },
        *(
            {"name": name, "in": "query", "description": words, "schema": {"type": "string"}}
            for name, words in LABELS.items()
        ),
        {
            "name": "type",
            "in": "query",
            "description": "Only these record types.",
            "schema": {"type": "array", "items": {"type": "string"}},
        },
        *(
            {
                "name": f"{FILTER}{facet}",
                "in": "query",
                "description": f"Only these values of the facet {facet}.",
                "schema": {"type": "array", "items": {"type": "string"}},
            }
            for facet in FILTERS
        ),
        {
            "name": "impossible",
            "in": "query",
            "description": "1: also records outside the person's lifetime.",
            "schema": {"type": "string", "enum": ["1"]},
        },
        {
            "name": "order",
            "in": "query",
            "description": "By score, or the best of each record type in turn.",
            "schema": {"type": "string", "enum": ["score", "types"]},
        },
    ]
}
_HIT = {
    "rank": 1,
    "record": "marriages:MAR-0032",
    "record_type": "marriage",
    "score": 9.75,
    "probability": 0.947,
    "shown_probability": 0.95,
    "name": "Thomas Thurlow",
    "role": "groom",
    "date": "3 May 1836",
    "place": "St Mary, Haverstow, Suffolk",
    "relatives": ["wife Maria Aldous"],
    "same_event": [],
    "identical": [],
}
_PAGE = {
    "read_as": [
        {"fact": "given names", "value": "Thomas"},
        {"fact": "surname", "value": "Thurlow"},
    ],
    "model": "default",
    "total": 1,
    "results": [_HIT],
    "less_likely_from": None,
    "suggestion": "",
    "next": None,
    "followed": [],
    "relaxed": [],
    "lists": [{"name": "marriage", "record_type": "marriage", "state": "complete"}],
    "unused": [],
}
EXAMPLES: dict[str, Any] = {
    "search": _PAGE,
    "searchByQuery": _PAGE,
    "explain": {
        "record": "marriages:MAR-0032",
        "in_result": True,
        "rank": 1,
        "list": "marriage",
        "probability": 0.947,
        "log_odds": 4.16,
        "rows": [
            {
                "kind": "fact",
                "fact": "surname",
                "you_said": "Thurlow",
                "record_says": "Thurlow",
                "verdict": "same name",
                "bits": 3.4,
                "clauses": [
                    {
                        "clause": "self.surname.exact",
                        "words": "surname is the same letter for letter",
                        "note": "",
                        "rules": [],
                        "bits": 3.4,
                    }
                ],
            }
        ],
        "score": 9.75,
        "steps": [{"kind": "shift", "words": "shift of the list marriage", "bits": -8.0}],
    },
    "facets": {"decade": [{"value": "1830", "words": "1830s", "records": 3}]},
    "record": {
        "collection": "marriages",
        "id": "MAR-0032",
        "record_type": "marriage",
        "event": {"kind": "marriage", "date": {"text": "3 May 1836"}},
        "personas": [{"role": "groom", "names": [{"given": "Thomas", "surname": "Thurlow"}]}],
    },
    "collections": [
        {
            "name": "marriages",
            "title": "Marriages of the Waveney parishes",
            "record_type": "marriage",
            "records": 60,
        }
    ],
}
QueryBody = Annotated[
    dict[str, Any],
    Body(
        description="A query as docs/guide/search.md describes it.",
        examples=[
            {"given": "Thomas", "surname": "Thurlow", "events": [{"kind": "birth", "date": "1812"}]}
        ],
    ),
]


def make_api(archive: Archive, turns: Turns) -> APIRouter:
    """Return the routes of the JSON API of an archive."""
    router = APIRouter(prefix=PREFIX, responses=PROBLEMS)

    @router.get("/search", operation_id="search", response_model=PageModel, openapi_extra=FORM)
    def search(request: Request, size: Size = 20, cursor: Cursor = "") -> dict[str, Any]:
        """Search by the fields of the search form, or by a line of text."""
        with turns.take():
            return _page(_search_form(archive, request, cursor), size, cursor)

    @router.post("/search", operation_id="searchByQuery", response_model=PageModel)
    def search_by_query(query: QueryBody, size: Size = 20, cursor: Cursor = "") -> dict[str, Any]:
        """Search by a query as JSON."""
        with turns.take():
            return _page(_search(archive, query, SearchOptions(), cursor), size, cursor)

    @router.get(
        "/explanation", operation_id="explain", response_model=ExplanationModel, openapi_extra=FORM
    )
    def explanation(request: Request, record: RecordKey) -> dict[str, Any]:
        """Explain why a record has its place in a search, or why it is not in the result."""
        with turns.take():
            result = _search_form(archive, request)
            hit = result.hit(record)
            if hit is None:
                return _missing(result, record)
            return {"rank": hit.rank, **hit.explain().to_dict()}

    @router.get("/facets", operation_id="facets", response_model=Facets, openapi_extra=FORM)
    def facets(request: Request) -> dict[str, Any]:
        """Count everything that a search retrieves, by type, collection, decade and place."""
        with turns.take():
            counts = _search_form(archive, request).facets()
        return {facet.name: [asdict(value) for value in facet.values] for facet in counts}

    @router.get("/records/{key:path}", operation_id="record", response_model=dict[str, Any])
    def record(key: Annotated[str, Path(description="COLLECTION:ID")]) -> dict[str, Any]:
        """Return a record with everyone on it."""
        return record_to_json(archive.record(key, viewer="public"))

    @router.get("/collections", operation_id="collections", response_model=list[CollectionModel])
    def collections() -> list[dict[str, Any]]:
        """List the collections that have public records."""
        with archive.storage.snapshot():
            counts = archive.counts(viewer="public")
            return [
                {**collection_to_json(collection), "records": counts[collection.name]}
                for collection in archive.collections(viewer="public")
                if counts[collection.name]
            ]

    return router


def describe_api(app: FastAPI) -> None:
    """Complete the OpenAPI description of an application by examples and problems."""
    for operations in app.openapi()["paths"].values():
        for operation in operations.values():
            responses = operation["responses"]
            responses.pop("422", None)  # bad parameters are answered with 400
            example = EXAMPLES[operation["operationId"]]
            responses["200"]["content"]["application/json"]["example"] = example
            for status in map(str, PROBLEMS):
                responses[status]["content"] = {"application/problem+json": PROBLEM_SCHEMA}


def _search_form(archive: Archive, request: Request, cursor: str = "") -> Result:
    pairs = request.query_params.multi_items()
    allowed = {*LABELS, *OPTIONS}
    for name, _ in pairs:
        if name not in allowed and not name.startswith(FILTER):
            hint = f"parameters are {', '.join(sorted(allowed))} and {FILTER}FACET"
            raise InputError(f"unknown parameter {name!r}", hint=hint)
    form = read_form(pairs)
    if not form.is_submitted:
        raise InputError("the search is empty", hint="give text or a fact such as surname")
    if form.text and form.facts:
        raise InputError("text and single facts exclude each other", hint="give one of them")
    options = SearchOptions(show_impossible=form.show_impossible, order=form.order)
    return _search(archive, form.query(), options, cursor)


def _search(
    archive: Archive, query: PersonQuery | dict[str, Any], options: SearchOptions, cursor: str = ""
) -> Result:
    if cursor:
        options = options.after(cursor)
    return archive.search(query, options=options, viewer="public", log=False)


def _page(result: Result, size: int, cursor: str) -> dict[str, Any]:
    page = result.page(size=size, cursor=cursor or None).to_dict()
    for name in ("search", "page"):  # nothing is logged, and pages follow by cursor
        del page[name]
    return page


def _missing(result: Result, record: str) -> dict[str, Any]:
    reason = result.missing(record)
    if reason is None:
        words = "the record arrived while the search was explained"
        return {"record": record, "in_result": False, "missing": words}
    return reason.to_dict()
