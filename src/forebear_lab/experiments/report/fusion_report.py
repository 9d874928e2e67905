"""The fusion experiment as JSON and as a page."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from forebear_lab.evaluation.tables import Table
from forebear_lab.experiments.fusion import FusionResults, MethodResult
from forebear_lab.experiments.printed import paper_claims, printed_fusion
from forebear_lab.experiments.report.differences import Distance, measure_distance
from forebear_lab.experiments.report.fusion_sections import fusion_sections
from forebear_lab.experiments.report.page import make_page, write_page
from forebear_lab.experiments.report.write_json import write_json
from forebear_lab.experiments.verdicts import Ordering, Verdict, judge_orderings, judge_ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionReport:
    """What is told of a fusion experiment."""

    results: FusionResults
    ndcg: Mapping[str, Distance]
    nce: Mapping[str, Distance]
    verdicts: Sequence[Verdict]

    def value(self) -> dict[str, Any]:
        """Return everything as plain values."""
        plan, printed = self.results.plan, printed_fusion()
        return {
            "experiment": "fusion",
            "data": self.results.data.label,
            "simulated": self.results.data.simulated,
            "queries": len(self.results.query_ids),
            "folds": plan.folds,
            "seed": plan.seed,
            "sample": plan.sample,
            "methods": [
                {
                    "name": one.method.name,
                    "title": one.method.title,
                    "origin": one.method.origin,
                    "ndcg": asdict(self.ndcg[one.method.name]),
                    "nce": asdict(self.nce[one.method.name]),
                    "cpu_seconds": list(one.seconds),
                    "settled": one.settled,
                    "settings": one.settings,
                    "weights": one.weights,
                    "curve": [asdict(point) for point in one.curves[0]],
                    "printed": printed.get(one.method.name, {}),
                }
                for one in self.results.methods
            ],
            "claims": [asdict(verdict) for verdict in self.verdicts],
            "trade_offs": list(self.results.trade_offs),
        }

    def table(self) -> Table:
        """Return the figures of all methods."""
        printed = printed_fusion()
        rows = []
        for one in self.results.methods:
            name = one.method.name
            theirs = printed.get(name, {})
            rows.append(
                (
                    one.method.title,
                    *self.ndcg[name].shown,
                    *self.nce[name].shown,
                    f"{np.mean(one.seconds):.2f}",
                    "yes" if one.settled else "no",
                    *(f"{theirs[key]:g}" if key in theirs else "-" for key in _PRINTED),
                )
            )
        return Table(headings=_HEADINGS, rows=rows)

    def verdict_table(self) -> Table:
        """Return what became of the paper's claims."""
        rows = [(one.claim, one.answer, one.found) for one in self.verdicts]
        return Table(headings=("the paper's claim", "here", "figures"), rows=rows)

    def write(self, out: Path) -> tuple[Path, Path]:
        """Write page and JSON; return where they are."""
        page, values = out / "fusion.html", out / "fusion.json"
        write_json(values, self.value())
        sections = fusion_sections(
            self.results,
            figures=self.table(),
            verdicts=self.verdict_table(),
            ndcg=self.ndcg,
            nce=self.nce,
        )
        simulated = self.results.data.simulated
        text = make_page("Fusion of record types", simulated=simulated, sections=sections)
        write_page(page, text)
        return page, values


_PRINTED = ("ndcg", "nce", "seconds")
_HEADINGS = (
    *("method", "NDCG@100", "points", "percent", "NCE@100", "points", "percent"),
    *("CPU s a fold", "settled", "paper: NDCG", "paper: NCE", "paper: s"),
)


def report_fusion(results: FusionResults) -> FusionReport:
    """Compare all methods with the baseline and judge the paper's claims."""
    base, seed = results.methods[0], results.plan.seed
    by_name = {one.method.name: one for one in results.methods}
    return FusionReport(
        results=results,
        ndcg={n: measure_distance(base.ndcg, one.ndcg, seed=seed) for n, one in by_name.items()},
        nce={n: measure_distance(base.nce, one.nce, seed=seed) for n, one in by_name.items()},
        verdicts=_verdicts(by_name, seed),
    )


def _verdicts(by_name: Mapping[str, MethodResult], seed: int) -> list[Verdict]:
    asked = [
        Ordering(
            claim=f"{claim.claim} ({claim.measure.upper()}@100)",
            better=getattr(by_name[claim.better], claim.measure),
            worse=getattr(by_name[claim.worse], claim.measure),
            better_saw=_seen(by_name[claim.better]),
            worse_saw=_seen(by_name[claim.worse]),
        )
        for claim in paper_claims()
        if claim.better in by_name and claim.worse in by_name
    ]
    found = judge_orderings(asked, seed=seed)
    for claim, slow, quick, times in (
        ("SS trains more than 2 times faster than CA", "ca", "ss", 2.0),
        ("LambdaMART trains slower than CA", "lambdamart", "ca", 1.0),
        ("LambdaMART trains slower than SS", "lambdamart", "ss", 1.0),
    ):
        if slow in by_name and quick in by_name:
            pair = by_name[slow].seconds, by_name[quick].seconds
            seen = _seen(by_name[slow])
            found.append(judge_ratio(claim, *pair, at_least=times, handicap=seen))
    return found


def _seen(one: MethodResult) -> str:
    """Return how few of the training queries a learner saw, if more might have helped."""
    training = one.ndcg.size * (len(one.seconds) - 1) // len(one.seconds)
    seen = one.settings.get("queries", training)
    enough = one.unit == "queries" and one.settled  # its curve is over queries, and flat
    return "" if seen >= training or enough else f"saw {seen} of {training} training queries"
