"""Which pages does the experiment at the paper's size write?  One for records, others by lists."""

from pathlib import Path

from forebear_lab.experiments.paper import PaperPlan, PaperRun
from forebear_lab.experiments.report.fusion import report_fusion
from forebear_lab.experiments.report.records import report_records


def write_paper(run: PaperRun, plan: PaperPlan, out: Path) -> list[Path]:
    """Write the pages of what is finished, with their JSON, and return the pages."""
    pages = []
    shapes = [result for shape in plan.shapes if (result := run.records_results(shape))]
    if shapes:
        pages.append(report_records(shapes, seed=plan.seed).write(out)[0])
    for lists in plan.lists:
        if results := run.fusion_results(lists):
            pages.append(report_fusion(results).write(out / f"lists{lists}")[0])
    return pages
