"""``forebear search``: which records may be about a person? One query, or a file of them."""

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import typer

from forebear import Archive
from forebear.archive.result import Hit, Result
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    ViewerOption,
    grouped,
    open_archive,
    print_message,
    print_notices,
    print_result,
    progress_bar,
    require_finite,
    write_file,
)
from forebear.cli.text import page_text, page_value, trace_text
from forebear.errors import ForebearError, InputError, QueryError
from forebear.interactions.log import COMMAND_LINE
from forebear.search.fusion import Order
from forebear.search.model import UNITS_PER_BIT
from forebear.search.query.person_query import PersonQuery, parse_query
from forebear.search.query.read import Fact, read_argument, read_query
from forebear.search.results.page import DEFAULT_PAGE_SIZE, parse_cursor
from forebear.search.search_result import DECAY, TOP, SearchOptions

NO_RESULTS = 1
# Equal scores have an order here; a run file has only scores, so it gets slightly different ones.
TIE_STEP = 1e-9
MANY_QUERIES = 1_000  # of a batch, for which loops are compiled
LOG_SECONDS = 30.0  # that each search of a batch waits for others who write

Scores = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions:
    """Where a query comes from, if not from a line of text."""

    query: Annotated[
        str | None, typer.Option(help="JSON, the path of a JSON file, or FamilySearch terms.")
    ] = None
    tree: Annotated[
        Path | None, typer.Option(help="Search for a person of this GEDCOM file; needs --person.")
    ] = None
    person: Annotated[
        str | None, typer.Option(help="The person in the tree: @I1@, or a name that only one has.")
    ] = None

    def read(self, text: str | None) -> PersonQuery | str:
        """Return the query that facts are added to."""
        if (self.tree is None) != (self.person is None):
            raise InputError("--tree and --person go together", hint="--tree my.ged --person @I1@")
        if sum(source is not None for source in (text, self.query, self.tree)) > 1:
            raise InputError("more than one query", hint="give a line of text, --query or --tree")
        if self.tree is not None and self.person is not None:
            from forebear.trees.to_query import tree_query  # late: other searches need no reader

            return tree_query(self.tree, self.person)
        return read_argument(self.query or text or "") if self.query or text else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactOptions:
    """What is known of the person, by the names that facts of a query have."""

    given: Annotated[str, typer.Option(help="Given names.")] = ""
    surname: Annotated[str, typer.Option(help="Surname at birth.")] = ""
    married_surname: Annotated[str, typer.Option(help="Surname by marriage.")] = ""
    sex: Annotated[str, typer.Option(help="female or male.")] = ""
    birth: Annotated[str, typer.Option(help="Date of birth: 1851, abt 1851, 12 Mar 1851.")] = ""
    birth_place: Annotated[str, typer.Option(help="Place of birth: Layham, Suffolk, England.")] = ""
    baptism: Annotated[str, typer.Option(help="Date of baptism.")] = ""
    baptism_place: Annotated[str, typer.Option(help="Place of baptism.")] = ""
    marriage: Annotated[str, typer.Option(help="Date of marriage.")] = ""
    marriage_place: Annotated[str, typer.Option(help="Place of marriage.")] = ""
    residence: Annotated[str, typer.Option(help="Date of residence.")] = ""
    residence_place: Annotated[str, typer.Option(help="Place of residence.")] = ""
    death: Annotated[str, typer.Option(help="Date of death.")] = ""
    death_place: Annotated[str, typer.Option(help="Place of death.")] = ""
    burial: Annotated[str, typer.Option(help="Date of burial.")] = ""
    burial_place: Annotated[str, typer.Option(help="Place of burial.")] = ""
    spouse: Annotated[
        list[str] | None, typer.Option(help='A spouse: "Thomas Green"; may be repeated.')
    ] = None
    father: Annotated[str, typer.Option(help='Father: "John Green".')] = ""
    mother: Annotated[str, typer.Option(help='Mother, with her maiden name: "Ann Hall".')] = ""
    child: Annotated[list[str] | None, typer.Option(help="A child; may be repeated.")] = None
    sibling: Annotated[list[str] | None, typer.Option(help="A sibling; may be repeated.")] = None
    occupation: Annotated[str, typer.Option(help="Occupation: blacksmith.")] = ""
    keywords: Annotated[str, typer.Option(help="Words to look for in notes.")] = ""
    exact: Annotated[
        list[str] | None,
        typer.Option(help="A fact that must be the same letter by letter: surname."),
    ] = None
    require: Annotated[
        list[str] | None, typer.Option(help="A fact that must match in some form: birth.year.")
    ] = None
    record_type: Annotated[
        list[str] | None, typer.Option("--type", help="Only this record type; may be repeated.")
    ] = None

    def by_name(self) -> dict[str, Fact]:
        """Return the facts as `read_query` takes them."""
        facts = {field.name: getattr(self, field.name) or "" for field in fields(self)}
        facts["record_types"] = facts.pop("record_type")
        return facts


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOptions:
    """A file of queries, and where their results are written."""

    queries: Annotated[
        Path | None,
        typer.Option(
            "--batch",
            help="A file of queries, one JSON object per line; needs --run or --probabilities.",
        ),
    ] = None
    run: Annotated[
        Path | None, typer.Option(help="With --batch: write the results here, as a TREC run.")
    ] = None
    per_type: Annotated[
        Path | None,
        typer.Option(help="With --batch: also write a TREC run of each list to this folder."),
    ] = None
    probabilities: Annotated[
        Path | None,
        typer.Option(help="With --batch: write query, record, rank and probability here, as CSV."),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOptions:
    """Which records are listed, in which order, and which of them are shown."""

    top: Annotated[int, typer.Option(min=1, help="Number of records to take from each list.")] = TOP
    model: Annotated[
        str | None, typer.Option(help="Version of the model to use; see `forebear models`.")
    ] = None
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--filter",
            help="decade=1850s, collection=NAME, county='Suffolk, England'; may be repeated.",
        ),
    ] = None
    facets: Annotated[
        bool, typer.Option("--facets", help="Count all matching records by type, decade and place.")
    ] = False
    order: Annotated[
        Order, typer.Option(help="By score, or the best of each record type in turn.")
    ] = "score"
    decay: Annotated[
        float | None,
        typer.Option(
            help="Bits to take off a record for each earlier one of its type; by default "
            f"{DECAY} where a record is very likely the person's, else 0.",
            callback=require_finite,
        ),
    ] = None
    relax: Annotated[
        bool, typer.Option("--relax/--strict", help="Search less strictly if little is found.")
    ] = True
    cursor: Annotated[
        str | None, typer.Option(help="The next page, as the page before printed it.")
    ] = None
    page: Annotated[int, typer.Option(min=1, help="Number of the page.")] = 1
    size: Annotated[int, typer.Option(min=1, help="Results per page.")] = DEFAULT_PAGE_SIZE
    show_impossible: Annotated[
        bool,
        typer.Option("--show-impossible", help="Also show records outside the person's lifetime."),
    ] = False
    trace: Annotated[
        bool,
        typer.Option(
            "--trace", help="Print what each stage of the search did and how long it took."
        ),
    ] = False

    def search_options(self) -> SearchOptions:
        """Return how to search."""
        return SearchOptions(
            top=self.top,
            show_impossible=self.show_impossible,
            relax=self.relax,
            order=self.order,
            decay=self.decay,
            model=self.model,
        )


@grouped
def search(
    text: Annotated[
        str | None,
        typer.Argument(help='A line of text: "Mary Brown b. 1851 Layham, wife of Thomas Green".'),
    ] = None,
    path: ArchiveOption = None,
    *,
    source: SourceOptions,
    facts: FactOptions,
    batch: BatchOptions,
    choices: ListOptions,
    log: Annotated[
        bool,
        typer.Option("--log/--no-log", help="Log the search, so that records can be attached."),
    ] = True,
    viewer: ViewerOption = "owner",
    as_json: JsonOption = False,
) -> None:
    """Search for a person and list matching records, best first."""
    options = choices.search_options()
    if batch.queries is not None:
        if batch.run is None and batch.probabilities is None:
            raise InputError(
                "--batch needs --run or --probabilities",
                hint="add --run FILE to say where to write the results",
            )
        with open_archive(path, viewer) as archive:
            _run_batch(archive, batch.queries, batch, options=options, log=log)
        return
    filters = _filters(choices.only or ())
    query = read_query(source.read(text), {**facts.by_name(), "filters": filters})
    after = parse_cursor(choices.cursor) if choices.cursor else None
    if after is not None:
        options = options.after(after)
    # A further page belongs to the search that is logged already.
    search_id = after.search_id if after else None if log else ""
    with open_archive(path, viewer) as archive:
        result = archive.search(query, options=options, log=False, search_id=search_id)
        shown = result.page(choices.page, choices.size, cursor=after)
        counts = result.facets() if choices.facets else ()
        if choices.trace:
            print_message(trace_text(result))
        print_result(
            page_value(shown, counts, trace=choices.trace),
            as_json,
            lambda: page_text(shown, counts),
        )
        print_notices(archive.notices(options.model))
        if log and after is None:
            sys.stdout.flush()  # the result is there, however long the log takes
            _log(archive, result)
    if not shown.hits:
        raise typer.Exit(NO_RESULTS)


def _log(archive: Archive, result: Result) -> None:
    try:
        archive.log(result, searcher=COMMAND_LINE)
    except ForebearError as error:
        print_message(
            f"warning: {error.message}, so search {result.id} was not logged: its id cannot be"
            " used with explain, attach or reject"
        )


def _filters(texts: Sequence[str]) -> dict[str, list[str]]:
    filters: dict[str, list[str]] = {}
    for text in texts:
        facet, equals, value = text.partition("=")
        if not equals or not value:
            raise InputError(
                f"--filter {text!r}: expected FACET=VALUE", hint="for example --filter decade=1850s"
            )
        filters.setdefault(facet, []).append(value)
    return filters


def _run_batch(
    archive: Archive,
    queries: Path,
    outputs: BatchOptions,
    *,
    options: SearchOptions,
    log: bool,
) -> None:
    """Search for every query of a file and write the results."""
    from forebear.trec import Run, write_run  # late: a single search needs to start fast

    batch = list(_read_queries(queries))
    if len(batch) >= MANY_QUERIES:
        archive.compile_searches()
    fused: Scores = {}
    lists: dict[str, Scores] = {}
    chances: list[tuple[str, str, int, float]] = []
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
            if outputs.probabilities is not None:
                chances += ((query.id, hit.record, hit.rank, hit.probability) for hit in result)
            if log:
                archive.log(result, wait=LOG_SECONDS)
    if outputs.run is not None:
        write_run(Run(scores=fused), outputs.run)
    if outputs.per_type is not None:
        outputs.per_type.mkdir(parents=True, exist_ok=True)
        for name, scores in lists.items():
            write_run(Run(scores=scores), outputs.per_type / f"{name}.trec")
    if outputs.probabilities is not None:
        write_file(outputs.probabilities, _probabilities_text(chances))
    print_message(f"{len(batch)} queries answered in {outputs.run or outputs.probabilities}")


def _probabilities_text(rows: Sequence[tuple[str, str, int, float]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("query", "record", "rank", "probability"))
    writer.writerows(rows)
    return text.getvalue()


def _run_score(hit: Hit, total: int, order: Order) -> float:
    """Return a score that keeps the list's order; alternating types have no other."""
    if order == "types":
        return float(total - hit.rank + 1)
    return hit.score - (hit.rank - 1) * TIE_STEP


def _read_queries(path: Path) -> Iterator[PersonQuery]:
    """Yield the queries of a file of JSON lines; each needs a different id."""
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"cannot read the queries of {str(path)!r}: {reason}") from None
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{path.name}:{number}"
        query = parse_query(line, where=where)
        if not query.id or query.id in seen:
            fault = f"{query.id!r} is also on line {seen[query.id]}" if query.id else "it has none"
            raise QueryError(f"{where}: each query needs a different id; {fault}")
        seen[query.id] = number
        yield query
