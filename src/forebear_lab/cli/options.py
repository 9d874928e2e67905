"""Which options do the lab's commands share, and where does their output go?

Reports of experiments go to standard output, to a folder, to a published page; the page names the
command that made it, without what only says where files go.
"""

import shlex
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from forebear.cli.options import print_message, require_finite
from forebear.errors import InputError

if TYPE_CHECKING:
    from forebear.learning.dataset import FusionDataset, RankingDataset, TrainingStep
    from forebear_lab.baselines.maven import Limits
    from forebear_lab.experiments.data import FusionData
    from forebear_lab.experiments.report.page import Page

SECONDS_BETWEEN_MESSAGES = 2.0
QUERIES_TO_COMPILE = 20  # enough for every loop to be compiled
_PLACES = frozenset(["out", "publish", "as_json", "list_parts"])  # options that say where, not what

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
SimulateOption = Annotated[
    bool, typer.Option("--simulate", help="Simulate rankings of the paper's shape.")
]
MethodsOption = Annotated[str, typer.Option(help="Only these, with commas; all without.")]
OutOption = Annotated[
    Path | None,
    typer.Option(
        help="Folder for the page, the JSON and finished parts; nothing is written without it."
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSource:
    """Lists to be fused, from files or simulated."""

    data: Annotated[
        list[Path] | None, typer.Option(help="A folder or files; several times for several.")
    ] = None
    qrels: Annotated[Path | None, typer.Option(help="Judgments of TREC runs.")] = None
    simulate: SimulateOption = False
    queries: Annotated[int, typer.Option(min=1, help="To simulate.")] = 600
    lists: Annotated[int, typer.Option(min=1, help="To simulate.")] = 14
    seed: SeedOption = 1
    data_seed: DataSeedOption = None
    model_seed: ModelSeedOption = None

    def load(self) -> "FusionData":
        """Return the lists of files, or simulated ones if no file is given."""
        from forebear_lab.experiments.data import read_fusion_data, simulate_fusion

        if self.data:
            return read_fusion_data(self.data, self.qrels)
        seeds = data_seeds(self.seed, self.data_seed, self.model_seed)
        return simulate_fusion(
            queries=self.queries, lists=self.lists, progress=print_message, **seeds
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldOptions:
    """How the queries of an experiment with lists are divided, and what learns from them."""

    folds: Annotated[int, typer.Option(min=2, help="Each is tested on models of the others.")] = 3
    sample: Annotated[int, typer.Option(min=2, help="Training queries for slow learners.")] = 300
    methods: MethodsOption = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RanklibOptions:
    """Whether RankLib's own learners run, and how long."""

    ranklib: Annotated[
        bool,
        typer.Option("--ranklib", help="Run RankLib's own learners too; needs Java and Maven."),
    ] = False
    ranklib_seconds: Annotated[
        float,
        typer.Option(help="Limit of one run of RankLib, of CPU.", min=1, callback=require_finite),
    ] = 600
    ranklib_memory: Annotated[
        int, typer.Option(help="Limit of RankLib's memory, in MB.", min=1)
    ] = 4096

    def limits(self) -> "Limits | None":
        """Return the limits of RankLib's runs; None without `--ranklib`."""
        from forebear_lab.baselines.maven import Limits

        if not self.ranklib:
            return None
        return Limits(seconds=self.ranklib_seconds, memory_mb=self.ranklib_memory)


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
    """Return a context that prints a message when something is compiled."""
    from forebear.kernels import compiled

    return compiled.announce_compilation(print_message)


class LearningProgress:
    """Reports the progress of learning every few seconds."""

    def __init__(self, name: str = "") -> None:
        self._start = f"{name}, " if name else ""
        self._reported = monotonic()

    def __call__(self, step: "TrainingStep") -> None:
        """Report a step, unless another was reported just before."""
        if monotonic() - self._reported >= SECONDS_BETWEEN_MESSAGES:
            self._reported = monotonic()
            print_message(
                f"{self._start}{step.move}: {step.train:.5f} after {step.evaluations:,} evaluations"
            )


def few_useful(data: "RankingDataset | FusionDataset") -> list[int]:
    """Return a few queries that have a relevant document."""
    import numpy as np

    step = (data.offsets.size - 1) // max(1, len(data.query_ids))  # lists a query
    places = np.flatnonzero(data.labels)
    queries = np.unique((np.searchsorted(data.offsets, places, side="right") - 1) // max(1, step))
    if not queries.size:
        raise InputError("nothing is relevant in any query, so there is nothing to learn from")
    return [int(query) for query in queries[:QUERIES_TO_COMPILE]]


def _check_page(path: Path | None) -> Path | None:
    """Refuse a name before hours of work, not after."""
    from forebear_lab.experiments.report.markdown import check_page_name

    if path is not None:
        check_page_name(path)
    return path


PublishOption = Annotated[
    Path | None,
    typer.Option(
        metavar="PAGE.md",
        callback=_check_page,
        help="Also write a Markdown page with plots beside it, and the README.md of its folder.",
    ),
]


class Report(Protocol):
    """A report of an experiment."""

    def page(self) -> "Page":
        """Return the page."""
        ...

    def write(self, out: Path) -> tuple[Path, Path]:
        """Write page and JSON; return where they are."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """The folder, the published page and the format of standard output, as options say."""

    context: typer.Context  # of the command
    out: Path | None
    publish: Path | None
    as_json: bool

    @contextmanager
    def work_folder(self) -> Iterator[Path]:
        """Yield the folder for data and finished parts; without ``--out`` it is removed again."""
        if self.out:
            yield self.out
        else:
            with TemporaryDirectory(prefix="forebear-experiment-") as folder:
                yield Path(folder)

    def write(self, report: Report, name: str = "") -> None:
        """Write a report to the folder, or to a folder of this name in it."""
        if self.out:
            page, values = report.write(self.out / name)
            print_message(f"written: {page} and {values}")

    def publish_page(self, page: "Page") -> None:
        """Write the published page, if one is named, and the index of its folder."""
        from forebear_lab.experiments.parts import describe_machine, today
        from forebear_lab.experiments.report.index import write_index
        from forebear_lab.experiments.report.markdown import Origin, publish_page

        if self.publish:
            origin = Origin(
                command=command_line(self.context), date=today(), machine=describe_machine()
            )
            publish_page(page, self.publish, origin)
            write_index(self.publish.parent)
            print_message(f"published: {self.publish}")


def command_line(context: typer.Context) -> str:
    """Return a command with the options that were given, but for those of places.

    A file or folder is named without where it is on this machine.
    """
    words = ["forebear", "experiment", context.info_name or ""]
    for option in context.command.params:
        name = option.name or ""
        source = context.get_parameter_source(name)
        if name in _PLACES or source is None or source.name != "COMMANDLINE":
            continue
        value = context.params[name]
        if isinstance(value, bool):
            words.append(option.opts[0])
        else:
            for one in value if isinstance(value, list | tuple) else [value]:
                path = Path(str(one))
                words += [option.opts[0], path.name if path.is_absolute() else str(one)]
    return shlex.join(words)
