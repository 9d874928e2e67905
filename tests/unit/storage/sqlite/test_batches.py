"""Tests for `forebear.storage.sqlite.batches`: personas have the terms they are written as."""

import pickle

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forebear.records.privacy import mask, public_years
from forebear.records.record import Record
from forebear.search.terms.write import write_terms
from forebear.storage.sqlite.batches import Batch, encode_batch
from strategies import collections, groups

COLLECTIONS = {collection.name: collection for collection in collections()}


def terms_of(batch: Batch) -> list[set[str]]:
    """Return the terms of each persona, read from the pairs of a batch whose terms go backward."""
    numbers = np.arange(len(batch.terms), 0, -1, dtype=np.int64)
    terms: list[set[str]] = [set() for _ in batch.personas]
    pairs = batch.pairs(numbers).tolist()
    assert pairs == sorted(set(pairs))
    for pair in pairs:
        terms[pair >> 32].add(batch.terms[len(batch.terms) - (pair & 0xFFFFFFFF)])
    return terms


def versions(group: tuple[Record, ...]) -> list[tuple[bool, tuple[Record, ...]]]:
    """Return a group, and how the public sees it as long as relatives are masked."""
    collection = COLLECTIONS[group[0].collection]
    has_masks = public_years(group, collection).has_masks
    return [(False, group), *([(True, mask(group, collection))] if has_masks else [])]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(groups(), max_size=4))
def test_each_persona_has_the_terms_it_is_written_as(written: list[tuple[Record, ...]]) -> None:
    batch = encode_batch(written, COLLECTIONS)
    expected = [
        (persona.record_key, persona.position, is_masked, persona.terms)
        for group in written
        for is_masked, records in versions(group)
        for persona in write_terms(records, COLLECTIONS[group[0].collection])
    ]
    places = [
        (batch.keys[record], position, is_masked)
        for record, position, _, is_masked in batch.personas
    ]

    assert [(*place, terms) for place, terms in zip(places, terms_of(batch), strict=True)] == (
        expected
    )
    assert batch.groups() == written


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(groups(), max_size=2))
def test_a_batch_is_the_same_in_another_process(written: list[tuple[Record, ...]]) -> None:
    batch = encode_batch(written, COLLECTIONS)

    assert terms_of(pickle.loads(pickle.dumps(batch))) == terms_of(batch)
