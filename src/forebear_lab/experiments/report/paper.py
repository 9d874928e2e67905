"""Which pages does the experiment at the paper's size write?  One for records, others by lists."""

from pathlib import Path

from forebear_lab.experiments.paper import PaperPlan, PaperRun
from forebear_lab.experiments.report.fusion import report_fusion
from forebear_lab.experiments.report.records import report_records


def write_paper(run: PaperRun, plan: PaperPlan, out: Path) -> list[Path]:
    """Write all pages with their JSON and return the pages; missing parts are computed first."""
    results = [run.records_results(shape) for shape in plan.shapes]
    pages = [report_records(results, seed=plan.seed).write(out)[0]]
    for lists in plan.lists:
        report = report_fusion(run.fusion_results(lists))
        pages.append(report.write(out / f"lists{lists}")[0])
    return pages
