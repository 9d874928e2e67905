"""What has been found of a name so far, and what name is it in the end?"""

import re
from dataclasses import dataclass, field

from forebear.normalize.name_forms.parsed_name import ParsedName
from forebear.normalize.name_forms.split import split_particle
from forebear.normalize.name_forms.words import is_initials, is_uncertain, is_unknown, particle_kind

_HYPHENED = re.compile(r"[^\W\d_]{2,}['’]?[^\W\d_]*-(?:[^\W\d_]+ )*[^\W\d_]{2,}")


@dataclass(slots=True)
class Draft:
    """The parts of a name found so far."""

    given: list[str] = field(default_factory=list)
    surname: list[str] = field(default_factory=list)
    title: str = ""
    suffix: list[str] = field(default_factory=list)
    alias: str = ""
    facts: list[tuple[str, str]] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)


def finish(text: str, draft: Draft, order: str) -> ParsedName:
    """Return the name with its flags, unknown parts left empty."""
    given = [word for word in draft.given if not is_unknown(word)]
    surname = [word for word in draft.surname if not is_unknown(word)]
    birth = dict(draft.facts).get("birth_surname", "")
    if not surname and birth:
        surname = birth.split()
    parts = split_particle(surname)
    flags = draft.flags - {"described"}
    flags |= {"unknown_given"} if not given else set()
    flags |= {"unknown_surname"} if not surname else set()
    if given and all(map(is_initials, given)) and "script_han" not in flags:
        flags.add("initials")
    if any(map(is_uncertain, [*given, *surname])):
        flags.add("ucf")
    is_joined = any(particle_kind(word) == "joint" for word in surname[1:-1])
    if _HYPHENED.search(parts.surname) or is_joined:
        flags.add("double_surname")
    if order == "surname_first" and surname and given:
        flags.add("surname_first")
    return ParsedName(
        text=text,
        given=" ".join(given),
        surname=parts.surname,
        particle=parts.particle,
        suffix=" ".join(draft.suffix),
        title=draft.title,
        alias=draft.alias,
        relation=tuple(draft.facts),
        flags=frozenset(flags),
    )
