"""How are experiments run on searches of the engine, and which options name these searches?

`--world` is a simulated archive, imported and searched; `--archive` is an archive's log.  An
experiment runs once, or under two divisions of the collections into lists, which are compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forebear.cli.options import print_message, print_result
from forebear.errors import InputError
from forebear_lab.cli.options import Output

if TYPE_CHECKING:
    from forebear_lab.experiments.engine_data import EngineSearches
    from forebear_lab.experiments.fusion import FusionPlan
    from forebear_lab.experiments.records import RecordsPlan, RecordsResults
    from forebear_lab.experiments.report.divisions import DivisionReport

WorldOption = Annotated[
    str | None,
    typer.Option(
        metavar="DIR|N:SEED",
        help="A simulated archive, which the engine imports and searches: a folder, or a number "
        "of personas and a seed.",
    ),
]
LogOption = Annotated[
    Path | None, typer.Option("--archive", help="An archive with logged searches and attachments.")
]
SearchesOption = Annotated[int, typer.Option(min=1, help="Queries of --world to search, at most.")]
ModelOption = Annotated[
    str | None, typer.Option(help="Version of the model that --world or --archive is ranked by.")
]
DEFAULT_SEARCHES = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSource:
    """Where searches of the engine come from."""

    world: WorldOption = None
    archive: LogOption = None
    searches: SearchesOption = DEFAULT_SEARCHES
    split: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TABLE=COLUMN",
            help="Import a table of --world as one collection for each value of a column.",
        ),
    ] = None
    divide: Annotated[
        list[str] | None,
        typer.Option(
            metavar="type|collection|FILE",
            help="How collections form lists: by record type, by collection, or as a JSON file "
            "says; give two to compare them.",
        ),
    ] = None
    model: ModelOption = None
    seed: int = 1  # of simulated users; not an option

    def __post_init__(self) -> None:
        if self.world is not None and self.archive is not None:
            raise InputError("both --world and --archive are given", hint="give one of them")
        if self.split and self.world is None:
            raise InputError("--split is about the tables of --world")
        if self.divisions and not self.is_given:
            raise InputError("--divide is about the collections of --world or --archive")
        if len(self.divisions) > 2:
            raise InputError(f"{len(self.divisions)} divisions are given", hint="compare two")
        if len(set(self.divisions)) < len(self.divisions):
            raise InputError(
                f"the division {self.divisions[0]!r} is given twice", hint="give two different ones"
            )

    @property
    def divisions(self) -> tuple[str, ...]:
        """Return how collections form lists; empty: by record type."""
        return tuple(self.divide or ())

    @property
    def is_given(self) -> bool:
        """Return whether the engine's searches are the data."""
        return self.world is not None or self.archive is not None

    def check_alone(self, *, data: Sequence[Path] | None, simulate: bool) -> None:
        """Refuse other data beside the engine's searches."""
        if data or simulate:
            given = "--data" if data else "--simulate"
            mine = "--world" if self.world is not None else "--archive"
            raise InputError(f"both {given} and {mine} are given", hint="give one source of data")

    def load(self, folder: Path) -> "list[EngineSearches]":
        """Return the judged searches, once for each division."""
        from forebear_lab.experiments.divisions import divide
        from forebear_lab.experiments.engine_data import read_log

        divisions = self.divisions or ("",)
        if self.archive is not None:
            path = self.archive
            return [
                read_log(
                    path,
                    lists=partial(divide, division=division),
                    model=self.model,
                    seed=self.seed,
                    progress=print_message,
                )
                for division in divisions
            ]
        return self._search_world(folder, divisions)

    def _search_world(self, folder: Path, divisions: Sequence[str]) -> "list[EngineSearches]":
        from forebear_lab.experiments.attachments import engagement_of_users
        from forebear_lab.experiments.divisions import divide
        from forebear_lab.experiments.engine_data import EngineSearches
        from forebear_lab.experiments.worlds import (
            World,
            import_world,
            parse_world,
            search_world,
            simulate_world,
        )

        home = parse_world(self.world or "")
        if not isinstance(home, Path):
            home = simulate_world(home, folder, queries=self.searches, progress=print_message)
        world = World(folder=home, splits=dict(map(_split_column, self.split or ())))
        results = []
        with import_world(world, folder, progress=print_message) as archive:
            model, visits = archive.model(self.model), world.visits()
            for division in divisions:
                every_search = search_world(
                    archive,
                    world,
                    lists=divide(archive, division),
                    searches=self.searches,
                    model=self.model,
                    progress=print_message,
                )
                judged = tuple(search for search in every_search if search.attached)
                results.append(
                    EngineSearches(
                        judged=judged,
                        model=model,
                        label=f"simulated: archive {self.world}, {len(judged):,} searches with a "
                        f"right record, by the engine with model {model.name}",
                        simulated=True,
                        archive=f"archive {self.world}",
                        engagement=engagement_of_users(
                            archive, every_search, visits, seed=self.seed
                        )
                        if visits
                        else None,
                    )
                )
        return results


def _split_column(text: str) -> tuple[str, str]:
    table, equals, column = text.partition("=")
    if not (table and equals and column):
        raise InputError(f"--split {text!r}: expected TABLE=COLUMN", hint="such as census=year")
    return table, column


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
