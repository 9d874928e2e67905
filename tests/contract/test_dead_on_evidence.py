"""Nobody is taken for dead on a word: a death counts with a date in the past or a clear yes."""

from pathlib import Path

import pytest
from attack.not_dead import BORN, DEAD_FORMS, NOT_DEAD_FORMS, TABLE_MAPPING, WRITERS

import forebear
from forebear.archive import Archive
from forebear.records.collections import RECORD_TYPES, Collection
from forebear.records.privacy import Viewer, public_years
from forebear.records.record import Day, Event, HistoricalDate, Name, Persona, Record
from forebear.tables import read_table

TREE = Collection(name="tree", title="Tree", record_type="family_tree")
OPENS = BORN + 111  # the year in which somebody born in 1985 cannot be living any more


def imported(folder: Path, name: str, forms: tuple[str, ...]) -> Archive:
    path = folder / name
    path.write_text(WRITERS[name](forms), encoding="utf-8")
    mapping = folder / "people.toml"
    mapping.write_text(TABLE_MAPPING, encoding="utf-8")
    archive = forebear.create(folder / f"{name}.forebear")
    archive.import_file(path, mapping=str(mapping) if name == "people.tsv" else None)
    return archive


def visible(archive: Archive, year: int) -> int:
    return sum(archive.counts(viewer=Viewer(year=year)).values())


@pytest.mark.parametrize("name", WRITERS)
def test_no_word_in_the_place_of_a_death_shows_anybody(name: str, tmp_path: Path) -> None:
    assert len(NOT_DEAD_FORMS) >= 40

    with imported(tmp_path, name, NOT_DEAD_FORMS) as archive:
        assert visible(archive, 2026) == 0
        assert visible(archive, OPENS) == sum(archive.counts(viewer="owner").values()) > 40


@pytest.mark.parametrize("name", ["people.tsv", "tree.ged"])
def test_a_date_of_death_shows_the_person(name: str, tmp_path: Path) -> None:
    with imported(tmp_path, name, DEAD_FORMS) as archive:
        assert visible(archive, 2026) >= 2 * len(DEAD_FORMS)


@pytest.mark.parametrize("form", DEAD_FORMS)
def test_a_date_of_death_is_understood(form: str, tmp_path: Path) -> None:
    with imported(tmp_path, "people.tsv", (form,)) as archive:
        assert visible(archive, 2026) == 2


def test_a_death_in_the_future_shows_nobody_before_it(tmp_path: Path) -> None:
    with imported(tmp_path, "people.tsv", ("2090",)) as archive:
        assert [visible(archive, year) for year in (2089, 2090, 2091)] == [0, 0, 2]


def person(*events: Event) -> Record:
    birth = Event(kind="birth", date=HistoricalDate(text="1985", end=Day(1985, 12, 31)))
    return Record(
        collection="tree",
        id="1",
        record_type="family_tree",
        event=Event(kind="birth"),
        personas=(
            Persona(
                role="self",
                kin="self",
                is_principal=True,
                names=(Name(given="John", surname="Smith"),),
                events=(birth, *events),
            ),
        ),
    )


def test_a_clear_yes_is_a_death() -> None:
    assert public_years([person(Event(kind="death", is_claimed=True))], TREE).masked <= 2026
    assert public_years([person(Event(kind="death"))], TREE).masked == OPENS


def test_a_yes_beside_what_is_no_date_is_no_clear_yes() -> None:
    claimed = Event(kind="death", is_claimed=True, date=HistoricalDate(text="living"))

    assert public_years([person(claimed)], TREE).masked == OPENS


@pytest.mark.parametrize(
    "record_type", [name for name, kind in RECORD_TYPES.items() if kind.ends_life]
)
def test_a_record_of_a_death_is_of_somebody_dead_dated_or_not(record_type: str) -> None:
    record = Record(
        collection="deaths",
        id="1",
        record_type=record_type,
        event=Event(kind=record_type),
        personas=(Persona(role="deceased", kin="self", is_principal=True),),
    )
    deaths = Collection(name="deaths", title="Deaths", record_type=record_type)

    assert public_years([record], deaths).masked == 0


def test_every_word_for_a_death_is_one_that_a_date_may_have_beside_it() -> None:
    rows = read_table("normalize/dates/words")
    words = {row["word"] for row in rows if row["meaning"] == "event"}

    assert {row["word"] for row in read_table("records/death_words")} <= words
