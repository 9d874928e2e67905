"""What is a full name once it is read, and how is it built?"""

import re
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from msgspec.structs import replace

from forebear.normalize.name_words import (
    is_initials,
    is_uncertain,
    is_unknown,
    particle_kind,
    split_particle,
)
from forebear.normalize.surnames import before_particles, split_words
from forebear.records.record import Name, NameKind

APOSTROPHE_SIGNS = frozenset("’‘ʼ`´′")
_HYPHENED = re.compile(r"[^\W\d_]{2,}['’]?[^\W\d_]*-(?:[^\W\d_]+ )*[^\W\d_]{2,}")


class NamedRelative(NamedTuple):
    """Someone else whom a name mentions: Thomas Green in "Mary, wife of Thomas Green"."""

    kind: Literal["spouse", "father", "mother"]
    relation: str  # what the person is to the relative: wife, son; patronymic if that alone says so
    name: Name


class NameReading(NamedTuple):
    """What a full name says."""

    text: str
    name: Name  # under which the person appears
    others: tuple[Name, ...] = ()  # at birth, by an earlier marriage, an alias
    relatives: tuple[NamedRelative, ...] = ()
    flags: frozenset[str] = frozenset()


@dataclass(slots=True)
class NameBuilder:
    """The parts of a name read so far."""

    given: list[str] = field(default_factory=list)
    surname: list[str] = field(default_factory=list)
    title: str = ""
    suffix: list[str] = field(default_factory=list)
    nickname: str = ""
    patronymic: str = ""  # next to a surname
    given_alias: str = ""
    aliases: list[list[str]] = field(default_factory=list)
    former_surnames: list[tuple[NameKind, list[str]]] = field(default_factory=list)
    relatives: list[NamedRelative] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)

    def build(self, text: str, order: str, kind: NameKind) -> NameReading:
        """Return the name with its flags, unknown parts empty."""
        given = [word for word in self.given if not is_unknown(word)]
        surname = [word for word in self.surname if not is_unknown(word)]
        is_renamed = bool(surname and self.former_surnames)
        if not surname:
            births = (words for kind, words in self.former_surnames if kind == "birth")
            surname = next(births, [])
        name = replace(
            make_name(given, surname, "married" if is_renamed and kind == "birth" else kind),
            suffix=" ".join(self.suffix),
            title=self.title,
            patronymic=self.patronymic,
            nickname=self.nickname,
        )
        return NameReading(
            text=text,
            name=name,
            others=tuple(self._others(given, surname)),
            relatives=tuple(self.relatives),
            flags=frozenset(self._all_flags(given, surname, order)),
        )

    def _others(self, given: list[str], surname: list[str]) -> list[Name]:
        former = [entry for entry in self.former_surnames if entry[1] != surname]
        names = [make_name(given, words, kind) for kind, words in former]
        if self.given_alias:
            names.append(make_name([self.given_alias], surname, "alias"))
        for words in self.aliases:
            is_surname = len(words) == 1 or before_particles(["", *words], len(words)) == 1
            split = split_words(words, "")
            parts = (given, words) if is_surname else (split.given, split.surname)
            names.append(make_name(*parts, "alias"))
        return names

    def _all_flags(self, given: list[str], surname: list[str], order: str) -> set[str]:
        flags = self.flags - {"described"}
        flags |= {"unknown_given"} if not given else set()
        flags |= {"unknown_surname"} if not surname else set()
        if given and all(map(is_initials, given)) and "script_han" not in flags:
            flags.add("initials")
        if any(map(is_uncertain, [*given, *surname])):
            flags.add("ucf")
        is_joined = any(particle_kind(word) == "joint" for word in surname[1:-1])
        if is_joined or _HYPHENED.search(split_particle(surname)[1]):
            flags.add("double_surname")
        if order == "surname_first" and surname and given:
            flags.add("surname_first")
        return flags


def make_name(given: list[str], surname: list[str], kind: NameKind) -> Name:
    """Return a name of words; the particles are part of the surname and also its prefix."""
    return Name(
        given=" ".join(given),
        surname=" ".join(surname),
        kind=kind,
        prefix=split_particle(surname)[0],
    )


def with_apostrophe_as_written(reading: NameReading) -> NameReading:
    """Return the name with the apostrophe of its text, if that is another and only one."""
    signs = set(reading.text) & (APOSTROPHE_SIGNS | {"'"})
    if len(signs) != 1 or "'" in signs:
        return reading
    sign = signs.pop()

    def write(name: Name) -> Name:
        return Name(
            given=name.given.replace("'", sign),
            surname=name.surname.replace("'", sign),
            kind=name.kind,
            suffix=name.suffix.replace("'", sign),
            title=name.title,
            prefix=name.prefix.replace("'", sign),
            patronymic=name.patronymic.replace("'", sign),
            nickname=name.nickname.replace("'", sign),
        )

    return reading._replace(
        name=write(reading.name),
        others=tuple(map(write, reading.others)),
        relatives=tuple(
            relative._replace(name=write(relative.name)) for relative in reading.relatives
        ),
    )
