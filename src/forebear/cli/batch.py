"""Many searches at once: queries from a file, answers as TREC runs."""

from collections.abc import Iterator
from pathlib import Path

from rich.progress import track

from forebear.archive import Archive
from forebear.archive.result import Hit
from forebear.cli.options import talk
from forebear.errors import InputError, QueryError
from forebear.search.fusion.arrangement import Order
from forebear.search.model import UNITS_PER_BIT
from forebear.search.query.from_json import parse_query
from forebear.search.query.person_query import PersonQuery
from forebear.search.searcher import SearchOptions
from forebear.trec import Run, write_run

# Equal scores have an order of ours; a run file has only scores, so it gets them a hair apart.
TIE_STEP = 1e-9
LOG_SECONDS = 30.0  # that each search waits for others who write

Scores = dict[str, dict[str, float]]


def run_batch(
    archive: Archive,
    queries: Path,
    run: Path,
    *,
    options: SearchOptions,
    per_type: Path | None,
    log: bool,
) -> None:
    """Search for every query of a file and write the results as TREC runs."""
    batch = list(read_queries(queries))
    fused: Scores = {}
    lists: dict[str, Scores] = {}
    for query in track(
        batch, "searching", console=talk, transient=True, disable=not talk.is_terminal
    ):
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
    talk.print(f"{len(batch)} queries answered in {run}")


def _run_score(hit: Hit, total: int, order: Order) -> float:
    """Return a score that keeps the list's order; types that take turns have no other."""
    if order == "types":
        return float(total - hit.rank + 1)
    return hit.score - (hit.rank - 1) * TIE_STEP


def read_queries(path: Path) -> Iterator[PersonQuery]:
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
