"""Which list is in a run file?  The one that its file is named by.

Lists to be fused are TREC runs, one a list: `lists/census.trec.gz` has the list `census`.
"""

from collections.abc import Sequence
from pathlib import Path

from forebear.errors import InputError
from forebear.trec import Run, read_run

_SUFFIXES = (".gz", ".run", ".trec", ".txt", ".res")


def list_name(path: Path) -> str:
    """Return the name of the list in a file.

    >>> list_name(Path("lists/census.trec.gz"))
    'census'
    """
    name = path.name
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def read_lists(paths: Sequence[Path]) -> dict[str, Run]:
    """Read TREC runs, one a list, each named by its file."""
    names = [list_name(path) for path in paths]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(
            f"two lists have one name: {twice!r}",
            hint="a list is named by its file without .trec, .run, .txt, .res and .gz",
        )
    return {name: read_run(path) for name, path in zip(names, paths, strict=True)}
