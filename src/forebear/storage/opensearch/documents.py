"""What does the cluster keep of a record?  One document, its personas nested in it.

A record is then one hit by construction, and totals and facets count records.  Its personas'
terms are there twice: as words in ``p.t``, which the cluster searches and scores, and as numbers
in ``pb``, from which the reader of a hit computes the best persona and the clauses that fired.
Neither is in the stored source, which would keep them once more; so a document is always
written whole, never updated in part.

The number of a term is a hash of 64 bits, so that all who write and read agree on it without a
list of terms in the cluster.  Of a billion different terms and a query that asks for ten thousand,
two have the same number in one search of a million.

A record whose relatives are masked for the public of some years has a second document, with its
own id, which only they see.  The first is the record; whoever reads records reads only those.
"""

import base64
import binascii
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec

from forebear.ingest.store import Group
from forebear.records.codec import decode_record, encode_headings, encode_record
from forebear.records.collections import Collection
from forebear.records.privacy import HIDDEN, mask, public_years
from forebear.records.record import Record
from forebear.search.facets import FACET_FIELDS, PART, facet_of
from forebear.search.hits import tie_key
from forebear.search.record_search.ranked_list import YEAR_FIELD
from forebear.search.store import source_position
from forebear.search.terms.term import HAS, Terms, field_of, value_of
from forebear.search.terms.write import write_fragments
from forebear.storage.places import GIVEN_FIELDS, PLACE_FIELDS, SURNAME_FIELDS

PERSONA_FIELDS = ("has", "part", "place", "facet")
CACHED_TERMS = 1 << 18
LONGEST_ID = 512  # bytes; longer ones the cluster refuses
_KEYWORD = {"type": "keyword"}
_STORED_ONLY = {"type": "keyword", "index": False, "doc_values": False}

MAPPING: dict[str, Any] = {
    "dynamic": "strict",
    "_source": {"excludes": ["p", "pb"]},
    "properties": {
        "key": _KEYWORD,
        "tie": {"type": "long"},  # the order of records of equal score
        "collection": _KEYWORD,
        "group": _KEYWORD,  # the key of the first record of the group
        "member": {"type": "integer"},  # position in the group
        "members": {"type": "integer"},
        "file": _KEYWORD,  # shelf and name of the file it came from
        "public_year": {"type": "integer"},  # the first in which the public may see it
        "until": {"type": "integer"},  # of a masked document: the first in which it may not
        "written": {"type": "long"},  # the number of the change that wrote it
        "years": {"type": "integer"},
        "surname": _KEYWORD,  # every surname on the record
        "given": _KEYWORD,
        "position": _KEYWORD,  # sorts records as they are in their source
        "value": _STORED_ONLY,
        "headings": _STORED_ONLY,
        "pb": {"type": "binary", "doc_values": True},
        "p": {
            "type": "nested",
            "properties": {
                "t": {"type": "keyword", "doc_values": False},
                "has": _KEYWORD,
                "part": _KEYWORD,
                "place": _KEYWORD,
                "facet": _KEYWORD,
            },
        },
    },
}


# The key of a record and its tie key; of each persona its position, the last year of the event if
# it has one, and the numbers of its terms.
PackedRecord = tuple[str, int, list[tuple[int, int | None, bytes]]]

_read_packed = msgspec.msgpack.Decoder(PackedRecord).decode
_COMPRESSED = b"\x78"  # what the packed records of earlier programs begin with


@dataclass(slots=True, kw_only=True)
class DocumentBatch:
    """Groups of records as the documents that the cluster stores."""

    documents: list["Document"]
    size: int  # personas
    collections: Mapping[str, Collection]  # as they were when the documents were written

    @property
    def keys(self) -> list[str]:
        """The keys of the records."""
        return [document.key for document in self.documents if not document.is_masked]

    def groups(self) -> list[Group]:
        """Return the records themselves."""
        groups: dict[str, list[Record]] = {}
        for document in self.documents:
            if not document.is_masked:
                record = read_document(msgspec.json.decode(document.body))
                groups.setdefault(document.group, []).append(record)
        return [tuple(group) for group in groups.values()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document as it is sent, but for what only the sender knows."""

    key: str
    group: str
    collection: str
    is_masked: bool
    body: bytes  # a JSON object

    @property
    def id(self) -> str:
        """The id of the document."""
        return document_id(self.key, is_masked=self.is_masked)

    def text(self, *, written: int, file: str) -> bytes:
        """Return the document with the number of the change and the file it came from."""
        return b'%s,"written":%d,"file":%s}' % (
            self.body[:-1],
            written,
            msgspec.json.encode(file),
        )


def encode_documents(
    groups: Iterable[Group], collections: Mapping[str, Collection]
) -> DocumentBatch:
    """Return groups as documents; the collection of each is among those given."""
    documents: list[Document] = []
    size = 0
    for group in groups:
        for fields in write_documents(group, collections[group[0].collection], is_hidden=False):
            size += len(fields["p"])
            document = Document(
                key=fields["key"],
                group=fields["group"],
                collection=fields["collection"],
                is_masked="until" in fields,
                body=msgspec.json.encode(fields),
            )
            documents.append(document)
    return DocumentBatch(documents=documents, size=size, collections=collections)


def document_id(record_key: str, *, is_masked: bool = False) -> str:
    """Return the id of a record's document: its key, or a hash of one that is too long."""
    # Every key has a colon, so no record's key is the id of a masked document or a hash.
    name = f"masked {record_key}" if is_masked else record_key
    if len(name.encode()) <= LONGEST_ID:
        return name
    return "#" + hashlib.blake2b(name.encode(), digest_size=32).hexdigest()


def id_of(document: Mapping[str, Any]) -> str:
    """Return the id of a document that is written."""
    return document_id(document["key"], is_masked="until" in document)


def write_documents(
    group: Sequence[Record], collection: Collection, *, is_hidden: bool
) -> Iterator[dict[str, Any]]:
    """Yield the documents of a group, but for the number of the change and the file it came from.

    The masked ones, if the public may see some years without the living, come last.
    """
    years = public_years(group, collection)
    visible = HIDDEN if is_hidden else years
    for document in _write_version(group, collection):
        yield {**document, "public_year": visible.full}
    if years.has_masks:
        for document in _write_version(mask(group, collection), collection):
            yield {**document, "public_year": visible.masked, "until": visible.full}


def _write_version(group: Sequence[Record], collection: Collection) -> Iterator[dict[str, Any]]:
    """Yield a document for each record of a group."""
    personas: list[list[tuple[int, list[Terms]]]] = [[] for _ in group]
    for member, position, fragments in write_fragments(group, collection):
        personas[member].append((position, fragments))
    for member, record in enumerate(group):
        yield {
            **_document(record, personas[member]),
            "group": group[0].key,
            "member": member,
            "members": len(group),
        }


def _document(record: Record, personas: Sequence[tuple[int, Sequence[Terms]]]) -> dict[str, Any]:
    of_record: dict[str, set[Any]] = {"years": set(), "surname": set(), "given": set()}
    nested = []
    packed = []
    for position, fragments in personas:
        terms = list(frozenset().union(*fragments))
        values: dict[str, set[Any]] = {name: set() for name in PERSONA_FIELDS}
        for fragment in fragments:
            for field, of_fragment in _read_fragment(fragment):
                values.setdefault(field, set()).update(of_fragment)
        nested.append({"t": terms} | {name: list(values[name]) for name in PERSONA_FIELDS})
        for name, of_any in of_record.items():
            of_any.update(values.get(name, ()))
        last_year = max(values.get("years", ()), default=None)
        packed.append((position, last_year, b"".join(map(term_number, terms))))
    tie = tie_key(record.key)
    return {
        "key": record.key,
        "tie": tie,
        "collection": record.collection,
        "years": sorted(of_record["years"]),
        "surname": sorted(of_record["surname"]),
        "given": sorted(of_record["given"]),
        "position": source_position(record.source),
        "value": encode_record(record),
        "headings": encode_headings([column for column, _ in record.row]),
        "pb": base64.b64encode(msgspec.msgpack.encode((record.key, tie, packed))).decode(),
        "p": nested,
    }


def read_document(source: dict[str, Any]) -> Record:
    """Return the record of a document."""
    return decode_record(source["value"], source["headings"])


def unpack(text: str) -> PackedRecord:
    """Return what a hit brings along of a record and its personas."""
    packed = binascii.a2b_base64(text + "=" * (-len(text) % 4))  # the cluster omits the padding
    return _unpack_words(packed) if packed.startswith(_COMPRESSED) else _read_packed(packed)


def _unpack_words(packed: bytes) -> PackedRecord:
    """Return the same of a record that an earlier program packed: its terms are words."""
    key, personas = json.loads(zlib.decompress(packed))
    rows = []
    for position, terms in personas:
        years = [int(value_of(term)) for term in terms if field_of(term) == YEAR_FIELD]
        rows.append((position, max(years, default=None), b"".join(map(term_number, terms))))
    return key, tie_key(key), rows


@lru_cache(maxsize=CACHED_TERMS)
def term_number(term: str) -> bytes:
    """Return the number of a term: 64 bits, the lowest first."""
    return hashlib.blake2b(term.encode(), digest_size=8).digest()


@lru_cache(maxsize=CACHED_TERMS)
def _read_fragment(fragment: Terms) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """Return each field of the document to which a fragment's terms give values, and these."""
    values: dict[str, list[Any]] = {}
    for term in fragment:
        for field, value in _read_term(term):
            values.setdefault(field, []).append(value)
    return tuple((field, tuple(of_field)) for field, of_field in values.items())


def _read_term(term: str) -> Iterator[tuple[str, Any]]:
    """Yield each field of the document to which a term gives a value, and that."""
    field, value = field_of(term), value_of(term)
    if field == YEAR_FIELD:
        yield "years", int(value)
    if field in SURNAME_FIELDS:
        yield "surname", value
    if field in GIVEN_FIELDS:
        yield "given", value
    if field == HAS:
        yield "has", value
    if field == PART:
        yield "part", value
    if field in PLACE_FIELDS:
        yield "place", value
    if field in FACET_FIELDS and (facet := facet_of(term)):
        yield "facet", "=".join(facet)
