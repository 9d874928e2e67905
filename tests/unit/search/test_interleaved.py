"""Tests for `forebear.search.interleaved`: one fair list of two rankings."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from forebear.search.interleaved import Team, team_draft

rankings = st.lists(st.sampled_from("abcdefghijkl"), unique=True, max_size=12)


def simple_draft(
    first: Sequence[str], second: Sequence[str], coins: Sequence[int]
) -> list[tuple[str, Team]]:
    """Draft as the paper says it: each captain picks their best that is left."""
    picks: list[tuple[str, Team]] = []
    both = (first, second)
    for coin in coins:
        for team in (coin, 1 - coin):
            left = [record for record in both[team] if record not in dict(picks)]
            if left:
                picks.append((left[0], 1 if team else 0))
    return picks


@given(rankings, rankings, st.text(max_size=4))
def test_every_captain_picks_their_best_that_is_left(
    first: list[str], second: list[str], seed: str
) -> None:
    # Two rankings without a common record show the coins.
    length = max(len(first), len(second))
    apart = team_draft(
        [f"1{i}" for i in range(length)], [f"2{i}" for i in range(length)], seed=seed
    )
    coins = [team for _, team in apart[::2]]

    assert team_draft(first, second, seed=seed) == simple_draft(first, second, coins)


@given(rankings, rankings, st.text(max_size=4))
def test_the_list_has_every_record_once(first: list[str], second: list[str], seed: str) -> None:
    records = [record for record, _ in team_draft(first, second, seed=seed)]

    assert sorted(records) == sorted({*first, *second})


@given(rankings, st.text(max_size=4))
def test_two_equal_rankings_stay_as_they_are(ranking: list[str], seed: str) -> None:
    picks = team_draft(ranking, ranking, seed=seed)

    assert [record for record, _ in picks] == ranking
    sizes = [sum(picked == team for _, picked in picks) for team in (0, 1)]
    assert abs(sizes[0] - sizes[1]) <= 1


def test_the_coin_is_fair_and_depends_on_the_seed() -> None:
    starts = [team_draft("ab", "ba", seed=f"s{number}")[0] for number in range(2000)]

    share = sum(team for _, team in starts) / len(starts)
    assert 0.46 < share < 0.54
    rounds = [team for _, team in team_draft(range(3000), range(3000, 6000), seed="x")[::2]]  # type: ignore[arg-type]
    assert 0.46 < sum(rounds) / len(rounds) < 0.54
