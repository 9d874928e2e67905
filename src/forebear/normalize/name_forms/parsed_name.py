"""A full name in its parts, each in its own spelling, and what it says about relatives."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedName:
    """What a full name says; an empty part was not given."""

    text: str
    given: str = ""
    surname: str = ""
    particle: str = ""  # "van der"; sorted without, matched with and without
    suffix: str = ""
    title: str = ""
    alias: str = ""
    # What is said of others, in order: relation, spouse_given, father_surname, birth_surname ...
    relation: tuple[tuple[str, str], ...] = ()
    flags: frozenset[str] = field(default_factory=frozenset)

    def related(self, key: str) -> str:
        """Return one fact about a relative or another name, or ""."""
        return dict(self.relation).get(key, "")
