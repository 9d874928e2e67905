"""No public record names a person whose own evidence allows that they are living."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import forebear
from forebear.archive import Archive
from forebear.records.privacy import public_years
from forebear.records.record import Persona

YEARS = st.integers(1830, 2015)
DATES = st.one_of(
    st.none(), st.builds(str, YEARS), st.builds("ABT {}".format, YEARS), st.just("living")
)
PEOPLE = st.lists(st.tuples(DATES, DATES, st.sampled_from("MFU")), min_size=2, max_size=9)


@st.composite
def trees(draw: st.DrawFn) -> str:
    """Return a GEDCOM file of families drawn from some people, each of whom has an own name."""
    people = draw(PEOPLE)
    numbers = st.integers(1, len(people))
    lines = ["0 HEAD", "1 GEDC", "2 VERS 5.5.1", "1 CHAR UTF-8"]
    links: dict[int, list[str]] = {number: [] for number in range(1, len(people) + 1)}
    families = []
    for family in range(1, draw(st.integers(1, 4)) + 1):
        members = draw(st.lists(numbers, min_size=2, max_size=5, unique=True))
        families.append(f"0 @F{family}@ FAM")
        for place, member in enumerate(members):
            families.append(f"1 {('HUSB', 'WIFE')[place] if place < 2 else 'CHIL'} @I{member}@")
            links[member].append(f"1 {'FAMS' if place < 2 else 'FAMC'} @F{family}@")
    for number, (born, died, sex) in enumerate(people, start=1):
        lines += [f"0 @I{number}@ INDI", f"1 NAME Given{number} /Surname{number}/", f"1 SEX {sex}"]
        lines += ["1 BIRT", f"2 DATE {born}"] if born else []
        lines += ["1 DEAT", f"2 DATE {died}"] if died else []
        lines += [*links[number], f"1 NOTE knows Given{number} Surname{number}"]
    return "\n".join([*lines, *families, "0 TRLR", ""])


def named_but_hidden(archive: Archive) -> list[tuple[str, str]]:
    """Return the public records, each with a person it names whose own record is hidden."""
    viewer = archive.viewer("public")
    groups = [group for group, _ in archive.storage.groups()]
    tree = archive.collections(viewer="owner")[0]
    hidden = {
        record.personas[0].key
        for group in groups
        for record in group
        if not viewer.may_see(public_years(group, tree).masked)
    }
    public = archive.storage.records([r.key for g in groups for r in g], viewer=viewer)

    def is_named(persona: Persona) -> bool:
        return bool(persona.names or persona.events or persona.sex or persona.attributes)

    return [
        (key, persona.key)
        for key, (record,) in public.items()
        for persona in record.personas
        if persona.key in hidden and is_named(persona)
    ]


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(text=trees())
def test_no_public_record_names_a_person_who_may_be_living(
    text: str, tmp_path_factory: object
) -> None:
    folder = tmp_path_factory.mktemp("tree")  # type: ignore[attr-defined]
    (folder / "tree.ged").write_text(text, encoding="utf-8")
    with forebear.create(folder / "tree.forebear") as archive:
        archive.import_file(folder / "tree.ged")

        assert named_but_hidden(archive) == []
        assert archive.check().faults == ()


def test_no_public_record_of_a_real_tree_names_a_living_person(
    shared_data: Path, tmp_path: Path
) -> None:
    with forebear.create(tmp_path / "royal.forebear") as archive:
        archive.import_file(shared_data / "gedcom" / "royal92.ged")

        assert named_but_hidden(archive) == []
        assert sum(archive.counts(viewer="public").values()) > 1000
