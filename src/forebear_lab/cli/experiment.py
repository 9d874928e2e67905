"""``forebear experiment``: the paper's tables made again."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer

from forebear.cli.options import JsonOption, answer, talk
from forebear.errors import InputError

app = typer.Typer(
    help="Make the paper's tables again, with a page and JSON for each.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
OutOption = Annotated[Path, typer.Option(help="Folder of the page, the JSON and what is finished.")]
DataOption = Annotated[
    list[Path] | None, typer.Option(help="A folder or files; several times for several.")
]
SimulateOption = Annotated[
    bool, typer.Option("--simulate", help="Use the generator of the shared folder.")
]
MethodsOption = Annotated[str, typer.Option(help="Only these, with commas; all without.")]


@app.command("toy")
def toy(out: OutOption = Path("experiment-toy"), as_json: JsonOption = False) -> None:
    """Work the paper's toy data: the customized start, and diversity metrics."""
    from forebear_lab.experiments.report.toy_report import toy_value, write_toy
    from forebear_lab.experiments.toy import make_toy

    made = make_toy()
    _say_where(*write_toy(made, out))
    texts = [f"{title}\n{table.as_text()}" for title, table in made.tables().items()]
    answer(toy_value(made), as_json, lambda: "\n\n".join([*texts, *made.notes]))


@app.command("records")
def records(
    out: OutOption = Path("experiment-records"),
    data: Annotated[
        list[Path] | None, typer.Option(help="Training and test file: LETOR text or .npz.")
    ] = None,
    simulate: SimulateOption = False,
    shapes: Annotated[str, typer.Option(help="To simulate, with commas.")] = "marriage,residence",
    seed: Annotated[int | None, typer.Option(help="Of the simulated draws.")] = None,
    seeds: Annotated[str, typer.Option(help="Of training, with commas.")] = "1",
    queries: Annotated[int, typer.Option(help="To learn from at most; 0: all.")] = 100,
    methods: MethodsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Learn record-specific weights from different starts: NDCG, evaluations, seconds."""
    from forebear_lab.experiments.ranking_data import read_records_data, simulate_records
    from forebear_lab.experiments.records import RecordsPlan, run_records
    from forebear_lab.experiments.records_methods import choose_records_methods
    from forebear_lab.experiments.report.records_report import report_records

    plan = RecordsPlan(
        methods=_words(methods), seeds=_numbers(seeds), queries=queries if queries else None
    )
    choose_records_methods(plan.methods)
    _check_source(data, simulate)
    if data:
        if len(data) != 2:
            raise InputError(f"{len(data)} files given, but two are wanted: training and test")
        given = [read_records_data(data[0].stem, *data, simulated=False)]
    else:
        folder = out / "data"
        given = [simulate_records(folder, shape=name, seed=seed) for name in _words(shapes)]
    with _told_compilation():
        done = [run_records(one, plan, out, tell=talk.print) for one in given]
    report = report_records(done, seed=plan.seeds[0])
    _say_where(*report.write(out))
    texts = [f"{one.data.label}\n{report.table(one).as_text()}" for one in done]
    answer(report.value(), as_json, lambda: "\n\n".join([*texts, report.verdict_table().as_text()]))


@app.command("fusion")
def fusion(
    out: OutOption = Path("experiment-fusion"),
    data: DataOption = None,
    qrels: Annotated[Path | None, typer.Option(help="Judgments of TREC runs.")] = None,
    simulate: SimulateOption = False,
    queries: Annotated[int, typer.Option(help="To simulate.")] = 600,
    lists: Annotated[int, typer.Option(help="To simulate.")] = 14,
    data_seed: Annotated[int, typer.Option(help="Of the simulated draws.")] = 5,
    model_seed: Annotated[int, typer.Option(help="Of the simulated lists' scales.")] = 3,
    seed: Annotated[int, typer.Option(help="Of folds and learners.")] = 1,
    folds: Annotated[int, typer.Option(help="Each tested on what the others taught.")] = 3,
    sample: Annotated[int, typer.Option(help="Training queries that slow learners see.")] = 300,
    methods: MethodsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Fuse lists by every method: NDCG@100, NCE@100 and time, in folds."""
    from forebear_lab.experiments.fusion import FusionPlan, run_fusion
    from forebear_lab.experiments.fusion_methods import choose_methods
    from forebear_lab.experiments.ranking_data import read_fusion_data, simulate_fusion
    from forebear_lab.experiments.report.fusion_report import report_fusion

    plan = FusionPlan(methods=_words(methods), folds=folds, seed=seed, sample=sample)
    choose_methods(plan.methods)
    _check_source(data, simulate)
    if data:
        given = read_fusion_data(data, qrels)
    else:
        given = simulate_fusion(
            out / "data", queries=queries, lists=lists, seed=data_seed, model_seed=model_seed
        )
    with _told_compilation():
        report = report_fusion(run_fusion(given, plan, out, tell=talk.print))
    _say_where(*report.write(out))
    answer(
        report.value(),
        as_json,
        lambda: "\n\n".join(
            [given.label, report.table().as_text(), report.verdict_table().as_text()]
        ),
    )


def _check_source(data: list[Path] | None, simulate: bool) -> None:
    if bool(data) == simulate:
        raise InputError(
            "which data?" if not data else "both --data and --simulate are given",
            hint="give --data FOLDER_OR_FILES or --simulate",
        )


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _numbers(text: str) -> tuple[int, ...]:
    try:
        found = tuple(int(word) for word in _words(text))
    except ValueError:
        found = ()
    if not found:
        raise InputError(f"seeds are whole numbers with commas between them, not {text!r}")
    return found


def _told_compilation() -> AbstractContextManager[None]:
    from forebear.kernels.announce import compilation_told

    return compilation_told(talk.print)


def _say_where(page: Path, values: Path) -> None:
    talk.print(f"written: {page} and {values}")
