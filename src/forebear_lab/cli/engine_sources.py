"""Which options name searches of the engine itself as an experiment's data?

`--world` is a simulated archive, imported and searched; `--archive` is an archive's log.  Other
data comes from files or simulated rankings (`forebear_lab.cli.experiment`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forebear.cli.options import print_message
from forebear.errors import InputError

if TYPE_CHECKING:
    from forebear_lab.experiments.engine_data import EngineSearches

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
SplitOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TABLE=COLUMN",
        help="Import a table of --world as one collection for each value of a column.",
    ),
]
DivideOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="type|collection|FILE",
        help="How collections form lists: by record type, by collection, or as a JSON file says; "
        "give two to compare them.",
    ),
]
ModelOption = Annotated[
    str | None, typer.Option(help="Version of the model that --world or --archive is ranked by.")
]
LearnTypesOption = Annotated[
    bool,
    typer.Option(
        "--learn-types",
        help="Learn record weights of each type from half of the searches of --world or --archive, "
        "as the paper does, and fuse the lists of the others.",
    ),
]
DEFAULT_SEARCHES = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSource:
    """Where searches of the engine come from."""

    world: str | None = None
    archive: Path | None = None
    searches: int = DEFAULT_SEARCHES
    splits: Sequence[str] = ()
    divisions: Sequence[str] = ()
    model: str | None = None
    seed: int = 1  # of simulated users

    def __post_init__(self) -> None:
        if self.world is not None and self.archive is not None:
            raise InputError("both --world and --archive are given", hint="give one of them")
        if self.splits and self.world is None:
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
        world = World(folder=home, splits=dict(map(_split, self.splits)))
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


def _split(text: str) -> tuple[str, str]:
    table, equals, column = text.partition("=")
    if not (table and equals and column):
        raise InputError(f"--split {text!r}: expected TABLE=COLUMN", hint="such as census=year")
    return table, column
