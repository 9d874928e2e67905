"""``forebear experiment world`` and ``loop``: a simulated archive, and what its searches teach."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forebear.cli.options import JsonOption, print_message, print_result
from forebear.errors import InputError
from forebear_lab.cli.options import (
    OutOption,
    Output,
    PublishOption,
    SeedOption,
    announce_compilation,
    split_numbers,
)

if TYPE_CHECKING:
    from forebear_lab.experiments.loop import LoopPlan
    from forebear_lab.experiments.loop_searches import LoopSearches
    from forebear_lab.experiments.report.loop import LoopReport
    from forebear_lab.simulation.archives import SimulatedArchive

MAX_QUERIES, MIN_QUERIES, POOL_FACTOR = 4_500, 1_500, 5


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


def loop(
    context: typer.Context,
    world: Annotated[
        str,
        typer.Option(
            metavar="DIR|N:SEED",
            help="A simulated archive: a folder, or a number of personas and a seed.",
        ),
    ],
    searches: Annotated[
        str, typer.Option(help="Numbers of searches to learn from, with commas.")
    ] = "20,50,100,200,500,1000,3000",
    draws: Annotated[
        int, typer.Option(min=1, help="Random choices of up to 200 searches; fewer of more.")
    ] = 10,
    queries: Annotated[
        int | None,
        typer.Option(min=1, help="Of the world to search, at most; a third of them is the test."),
    ] = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="Also other learners, daily training, drift, promotion and trials."
        ),
    ] = False,
    seed: SeedOption = 1,
    out: OutOption = None,
    publish: PublishOption = None,
    as_json: JsonOption = False,
) -> None:
    """Learn from simulated users: NDCG, NCE and success by number of searches."""
    from forebear_lab.experiments.loop import LoopPlan

    output = Output(context=context, out=out, publish=publish, as_json=as_json)
    plan = LoopPlan(sizes=tuple(sorted({*_sizes(searches)})), draws=draws, seed=seed)
    needed = min(MAX_QUERIES, max(MIN_QUERIES, POOL_FACTOR * plan.sizes[-1]))
    with output.work_folder() as folder, announce_compilation():
        logged = _search(world, folder, needed if queries is None else queries, seed)
        report = _run(plan, logged, folder, full=full)
    output.write(report)
    output.publish_page(report.page())
    print_result(report.value(), as_json, lambda: "\n\n".join(report.texts()))


def _sizes(text: str) -> tuple[int, ...]:
    sizes = split_numbers(text)
    if 0 in sizes:
        raise InputError(
            "0 searches teach nothing", hint="the row of the model default has the figures for 0"
        )
    return sizes


def _search(name: str, folder: Path, queries: int, seed: int) -> "LoopSearches":
    """Import a world, search it once, and divide the searches."""
    from forebear_lab.experiments.loop_searches import divide_searches, log_searches
    from forebear_lab.experiments.worlds import World, import_world, parse_world, simulate_world

    data = folder / "data"
    home = parse_world(name)
    if not isinstance(home, Path):
        home = simulate_world(home, data, queries=queries, progress=print_message)
    world = World(folder=home)
    with import_world(world, data, progress=print_message) as archive:
        logged = log_searches(archive, world, count=queries, progress=print_message)
    label = f"simulated: archive {home.name} ({world.digest})"
    return divide_searches(logged, seed=seed, label=label)


def _run(plan: "LoopPlan", searches: "LoopSearches", folder: Path, *, full: bool) -> "LoopReport":
    from forebear_lab.experiments.loop import LoopRun, run_curves
    from forebear_lab.experiments.loop_differences import estimate_all
    from forebear_lab.experiments.loop_interleaving import simulate_interleaving
    from forebear_lab.experiments.loop_promotion import simulate_promotion
    from forebear_lab.experiments.loop_time import train_daily, train_on_the_past
    from forebear_lab.experiments.report.loop import LoopReport

    if plan.sizes[0] > len(searches.pool):
        raise InputError(
            f"there are {len(searches.pool):,} searches to learn from, but {plan.sizes[0]:,} are "
            "wanted",
            hint="give smaller --searches, or a world with more queries",
        )
    run = LoopRun(plan, searches, folder, progress=print_message)
    return LoopReport(
        label=searches.label,
        seed=plan.seed,
        pool=len(searches.pool),
        test=len(searches.test),
        default=estimate_all([run.default], run.persons, seed=plan.seed),
        hand_set=estimate_all([run.hand_set], run.persons, seed=plan.seed),
        curves=run_curves(run, learners=("paper", "lambdamart") if full else ()),
        daily=train_daily(run) if full else None,
        drift=train_on_the_past(run) if full else (),
        promotion=simulate_promotion(run) if full else (),
        interleaving=simulate_interleaving(run) if full else (),
    )
