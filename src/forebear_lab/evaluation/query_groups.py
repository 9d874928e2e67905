"""Which queries belong together: a query and its group a line.

Searches of one family are not independent, so an interval that takes each for a draw of its
own is too narrow.  A group is drawn, or has its sign changed, as a whole.
"""

from pathlib import Path

from forebear.trec import read_rows, refuse


def read_groups(path: Path) -> dict[str, str]:
    """Read the group of each query; a query of two groups is refused."""
    groups: dict[str, str] = {}
    for number, (query, group) in read_rows(path, columns="query group"):
        if groups.setdefault(query, group) != group:
            wanted = f"one group for {query!r}, which is in {groups[query]!r} above"
            refuse(path, number, found=group, wanted=wanted)
    return groups
