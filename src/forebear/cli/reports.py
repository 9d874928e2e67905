"""``forebear report``: which searches found nothing, and what is each collection worth?"""

from dataclasses import asdict
from typing import Annotated

import typer

from forebear.archive import open_archive
from forebear.cli.options import ArchiveOption, JsonOption, archive_path, print_result
from forebear.interactions.unmet import SearchesReport, UnmetSearch

MOST_LINES = 10

app = typer.Typer(
    help="What people looked for in vain, and what each collection is worth.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("searches")
def searches(
    archive: ArchiveOption = None,
    most: Annotated[int, typer.Option(min=0, help="Searches to list, the latest first.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """Say which searches found nothing or were relaxed; people who may live are not named."""
    with open_archive(archive_path(archive)) as opened:
        report = opened.report_searches()
    value = {**asdict(report), "unmet": [asdict(search) for search in report.unmet[:most]]}
    print_result(value, as_json, lambda: _searches_text(report, most))


@app.command("collections")
def collections(
    archive: ArchiveOption = None,
    model: Annotated[
        str | None, typer.Option(help="A model's version instead of the current one.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Leave each collection out in turn and say what the judged searches lose."""
    with open_archive(archive_path(archive)) as opened:
        report = opened.report_collections(model)
    head = (
        f"{report.searches:,} searches with {report.finds:,} attached records: "
        f"NDCG {report.ndcg:.4f}, NCE {report.nce:.4f}\n"
        f"{'without':<24} {'finds lost':>10} {'searches bereft':>15} {'NDCG':>8} {'NCE':>8}"
    )
    print_result(
        asdict(report),
        as_json,
        lambda: "\n".join(
            [
                head,
                *(
                    f"{each.collection:<24} {each.finds:>10,} {each.bereft:>15,} "
                    f"{-each.ndcg_lost:>+8.4f} {-each.nce_lost:>+8.4f}"
                    for each in report.collections
                ),
            ]
        ),
    )


def _searches_text(report: SearchesReport, most: int) -> str:
    lines = [
        f"{report.searches:,} searches logged: {report.nothing:,} found nothing, "
        f"{report.relaxed:,} only after relaxing; by {report.searchers:,} searchers"
    ]
    if report.places:
        asked = "; ".join(f"{place} {count}" for place, count in report.places[:MOST_LINES])
        lines.append(f"places asked for: {asked}")
    if report.decades:
        asked = ", ".join(f"{decade}s {count}" for decade, count in report.decades)
        lines.append(f"decades asked for: {asked}")
    return "\n".join([*lines, *map(_unmet_line, report.unmet[:most])])


def _unmet_line(search: UnmetSearch) -> str:
    who = search.person or "(may be living)"
    how = "; ".join(search.relaxed) or "nothing found"
    return (
        f"{search.day}  {search.searcher or '-':<11}  {who}, {search.hits} found: {how}"
        f"  [{', '.join(search.facts)}]"
    )
