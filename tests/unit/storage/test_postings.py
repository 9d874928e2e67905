"""Tests for `forebear.storage.sqlite.postings`: the numbers of terms, and segments."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from forebear.storage.sqlite import postings
from forebear.storage.sqlite.postings import MERGED_SEGMENTS, Ints, Postings, pair_terms
from forebear.storage.sqlite.schema import create_file


@pytest.mark.parametrize("most", [0, 4, 1000])
def test_a_term_keeps_its_number_however_few_are_kept_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(postings, "MAX_IDS", most)
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


def pairs_of(postings: dict[int, set[int]]) -> Ints:
    pairs = [(term, persona) for term, personas in postings.items() for persona in personas]
    columns = np.array(pairs, np.int64).reshape(-1, 2)
    return pair_terms(columns[:, 0], columns[:, 1])


@pytest.mark.parametrize("seed", range(12))
def test_postings_are_those_added_less_those_removed_however_segments_are_merged(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed)
    monkeypatch.setattr(postings, "MERGED_SEGMENTS", random.choice([2, 3, 8]))
    monkeypatch.setattr(postings, "LEVEL_BYTES", random.choice([64, 1 << 16]))
    monkeypatch.setattr(postings, "MERGED_TERMS", random.choice([2, 1 << 16]))
    file = create_file(tmp_path / "a.forebear")
    ours = Postings(file)
    terms = range(1, 10)
    expected: dict[int, set[int]] = {term: set() for term in terms}
    with file.transaction():
        ours.assign_ids([f"field={number}" for number in terms])
        first = 0
        for _ in range(25):
            added = {
                term: set(range(first, first + random.choice([1, 20, 300])))
                for term in random.sample(terms, random.randint(1, 9))
            }
            first += random.choice([300, 65_500])
            ours.add([pairs_of(added)])
            for term, personas in added.items():
                expected[term] |= personas
            if random.random() < 0.3:
                share = random.choice([0.1, 0.7, 1])
                removed = {
                    term: [persona for persona in sorted(personas) if random.random() < share]
                    for term, personas in expected.items()
                }
                ours.remove(removed)
                for term, removed_personas in removed.items():
                    expected[term].difference_update(removed_personas)
        having = {term: personas for term, personas in expected.items() if personas}

        assert {term: set(p) for term, p in ours.each_of(terms).items()} == having
        assert [n for n, _ in ours.terms_of("field", live=True)] == sorted(having)
        assert set(ours.of_ids(terms)) == set().union(*having.values())
        ours.merge_all()
        assert len(ours._segments()) == bool(having)
        assert {term: set(p) for term, p in ours.each_of(terms).items()} == having
    file.close()


def test_segments_stay_few_and_a_posting_is_written_once_a_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = create_file(tmp_path / "a.forebear")
    ours = Postings(file)
    written = []
    insert = ours._insert

    def count_and_insert(segment: int, terms: list[int], bitmaps: list[bytes]) -> None:
        written.append(sum(map(len, bitmaps)))
        insert(segment, terms, bitmaps)

    monkeypatch.setattr(ours, "_insert", count_and_insert)
    added = 0
    with file.transaction():
        ours.assign_ids([f"field={number}" for number in range(1, 101)])
        for batch in range(200):
            pairs = pairs_of(
                {term: set(range(50 * batch, 50 * batch + 50)) for term in range(1, 101)}
            )
            ours.add([pairs])
            added += 100 * (50 * 2 + 16)
            segments = ours._segments()
            assert len(segments) <= 4 * (MERGED_SEGMENTS - 1)
            assert segments == sorted(segments)
    assert sum(written) < 4 * added
    assert len(ours.each_of([1])[1]) == 200 * 50
    file.close()


def test_a_merge_that_is_interrupted_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = create_file(tmp_path / "a.forebear")
    ours = Postings(file)
    with file.transaction():
        ours.assign_ids([f"field={number}" for number in range(1, 4)])
        for batch in range(MERGED_SEGMENTS - 1):
            ours.add([pairs_of({term: {3 * batch + term} for term in range(1, 4)})])
    before = file.rows("SELECT * FROM postings")

    with monkeypatch.context() as patch:
        patch.setattr(postings, "merge_bitmaps", _interrupt)
        with pytest.raises(KeyboardInterrupt), file.transaction():
            ours.add([pairs_of({1: {1000}})])

    assert file.rows("SELECT * FROM postings") == before
    with file.transaction():
        ours.add([pairs_of({1: {1000}})])
    assert len(ours._segments()) == 1
    assert set(ours.each_of([1])[1]) == {1000, *range(1, 3 * MERGED_SEGMENTS - 3, 3)}
    file.close()


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
