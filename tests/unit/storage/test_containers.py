"""Tests for `forebear.storage.sqlite.containers`: the bytes are those that the library writes."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from forebear.storage.sqlite.postings import (
    MAX_LISTED,
    MAX_SHORT_BYTES,
    merge_bitmaps,
    pair_terms,
    read_bitmaps,
    write_bitmaps,
)

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
