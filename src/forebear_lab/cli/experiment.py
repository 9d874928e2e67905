"""``forebear experiment``: the tables of the paper, calculated again.

Without ``--out`` a command prints its tables and writes nothing.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forebear.cli.options import JsonOption, grouped, print_message, print_result, require_finite
from forebear.errors import InputError
from forebear_lab.cli.engine_experiments import (
    DEFAULT_SEARCHES,
    EngineSource,
    LogOption,
    ModelOption,
    SearchesOption,
    WorldOption,
    fuse_engine_lists,
    learn_engine_weights,
)
from forebear_lab.cli.options import (
    DataSeedOption,
    FoldOptions,
    ListSource,
    MethodsOption,
    ModelSeedOption,
    OutOption,
    Output,
    PublishOption,
    RanklibOptions,
    SeedOption,
    SimulateOption,
    announce_compilation,
    check_source,
    data_seeds,
    split_numbers,
    split_words,
)
from forebear_lab.cli.worlds import loop, world

if TYPE_CHECKING:
    from forebear_lab.experiments.data import RecordsData

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


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsSource:
    """Records of one type to learn weights from, of files or simulated."""

    data: Annotated[
        list[Path] | None, typer.Option(help="Training and test file: LETOR text or .npz.")
    ] = None
    simulate: SimulateOption = False
    shapes: Annotated[str, typer.Option(help="To simulate, with commas.")] = "marriage,residence"
    seed: SeedOption = 1
    data_seed: DataSeedOption = None
    model_seed: ModelSeedOption = None

    def check(self) -> None:
        """Refuse data from two places, and files that are not two."""
        check_source(self.data, self.simulate)
        if self.data and len(self.data) != 2:
            raise InputError(f"expected two files, for training and test; found {len(self.data)}")

    def load(self) -> "list[RecordsData]":
        """Return the records of the files, or simulated ones of each shape."""
        from forebear_lab.experiments.data import read_records_data, simulate_records

        if self.data:
            return [read_records_data(self.data[0].stem, *self.data, simulated=False)]
        seeds = data_seeds(self.seed, self.data_seed, self.model_seed)
        return [simulate_records(shape=name, **seeds) for name in split_words(self.shapes)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsLearning:
    """What learns the weights of records, and from how much."""

    seeds: Annotated[str, typer.Option(help="Of training, with commas; the default is --seed.")] = (
        ""
    )
    queries: Annotated[int, typer.Option(min=0, help="To learn from at most; 0: all.")] = 100
    methods: MethodsOption = ""


@app.command("records")
@grouped
def records(
    *,
    context: typer.Context,
    out: OutOption = None,
    source: RecordsSource,
    learning: RecordsLearning,
    ranklib: RanklibOptions,
    types: Annotated[
        str, typer.Option(help="Record types of --world or --archive, with commas.")
    ] = "marriage,residence",
    engine: EngineSource,
    publish: PublishOption = None,
    as_json: JsonOption = False,
) -> None:
    """Learn record-specific weights from different starts: NDCG, evaluations, seconds."""
    from forebear_lab.experiments.record_methods import choose_records_methods
    from forebear_lab.experiments.records import RecordsPlan, run_records
    from forebear_lab.experiments.report.records import report_records

    output = Output(context=context, out=out, publish=publish, as_json=as_json)
    plan = RecordsPlan(
        methods=split_words(learning.methods),
        seeds=split_numbers(learning.seeds) if learning.seeds else (source.seed,),
        queries=learning.queries or None,
        ranklib=ranklib.limits(),
    )
    choose_records_methods(plan.methods, plan.ranklib)
    if engine.is_given:
        engine.check_alone(data=source.data, simulate=source.simulate)
        with output.work_folder() as folder, announce_compilation():
            learn_engine_weights(engine, plan, split_words(types), folder, output)
        return
    source.check()
    with output.work_folder() as folder, announce_compilation():
        results = [
            run_records(dataset, plan, folder, progress=print_message) for dataset in source.load()
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
@grouped
def fusion(
    *,
    context: typer.Context,
    out: OutOption = None,
    source: ListSource,
    learning: FoldOptions,
    sensitivity: Annotated[
        bool,
        typer.Option("--sensitivity", help="Run stochastic search with other settings too."),
    ] = False,
    ranklib: RanklibOptions,
    engine: EngineSource,
    learn_types: Annotated[
        bool,
        typer.Option(
            "--learn-types",
            help="Learn record weights of each type from half of the searches of --world or "
            "--archive, as the paper does, and fuse the lists of the others.",
        ),
    ] = False,
    publish: PublishOption = None,
    as_json: JsonOption = False,
) -> None:
    """Fuse lists by every method: NDCG@100, NCE@100 and time, in folds."""
    from forebear_lab.experiments.fusion import FusionPlan, run_fusion
    from forebear_lab.experiments.methods import choose_methods
    from forebear_lab.experiments.report.fusion import report_fusion

    output = Output(context=context, out=out, publish=publish, as_json=as_json)
    plan = FusionPlan(
        methods=split_words(learning.methods),
        folds=learning.folds,
        seed=source.seed,
        sample=learning.sample,
        ranklib=ranklib.limits(),
        sensitivity=sensitivity,
    )
    choose_methods(plan.methods, plan.ranklib)
    if engine.is_given:
        engine.check_alone(data=source.data, simulate=source.simulate)
        with output.work_folder() as folder, announce_compilation():
            fuse_engine_lists(engine, plan, folder, output, learn_types=learn_types)
        return
    check_source(source.data, source.simulate)
    if learn_types:
        raise InputError("--learn-types is about the lists of --world or --archive")
    with output.work_folder() as folder, announce_compilation():
        dataset = source.load()
        report = report_fusion(run_fusion(dataset, plan, folder, progress=print_message))
    output.write(report)
    output.publish_page(report.page())
    print_result(
        report.value(),
        as_json,
        lambda: "\n\n".join([dataset.label, *(table.as_text() for table in report.tables())]),
    )


@app.command("diversity")
@grouped
def diversity(
    *,
    context: typer.Context,
    out: OutOption = None,
    source: ListSource,
    learning: FoldOptions,
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
        methods=split_words(learning.methods),
        folds=learning.folds,
        seed=source.seed,
        sample=learning.sample,
        variety=True,
    )
    choose_methods(plan.methods)
    engine = EngineSource(
        world=world, archive=archive, searches=searches, model=model, seed=source.seed
    )
    if engine.is_given:
        engine.check_alone(data=source.data, simulate=source.simulate)
    else:
        check_source(source.data, source.simulate)
    users = None
    with output.work_folder() as folder, announce_compilation():
        if engine.is_given:
            (searched,) = engine.load(folder / "data")
            dataset, users = fusion_data(searched), searched.engagement
        else:
            dataset = source.load()
        report = DiversityReport(
            results=run_fusion(dataset, plan, folder, progress=print_message),
            engagement=users,
        )
    output.write(report)
    output.publish_page(report.page())
    print_result(report.value(), as_json, lambda: "\n\n".join(report.texts()))


app.command("loop")(loop)
app.command("world")(world)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSize:
    """How much of the paper's tables is calculated, and within which time."""

    queries: Annotated[int, typer.Option(min=1, help="Of the fusion; the paper had 30,000.")] = (
        30_000
    )
    record_queries: Annotated[
        int, typer.Option(min=0, help="To learn record weights from at most; 0: all.")
    ] = 0
    methods: MethodsOption = ""
    record_methods: Annotated[str, typer.Option(help="Of records, likewise.")] = ""
    seed: SeedOption = 1
    minutes: Annotated[
        float,
        typer.Option(
            help="Budget of a learner and fold, of CPU.", min=0.1, callback=require_finite
        ),
    ] = 20


@app.command("paper")
@grouped
def paper(
    *,
    context: typer.Context,
    out: Annotated[Path, typer.Option(help="Folder for the parts, pages and JSON.")],
    part: Annotated[
        list[str] | None, typer.Option(help="Compute only this part; several times for several.")
    ] = None,
    list_parts: Annotated[
        bool, typer.Option("--list", help="Print the parts and which are finished; compute none.")
    ] = False,
    size: PaperSize,
    ranklib: RanklibOptions,
    publish: PublishOption = None,
    as_json: JsonOption = False,
) -> None:
    """Calculate all tables at the paper's size, in parts that can be resumed anywhere."""
    from forebear_lab.experiments.budget import Budget
    from forebear_lab.experiments.paper import PaperRun
    from forebear_lab.experiments.paper_plan import PaperPlan
    from forebear_lab.experiments.report.paper import paper_page, write_paper

    plan = PaperPlan(
        queries=size.queries,
        record_queries=size.record_queries or None,
        methods=split_words(size.methods),
        record_methods=split_words(size.record_methods),
        seed=size.seed,
        budget=Budget(seconds=60 * size.minutes),
        ranklib=ranklib.limits(),
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
