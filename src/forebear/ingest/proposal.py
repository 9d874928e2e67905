"""What does a proposed mapping hold, and how is it written?"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from forebear.ingest.headings import PRINCIPALS
from forebear.records.record import Kin

Rows = Sequence[Mapping[str, str]]
# What these people are to the one a record is about, and their sex.
KIN: dict[str, tuple[Kin, str]] = {
    "child": ("self", ""), "groom": ("self", "m"), "deceased": ("self", ""),
    "bride": ("spouse", "f"), "spouse": ("spouse", ""),
    "father": ("parent", "m"), "mother": ("parent", "f"),
    "groom father": ("parent", "m"), "groom mother": ("parent", "f"),
    "bride father": ("parent_in_law", "m"), "bride mother": ("parent_in_law", "f"),
    "godfather": ("other", "m"), "godmother": ("other", "f"),
}  # fmt: skip


@dataclass(slots=True)
class Proposal:
    """An unfinished mapping: keys of each table in their order, and doubts."""

    name: str
    record_type: str
    record: dict[str, list[str]] = field(default_factory=dict)
    people: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    events: dict[str, dict[str, dict[str, list[str]]]] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # cells that mean an empty one
    joined: dict[str, list[str]] = field(default_factory=dict)  # several columns in one
    derived: dict[str, tuple[str, str]] = field(default_factory=dict)  # a column and a pattern
    values: dict[str, dict[str, str]] = field(default_factory=dict)  # of codes, by column

    def to_toml(self) -> str:
        """Return the mapping file."""
        return "\n".join(_write(self)) + "\n"


def free_name(label: str, rows: Rows) -> str:
    """Return a name for a joined column that no column of the file has."""
    name = label.replace(" ", "_")
    while rows and name in rows[0]:
        name += "_"
    return name


def quoted(texts: Iterable[str]) -> str:
    """Return texts as a message lists them."""
    return ", ".join(map(repr, texts))


def _write(proposal: Proposal) -> Iterator[str]:
    title = proposal.name.replace("_", " ").strip().capitalize()
    yield "# Proposed by `forebear map`; read it over before you import."
    yield from (f"# unsure: {doubt}" for doubt in proposal.doubts)
    yield from (f"# unused: {column!r}" for column in proposal.unused)
    yield from ("", "[collection]", f"name = {_text(proposal.name)}", f"title = {_text(title)}")
    yield f"record_type = {_text(proposal.record_type)}"
    if proposal.missing:
        yield from ("", "[table]", f"missing = {_list(dict.fromkeys(proposal.missing))}")
    for name, (column, pattern) in proposal.derived.items():
        yield from ("", f"[derived.{_key(name)}]", f"column = {_text(column)}")
        yield f"pattern = {_text(pattern)}"
    for column, codes in proposal.values.items():
        yield from ("", f"[values.{_key(column)}]")
        yield from (f"{_key(code)} = {_text(value)}" for code, value in codes.items())
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
