"""Tests for `forebear_lab.simulation.users`."""

from collections import defaultdict
from itertools import pairwise

from forebear_lab.simulation.archives import SimulatedArchive, read_rows, read_visits
from forebear_lab.simulation.users import Visit


def by_user(simulated: SimulatedArchive) -> dict[str, list[Visit]]:
    visits: dict[str, list[Visit]] = defaultdict(list)
    for visit in read_visits(simulated.folder):
        visits[visit.user].append(visit)
    return visits


def test_visits_come_by_day_and_each_has_a_query(simulated: SimulatedArchive) -> None:
    visits = read_visits(simulated.folder)

    assert [visit.day for visit in visits] == sorted(visit.day for visit in visits)
    assert [visit.query_id for visit in visits] == [f"q{n}" for n in range(1, len(visits) + 1)]


def test_users_belong_to_a_family_and_return_on_other_days(simulated: SimulatedArchive) -> None:
    users = by_user(simulated)

    assert all(len({visit.family for visit in visits}) == 1 for visits in users.values())
    assert any(len({visit.day for visit in visits}) > 2 for visits in users.values())


def test_a_person_sought_again_is_known_better(simulated: SimulatedArchive) -> None:
    returns = 0
    for visits in by_user(simulated).values():
        for before, after in pairwise(visits):
            if before.person == after.person and before.in_archive:
                assert after.stage >= before.stage
                returns += after.stage > before.stage

    assert returns > 0


def test_the_truth_says_who_is_in_the_archive(simulated: SimulatedArchive) -> None:
    links = read_rows(simulated.folder / "truth" / "links.csv")
    recorded = {int(link["person_id"]) for link in links}

    for visit in read_visits(simulated.folder):
        assert visit.in_archive == (visit.person in recorded)
