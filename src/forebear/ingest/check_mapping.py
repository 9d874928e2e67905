"""Does a mapping make sense, beyond having the right keys?"""

import codecs
import re

from forebear.ingest.columns import Mapping, PersonaColumns
from forebear.ingest.toml_values import Spot
from forebear.records.collections import RECORD_TYPES

# Documents are named COLLECTION:RECORD_ID in files whose fields are parted by blanks.
COLLECTION_NAME = re.compile(r"[^\s:]+")


def check_mapping(mapping: Mapping, spot: Spot) -> None:
    """Refuse a mapping that could make no record."""
    check_collection_name(mapping.collection.name, spot.below("collection").below("name"))
    if mapping.collection.record_type not in RECORD_TYPES:
        spot.below("collection").below("record_type").fail(
            f"found {mapping.collection.record_type!r}",
            f"allowed here: {', '.join(RECORD_TYPES)}",
        )
    _check_table(mapping, spot.below("table"))
    _check_patterns(mapping, spot.below("derived"))
    if not mapping.persona and mapping.format == "table":
        spot.below("persona").fail("nobody is mapped", "add a [[persona]] for every person")
    for number, persona in enumerate(mapping.persona, start=1):
        _check_persona(persona, spot.below("persona").at(number))


def check_collection_name(name: str, spot: Spot) -> None:
    """Refuse a name that could not stand before the colon of a record's key."""
    if not COLLECTION_NAME.fullmatch(name):
        spot.fail(f"found {name!r}", "a collection's name is one word without a colon")


def _check_table(mapping: Mapping, spot: Spot) -> None:
    shape = mapping.table
    if len(shape.delimiter) > 1:
        spot.below("delimiter").fail(f"found {shape.delimiter!r}", "wanted a single character")
    if len(shape.quote) > 1:
        spot.below("quote").fail(f"found {shape.quote!r}", "wanted one character, or none")
    try:
        codecs.lookup(shape.encoding or "utf-8")
    except LookupError:
        spot.below("encoding").fail(
            f"found {shape.encoding!r}", "known are utf-8, cp1252, latin-1, cp850, mac-roman, ..."
        )


def _check_patterns(mapping: Mapping, spot: Spot) -> None:
    for name, rule in mapping.derived.items():
        _check_pattern(rule.pattern, spot.below(name).below("pattern"))


def _check_pattern(pattern: str, spot: Spot) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        spot.fail(f"{pattern!r} is no regular expression: {error}", "see Python's re module")


def _check_persona(persona: PersonaColumns, spot: Spot) -> None:
    if not (persona.name or persona.given or persona.surname):
        spot.fail(f"the {persona.role} has no name", "map one of: name, given, surname")
    _check_pattern(persona.split, spot.below("split"))
    if persona.relation and persona.relation_reversed:
        spot.fail(
            f"the {persona.role} has a relation both ways",
            "keep one of: relation, relation_reversed",
        )
