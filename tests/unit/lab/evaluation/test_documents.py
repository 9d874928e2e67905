"""Tests for `forebear_lab.evaluation.documents`."""

from pathlib import Path

import numpy as np
import pytest

from forebear.errors import InputError
from forebear_lab.evaluation.documents import read_documents


def read(path: Path, text: str) -> tuple[tuple[str, ...], ...]:
    path.write_text(text)
    return read_documents(path, ["7", "8"], np.array([0, 2, 3]))


def test_remarks_name_documents_and_numbers_replace_what_they_do_not_name(tmp_path: Path) -> None:
    text = "# a heading\n1 qid:7 1:1 #docid = GX1 inc = 1\n\n0 qid:7 1:0 # GX2\n1 qid:8 1:1 # a b\n"

    assert read(tmp_path / "data.txt", text) == (("GX1", "GX2"), ("8.1",))


def test_a_document_twice_in_a_query_is_refused_with_its_line(tmp_path: Path) -> None:
    text = "1 qid:7 1:1 # GX1\n0 qid:7 1:0 # GX1\n1 qid:8 1:1 # GX1\n"

    with pytest.raises(InputError, match=r"line 2: expected another document than in line 1"):
        read(tmp_path / "data.txt", text)
