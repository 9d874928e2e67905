"""What ranks above what, in real records: the tree of the royal families, registers, a census.

Of the large files only the rows that matter are imported: those with the names of a search, and
every tenth of the others, so that names are as rare as they are.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from forebear.archive import Archive, create_archive, open_archive
from forebear.archive.result import Hit, Result

SEARCHED = re.compile(r"gulliford|giles|amelia|wilkinson|brown", re.IGNORECASE)
EVERY = 10


def make(folder: Path, *files: Path) -> Iterator[Archive]:
    path = folder / "archive.forebear"
    create_archive(path).close()
    with open_archive(path) as archive:
        for file in files:
            archive.import_file(file)
        yield archive


def extract(file: Path, folder: Path) -> Path:
    """Write the heading of a table and the rows that matter to another file."""
    heading, *rows = file.read_text("utf-8").splitlines(keepends=True)
    chosen = [row for n, row in enumerate(rows) if n % EVERY == 0 or SEARCHED.search(row)]
    path = folder / file.name
    path.write_text("".join([heading, *chosen]), "utf-8")
    return path


@pytest.fixture(scope="module")
def tree(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    folder = tmp_path_factory.mktemp("tree")
    yield from make(folder, shared_data / "gedcom" / "royal92.ged")


@pytest.fixture(scope="module")
def registers(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    folder = tmp_path_factory.mktemp("registers")
    names = ("baptisms", "burials", "marriages")
    files = [shared_data / "records" / "freereg" / f"freereg_{name}.csv" for name in names]
    yield from make(folder, *(extract(file, folder) for file in files))


@pytest.fixture(scope="module")
def census(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    folder = tmp_path_factory.mktemp("census")
    yield from make(folder, extract(shared_data / "records" / "freecen" / "census.csv", folder))


def search(archive: Archive, line: str) -> Result:
    return archive.search(line, log=False)


def is_called(hit: Hit, name: str) -> bool:
    return hit.name.casefold() == name.casefold()


def ranks(result: Result, name: str, **facts: str) -> list[int]:
    """Return the ranks of records of a name with these facts: a role, an age, a year."""
    return [
        hit.rank
        for hit in result
        if is_called(hit, name)
        and facts.get("role", hit.role) == hit.role
        and facts.get("age", hit.description.age) == hit.description.age
        and facts.get("year", "") in hit.date
    ]


@pytest.mark.parametrize(
    "line",
    ["Victoria Hanover b. 1819", "Victoria Hanover", "Queen Victoria b. 1819", "Queen Victoria"],
)
def test_queen_victoria_is_found_under_her_own_record_first_and_once(
    tree: Archive, line: str
) -> None:
    result = search(tree, line)

    assert result[0].record == "royal92:I1"
    assert [hit.record for hit in result if "Victoria Hanover" in hit.name] == ["royal92:I1"]
    assert {hit.role for hit in result} == {"self"}


def test_george_gulliford_of_1820_is_baptized_then_and_buried_at_that_age(
    registers: Archive,
) -> None:
    result = search(registers, "George Gulliford b. 1820")

    (baptism,) = ranks(result, "George Gulliford", role="child", year="5 Mar 1820")
    (burial,) = ranks(result, "George Gulliford", role="deceased", year="1893")  # aged 72
    assert baptism == ranks(result, "George Gulliford", role="child")[0]
    assert burial == 1
    strangers = [hit.rank for hit in result if not is_called(hit, "George Gulliford")]
    assert max(baptism, burial) < min(strangers)


def test_amelia_giles_of_1818_is_the_bride_of_1838(registers: Archive) -> None:
    result = search(registers, "Amelia Giles b. 1818")

    assert (result[0].role, result[0].date) == ("bride", "24 Dec 1838")
    assert is_called(result[0], "Amelia Giles")


@pytest.mark.parametrize("place", ["", " Midsomer Norton", " Somerset"])
def test_amelia_giles_of_1818_is_not_the_mother_of_a_child_of_that_time(
    registers: Archive, place: str
) -> None:
    result = search(registers, f"Amelia Giles b. 1818{place}")

    mothers = [
        (hit.name, hit.date, hit.probability)
        for hit in result
        if hit.role == "mother" and int(hit.date[-4:]) <= 1828 and hit.probability >= 0.2
    ]
    assert mothers == []


def test_william_browns_are_in_the_order_of_their_ages(census: Archive) -> None:
    result = search(census, "William Brown b. 1791 Layham")

    # In 1841 ages were rounded down to five years: 45 is the nearest to 1791 that there is.
    near = ranks(result, "William Brown", age="45 y", year="1841")
    far = [rank for age in ("60 y", "35 y") for rank in ranks(result, "William Brown", age=age)]
    children = [rank for age in ("4 y", "6 y") for rank in ranks(result, "William Brown", age=age)]
    assert near
    assert far
    assert children
    assert max(near) < min(far)
    assert max(ranks(result, "William Brown", age="60 y")) < min(children)


def test_no_mary_wilkinson_is_likely_where_none_was_born_in_devon(census: Archive) -> None:
    result = search(census, "Mary Wilkinson b. 1851 Devon")

    assert result[0].probability < 0.2
    assert "match equally well" in result.suggestion
