"""``forebear report``: which searches found nothing, and what is each collection worth?"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from forebear.archive.collections_report import CollectionsReport
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    open_archive,
    print_result,
    progress_bar,
)
from forebear.interactions.unmet import MissingRecords, SearchesReport, UnmetSearch, Wish
from forebear.learning.collection_value import Loss, PartValue
from forebear.learning.engagement import Engagement

MAX_PLACES = 10

app = typer.Typer(
    help="Report failed searches, or what each collection is worth.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
NAME_WIDTH = 24


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


def collections_text(report: CollectionsReport, most: int) -> str:
    """Return the report, with at most this many missing things of each kind."""
    searches = f"{report.searches:,} judged searches"
    if report.sampled_from > report.searches + report.skipped:
        searches += f" (drawn from {report.sampled_from:,})"
    if report.skipped:
        searches += f", {report.skipped:,} more cannot be run any more"
    lines = [f"NOTE: {report.note}"] if report.note else []
    lines += [
        f"{searches}; {report.attached:,} attached records; model {report.model}: "
        f"NDCG {report.ndcg:.4f}, NCE {report.nce:.4f}",
        f"method: {report.method}",
        f"{report.runs:,} runs; {report.spared:,} more could not have differed; 95 % intervals",
        "",
        *_loss_table("without collection", report.collections),
        "",
        *_type_lines(report),
        *_thousand_table(report.collections),
        "",
        *_engagement_lines(report.engagement),
        "",
        *_missing_lines(report.missing, most),
    ]
    return "\n".join(lines)


def _type_lines(report: CollectionsReport) -> list[str]:
    """Return the table of record types, unless each is one collection anyway."""
    if len(report.record_types) == len(report.collections):
        return []
    return [*_loss_table("without type", report.record_types), ""]


def _loss_table(heading: str, values: Sequence[PartValue]) -> list[str]:
    return [
        f"{heading:<{NAME_WIDTH}} {'type':<14} {'records':>9} {'attached':>8} {'only here':>9} "
        f"{'left empty':>10}  {'NDCG lost':<24}  NCE lost",
        *(
            f"{value.name:<{NAME_WIDTH}} {value.record_type:<14} {value.records:>9,} "
            f"{value.attached:>8,} {value.only_here:>9,} {value.left_empty:>10,}  "
            f"{_interval(value.ndcg_lost):<24}  {_interval(value.nce_lost)}"
            for value in values
        ),
    ]


def _thousand_table(values: Sequence[PartValue]) -> list[str]:
    ordered = sorted(values, key=lambda value: -value.ndcg_lost_per_1000.value)
    return [
        f"{'per 1,000 records':<{NAME_WIDTH}} {'NDCG lost':<24}  NCE lost",
        *(
            f"{value.name:<{NAME_WIDTH}} {_interval(value.ndcg_lost_per_1000):<24}  "
            f"{_interval(value.nce_lost_per_1000)}"
            for value in ordered
        ),
    ]


def _interval(loss: Loss) -> str:
    return f"{loss.value:.4f} [{loss.low:.4f}, {loss.high:.4f}]"


def _engagement_lines(engagement: Engagement) -> list[str]:
    if not engagement.terciles:
        return [
            f"attachments by variety of the first page: {engagement.searches:,} pages that people "
            "saw are too few"
        ]
    return [
        f"{'first page, by NCE':<{NAME_WIDTH}} {'searches':>9} {'searchers':>9}  attachments",
        *(
            f"{f'{part.low:.3f} to {part.high:.3f}':<{NAME_WIDTH}} {part.searches:>9,} "
            f"{part.searchers:>9,}  {part.attachments:.3f} "
            f"[{part.attachments_low:.3f}, {part.attachments_high:.3f}]"
            for part in engagement.terciles
        ),
        engagement.caveat,
    ]


def _missing_lines(missing: MissingRecords, most: int) -> list[str]:
    if not missing.searches:
        return ["missing: no logged search found little"]
    noun = "search" if missing.searches == 1 else "searches"
    lines = [f"missing: named in {missing.searches:,} {noun} that found little"]
    lines += _wish_lines("record types", missing.record_types[:most], "{:,} records here")
    lines += _wish_lines("places", missing.places[:most], "in records here")
    lines += _wish_lines("decades", missing.decades[:most], "{} collections here")
    for kind, place, decade, searches in missing.combinations[:most]:
        lines.append(f"  {kind}, {place}, {decade}: {searches:,}")
    return lines


def _wish_lines(heading: str, wishes: Sequence[Wish], held: str) -> list[str]:
    words = "; ".join(
        f"{wish.name} {wish.searches:,} ({held.format(wish.held) if wish.held else 'none here'})"
        for wish in wishes
    )
    return [f"{heading}: {words}"] if words else []
