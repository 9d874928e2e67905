"""How are groups of records written down, but for the numbers that only the file can give?

What needs no archive (the records as JSON, the terms of their personas, the years from which
they are public) is computed here, so that another process may do it while this one writes.
A persona is the fragments that its terms came in, and fragments and terms are numbered within
the batch, each distinct one once: what passes between processes is a list of words and two long
runs of small numbers.  Most fragments are those of many personas, so nothing here is done for
every term of every persona but what arrays do.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, count

import numpy as np
from numpy.typing import NDArray

from forebear.records.codec import decode_record, encode_headings, encode_record
from forebear.records.collections import Collection
from forebear.records.privacy import PublicYears, mask_if_public
from forebear.records.record import Record
from forebear.search.hits import tie_key
from forebear.search.store import source_position
from forebear.search.terms.term import Terms

Group = tuple[Record, ...]

# Markers beside the terms: the first year in which the public may see the persona, and the first in
# which it may not any more, because it sees the same persona among people who are not masked.
PUBLIC = "public"
UNTIL = "until"

Numbers = NDArray[np.int32]
Ints = NDArray[np.int64]


def _none() -> Numbers:
    return np.zeros(0, np.int32)


@dataclass(slots=True, kw_only=True)
class Batch:
    """Groups of records as the file keeps them; they refer to each other by position."""

    public_years: Ints = field(default_factory=lambda: np.zeros((0, 2), np.int64))  # of each group
    headings: list[str] = field(default_factory=list)  # each distinct one once
    # key, collection, group, headings, value, position in the source
    records: list[tuple[str, str, int, int, str, str]] = field(default_factory=list)
    group_of_record: Numbers = field(default_factory=_none)
    # record, position, tie key, whether relatives are masked
    personas: Ints = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    terms: list[str] = field(default_factory=list)  # each distinct one once
    fragment_terms: Numbers = field(default_factory=_none)  # fragment after fragment
    term_counts: Numbers = field(default_factory=_none)  # how many each fragment has
    persona_fragments: Numbers = field(default_factory=_none)  # persona after persona
    fragment_counts: Numbers = field(default_factory=_none)  # how many each persona has
    collections: Mapping[str, Collection] = field(default_factory=dict)  # as they were known

    @property
    def keys(self) -> list[str]:
        """The keys of the records."""
        return [record[0] for record in self.records]

    @property
    def size(self) -> int:
        """How many personas there are."""
        return len(self.personas)

    def groups(self) -> list[Group]:
        """Return the records themselves."""
        groups: list[list[Record]] = [[] for _ in self.public_years]
        for _, _, group, headings, value, _ in self.records:
            groups[group].append(decode_record(value, self.headings[headings]))
        return [tuple(group) for group in groups]

    def pairs(self, numbers: Ints) -> Ints:
        """Return every persona with each of its terms: its place, then the term in 32 bits.

        ``numbers`` are those of the batch's terms; the pairs are sorted, none stands twice.
        """
        counts = self.term_counts[self.persona_fragments].astype(np.int64)
        ends = np.cumsum(self.term_counts, dtype=np.int64)
        starts = (ends - self.term_counts)[self.persona_fragments]
        # Where a use of a fragment begins among all terms, and where in the fragments.
        shifts = starts - (np.cumsum(counts) - counts)
        places = np.arange(counts.sum()) + np.repeat(shifts, counts)
        pairs = numbers[self.fragment_terms][places]
        users = np.repeat(np.arange(len(self.fragment_counts)), self.fragment_counts)
        pairs |= np.repeat(users << 32, counts)
        pairs.sort()
        distinct: Ints = pairs[np.diff(pairs, prepend=-1) != 0]
        return distinct


def encode_batch(groups: Iterable[Group], collections: Mapping[str, Collection]) -> Batch:
    """Return groups as the file keeps them; the collection of each is among those given."""
    # Those who only read never write terms, and a search must be quick to start.
    from forebear.search.terms.write import write_fragments

    batch = Batch(collections=collections)
    headings: dict[tuple[str, ...], int] = {}
    years: list[PublicYears] = []
    personas: list[tuple[int, int, int, bool]] = []
    fragments: list[Terms] = []
    counts: list[int] = []
    for group in groups:
        collection = collections[group[0].collection]
        first, number = len(batch.records), len(years)
        ties = []
        for record in group:
            columns = tuple([column for column, _ in record.row])
            heading = headings.setdefault(columns, len(headings))
            key = record.key
            ties.append(tie_key(key))
            source = source_position(record.source)
            value = encode_record(record)
            batch.records.append((key, record.collection, number, heading, value, source))
        public, masked = mask_if_public(group, collection)
        years.append(public)
        for is_masked, records in ((False, group), (True, masked)):
            for place, position, written in write_fragments(records or (), collection):
                personas.append((first + place, position, ties[place], is_masked))
                fragments += written
                counts.append(len(written))
    batch.public_years = np.array(years, np.int64).reshape(-1, 2)
    batch.group_of_record = np.array([record[2] for record in batch.records], np.int32)
    batch.personas = np.array(personas, np.int64).reshape(-1, 4)
    batch.headings.extend(map(encode_headings, headings))
    batch.fragment_counts = np.array(counts, np.int32)
    _number(batch, fragments)
    return batch


def markers_of(years: PublicYears, is_masked: bool) -> list[str]:
    """Return the markers of a group's personas, or of its masked ones."""
    if is_masked:
        return [f"{PUBLIC}={years.masked}", f"{UNTIL}={years.full}"]
    return [f"{PUBLIC}={years.full}"]


def _number(batch: Batch, used: list[Terms]) -> None:
    """Number the distinct fragments, and their distinct terms.

    Fragments are compared by identity: one that was made twice only stands there twice.
    """
    identities = np.fromiter(map(id, used), np.int64, len(used))
    _, first, places = np.unique(identities, return_index=True, return_inverse=True)
    distinct = [used[place] for place in first.tolist()]
    numbers: defaultdict[str, int] = defaultdict(count().__next__)  # each new term has the next
    terms = list(map(numbers.__getitem__, chain.from_iterable(distinct)))
    batch.fragment_terms = np.array(terms, np.int32)
    batch.term_counts = np.fromiter(map(len, distinct), np.int32, len(distinct))
    batch.persona_fragments = places.astype(np.int32)
    batch.terms.extend(numbers)
