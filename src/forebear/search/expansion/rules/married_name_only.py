"""Rule 2: is the only surname of the query the husband's own?

Then it is taken for the married name and the birth name is unknown: the records before the
wedding show a gap, not a contradiction.  Nor can a surname contradict where a woman may
stand under the name of a husband nobody told us of.
"""

from forebear.search.query.person_query import PersonQuery


def is_married_name_only(
    query: PersonQuery,
    *,
    birth: tuple[str, ...],
    married: tuple[str, ...],
    husbands: tuple[str, ...],
) -> bool:
    """Say whether what is given as the birth surname is the one by marriage."""
    return query.sex == "f" and bool(set(birth) & set(husbands)) and not married


def may_bear_unknown_name(
    query: PersonQuery, *, married: tuple[str, ...], is_birth_name_type: bool
) -> bool:
    """Say whether a woman may stand here under a husband's name that nobody told us."""
    return query.sex == "f" and not married and not is_birth_name_type
