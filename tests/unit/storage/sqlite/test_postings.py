"""Tests for `forebear.storage.sqlite.postings`: the numbers of terms, segments, and their bytes."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from forebear.storage.sqlite import postings
from forebear.storage.sqlite.postings import (
    MAX_LISTED,
    MAX_SHORT_BYTES,
    MERGED_SEGMENTS,
    Ints,
    Postings,
    merge_bitmaps,
    pair_terms,
    read_bitmaps,
    write_bitmaps,
)
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


PERSONAS = st.sets(
    st.one_of(st.integers(0, 40), st.integers(65_500, 65_600), st.integers(0, 2**31 - 1)),
    min_size=1,
    max_size=40,
)
TERMS = st.dictionaries(st.integers(0, 2**31 - 1), PERSONAS, max_size=12)


def write(postings: dict[int, set[int]], random: Random) -> dict[int, bytes]:
    pairs = [(term, persona) for term, personas in postings.items() for persona in personas]
    random.shuffle(pairs)
    columns = np.array(pairs, np.int64).reshape(-1, 2)
    terms, bitmaps = write_bitmaps(pair_terms(columns[:, 0], columns[:, 1]))
    assert terms == sorted(terms)
    return dict(zip(terms, bitmaps, strict=True))


@given(TERMS, st.randoms(use_true_random=False))
def test_bitmaps_are_what_the_library_writes(postings: dict[int, set[int]], random: Random) -> None:
    assert write(postings, random) == {
        term: BitMap(personas).serialize() for term, personas in postings.items()
    }


@pytest.mark.parametrize("count", [MAX_LISTED - 1, MAX_LISTED, MAX_LISTED + 1, 65_536])
@pytest.mark.parametrize("first", [0, 3 << 16, (5 << 16) - 1000])
def test_containers_too_full_to_be_listed_are_sets_of_bits(count: int, first: int) -> None:
    personas = set(range(first, first + count))

    bitmaps = write({7: personas, 9: {first}}, Random(1))

    assert BitMap.deserialize(bitmaps[7]) == BitMap(personas)
    assert BitMap.deserialize(bitmaps[9]) == BitMap([first])


def merge(terms: list[int], bitmaps: list[bytes]) -> dict[int, bytes]:
    distinct, merged = merge_bitmaps(terms, bitmaps)
    assert distinct == sorted(set(terms))
    return dict(zip(distinct, merged, strict=True))


@given(TERMS.filter(bool), st.integers(1, 9), st.randoms(use_true_random=False))
def test_merged_bitmaps_are_what_the_library_writes(
    postings: dict[int, set[int]], parts: int, random: Random
) -> None:
    stored = []
    for term, personas in postings.items():
        members: list[set[int]] = [set() for _ in range(parts)]
        for persona in personas:
            random.choice(members).add(persona)
        stored += [(term, BitMap(part).serialize()) for part in members if part]
    random.shuffle(stored)

    merged = merge([term for term, _ in stored], [bitmap for _, bitmap in stored])

    assert merged == {term: BitMap(personas).serialize() for term, personas in postings.items()}


@pytest.mark.parametrize("size", [100, MAX_SHORT_BYTES // 2, MAX_LISTED, MAX_LISTED + 1, 20_000])
@pytest.mark.parametrize("parts", [2, 3, 16])
def test_long_bitmaps_are_merged_within_and_across_their_containers(size: int, parts: int) -> None:
    bitmaps = [BitMap(range(part * size, (part + 1) * size)) for part in range(parts)]
    stored = [bitmap.serialize() for bitmap in bitmaps]

    merged = merge([7] * parts + [3], [*stored, BitMap([1]).serialize()])

    assert set(merged) == {3, 7}
    assert BitMap.deserialize(merged[3]) == BitMap([1])
    assert BitMap.deserialize(merged[7]) == BitMap(range(parts * size))


@pytest.mark.parametrize("first", [BitMap([5]), BitMap(range(5000)), BitMap([7, 9 << 20])])
def test_lists_and_sets_of_bits_and_runs_are_read_and_merged(first: BitMap) -> None:
    others = [BitMap([block << 16, (block << 16) + 3]) for block in range(1, 16)]
    runs = BitMap(range(500 << 16, (500 << 16) + 100))
    runs.run_optimize()

    for bitmaps in ([first], [first, *others], [first, *others, runs]):
        stored = [bitmap.serialize() for bitmap in bitmaps]
        assert read_bitmaps(stored) == BitMap.union(*bitmaps)
        assert BitMap.deserialize(merge([4] * len(stored), stored)[4]) == (BitMap.union(*bitmaps))
