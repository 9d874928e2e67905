"""Tests for `forebear.storage.sqlite.postings`: the numbers of terms."""

from pathlib import Path

import pytest

from forebear.storage.sqlite import postings
from forebear.storage.sqlite.connection import create_file
from forebear.storage.sqlite.postings import Postings


@pytest.mark.parametrize("most", [0, 4, 1000])
def test_a_term_keeps_its_number_however_few_are_kept_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(postings, "MOST_IDS", most)
    file = create_file(tmp_path / "a.forebear")
    ours = Postings(file)
    batches = [["b", "a"], ["c", "a", "d"], ["e", "f", "b"], ["g"], ["a", "g", "h"]]
    given: dict[str, int] = {}
    kept = []

    for terms in batches:
        numbers, new = ours.assign_ids(terms)
        assert new == sorted(term for term in terms if term not in given)
        for term, number in zip(terms, numbers.tolist(), strict=True):
            assert given.setdefault(term, number) == number
        kept.append(len(ours._ids))

    assert dict(file.rows("SELECT term, id FROM terms")) == given
    assert sorted(given.values()) == list(range(1, 9))
    assert max(kept) <= most + max(map(len, batches))
    file.close()
