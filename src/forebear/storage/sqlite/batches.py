"""How are groups of records written down, but for the numbers that only the file can give?

What needs no archive (the records as JSON, the terms of their personas, the year from which
they are public) is worked out here, so that another process may do it while this one writes.
Terms are numbered within the batch, each distinct one once: what passes between processes
is a list of words and one long run of small numbers.
"""

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from forebear.records.collections import Collection
from forebear.records.privacy import public_year
from forebear.records.record import Record
from forebear.search.record_search.rank import tie_key
from forebear.search.terms.write import write_terms
from forebear.storage.sqlite.codec import decode_record, encode_headings, encode_record

Group = tuple[Record, ...]


def _numbers() -> "array[int]":
    return array("i")


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Groups of records as the file keeps them; they refer to each other by position."""

    public_years: list[int] = field(default_factory=list)  # of each group
    headings: list[str] = field(default_factory=list)  # each distinct one once
    # key, collection, group, headings, value
    records: list[tuple[str, str, int, int, str]] = field(default_factory=list)
    personas: list[tuple[int, int, int]] = field(default_factory=list)  # record, position, tie key
    terms: list[str] = field(default_factory=list)  # each distinct one once
    persona_terms: "array[int]" = field(default_factory=_numbers)  # persona after persona
    term_counts: "array[int]" = field(default_factory=_numbers)  # how many each persona has
    collections: Mapping[str, Collection] = field(default_factory=dict)  # as they were known

    @property
    def keys(self) -> list[str]:
        """The keys of the records."""
        return [key for key, *_ in self.records]

    def groups(self) -> list[Group]:
        """Return the records themselves."""
        groups: list[list[Record]] = [[] for _ in self.public_years]
        for _, _, group, headings, value in self.records:
            groups[group].append(decode_record(value, self.headings[headings]))
        return [tuple(group) for group in groups]


def encode_batch(groups: Iterable[Group], collections: Mapping[str, Collection]) -> Batch:
    """Return groups as the file keeps them; the collection of each is among those given."""
    batch = Batch(collections=collections)
    headings: dict[tuple[str, ...], int] = {}
    terms = _Numbers()
    for group in groups:
        collection = collections[group[0].collection]
        _add_records(batch, group, headings)
        _add_personas(batch, group, collection, terms)
        batch.public_years.append(public_year(group, collection))
    batch.headings.extend(map(encode_headings, headings))
    batch.terms.extend(terms)
    return batch


class _Numbers(dict[str, int]):
    """Gives each new word the next number."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


def _add_records(batch: Batch, group: Group, headings: dict[tuple[str, ...], int]) -> None:
    number = len(batch.public_years)
    for record in group:
        columns = tuple([column for column, _ in record.row])
        heading = headings.setdefault(columns, len(headings))
        batch.records.append(
            (record.key, record.collection, number, heading, encode_record(record))
        )


def _add_personas(batch: Batch, group: Group, collection: Collection, terms: _Numbers) -> None:
    first = len(batch.records) - len(group)
    rows = {record.key: first + at for at, record in enumerate(group)}
    ties = {record.key: tie_key(record.key) for record in group}
    for persona in write_terms(group, collection):
        key = persona.record_key
        batch.personas.append((rows[key], persona.position, ties[key]))
        batch.persona_terms.extend([terms[term] for term in persona.terms])
        batch.term_counts.append(len(persona.terms))
