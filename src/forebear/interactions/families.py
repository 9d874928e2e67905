"""Which logged searches belong together: those whose people share a record.

Searches for a man, his wife and his sister find the same baptisms and households.  Were
some of them learned from and others held out, the test would reward remembering; so
searches that attached a common record are one family, however many steps lie between.
"""

from collections.abc import Sequence

from forebear.interactions.judgments import JudgedSearch


def families(judged: Sequence[JudgedSearch]) -> list[str]:
    """Return for each search the name of its family: the id of its first search."""
    leader: dict[str, str] = {}  # of searches and of records alike

    def find(item: str) -> str:
        while leader.setdefault(item, item) != item:
            item = leader[item]
        return item

    for search in judged:
        for record in sorted(search.attached):
            leader[find(f"record {record}")] = find(search.search.id)
    return [find(search.search.id) for search in judged]
