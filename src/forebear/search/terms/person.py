"""The terms of the person alone: names, sex, trade, faith, status, and what else is said."""

from functools import lru_cache

from forebear.normalize.spelling import normalize_name
from forebear.normalize.words import text_words
from forebear.records.record import Name, Persona
from forebear.search.terms.attributes import (
    attribute_named,
    attribute_terms,
    occupation_terms,
    title_terms,
)
from forebear.search.terms.fragments import CACHED_NAMES, Fragment, fragment
from forebear.search.terms.names import given_terms, surname_terms


def add_person(found: list[Fragment], persona: Persona, year: int | None) -> None:
    """Add what the record says of the person; ``year`` is that of the record."""
    for name in persona.names:
        found.append(surname_terms("self.surname", name.surname))
        found.append(given_terms("self.given", name.given))
        if name.patronymic or name.nickname or name.suffix or name.title:
            _add_rest_of_name(found, name)
    if persona.sex:
        found.append(word_terms("self.sex", persona.sex))
    if persona.occupation:
        found.append(occupation_terms("self.occupation", persona.occupation))
    if persona.religion:
        found.append(word_terms("self.religion", persona.religion))
    if persona.marital:
        found.append(word_terms("self.marital", persona.marital))
    for attribute, text in persona.attributes:
        is_known = attribute_named(attribute) is not None
        found.append(attribute_terms(attribute, text, year) if is_known else _text_terms(text))


@lru_cache(maxsize=CACHED_NAMES)
def word_terms(field: str, text: str) -> Fragment:
    """Return the one plain value that a text gives a field."""
    return fragment(field, [normalize_name(text).rstrip(".")])


def _add_rest_of_name(found: list[Fragment], name: Name) -> None:
    found.append(surname_terms("self.surname", name.patronymic))
    found.append(given_terms("self.given", name.nickname))
    found.append(word_terms("self.suffix", name.suffix))
    found.append(title_terms(name.title))


@lru_cache(maxsize=CACHED_NAMES)
def _text_terms(text: str) -> Fragment:
    """Return what no field is for: the words of the text."""
    return fragment("record.text", text_words(text))
