"""``forebear search``: which records may be about a person? One query, or a file of them."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from forebear.archive import Archive, open_archive
from forebear.archive.result import Hit, Result
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    ViewerOption,
    archive_path,
    print_message,
    print_notices,
    print_result,
    progress_bar,
)
from forebear.cli.text import page_text, page_value, trace_text
from forebear.errors import ForebearError, InputError, QueryError
from forebear.search.fusion.arrangement import Order
from forebear.search.model import UNITS_PER_BIT
from forebear.search.query.person_query import PersonQuery, parse_query
from forebear.search.query.read import Fact, read_argument, read_query
from forebear.search.results.cursor import parse_cursor
from forebear.search.results.page import DEFAULT_PAGE_SIZE
from forebear.search.searcher import TOP, SearchOptions

NO_RESULTS = 1
COMMAND_LINE = "command line"  # who searches here


def search(
    text: Annotated[
        str | None,
        typer.Argument(help='A line of text: "Mary Brown b. 1851 Layham, wife of Thomas Green".'),
    ] = None,
    archive: ArchiveOption = None,
    query: Annotated[
        str | None, typer.Option(help="JSON, the path of a file of it, or FamilySearch's terms.")
    ] = None,
    tree: Annotated[
        Path | None, typer.Option(help="A GEDCOM file of yours; needs --person.")
    ] = None,
    person: Annotated[
        str | None, typer.Option(help="Whom of the tree: @I1@, or a name that only one has.")
    ] = None,
    given: Annotated[str, typer.Option(help="Given names.")] = "",
    surname: Annotated[str, typer.Option(help="Surname at birth.")] = "",
    married_surname: Annotated[str, typer.Option(help="Surname by marriage.")] = "",
    sex: Annotated[str, typer.Option(help="female or male.")] = "",
    birth: Annotated[str, typer.Option(help="Date of birth: 1851, abt 1851, 12 Mar 1851.")] = "",
    birth_place: Annotated[str, typer.Option(help="Layham, Suffolk, England.")] = "",
    baptism: Annotated[str, typer.Option(help="Date of baptism.")] = "",
    baptism_place: Annotated[str, typer.Option()] = "",
    marriage: Annotated[str, typer.Option(help="Date of marriage.")] = "",
    marriage_place: Annotated[str, typer.Option()] = "",
    residence: Annotated[str, typer.Option(help="When they lived somewhere.")] = "",
    residence_place: Annotated[str, typer.Option(help="Where they lived.")] = "",
    death: Annotated[str, typer.Option(help="Date of death.")] = "",
    death_place: Annotated[str, typer.Option()] = "",
    burial: Annotated[str, typer.Option(help="Date of burial.")] = "",
    burial_place: Annotated[str, typer.Option()] = "",
    spouse: Annotated[list[str] | None, typer.Option(help='"Thomas Green"; repeat it.')] = None,
    father: Annotated[str, typer.Option(help='"John Green".')] = "",
    mother: Annotated[str, typer.Option(help='With her maiden name: "Ann Hall".')] = "",
    child: Annotated[list[str] | None, typer.Option(help="Repeat it.")] = None,
    sibling: Annotated[list[str] | None, typer.Option(help="Repeat it.")] = None,
    occupation: Annotated[str, typer.Option()] = "",
    keywords: Annotated[str, typer.Option(help="Words to look for in notes.")] = "",
    exact: Annotated[
        list[str] | None, typer.Option(help="A fact that must agree to the letter: surname.")
    ] = None,
    require: Annotated[
        list[str] | None, typer.Option(help="A fact that must agree in some form: birth.year.")
    ] = None,
    record_type: Annotated[
        list[str] | None, typer.Option("--type", help="Only this record type; repeat it.")
    ] = None,
    batch: Annotated[
        Path | None, typer.Option(help="Many queries, one JSON object a line; needs --run.")
    ] = None,
    run: Annotated[Path | None, typer.Option(help="Write a TREC run here.")] = None,
    per_type: Annotated[
        Path | None, typer.Option(help="With --batch: a TREC run of each list in this folder.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Records of each list.")] = TOP,
    model: Annotated[
        str | None, typer.Option(help="A model's version instead of the current one.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--filter",
            help="decade=1850s, collection=NAME, county='Suffolk, England'; repeat it.",
        ),
    ] = None,
    facets: Annotated[
        bool, typer.Option("--facets", help="Count everything found by type, decade, place ...")
    ] = False,
    order: Annotated[
        Order, typer.Option(help="By score, or the best of each record type in turn.")
    ] = "score",
    decay: Annotated[
        float, typer.Option(help="Bits a record pays for each of its type before it.")
    ] = 0.0,
    relax: Annotated[
        bool, typer.Option("--relax/--strict", help="Ask less strictly if little is found.")
    ] = True,
    cursor: Annotated[str | None, typer.Option(help="Go on where the page before ended.")] = None,
    page: Annotated[int, typer.Option(min=1)] = 1,
    size: Annotated[int, typer.Option(min=1, help="Results a page.")] = DEFAULT_PAGE_SIZE,
    show_impossible: Annotated[
        bool, typer.Option("--show-impossible", help="Also records outside the lifetime.")
    ] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Show each stage: clauses, candidates, hits, time.")
    ] = False,
    log: Annotated[bool, typer.Option("--log/--no-log", help="Log what was shown.")] = True,
    viewer: ViewerOption = "owner",
    as_json: JsonOption = False,
) -> None:
    """Describe a person and get the records in which they appear, the best first."""
    path = archive_path(archive)
    options = SearchOptions(
        top=top,
        show_impossible=show_impossible,
        relax=relax,
        order=order,
        decay=decay,
        model=model,
    )
    if batch is not None:
        if run is None:
            raise InputError("--batch needs --run", hint="say where to write the TREC run")
        with open_archive(path, viewer=viewer) as opened:
            _run_batch(opened, batch, run, options=options, per_type=per_type, log=log)
        return
    if (tree is None) != (person is None):
        raise InputError("--tree and --person go together", hint="--tree my.ged --person @I1@")
    facts: dict[str, Fact] = {
        "given": given,
        "surname": surname,
        "married_surname": married_surname,
        "sex": sex,
        "birth": birth,
        "birth_place": birth_place,
        "baptism": baptism,
        "baptism_place": baptism_place,
        "marriage": marriage,
        "marriage_place": marriage_place,
        "residence": residence,
        "residence_place": residence_place,
        "death": death,
        "death_place": death_place,
        "burial": burial,
        "burial_place": burial_place,
        "occupation": occupation,
        "keywords": keywords,
        "spouse": spouse or [],
        "father": father,
        "mother": mother,
        "child": child or [],
        "sibling": sibling or [],
        "exact": exact or [],
        "require": require or [],
        "record_types": record_type or [],
        "filters": _filters(only or []),
    }
    source: PersonQuery | str = ""
    if tree is not None and person is not None:
        source = _of_tree(tree, person)
    elif query is not None or text is not None:
        source = read_argument(query or text or "")
    asked = read_query(source, facts)
    after = parse_cursor(cursor) if cursor else None
    if after is not None:
        options = options.after(after)
    # A further page belongs to the search that is logged already.
    search_id = after.search_id if after else None if log else ""
    with open_archive(path, viewer=viewer) as opened:
        result = opened.search(asked, options=options, log=False, search_id=search_id)
        shown = result.page(page, size, cursor=after)
        counted = result.facets() if facets else ()
        if trace:
            from forebear.cli.options import print_message

            print_message(trace_text(result))
        print_result(
            page_value(shown, counted, trace=trace), as_json, lambda: page_text(shown, counted)
        )
        print_notices(opened.notices(options.model))
        if log and after is None:
            sys.stdout.flush()  # the result is there, however long the log takes
            _log(opened, result)
    if not shown.hits:
        raise typer.Exit(NO_RESULTS)


def _log(archive: Archive, result: Result) -> None:
    try:
        archive.log(result, searcher=COMMAND_LINE)
    except ForebearError as error:
        print(
            f"warning: {error.message}, so search {result.id} was not logged: its id cannot be"
            " used with explain, attach or reject",
            file=sys.stderr,
        )


def _of_tree(tree: Path, person: str) -> PersonQuery:
    from forebear.trees.to_query import tree_query

    return tree_query(tree, person)


def _filters(texts: list[str]) -> dict[str, list[str]]:
    filters: dict[str, list[str]] = {}
    for text in texts:
        facet, equals, value = text.partition("=")
        if not equals or not value:
            raise InputError(
                f"--filter {text!r}: expected FACET=VALUE", hint="for example --filter decade=1850"
            )
        filters.setdefault(facet, []).append(value)
    return filters


# Equal scores have an order of ours; a run file has only scores, so it gets them a hair apart.
TIE_STEP = 1e-9
LOG_SECONDS = 30.0  # that each search waits for others who write

Scores = dict[str, dict[str, float]]


def _run_batch(
    archive: Archive,
    queries: Path,
    run: Path,
    *,
    options: SearchOptions,
    per_type: Path | None,
    log: bool,
) -> None:
    """Search for every query of a file and write the results as TREC runs."""
    from forebear.trec import Run, write_run  # late: a single search needs to start fast

    batch = list(_read_queries(queries))
    fused: Scores = {}
    lists: dict[str, Scores] = {}
    with progress_bar("searching") as update:
        for done, query in enumerate(batch):
            update(done / len(batch), "")
            result = archive.search(query, options=options, log=False, search_id=query.id)
            fused[query.id] = {
                hit.record: _run_score(hit, result.total, options.order)
                for hit in result[: options.top]
            }
            for ranked in result.search_result.lists:
                lists.setdefault(ranked.name, {})[query.id] = {
                    hit.record_key: hit.score / UNITS_PER_BIT - rank * TIE_STEP
                    for rank, hit in enumerate(ranked.hits)
                }
            if log:
                archive.log(result, wait=LOG_SECONDS)
    write_run(Run(scores=fused), run)
    if per_type is not None:
        per_type.mkdir(parents=True, exist_ok=True)
        for name, scores in lists.items():
            write_run(Run(scores=scores), per_type / f"{name}.trec")
    print_message(f"{len(batch)} queries answered in {run}")


def _run_score(hit: Hit, total: int, order: Order) -> float:
    """Return a score that keeps the list's order; types that take turns have no other."""
    if order == "types":
        return float(total - hit.rank + 1)
    return hit.score - (hit.rank - 1) * TIE_STEP


def _read_queries(path: Path) -> Iterator[PersonQuery]:
    """Yield the queries of a file of JSON lines; every one needs an id of its own."""
    if not path.is_file():
        raise InputError(f"there is no query file {str(path)!r}")
    seen: dict[str, int] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        where = f"{path.name}:{number}"
        query = parse_query(line, where=where)
        if not query.id or query.id in seen:
            told = f"{query.id!r} is on line {seen[query.id]} too" if query.id else "it has none"
            raise QueryError(f"{where}: every query needs an id of its own; {told}")
        seen[query.id] = number
        yield query
