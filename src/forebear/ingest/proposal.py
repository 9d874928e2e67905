"""A proposed mapping: what goes where, what is doubted, and the file it makes."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from forebear.records.record import Kin

# Who a record of a type is about, and which words of headings betray the type.
PRINCIPALS: dict[str, str] = {
    "marriage": "groom",
    "baptism": "child",
    "burial": "deceased",
    "census": "person",
    "birth": "child",
    "death": "deceased",
    "probate": "deceased",
    "court": "defendant",
    "naturalization": "applicant",
    "immigration": "passenger",
    "obituary": "deceased",
}
KIN: dict[str, tuple[Kin, str]] = {
    "child": ("self", ""),
    "groom": ("self", "m"),
    "bride": ("spouse", "f"),
    "deceased": ("self", ""),
    "father": ("parent", "m"),
    "mother": ("parent", "f"),
    "spouse": ("spouse", ""),
    "groom father": ("parent", "m"),
    "groom mother": ("parent", "f"),
    "bride father": ("parent_in_law", "m"),
    "bride mother": ("parent_in_law", "f"),
    "godfather": ("other", "m"),
    "godmother": ("other", "f"),
}


@dataclass(slots=True)
class Proposal:
    """A mapping in the making: keys of each table in their order, and doubts."""

    name: str
    record_type: str
    record: dict[str, list[str]] = field(default_factory=dict)
    people: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    events: dict[str, dict[str, dict[str, list[str]]]] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # cells that stand for nothing
    joined: dict[str, list[str]] = field(default_factory=dict)  # columns made of several

    def to_toml(self) -> str:
        """Return the mapping file."""
        return "\n".join(_write(self)) + "\n"


def _write(proposal: Proposal) -> Iterator[str]:
    title = proposal.name.replace("_", " ").strip().capitalize()
    yield "# Proposed by `forebear map`; read it over before you import."
    yield from (f"# unsure: {doubt}" for doubt in proposal.doubts)
    yield from (f"# unused: {column!r}" for column in proposal.unused)
    yield from ("", "[collection]", f"name = {_text(proposal.name)}", f"title = {_text(title)}")
    yield f"record_type = {_text(proposal.record_type)}"
    if proposal.missing:
        yield from ("", "[table]", f"missing = {_list(dict.fromkeys(proposal.missing))}")
    for name, columns in proposal.joined.items():
        yield from ("", f"[joined.{_key(name)}]", f"columns = {_list(columns)}")
    yield from ("", "[record]")
    yield from (f"{key} = {_columns(columns)}" for key, columns in proposal.record.items())
    principal = PRINCIPALS.get(proposal.record_type, "person")
    for person, keys in sorted(proposal.people.items(), key=lambda item: item[0] != principal):
        role = person.rstrip(" 0123456789")
        yield from ("", "[[persona]]", f"role = {_text(role)}")
        kin, sex = KIN.get(role, ("other", ""))
        if person == principal or (person == "bride" and proposal.record_type == "marriage"):
            if proposal.record_type != "census":
                kin = "spouse" if person == "bride" else "self"
            yield "principal = true"
        yield f"kin = {_text(kin)}"
        if sex and "sex_column" not in keys:
            yield f"sex = {_text(sex)}"
        yield from (f"{key} = {_columns(columns)}" for key, columns in keys.items())
        for kind, event in proposal.events.get(person, {}).items():
            parts = ", ".join(f"{key} = {_columns(columns)}" for key, columns in event.items())
            yield f"events.{kind} = {{ {parts} }}"


def _key(name: str) -> str:
    """Return a key of TOML: a name as it is if it needs no quotes."""
    return name if name.replace("_", "").isalnum() and name.isascii() else _text(name)


def _columns(columns: list[str]) -> str:
    return _text(columns[0]) if len(columns) == 1 else _list(columns)


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(_text(text) for text in texts)}]"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
