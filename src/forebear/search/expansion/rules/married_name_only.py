"""Rule 2: is the only surname of the query the husband's own?

Then it is taken for the married name and the birth name is unknown: the records before the
wedding show a gap, not a contradiction.
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
