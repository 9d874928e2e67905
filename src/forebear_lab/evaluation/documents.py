"""Which document is each line of a LETOR file?  What its remark names, or else its number.

LETOR 3 and 4 end a line with `#docid = GX004-93-7097963 inc = 1 prob = 0.24`, others with
`# GX004-93-7097963`.  Where no remark names a document, the documents of query 7 are `7.1`, `7.2`,
and so on, in the order of their lines.  A run and judgments need these names; learning does not.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forebear.trec import read_lines, refuse

_DOCUMENT = re.compile(r"\bdocid\s*=\s*(\S+)|^\s*(\S+)\s*$")


def numbered_documents(
    query_ids: Sequence[str], offsets: NDArray[np.int64]
) -> tuple[tuple[str, ...], ...]:
    """Return names for the documents of each query, by their number.

    >>> numbered_documents(["q1", "q2"], np.array([0, 2, 3]))
    (('q1.1', 'q1.2'), ('q2.1',))
    """
    sizes = np.diff(offsets).tolist()
    return tuple(
        tuple(f"{query}.{number}" for number in range(1, size + 1))
        for query, size in zip(query_ids, sizes, strict=True)
    )


def read_documents(
    path: Path, query_ids: Sequence[str], offsets: NDArray[np.int64]
) -> tuple[tuple[str, ...], ...]:
    """Read the names of the documents of each query from the remarks of a LETOR file.

    The queries are those that the file was read into.  A name that a query has twice is refused.
    """
    remarks = _read_remarks(path)
    names = []
    for query, numbered in enumerate(numbered_documents(query_ids, offsets)):
        lines = remarks[offsets[query] : offsets[query + 1]]
        documents: dict[str, int] = {}
        for name, (line, remark) in zip(numbered, lines, strict=True):
            document = document_name(remark) or name
            if document in documents:
                refuse(
                    path,
                    line,
                    actual=document,
                    expected=f"another document than in line {documents[document]} of the query",
                    hint="the remark after # names the document; remove it if it says other things",
                )
            documents[document] = line
        names.append(tuple(documents))
    return tuple(names)


def document_name(remark: str) -> str:
    """Return the document that a remark names; "" if it names none.

    >>> document_name("docid = GX004-93-7097963 inc = 1 prob = 0.24")
    'GX004-93-7097963'
    >>> document_name("taken from the first page")
    ''
    """
    match = _DOCUMENT.search(remark)
    return (match[1] or match[2]) if match else ""


def _read_remarks(path: Path) -> list[tuple[int, str]]:
    """Return the number and the remark of each line that has a vector."""
    parts = ((number, line.partition("#")) for number, line in read_lines(path))
    return [(number, remark) for number, (data, _, remark) in parts if data.strip()]
