"""``forebear report``: which searches found nothing, and what is each collection worth?"""

from dataclasses import asdict
from typing import Annotated

import typer

from forebear.cli.collections_text import collections_text
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    open_archive,
    print_result,
    progress_bar,
)
from forebear.interactions.unmet import SearchesReport, UnmetSearch

MAX_PLACES = 10

app = typer.Typer(
    help="Report failed searches, or what each collection is worth.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("searches")
def searches(
    path: ArchiveOption = None,
    most: Annotated[int, typer.Option(min=0, help="Searches to list, the latest first.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """List the searches that found nothing or were relaxed.

    People who may be living are not named.
    """
    with open_archive(path) as archive:
        report = archive.report_searches()
    value = {**asdict(report), "unmet": [asdict(search) for search in report.unmet[:most]]}
    print_result(value, as_json, lambda: _searches_text(report, most))


@app.command("collections")
def collections(
    path: ArchiveOption = None,
    model: Annotated[
        str | None, typer.Option(help="Version of the model to use; see `forebear models`.")
    ] = None,
    searches: Annotated[
        int, typer.Option(min=1, help="Judged searches to run again, at most; drawn at random.")
    ] = 1_000,
    seed: Annotated[int, typer.Option(help="Of the draw and of the intervals.")] = 1,
    simulated: Annotated[
        bool, typer.Option("--simulated", help="The users are simulated: label the report.")
    ] = False,
    most: Annotated[int, typer.Option(min=1, help="Missing things to list, of each kind.")] = 10,
    as_json: JsonOption = False,
) -> None:
    """Show what searches lose without each collection.

    Also which records are missing. The judged searches of the log are run again without each
    collection and each record type.
    """
    with open_archive(path) as archive, progress_bar("searching") as update:
        report = archive.report_collections(
            model,
            searches=searches,
            seed=seed,
            simulated=simulated,
            progress=lambda done, total: update(done / max(total, 1), f"{done:,} of {total:,}"),
        )
    print_result(asdict(report), as_json, lambda: collections_text(report, most))


def _searches_text(report: SearchesReport, most: int) -> str:
    lines = [
        f"{report.searches:,} searches logged: {report.nothing:,} found nothing, "
        f"{report.relaxed:,} only after relaxing; by {report.searchers:,} searchers"
    ]
    if report.places:
        places = "; ".join(f"{place} {count}" for place, count in report.places[:MAX_PLACES])
        lines.append(f"places searched for: {places}")
    if report.decades:
        decades = ", ".join(f"{decade}s {count}" for decade, count in report.decades)
        lines.append(f"decades searched for: {decades}")
    return "\n".join([*lines, *map(_unmet_line, report.unmet[:most])])


def _unmet_line(search: UnmetSearch) -> str:
    who = search.person or "(may be living)"
    how = "; ".join(search.relaxed) or "nothing found"
    return (
        f"{search.day}  {search.searcher or '-':<11}  {who}, {search.hits} found: {how}"
        f"  [{', '.join(search.facts)}]"
    )
