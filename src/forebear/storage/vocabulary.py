"""What every storage counts the same way: name fields, common facts, the names of places."""

from forebear.search.terms.fields import field_of, value_of

SURNAME_FIELDS = frozenset(
    {
        *("self.surname", "spouse.surname", "father.surname", "spouse_father.surname"),
        *("other.surname", "child.surname", "mother.maiden", "spouse_mother.maiden"),
    }
)
GIVEN_FIELDS = frozenset(
    {
        *("self.given", "self.middle", "spouse.given", "father.given", "mother.given"),
        *("child.given", "sibling.given", "spouse_father.given", "spouse_mother.given"),
        "other.given",
    }
)
PLACE_FIELDS = frozenset(
    {
        *("birth.place", "marriage.place", "death.place", "residence.place", "event.place"),
        *("father.birthplace", "mother.birthplace", "burial.place"),
        *("arrival.place", "departure.place", "destination.place"),
    }
)


def is_common(having: int, personas: int) -> bool:
    """Say whether a part of the archive normally has a fact: more than half of it does."""
    return 2 * having > personas


def place_name(fact: str) -> str:
    """Return the own name of the place that a term gives, or "" if it gives none."""
    if field_of(fact) not in PLACE_FIELDS:
        return ""
    return value_of(fact).removeprefix("p:").partition(",")[0]
