"""``forebear experiment``: the tables of the paper, calculated again.

Without ``--out`` a command prints its tables and writes nothing.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from forebear.cli.options import JsonOption, print_message, print_result
from forebear.errors import InputError

if TYPE_CHECKING:
    from forebear_lab.simulation.archives import SimulatedArchive

app = typer.Typer(
    help="Calculate the paper's tables again. With --out, write a page and JSON for each.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
OutOption = Annotated[
    Path | None,
    typer.Option(
        help="Folder for the page, the JSON, the data and finished parts; nothing is written "
        "without it."
    ),
]
DataOption = Annotated[
    list[Path] | None, typer.Option(help="A folder or files; several times for several.")
]
SimulateOption = Annotated[
    bool, typer.Option("--simulate", help="Use the generator of the shared folder.")
]
MethodsOption = Annotated[str, typer.Option(help="Only these, with commas; all without.")]


@app.command("toy")
def toy(out: OutOption = None, as_json: JsonOption = False) -> None:
    """Calculate the paper's toy data: the customized start, and diversity metrics."""
    from forebear_lab.experiments.report.records import toy_value, write_toy
    from forebear_lab.experiments.toy import make_toy

    result = make_toy()
    if out:
        _report_files(*write_toy(result, out))
    texts = [f"{title}\n{table.as_text()}" for title, table in result.tables().items()]
    print_result(toy_value(result), as_json, lambda: "\n\n".join([*texts, *result.notes]))


@app.command("records")
def records(
    out: OutOption = None,
    data: Annotated[
        list[Path] | None, typer.Option(help="Training and test file: LETOR text or .npz.")
    ] = None,
    simulate: SimulateOption = False,
    shapes: Annotated[str, typer.Option(help="To simulate, with commas.")] = "marriage,residence",
    seed: Annotated[int | None, typer.Option(help="Of the simulated data.")] = None,
    seeds: Annotated[str, typer.Option(help="Of training, with commas.")] = "1",
    queries: Annotated[int, typer.Option(help="To learn from at most; 0: all.")] = 100,
    methods: MethodsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Learn record-specific weights from different starts: NDCG, evaluations, seconds."""
    from forebear_lab.experiments.data import read_records_data, simulate_records
    from forebear_lab.experiments.records import RecordsPlan, choose_records_methods, run_records
    from forebear_lab.experiments.report.records import report_records

    plan = RecordsPlan(
        methods=_words(methods), seeds=_numbers(seeds), queries=queries if queries else None
    )
    choose_records_methods(plan.methods)
    _check_source(data, simulate)
    if data and len(data) != 2:
        raise InputError(f"expected two files, for training and test; found {len(data)}")
    with _work_folder(out) as folder, _announce_compilation():
        if data:
            datasets = [read_records_data(data[0].stem, *data, simulated=False)]
        else:
            datasets = [
                simulate_records(folder / "data", shape=name, seed=seed) for name in _words(shapes)
            ]
        results = [
            run_records(dataset, plan, folder, progress=print_message) for dataset in datasets
        ]
    report = report_records(results, seed=plan.seeds[0])
    if out:
        _report_files(*report.write(out))
    texts = [f"{result.data.label}\n{report.table(result).as_text()}" for result in results]
    print_result(
        report.value(), as_json, lambda: "\n\n".join([*texts, report.verdict_table().as_text()])
    )


@app.command("fusion")
def fusion(
    out: OutOption = None,
    data: DataOption = None,
    qrels: Annotated[Path | None, typer.Option(help="Judgments of TREC runs.")] = None,
    simulate: SimulateOption = False,
    queries: Annotated[int, typer.Option(help="To simulate.")] = 600,
    lists: Annotated[int, typer.Option(help="To simulate.")] = 14,
    data_seed: Annotated[int, typer.Option(help="Of the simulated data.")] = 5,
    model_seed: Annotated[int, typer.Option(help="Of the simulated lists' scales.")] = 3,
    seed: Annotated[int, typer.Option(help="Of folds and learners.")] = 1,
    folds: Annotated[int, typer.Option(help="Each is tested on models of the others.")] = 3,
    sample: Annotated[int, typer.Option(help="Training queries for slow learners.")] = 300,
    methods: MethodsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Fuse lists by every method: NDCG@100, NCE@100 and time, in folds."""
    from forebear_lab.experiments.data import read_fusion_data, simulate_fusion
    from forebear_lab.experiments.fusion import FusionPlan, run_fusion
    from forebear_lab.experiments.methods import choose_methods
    from forebear_lab.experiments.report.fusion import report_fusion

    plan = FusionPlan(methods=_words(methods), folds=folds, seed=seed, sample=sample)
    choose_methods(plan.methods)
    _check_source(data, simulate)
    with _work_folder(out) as folder, _announce_compilation():
        if data:
            dataset = read_fusion_data(data, qrels)
        else:
            dataset = simulate_fusion(
                folder / "data", queries=queries, lists=lists, seed=data_seed, model_seed=model_seed
            )
        report = report_fusion(run_fusion(dataset, plan, folder, progress=print_message))
    if out:
        _report_files(*report.write(out))
    print_result(
        report.value(),
        as_json,
        lambda: "\n\n".join(
            [dataset.label, report.table().as_text(), report.verdict_table().as_text()]
        ),
    )


@app.command("world")
def world(
    out: Annotated[Path, typer.Option(help="A new folder for the archive.")],
    personas: Annotated[int, typer.Option(help="Mentions of people, about.")] = 20_000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same files.")] = 1,
    queries: Annotated[int, typer.Option(help="Searches of simulated users.")] = 1000,
    as_json: JsonOption = False,
) -> None:
    """Simulate an archive: records to import, queries, and the truth about both."""
    from forebear_lab.simulation.archives import write_archive

    archive = write_archive(
        out, personas=personas, seed=seed, queries=queries, progress=print_message
    )
    value = {
        "simulated": True,
        "folder": str(out),
        "tables": [str(table) for table in archive.tables],
        "personas": archive.personas,
        "records_by_type": archive.records_by_type,
    }
    print_result(value, as_json, lambda: _describe_world(archive))


def _describe_world(archive: "SimulatedArchive") -> str:
    counts = [f"{name:16}{count:>9,}" for name, count in archive.records_by_type.items()]
    return "\n".join(
        [
            *counts,
            f"{archive.personas:,} simulated personas in {len(archive.tables)} tables",
            f"import them: forebear import {archive.folder}/records/*.csv",
        ]
    )


@contextmanager
def _work_folder(out: Path | None) -> Iterator[Path]:
    """Yield the folder for data and finished parts; without ``--out`` it is removed again."""
    if out:
        yield out
    else:
        with TemporaryDirectory(prefix="forebear-experiment-") as folder:
            yield Path(folder)


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
        numbers = tuple(int(word) for word in _words(text))
    except ValueError:
        numbers = ()
    if not numbers:
        raise InputError(f"seeds are whole numbers with commas between them, not {text!r}")
    return numbers


def _announce_compilation() -> AbstractContextManager[None]:
    from forebear.kernels.compiled import announce_compilation

    return announce_compilation(print_message)


def _report_files(page: Path, values: Path) -> None:
    print_message(f"written: {page} and {values}")
