"""Tests for `forebear.archive.name_variants`: what a log says of names, and who may say it."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import forebear
from forebear.errors import NotFoundError
from forebear.interactions.events import Source
from forebear.interactions.log import COMMAND_LINE
from making import BURIALS

FAMILIES = ("Brown", "Cornell", "Gilbert", "Harrow", "Ingham", "Jessop", "Kettle", "Larkin")
GIVEN = ("William", "James", "Thomas", "Mary")
SIGNED_IN = ("link:ann", "link:bob", "link:eve")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write burials: in each family four people and a Zykel, whom nobody calls so."""
    folder = tmp_path_factory.mktemp("burials")
    (folder / "burials.toml").write_text(BURIALS, "utf-8")
    with (folder / "burials.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "date", "parish", "county", "given", "surname"])
        for family in FAMILIES:
            people = [(family, given, given) for given in GIVEN]
            for surname, given, number in [*people, (family, "Zykel", "z")]:
                writer.writerow([f"{family}-{number}", "1870", "Layham", "Suffolk", given, surname])
    return folder / "burials.csv"


@pytest.fixture
def burials(table: Path, tmp_path: Path) -> Iterator[forebear.Archive]:
    with forebear.create(tmp_path / "burials.forebear") as archive:
        archive.import_file(table, mapping=str(table.with_suffix(".toml")))
        yield archive


def attach(
    archive: forebear.Archive, family: str, *, searcher: str = "", source: Source = "use",
    given: str = "Ebenezer", number: str = "z", sex: str = "male",
) -> None:  # fmt: skip
    """Search for somebody of a family and attach a record; a vote is released at once."""
    result = archive.search(given=given, surname=family, birth="1800", sex=sex, log=False)
    archive.log(result, searcher=searcher)
    key = f"burials:{family}-{number}"
    assert result.hit(key) is not None
    if source == "vote":
        archive.vote(result.id, key, "attach")
        archive.release_votes()
    else:
        archive.record_actions([(result.id, key, "attach")], source=source)


def learned(archive: forebear.Archive) -> list[tuple[str, str]]:
    return [(one.first, one.second) for one in archive.learn_name_variants().learned]


def test_imported_links_for_three_persons_teach_a_pair(burials: forebear.Archive) -> None:
    for family in FAMILIES[:3]:
        attach(burials, family, source="link")
    before = burials.search(given="Ebenezer", surname="Harrow", log=False)

    tried = burials.learn_name_variants(dry_run=True)
    assert burials.name_variants() == ()
    assert learned(burials) == [("ebenezer", "zykel")]

    after = burials.search(given="Ebenezer", surname="Harrow", log=False)
    hit = after.hit("burials:Harrow-z")
    assert [one.key for one in tried.learned] == [one.key for one in burials.name_variants()]
    assert hit is not None
    assert hit.rank == 1
    earlier = before.hit("burials:Harrow-z")
    assert earlier is not None
    assert hit.score > earlier.score
    verdicts = {row.fact: row.verdict for row in hit.explain().rows}
    assert verdicts["given name"] == "variant learned in this archive"
    assert hit.explain().adds_up
    plain = after.hit("burials:Harrow-William")
    assert plain is None or "variant learned" not in str(plain.explain())


def test_three_signed_in_searchers_teach_a_pair_and_visitors_do_not(
    burials: forebear.Archive,
) -> None:
    for family, searcher in zip(FAMILIES, ("192.0.2.1", "192.0.2.2", "192.0.2.3"), strict=False):
        attach(burials, family, searcher=searcher)
        attach(burials, family, searcher=searcher, source="vote")
    assert learned(burials) == []

    for name in ("ann", "bob", "eve"):
        burials.add_link(name)
    for family, searcher in zip(FAMILIES, SIGNED_IN, strict=False):
        attach(burials, family, searcher=searcher)
    assert learned(burials) == [("ebenezer", "zykel")]


@pytest.mark.parametrize(
    "searchers",
    [
        ("link:ann",) * 6,
        ("", COMMAND_LINE, "", COMMAND_LINE),  # all of them the owner
        ("link:ann", "link:bob", "link:bob", "link:ann"),
        ("link:ann", "link:bob", "link:gone"),  # a link that was revoked
        ("link:ann", "link:bob", "link:stranger"),  # no link at all
    ],
)
def test_fewer_than_three_searchers_teach_nothing(
    searchers: Sequence[str], burials: forebear.Archive
) -> None:
    for name in ("ann", "bob", "gone"):
        burials.add_link(name)
    burials.revoke_link("gone")
    for family, searcher in zip(FAMILIES, searchers, strict=False):
        attach(burials, family, searcher=searcher)

    report = burials.learn_name_variants()

    assert report.learned == ()
    assert report.compared == 1


def test_a_revoked_pair_is_not_learned_again_until_it_is_restored(
    burials: forebear.Archive,
) -> None:
    for family in FAMILIES[:3]:
        attach(burials, family, source="link")
    assert learned(burials) == [("ebenezer", "zykel")]

    burials.revoke_name_variant("ZYKEL", "Ebenezer", kind="given")

    assert learned(burials) == []
    assert (
        burials.search(given="Ebenezer", surname="Harrow").search_result.learned["given"] == set()
    )
    burials.restore_name_variant("Ebenezer", "Zykel", kind="given")
    assert not burials.name_variants()[0].is_revoked
    with pytest.raises(NotFoundError, match="no learned variants of a surname"):
        burials.revoke_name_variant("Ebenezer", "Zykel", kind="surname")


def test_an_attachment_that_was_undone_teaches_nothing(burials: forebear.Archive) -> None:
    for family in FAMILIES[:3]:
        attach(burials, family, source="link")
    (first, *_) = burials.judged_searches()
    (key,) = first.attached
    burials.record_actions([(first.search.id, key, "reject")], source="link")

    assert learned(burials) == []


def test_a_womans_surname_teaches_nothing_where_she_may_have_married(
    burials: forebear.Archive,
) -> None:
    """Three wives are buried under their husbands' surname, which is the same by chance."""

    def compared(sex: str) -> int:
        for family in FAMILIES[:3]:
            result = burials.search(given="Mary", surname="Quarles", sex=sex, death="1870")
            key = f"burials:{family}-Mary"
            assert result.hit(key) is not None
            burials.attach(result.id, key)
        return burials.learn_name_variants().compared

    assert compared("female") == 0
    assert compared("male") == 3
