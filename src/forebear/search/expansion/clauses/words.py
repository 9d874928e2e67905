"""Clauses about words: sex, occupation, religion, status, nation, keywords, text, role."""

from forebear.normalize.place_levels import ids_by_level, place_words
from forebear.normalize.variants import sex_of_given
from forebear.search.expansion.catalog import (
    CatalogRow,
    Clause,
    all_clause,
    conflict_clause,
    term_clause,
)
from forebear.search.expansion.clauses.builder import Builder
from forebear.search.expansion.clauses.names import with_variants
from forebear.search.expansion.query_facts import Facts
from forebear.search.terms.term import name_terms, terms

SHORTEST_PLACE_WORD = 4  # letters; shorter ones are words of any text


def build_match(row: CatalogRow, facts: Facts) -> Clause | None:
    """The same value."""
    return term_clause(row, terms(row.fields[0], facts.needed_words(row)))


def build_conflict(row: CatalogRow, facts: Facts) -> Clause | None:
    """Another value."""
    return conflict_clause(row, terms(row.fields[0], facts.needed_words(row)))


def build_sex(row: CatalogRow, facts: Facts) -> Clause | None:
    """The sex, where the record's given name does not say it already.

    Who has a name has its sex too.  Counted once more, it would put the records of collections
    that state a sex before equal ones that have only the name.
    """
    sexes, names = facts.needed_words(row), facts.names["given"]
    is_implied = {sex_of_given(name) for name in names} == set(sexes)
    same_name = with_variants(names, row.fields[1], facts) if is_implied else frozenset()
    none_of = name_terms(row.fields[1], same_name)
    return term_clause(row, terms(row.fields[0], sexes), none_of=none_of)


def build_marital_match(row: CatalogRow, facts: Facts) -> Clause | None:
    """The status that a person with this life has on such a record."""
    if facts.needed(row) is None:
        return None
    return term_clause(row, terms("self.marital", _statuses(row, facts)))


def build_marital_conflict(row: CatalogRow, facts: Facts) -> Clause | None:
    """Another status than a person with this life would have."""
    if facts.needed(row) is None:
        return None
    return conflict_clause(row, terms("self.marital", _statuses(row, facts)))


def _statuses(row: CatalogRow, facts: Facts) -> tuple[str, ...]:
    """Single at a wedding, or widowed after another; married or widowed at the end of life."""
    if row.record_type != "marriage":
        return ("married", "widowed", "divorced")
    spouses = [relative for relative in facts.relatives if relative.kind == "spouse"]
    return ("single", "widowed", "divorced") if len(spouses) > 1 else ("single",)


def build_nationality(row: CatalogRow, facts: Facts) -> Clause | None:
    """Of the country in which the person was born, or of another."""
    countries = [ids_by_level(place).get("country") for place in facts.needed_places(row)]
    nations = terms(row.fields[0], [id_ for id_ in countries if id_])
    return term_clause(row, nations) if row.polarity > 0 else conflict_clause(row, nations)


def build_street(row: CatalogRow, facts: Facts) -> Clause | None:
    """The same street."""
    streets = [form for form in facts.needed_words(row) if not form[0].isdigit()]
    return term_clause(row, terms(row.fields[0], streets))


def build_house(row: CatalogRow, facts: Facts) -> Clause | None:
    """The same street and house number."""
    houses = [form for form in facts.needed_words(row) if form[0].isdigit()]
    return term_clause(row, terms(row.fields[0], houses))


def build_any_keyword(row: CatalogRow, facts: Facts) -> Clause | None:
    """At least one keyword."""
    return term_clause(row, terms("record.text", facts.words["keyword"]))


def build_all_keywords(row: CatalogRow, facts: Facts) -> Clause | None:
    """All keywords; with one there is nothing more to say than ``any``."""
    conditions = [terms("record.text", [word]) for word in facts.words["keyword"]]
    return all_clause(row, conditions)


def build_place_in_text(row: CatalogRow, facts: Facts) -> Clause | None:
    """The name of a place of the person's life occurs in the text."""
    words = (word for place in facts.needed_places(row) for word in place_words(place.levels[0]))
    telling = {word for word in words if len(word) >= SHORTEST_PLACE_WORD}
    return term_clause(row, terms("record.text", telling))


def build_year_in_text(row: CatalogRow, facts: Facts) -> Clause | None:
    """The year of birth or death occurs in the text."""
    spans = (*facts.spans.get("birth", ()), *facts.spans.get("death", ()))
    return term_clause(row, terms("record.text", {year for span in spans for year in span.named}))


def build_flag(row: CatalogRow, facts: Facts) -> Clause | None:
    """A property of the persona or record itself, whatever the query says."""
    del facts
    return term_clause(row, terms(row.fields[0], [row.clause.rpartition(".")[2]]))


FLAGS = {
    "role": (
        *("principal", "petitioner", "respondent", "beneficiary", "executor"),
        *("owner", "grantor", "grantee", "taxpayer"),
    ),
    "subtype": ("notice", "news", "advertisement"),
    "sources": ("any", "three"),
}
MATCHING = ("sex", "suffix", "title", "occupation", "religion", "organization", "identifier")

BUILDERS: dict[str, Builder] = {
    **{f"{fact}.match": build_match for fact in (*MATCHING, "ship")},
    **{f"{fact}.conflict": build_conflict for fact in MATCHING},
    "sex.match": build_sex,
    "sex.implied": build_sex,
    "sex.implied_conflict": build_conflict,
    "marital.match": build_marital_match,
    "marital.conflict": build_marital_conflict,
    "nationality.match": build_nationality,
    "nationality.conflict": build_nationality,
    "address.street": build_street,
    "address.house": build_house,
    "keyword.any": build_any_keyword,
    "keyword.all": build_all_keywords,
    "text.place": build_place_in_text,
    "text.year": build_year_in_text,
    **{f"{fact}.{level}": build_flag for fact, levels in FLAGS.items() for level in levels},
}
