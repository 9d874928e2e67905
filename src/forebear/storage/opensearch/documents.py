"""What does the cluster keep of a record?  One document, its personas nested in it.

A record is then found once by construction, and totals and facets count records.  Its
personas' terms are there twice: in ``p.t``, which the cluster searches and scores, and packed
in ``pb``, from which the reader of a hit works out the best persona and the clauses that
fired.  ``p`` is left out of the stored source, which would keep it a third time; so a
document is always written whole, never updated in part.

A record whose relatives are masked for the public of some years has a second document, with its
own id, which only they find.  The first is the record; whoever reads records reads only those.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from forebear.records.codec import decode_record, encode_headings, encode_record
from forebear.records.collections import Collection
from forebear.records.privacy import HIDDEN, mask, public_years
from forebear.records.record import Record
from forebear.search.hits import tie_key
from forebear.search.record_search.facets import FACET_FIELDS, facet_of
from forebear.search.store import source_position
from forebear.search.terms.term import HAS, PersonaTerms, term
from forebear.search.terms.write import WrittenPersona, write_terms
from forebear.storage.places import GIVEN_FIELDS, PLACE_FIELDS, SURNAME_FIELDS

Fields = dict[str, list[str]]  # the values that a persona has in each field

LONGEST_ID = 512  # bytes; longer ones the cluster refuses
_KEYWORD = {"type": "keyword"}
_KEPT_ONLY = {"type": "keyword", "index": False, "doc_values": False}

MAPPING: dict[str, Any] = {
    "dynamic": "strict",
    "_source": {"excludes": ["p"]},
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
        "source": _KEPT_ONLY,
        "value": _KEPT_ONLY,
        "headings": _KEPT_ONLY,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedPersona:
    """A persona as a hit brings it along."""

    position: int
    terms: PersonaTerms


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
    shown = HIDDEN if is_hidden else years
    for document in _write_version(group, collection):
        yield {**document, "public_year": shown.full}
    if years.has_masks:
        for document in _write_version(mask(group, collection), collection):
            yield {**document, "public_year": shown.masked, "until": shown.full}


def _write_version(group: Sequence[Record], collection: Collection) -> Iterator[dict[str, Any]]:
    """Yield a document for each record of a group."""
    personas: dict[str, list[WrittenPersona]] = {record.key: [] for record in group}
    for persona in write_terms(group, collection):
        personas[persona.record_key].append(persona)
    for member, record in enumerate(group):
        yield {
            **_document(record, personas[record.key]),
            "group": group[0].key,
            "member": member,
            "members": len(group),
        }


def _document(record: Record, personas: Sequence[WrittenPersona]) -> dict[str, Any]:
    split = [_by_field(persona.terms) for persona in personas]
    return {
        "key": record.key,
        "tie": tie_key(record.key),
        "collection": record.collection,
        "years": sorted(map(int, _values(split, ["event.year"]))),
        "surname": sorted(_values(split, SURNAME_FIELDS)),
        "given": sorted(_values(split, GIVEN_FIELDS)),
        "position": source_position(record.source),
        "source": record.source,
        "value": encode_record(record),
        "headings": encode_headings([column for column, _ in record.row]),
        "pb": _pack(record.key, personas),
        "p": [
            _persona(persona.terms, fields) for persona, fields in zip(personas, split, strict=True)
        ],
    }


def read_document(source: dict[str, Any]) -> Record:
    """Return the record of a document."""
    return decode_record(source["value"], source["headings"])


def unpack(packed: str) -> tuple[str, tuple[PackedPersona, ...]]:
    """Return a record's key and its personas from what a hit brings along."""
    padded = packed + "=" * (-len(packed) % 4)  # the cluster leaves the padding out
    key, personas = json.loads(zlib.decompress(base64.b64decode(padded)))
    return key, tuple(
        PackedPersona(position=position, terms=frozenset(terms)) for position, terms in personas
    )


def _pack(key: str, personas: Sequence[WrittenPersona]) -> str:
    value = [key, [[persona.position, sorted(persona.terms)] for persona in personas]]
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode())).decode()


def _by_field(terms: PersonaTerms) -> Fields:
    fields: Fields = {}
    for fact in terms:
        field, _, value = fact.partition("=")
        fields.setdefault(field, []).append(value)
    return fields


def _persona(terms: PersonaTerms, fields: Fields) -> dict[str, Any]:
    found = (
        facet_of(term(field, value)) for field in FACET_FIELDS for value in fields.get(field, ())
    )
    return {
        "t": list(terms),
        "has": fields.get(HAS, []),
        "part": fields.get("record.part", []),
        "place": list(_values([fields], PLACE_FIELDS)),
        "facet": list({f"{facet}={value}" for facet, value in filter(None, found)}),
    }


def _values(split: Iterable[Fields], names: Iterable[str]) -> set[str]:
    wanted = list(names)
    return {value for fields in split for name in wanted for value in fields.get(name, ())}
