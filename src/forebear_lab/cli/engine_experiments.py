"""How are experiments run on searches of the engine?  Once, or under two divisions into lists."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from forebear.cli.options import print_message, print_result
from forebear.errors import InputError
from forebear_lab.cli.engine_sources import EngineSource
from forebear_lab.cli.experiment_output import Output

if TYPE_CHECKING:
    from forebear_lab.experiments.engine_data import EngineSearches
    from forebear_lab.experiments.fusion import FusionPlan
    from forebear_lab.experiments.records import RecordsPlan, RecordsResults
    from forebear_lab.experiments.report.divisions import DivisionReport


def fuse_engine_lists(
    source: EngineSource,
    plan: "FusionPlan",
    folder: Path,
    output: Output,
    *,
    learn_types: bool = False,
) -> None:
    """Fuse the engine's lists by every method; two divisions are compared.

    With ``learn_types`` each type is first ranked by weights learned for it alone.
    """
    from forebear_lab.experiments.divisions import compare_fusion, division_name
    from forebear_lab.experiments.engine_data import fusion_data
    from forebear_lab.experiments.fusion import run_fusion
    from forebear_lab.experiments.learned_types import learned_fusion_data
    from forebear_lab.experiments.report.divisions import DivisionReport
    from forebear_lab.experiments.report.fusion import report_fusion

    reports, texts = [], []
    loaded = source.load(folder / "data")
    for searches, division in zip(loaded, source.divisions or ("",), strict=True):
        name = division_name(division) if len(loaded) > 1 else ""
        if learn_types:
            data = learned_fusion_data(searches, seed=plan.seed, progress=print_message)
        else:
            data = fusion_data(searches)
        results = run_fusion(data, plan, folder / name, progress=print_message)
        report = report_fusion(results)
        output.write(report, name)
        reports.append(report)
        heading = f"{data.label}{f'; lists by {name}' if name else ''}"
        texts += [heading, report.table().as_text(), report.verdict_table().as_text()]
    if len(reports) == 1:
        output.publish_page(reports[0].page())
        print_result(reports[0].value(), output.as_json, lambda: "\n\n".join(texts))
        return
    first, second = reports
    comparison = DivisionReport(
        experiment="fusion",
        names=_names(source),
        rows=compare_fusion(first.results, second.results, seed=plan.seed),
        label=loaded[0].label,
        simulated=loaded[0].simulated,
        seed=plan.seed,
    )
    _print_comparison(comparison, [report.value() for report in reports], texts, output)


def learn_engine_weights(
    source: EngineSource,
    plan: "RecordsPlan",
    names: Sequence[str],
    folder: Path,
    output: Output,
) -> None:
    """Learn record-specific weights from the engine's clause bits, type by type."""
    from forebear_lab.experiments.engine_data import records_data
    from forebear_lab.experiments.records import run_records
    from forebear_lab.experiments.report.records import report_records

    loaded = source.load(folder / "data")
    if len(loaded) == 2:
        _compare_weights(source, loaded, plan, names, folder, output)
        return
    seed = plan.seeds[0]
    data = [records_data(loaded[0], name, seed=seed) for name in names]
    results = [run_records(one, plan, folder, progress=print_message) for one in data]
    report = report_records(results, seed=seed)
    output.write(report)
    output.publish_page(report.page())
    texts = [f"{one.data.label}\n{report.table(one).as_text()}" for one in results]
    print_result(
        report.value(),
        output.as_json,
        lambda: "\n\n".join([*texts, report.verdict_table().as_text()]),
    )


def _compare_weights(
    source: EngineSource,
    loaded: "Sequence[EngineSearches]",
    plan: "RecordsPlan",
    names: Sequence[str],
    folder: Path,
    output: Output,
) -> None:
    from forebear_lab.experiments.divisions import compare_records
    from forebear_lab.experiments.report.divisions import DivisionReport

    first, second = loaded
    seed = plan.seeds[0]
    pairs = []
    for name in _lists_of(second, names):
        pair = _learn_both(first, second, name, plan, folder)
        pairs += [pair] if pair else []
    if not pairs:
        raise InputError(
            f"no list of {', '.join(names)} has enough searches with a relevant record",
            hint="simulate a larger archive, or name other types with --types",
        )
    comparison = DivisionReport(
        experiment="records",
        names=_names(source),
        rows=compare_records(pairs, seed=seed),
        label=second.label,
        simulated=second.simulated,
        seed=seed,
    )
    _print_comparison(comparison, [], [second.label], output)


def _learn_both(
    first: "EngineSearches",
    second: "EngineSearches",
    name: str,
    plan: "RecordsPlan",
    folder: Path,
) -> "tuple[RecordsResults, RecordsResults] | None":
    """Learn the weights of a list from all lists of its type, and from the list itself."""
    from forebear_lab.experiments.engine_data import records_data
    from forebear_lab.experiments.records import run_records

    seed = plan.seeds[0]
    try:
        of_list = records_data(second, name, seed=seed)
    except InputError as error:
        print_message(f"skipped: {error.message}")
        return None
    of_type = records_data(second, name, seed=seed, train_on=first)
    of_type = replace(of_type, name=f"{name}-from-type")
    return (
        run_records(of_type, plan, folder, progress=print_message),
        run_records(of_list, plan, folder, progress=print_message),
    )


def _lists_of(searches: "EngineSearches", types: Sequence[str]) -> list[str]:
    """Return the lists of these record types, by name."""
    lists = {shown.name: shown.record_type for one in searches.judged for shown in one.search.lists}
    return sorted(name for name, record_type in lists.items() if record_type in types)


def _names(source: EngineSource) -> tuple[str, str]:
    from forebear_lab.experiments.divisions import division_name

    first, second = map(division_name, source.divisions)
    return first, second


def _print_comparison(
    comparison: "DivisionReport",
    values: list[dict[str, object]],
    texts: list[str],
    output: Output,
) -> None:
    output.write(comparison)
    output.publish_page(comparison.page())
    value = {**comparison.value(), "results": values}
    print_result(value, output.as_json, lambda: "\n\n".join([*texts, comparison.table().as_text()]))
