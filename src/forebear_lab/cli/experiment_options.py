"""Which options do the experiments share, and how are they read?"""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forebear.cli.options import print_message, require_finite
from forebear.errors import InputError

if TYPE_CHECKING:
    from forebear_lab.baselines.maven import Limits
    from forebear_lab.experiments.data import FusionData

DataOption = Annotated[
    list[Path] | None, typer.Option(help="A folder or files; several times for several.")
]
QrelsOption = Annotated[Path | None, typer.Option(help="Judgments of TREC runs.")]
SimulateOption = Annotated[
    bool, typer.Option("--simulate", help="Simulate rankings of the paper's shape.")
]
SeedOption = Annotated[int, typer.Option(min=0, help="Of everything that has no other seed here.")]
DataSeedOption = Annotated[
    int | None, typer.Option(min=0, help="Of simulated queries; the default is --seed.")
]
ModelSeedOption = Annotated[
    int | None,
    typer.Option(
        min=0, help="Of what simulated features or lists are like; the default is --seed."
    ),
]
RanklibOption = Annotated[
    bool,
    typer.Option("--ranklib", help="Run RankLib's own learners too; needs Java and Maven."),
]
RanklibSecondsOption = Annotated[
    float, typer.Option(help="Limit of one run of RankLib, of CPU.", min=1, callback=require_finite)
]
RanklibMemoryOption = Annotated[int, typer.Option(help="Limit of RankLib's memory, in MB.", min=1)]
SimulatedQueriesOption = Annotated[int, typer.Option(min=1, help="To simulate.")]
SimulatedListsOption = Annotated[int, typer.Option(min=1, help="To simulate.")]
FoldsOption = Annotated[int, typer.Option(min=2, help="Each is tested on models of the others.")]
SampleOption = Annotated[int, typer.Option(min=2, help="Training queries for slow learners.")]
MethodsOption = Annotated[str, typer.Option(help="Only these, with commas; all without.")]


def check_source(data: list[Path] | None, simulate: bool) -> None:
    """Refuse data from two places, and none."""
    if bool(data) == simulate:
        raise InputError(
            "which data?" if not data else "both --data and --simulate are given",
            hint="give --data FOLDER_OR_FILES, --simulate, --world DIR or --archive FILE",
        )


def data_seeds(seed: int, data_seed: int | None, model_seed: int | None) -> dict[str, int]:
    """Return the seeds of simulated data; one that is not given is the general seed."""
    return {
        "seed": seed if data_seed is None else data_seed,
        "model_seed": seed if model_seed is None else model_seed,
    }


def load_fusion(
    data: list[Path] | None,
    qrels: Path | None,
    *,
    queries: int,
    lists: int,
    seeds: dict[str, int],
) -> "FusionData":
    """Return lists to be fused from files, or simulated ones if no file is given."""
    from forebear_lab.experiments.data import read_fusion_data, simulate_fusion

    if data:
        return read_fusion_data(data, qrels)
    return simulate_fusion(queries=queries, lists=lists, progress=print_message, **seeds)


def ranklib_limits(ranklib: bool, seconds: float, memory: int) -> "Limits | None":
    """Return the limits of RankLib's runs; None if it is not wanted."""
    from forebear_lab.baselines.maven import Limits

    return Limits(seconds=seconds, memory_mb=memory) if ranklib else None


def split_words(text: str) -> tuple[str, ...]:
    """Return the words between commas."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def split_numbers(text: str) -> tuple[int, ...]:
    """Return the whole numbers between commas."""
    try:
        numbers = tuple(int(word) for word in split_words(text))
    except ValueError:
        numbers = ()
    if not numbers or min(numbers) < 0:
        raise InputError(f"seeds are whole numbers from 0 with commas between them, not {text!r}")
    return numbers


def announce_compilation() -> AbstractContextManager[None]:
    """Return a context that says so when something is compiled."""
    from forebear.kernels import compiled

    return compiled.announce_compilation(print_message)
