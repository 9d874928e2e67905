"""``forebear experiment``: the tables of the paper, calculated again.

Without ``--out`` a command prints its tables and writes nothing.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forebear.cli.options import JsonOption, print_message, print_result, require_finite
from forebear.errors import InputError
from forebear_lab.cli.engine_sources import (
    DEFAULT_SEARCHES,
    DivideOption,
    EngineSource,
    LearnTypesOption,
    LogOption,
    ModelOption,
    SearchesOption,
    SplitOption,
    WorldOption,
)
from forebear_lab.cli.experiment_options import (
    DataOption,
    DataSeedOption,
    FoldsOption,
    MethodsOption,
    ModelSeedOption,
    QrelsOption,
    RanklibMemoryOption,
    RanklibOption,
    RanklibSecondsOption,
    SampleOption,
    SeedOption,
    SimulatedListsOption,
    SimulatedQueriesOption,
    SimulateOption,
    announce_compilation,
    check_source,
    data_seeds,
    load_fusion,
    ranklib_limits,
    split_numbers,
    split_words,
)
from forebear_lab.cli.experiment_output import OutOption, Output, PublishOption
from forebear_lab.cli.loop import loop

if TYPE_CHECKING:
    from forebear_lab.simulation.archives import SimulatedArchive

app = typer.Typer(
    help="Calculate the paper's tables, on simulated or your data.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("toy")
def toy(
    context: typer.Context,
    out: OutOption = None,
    publish: PublishOption = None,
    as_json: JsonOption = False,
) -> None:
    """Calculate the paper's toy data: the customized start, and diversity metrics."""
    from forebear_lab.experiments.report.toy import ToyReport
    from forebear_lab.experiments.toy import make_toy

    output = Output(context=context, out=out, publish=publish, as_json=as_json)
    report = ToyReport(make_toy())
    output.write(report)
    output.publish_page(report.page())
    print_result(report.value(), as_json, lambda: "\n\n".join(report.texts()))


@app.command("records")
def records(
    context: typer.Context,
    out: OutOption = None,
    data: Annotated[
        list[Path] | None, typer.Option(help="Training and test file: LETOR text or .npz.")
    ] = None,
    simulate: SimulateOption = False,
    shapes: Annotated[str, typer.Option(help="To simulate, with commas.")] = "marriage,residence",
    seed: SeedOption = 1,
    data_seed: DataSeedOption = None,
    model_seed: ModelSeedOption = None,
    seeds: Annotated[
        str, typer.Option(help="Of training, with commas; the default is --seed.")
    ] = "",
    queries: Annotated[int, typer.Option(min=0, help="To learn from at most; 0: all.")] = 100,
    methods: MethodsOption = "",
    ranklib: RanklibOption = False,
    ranklib_seconds: RanklibSecondsOption = 600,
    ranklib_memory: RanklibMemoryOption = 4096,
    types: Annotated[
        str, typer.Option(help="Record types of --world or --archive, with commas.")
    ] = "marriage,residence",
    world: WorldOption = None,
    archive: LogOption = None,
    searches: SearchesOption = DEFAULT_SEARCHES,
    split: SplitOption = None,
    divide: DivideOption = None,
    model: ModelOption = None,
    publish: PublishOption = None,
    as_json: JsonOption = False,
) -> None:
    """Learn record-specific weights from different starts: NDCG, evaluations, seconds."""
    from forebear_lab.cli.engine_experiments import learn_engine_weights
    from forebear_lab.experiments.data import read_records_data, simulate_records
    from forebear_lab.experiments.record_methods import choose_records_methods
    from forebear_lab.experiments.records import RecordsPlan, run_records
    from forebear_lab.experiments.report.records import report_records

    output = Output(context=context, out=out, publish=publish, as_json=as_json)
    plan = RecordsPlan(
        methods=split_words(methods),
        seeds=split_numbers(seeds) if seeds else (seed,),
        queries=queries if queries else None,
        ranklib=ranklib_limits(ranklib, ranklib_seconds, ranklib_memory),
    )
    choose_records_methods(plan.methods, plan.ranklib)
    source = EngineSource(
        world=world,
        archive=archive,
        searches=searches,
        splits=split or (),
        divisions=divide or (),
        model=model,
    )
    if source.is_given:
        source.check_alone(data=data, simulate=simulate)
        with output.work_folder() as folder, announce_compilation():
            learn_engine_weights(source, plan, split_words(types), folder, output)
        return
    check_source(data, simulate)
    if data and len(data) != 2:
        raise InputError(f"expected two files, for training and test; found {len(data)}")
    with output.work_folder() as folder, announce_compilation():
        if data:
            datasets = [read_records_data(data[0].stem, *data, simulated=False)]
        else:
            datasets = [
                simulate_records(shape=name, **data_seeds(seed, data_seed, model_seed))
                for name in split_words(shapes)
            ]
        results = [
            run_records(dataset, plan, folder, progress=print_message) for dataset in datasets
        ]
    report = report_records(results, seed=plan.seeds[0])
    output.write(report)
    output.publish_page(report.page())
    texts = [
        "\n\n".join([result.data.label, *(table.as_text() for table in report.tables(result))])
        for result in results
    ]
    print_result(
        report.value(), as_json, lambda: "\n\n".join([*texts, report.verdict_table().as_text()])
    )


@app.command("fusion")
def fusion(
    context: typer.Context,
    out: OutOption = None,
    data: DataOption = None,
    qrels: QrelsOption = None,
    simulate: SimulateOption = False,
    queries: SimulatedQueriesOption = 600,
    lists: SimulatedListsOption = 14,
    seed: SeedOption = 1,
    data_seed: DataSeedOption = None,
    model_seed: ModelSeedOption = None,
    folds: FoldsOption = 3,
    sample: SampleOption = 300,
    methods: MethodsOption = "",
    sensitivity: Annotated[
        bool,
        typer.Option("--sensitivity", help="Run stochastic search with other settings too."),
    ] = False,
    ranklib: RanklibOption = False,
    ranklib_seconds: RanklibSecondsOption = 600,
    ranklib_memory: RanklibMemoryOption = 4096,
    world: WorldOption = None,
    archive: LogOption = None,
    searches: SearchesOption = DEFAULT_SEARCHES,
    split: SplitOption = None,
    divide: DivideOption = None,
    model: ModelOption = None,
    learn_types: LearnTypesOption = False,
    publish: PublishOption = None,
    as_json: JsonOption = False,
) -> None:
    """Fuse lists by every method: NDCG@100, NCE@100 and time, in folds."""
    from forebear_lab.cli.engine_experiments import fuse_engine_lists
    from forebear_lab.experiments.fusion import FusionPlan, run_fusion
    from forebear_lab.experiments.methods import choose_methods
    from forebear_lab.experiments.report.fusion import report_fusion

    output = Output(context=context, out=out, publish=publish, as_json=as_json)
    limits = ranklib_limits(ranklib, ranklib_seconds, ranklib_memory)
    plan = FusionPlan(
        methods=split_words(methods),
        folds=folds,
        seed=seed,
        sample=sample,
        ranklib=limits,
        sensitivity=sensitivity,
    )
    choose_methods(plan.methods, plan.ranklib)
    source = EngineSource(
        world=world,
        archive=archive,
        searches=searches,
        splits=split or (),
        divisions=divide or (),
        model=model,
    )
    if source.is_given:
        source.check_alone(data=data, simulate=simulate)
        with output.work_folder() as folder, announce_compilation():
            fuse_engine_lists(source, plan, folder, output, learn_types=learn_types)
        return
    check_source(data, simulate)
    if learn_types:
        raise InputError("--learn-types is about the lists of --world or --archive")
    with output.work_folder() as folder, announce_compilation():
        seeds = data_seeds(seed, data_seed, model_seed)
        dataset = load_fusion(data, qrels, queries=queries, lists=lists, seeds=seeds)
        report = report_fusion(run_fusion(dataset, plan, folder, progress=print_message))
    output.write(report)
    output.publish_page(report.page())
    print_result(
        report.value(),
        as_json,
        lambda: "\n\n".join([dataset.label, *(table.as_text() for table in report.tables())]),
    )


@app.command("diversity")
def diversity(
    context: typer.Context,
    out: OutOption = None,
    data: DataOption = None,
    qrels: QrelsOption = None,
    simulate: SimulateOption = False,
    queries: SimulatedQueriesOption = 600,
    lists: SimulatedListsOption = 14,
    seed: SeedOption = 1,
    data_seed: DataSeedOption = None,
    model_seed: ModelSeedOption = None,
    folds: FoldsOption = 3,
    sample: SampleOption = 300,
    methods: MethodsOption = "",
    world: WorldOption = None,
    archive: LogOption = None,
    searches: SearchesOption = DEFAULT_SEARCHES,
    model: ModelOption = None,
    publish: PublishOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure how varied fused lists are: by method, by decay, and what people attach."""
    from forebear_lab.experiments.engine_data import fusion_data
    from forebear_lab.experiments.fusion import FusionPlan, run_fusion
    from forebear_lab.experiments.methods import choose_methods
    from forebear_lab.experiments.report.diversity import DiversityReport

    output = Output(context=context, out=out, publish=publish, as_json=as_json)
    plan = FusionPlan(
        methods=split_words(methods), folds=folds, seed=seed, sample=sample, variety=True
    )
    choose_methods(plan.methods)
    source = EngineSource(world=world, archive=archive, searches=searches, model=model, seed=seed)
    if source.is_given:
        source.check_alone(data=data, simulate=simulate)
    else:
        check_source(data, simulate)
    users = None
    with output.work_folder() as folder, announce_compilation():
        if source.is_given:
            (searched,) = source.load(folder / "data")
            dataset, users = fusion_data(searched), searched.engagement
        else:
            seeds = data_seeds(seed, data_seed, model_seed)
            dataset = load_fusion(data, qrels, queries=queries, lists=lists, seeds=seeds)
        report = DiversityReport(
            results=run_fusion(dataset, plan, folder, progress=print_message),
            engagement=users,
        )
    output.write(report)
    output.publish_page(report.page())
    print_result(report.value(), as_json, lambda: "\n\n".join(report.texts()))


app.command("loop")(loop)


@app.command("world")
def world(
    out: Annotated[Path, typer.Option(help="A new folder for the archive.")],
    personas: Annotated[int, typer.Option(help="Mentions of people, about.")] = 20_000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same files.")] = 1,
    queries: Annotated[int, typer.Option(min=0, help="Searches of simulated users.")] = 1000,
    peculiar: Annotated[
        bool, typer.Option("--peculiar", help="With customs that general weights do not fit.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Simulate an archive: records to import, queries, and the truth about both."""
    from forebear_lab.simulation.archives import write_archive
    from forebear_lab.simulation.peculiarities import PECULIARITIES, make_peculiar

    archive = write_archive(
        out, personas=personas, seed=seed, queries=queries, progress=print_message
    )
    if peculiar:
        make_peculiar(out, seed=seed)
    value: dict[str, Any] = {
        "simulated": True,
        "peculiarities": list(PECULIARITIES) if peculiar else [],
        "folder": str(out),
        "tables": [str(table) for table in archive.tables],
        "personas": archive.personas,
        "records_by_type": archive.records_by_type,
    }
    print_result(value, as_json, lambda: _describe_world(archive, value["peculiarities"]))


def _describe_world(archive: "SimulatedArchive", peculiarities: list[str]) -> str:
    counts = [f"{name:16}{count:>9,}" for name, count in archive.records_by_type.items()]
    return "\n".join(
        [
            *counts,
            f"{archive.personas:,} simulated personas in {len(archive.tables)} tables",
            *(f"  {one}" for one in peculiarities),
            "to search them:",
            "  forebear init NEW.archive",
            f"  forebear import --archive NEW.archive {archive.folder}/records/*.csv",
            f"  forebear places --archive NEW.archive --import {archive.folder}/places.csv",
        ]
    )


@app.command("paper")
def paper(
    context: typer.Context,
    out: Annotated[Path, typer.Option(help="Folder for the parts, pages and JSON.")],
    part: Annotated[
        list[str] | None, typer.Option(help="Compute only this part; several times for several.")
    ] = None,
    list_parts: Annotated[
        bool, typer.Option("--list", help="Print the parts and which are finished; compute none.")
    ] = False,
    queries: Annotated[
        int, typer.Option(min=1, help="Of the fusion; the paper had 30,000.")
    ] = 30_000,
    record_queries: Annotated[
        int, typer.Option(min=0, help="To learn record weights from at most; 0: all.")
    ] = 0,
    methods: MethodsOption = "",
    record_methods: Annotated[str, typer.Option(help="Of records, likewise.")] = "",
    seed: SeedOption = 1,
    minutes: Annotated[
        float,
        typer.Option(
            help="Budget of a learner and fold, of CPU.", min=0.1, callback=require_finite
        ),
    ] = 20,
    ranklib: RanklibOption = False,
    ranklib_seconds: RanklibSecondsOption = 600,
    ranklib_memory: RanklibMemoryOption = 4096,
    publish: PublishOption = None,
    as_json: JsonOption = False,
) -> None:
    """Calculate all tables at the paper's size, in parts that can be resumed anywhere."""
    from forebear_lab.experiments.budget import Budget
    from forebear_lab.experiments.paper import PaperRun
    from forebear_lab.experiments.paper_plan import PaperPlan
    from forebear_lab.experiments.report.paper import paper_page, write_paper

    plan = PaperPlan(
        queries=queries,
        record_queries=record_queries or None,
        methods=split_words(methods),
        record_methods=split_words(record_methods),
        seed=seed,
        budget=Budget(seconds=60 * minutes),
        ranklib=ranklib_limits(ranklib, ranklib_seconds, ranklib_memory),
    )
    run = PaperRun(plan, out, progress=print_message)
    output = Output(context=context, out=out, publish=publish, as_json=as_json)
    if unknown := [name for name in part or () if name not in run.parts]:
        raise InputError(f"no part is called {unknown[0]!r}", hint="--list prints all of them")
    if list_parts:
        states = {name: run.is_finished(one) for name, one in run.parts.items()}
        lines = [f"{'finished' if done else 'missing '}  {name}" for name, done in states.items()]
        value: dict[str, Any] = states
    else:
        with announce_compilation():
            for name in part or run.parts:
                run.compute(run.parts[name])
        pages = write_paper(run, plan, out) if not part and not publish else []
        value = {"parts": part or list(run.parts), "pages": [str(page) for page in pages]}
        lines = [f"written: {page}" for page in pages] or [f"finished: {n}" for n in part or ()]
    if publish:
        output.publish_page(paper_page(run, plan))
    print_result(value, as_json, lambda: "\n".join(lines))
