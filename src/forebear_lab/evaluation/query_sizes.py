"""Which lines of a LightGBM file are one query?  A file beside it says how many each has.

LightGBM reads `rank.train` together with `rank.train.query`, XGBoost with `rank.train.group`: one
whole number a line, the number of lines of the first query, of the second, and so on.  The queries
have no names there, so they are numbered from 1.
"""

from collections.abc import Sequence
from pathlib import Path

from forebear.errors import InputError
from forebear.trec import read_lines, refuse

SUFFIXES = (".query", ".group")


def sizes_file(path: Path) -> Path | None:
    """Return the file of query sizes beside a file, if there is one."""
    names = (str(path), str(path).removesuffix(".gz"))
    beside = (Path(name + suffix) for name in names for suffix in SUFFIXES)
    return next((file for file in beside if file.is_file()), None)


def read_query_sizes(path: Path) -> "QuerySizes | None":
    """Read how many lines each query of a file has; None without a file that says so."""
    file = sizes_file(path)
    if file is None:
        return None
    sizes = []
    for number, line in read_lines(file):
        text = line.strip()
        if text and not (text.isascii() and text.isdigit() and int(text) > 0):
            refuse(file, number, actual=text, expected="the number of lines of a query, from 1")
        if text:
            sizes.append(int(text))
    return QuerySizes(file, sizes)


class QuerySizes:
    """Gives the lines of a file their queries, in their order."""

    def __init__(self, file: Path, sizes: Sequence[int]) -> None:
        self._file = file
        self._sizes = sizes
        self._query = 0  # of the last line, from 1
        self._left = 0  # lines that its query still has
        self._lines = 0

    def with_query(self, words: Sequence[str], path: Path, number: int) -> list[str]:
        """Return the words of the next line with the number of its query as `qid`."""
        if any(word.startswith("qid:") for word in words[1:2]):
            refuse(
                path,
                number,
                actual=words[1],
                expected=f"no qid, because {self._file.name} says which lines are a query",
                hint=f"remove the qids, or {self._file}",
            )
        if not self._left:
            self._begin_query(words, path, number)
        self._left -= 1
        self._lines += 1
        return [words[0], f"qid:{self._query}", *words[1:]]

    def check_complete(self, path: Path) -> None:
        """Refuse sizes that add up to more lines than were read."""
        if self._lines != sum(self._sizes):
            raise InputError(
                f"{self._file} counts {sum(self._sizes):,} lines, but {path} has {self._lines:,}",
                hint="the two files must be of the same data",
            )

    def _begin_query(self, words: Sequence[str], path: Path, number: int) -> None:
        if self._query == len(self._sizes):
            expected = f"{sum(self._sizes):,} lines, as {self._file} counts"
            refuse(path, number, actual=" ".join(words[:2]), expected=expected)
        self._left = self._sizes[self._query]
        self._query += 1
