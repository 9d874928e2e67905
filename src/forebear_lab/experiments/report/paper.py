"""What does the experiment at the paper's size report, also before all its parts are finished?

The HTML pages are one for records and one for each number of lists.  The published page holds all
of them, and says first which parts are missing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from forebear_lab.evaluation.tables import Table
from forebear_lab.experiments.data import PAPER_QUERIES
from forebear_lab.experiments.fusion import FusionResults
from forebear_lab.experiments.paper import PaperRun
from forebear_lab.experiments.paper_plan import PaperPart, PaperPlan
from forebear_lab.experiments.report.fusion import FusionReport, report_fusion
from forebear_lab.experiments.report.fusion_claims import shown_folds
from forebear_lab.experiments.report.fusion_plots import plot_front
from forebear_lab.experiments.report.page import Page, Section
from forebear_lab.experiments.report.records import RecordsReport, report_records

_FINISHED_FOLDS = (
    "A method of fusion has a row for its finished folds. Where they are not all, the row says "
    "which, as in (fold 1 of 3), and the method is compared on the queries of these folds only, "
    "also where the paper's claims are judged."
)
_SAME_QUERIES = (
    "All methods that have {folds}, on the same queries. Points and percent are against the raw "
    "scores on these queries, with 95 % intervals."
)


def write_paper(run: PaperRun, plan: PaperPlan, out: Path) -> list[Path]:
    """Write the pages of what is finished, with their JSON, and return the pages."""
    records, fusions = _reports(run, plan)
    pages = [records.write(out)[0]] if records else []
    return [*pages, *(report.write(out / f"lists{n}")[0] for n, report in fusions.items())]


def paper_page(run: PaperRun, plan: PaperPlan) -> Page:
    """Return everything that is finished as one page, and which parts are missing."""
    records, fusions = _reports(run, plan)
    pages = {f"{lists} lists: ": report.page() for lists, report in fusions.items()}
    same = {f"{lists} lists: ": same_queries(report.results) for lists, report in fusions.items()}
    if records:
        pages = {"Records: ": records.page(), **pages}
    sections = [
        replace(section, title=f"{prefix}{section.title}")
        for prefix, page in pages.items()
        for section in (*same.get(prefix, ()), *page.sections)
    ]
    finished, count = len(run.parts) - len(run.missing()), len(run.parts)
    is_smaller = plan.queries < PAPER_QUERIES or plan.record_queries is not None
    size = "in preview" if is_smaller else "at the paper's size"
    return Page(
        title=f"All tables {size}: {finished} of {count} parts finished",
        simulated=True,
        sections=[_progress(run), _time_and_samples(run), *sections],
        seed=plan.seed,
        preview=" ".join(dict.fromkeys(page.preview for page in pages.values() if page.preview)),
    )


def same_queries(results: FusionResults) -> list[Section]:
    """Return a table for each set of finished folds, if not all, of the methods that have them."""
    sections = []
    for folds in sorted({one.folds for one in results.methods if one.folds}):
        have = [one for one in results.methods if set(folds) <= set(one.folds or folds)]
        shown = shown_folds(folds, results.plan.folds)
        restricted = replace(
            results,
            methods=tuple(replace(one.on_folds(folds), folds=()) for one in have),
            not_run=(),
            variants=(),
        )
        report = report_fusion(restricted)
        sections.append(
            Section(
                title=f"all methods on {shown}",
                sentences=(_SAME_QUERIES.format(folds=shown),),
                table=report.table(),
                plots=plot_front(restricted, report.ndcg, report.nce),
            )
        )
    return sections


def _reports(
    run: PaperRun, plan: PaperPlan
) -> tuple[RecordsReport | None, dict[int, FusionReport]]:
    shapes = [result for shape in plan.shapes if (result := run.records_results(shape))]
    return (
        report_records(shapes, seed=plan.seed) if shapes else None,
        {
            lists: report_fusion(results)
            for lists in plan.lists
            if (results := run.fusion_results(lists))
        },
    )


def _progress(run: PaperRun) -> Section:
    missing, sentences = run.missing(), []
    if missing:
        sentences.append(_FINISHED_FOLDS)
    if origins := run.origins():
        sentences.append(f"Parts were computed on: {'; '.join(origins)}.")
        sentences.append(_describe_times(run.highest_load()))
    return Section(
        title="Missing parts" if missing else "Parts",
        sentences=tuple(sentences),
        table=_missing_table(run.parts.values(), missing),
    )


def _time_and_samples(run: PaperRun) -> Section:
    samples = run.samples()
    rows = [(method, "; ".join(where)) for method, where in samples.items()]
    hours = f"{run.seconds() / 3600:.2f} hours"
    saw = (
        "Some learned from a sample, the largest that fitted their time."
        if rows
        else "They learned from all queries."
    )
    return Section(
        title="Total time, and who saw a sample",
        sentences=(
            f"The learners of the finished parts took {hours} of CPU, without attempts that "
            f"exceeded their time. {saw}",
        ),
        table=Table(headings=("learner", "saw"), rows=rows) if rows else None,
    )


def _describe_times(load: float) -> str:
    if load < 2:  # the learner itself is one
        return "Times are CPU time, one thread; the machine did little else."
    return f"Times are CPU time, one thread, machine shared with other work (load up to {load:g})."


def _missing_table(parts: Iterable[PaperPart], missing: Sequence[PaperPart]) -> Table:
    groups: dict[str, list[PaperPart]] = {}
    for part in parts:
        groups.setdefault(part.group, []).append(part)
    absent = {part.name for part in missing}
    rows = []
    for group, members in groups.items():
        names = [part.method for part in members if part.name in absent]
        shown = "all" if len(names) == len(members) else ", ".join(names) or "none"
        rows.append((group, f"{len(members) - len(names)} of {len(members)}", shown))
    return Table(headings=("parts", "finished", "missing"), rows=rows)
