"""What does a clause fire on, as a hash?

A weight learned for a clause, or a logged bit, means something only while the clause fires on
the same personas.  So each clause of each record type has a hash of all that decides it: its
polarity, kind, fields, needs and rules, the contents of the tables its builder reads, and the
version of the rules by which the terms of its fields were written.  The words that people read
are not part of it.  Models and logged searches store these hashes.

A model of another catalog is used as far as it goes: a weight counts where the hashes are equal,
and the weight of the shipped model counts elsewhere.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from forebear.records.collections import RECORD_TYPES, RecordList
from forebear.search.expansion.catalog import CatalogRow, load_catalog, types_of
from forebear.search.model import Model, default_model
from forebear.search.terms.term import TERM_RULES_VERSION
from forebear.tables import read_table, table_text

ClauseHashes = Mapping[str, Mapping[str, str]]  # by record type, then by clause

# The release before hashes were stored named its whole catalog; the table
# ``search/released_hashes`` has the hashes of its clauses.
PREVIOUS_CATALOG = "a2289e81aa18"
UNKNOWN = "0" * 12  # the hash of a clause of which nothing is known

GIVEN_FORMS = (
    "normalize/names/abbreviations",
    "normalize/names/languages",
    "normalize/names/latin",
    "normalize/names/spellings",
    "normalize/names/translations",
    "normalize/names/nicknames",
)
SURNAME_FORMS = (
    "normalize/names/surname_endings",
    "normalize/names/surname_translations",
    "normalize/names/surname_variants",
)
# Clauses of these levels ask for other forms of the names in their fields.
FORM_LEVELS = frozenset(
    {
        *("variant", "full_variant", "both_variant", "abbreviated", "translated", "anglicized"),
        *("gendered", "conflict", "as_given", "as_middle", "swapped", "two_or_more"),
        *("three_or_more", "two_members", "three_members", "four_members", "five_members"),
        *("rare100", "rare1000", "rare10000", "part", "exchanged"),
    }
)
# Which other tables a clause is built with, by the last word of its name, or the last two.
TABLES_OF_LEVEL = {
    "particle": ("normalize/names/words",),
    "phonetic": ("normalize/names/daitch_mokotoff",),
    "misread": ("normalize/names/misreadings",),
    "patronymic": ("search/customs",),
    "renamed": ("normalize/places/renames",),
    **dict.fromkeys(
        ("other_state", "other_county"), ("normalize/places/divided", "normalize/places/regions")
    ),
    **dict.fromkeys(
        ("implied", "implied_conflict", "sex.match"), (*GIVEN_FORMS, "normalize/names/given_names")
    ),
    **dict.fromkeys(("usual", "unusual", "in_lifespan", "after_death"), ("search/windows",)),
}
# And by the fact it is about.
TABLES_OF_FACT = {
    "age": ("search/subtype_ages",),
    "occupation": ("normalize/words/occupations",),
    "nationality": ("normalize/words/nationalities",),
    "organization": ("search/organization_words",),
    "identifier": ("search/attributes",),
}


@cache
def clause_hashes(terms_version: int = TERM_RULES_VERSION) -> ClauseHashes:
    """Return the hash of each clause, for an archive whose terms were written by a version."""
    # Each field has the versions at which its terms changed.
    versions = {
        row["field"]: max(
            (int(version) for version in row["versions"].split() if int(version) <= terms_version),
            default=0,
        )
        for row in read_table("search/term_rules")
    }
    hashes: dict[tuple[object, ...], str] = {}

    def hash_of(row: CatalogRow) -> str:
        key = row[1:7]  # not the record type, which many clauses do not depend on, nor the words
        if key not in hashes:
            terms = [versions[field] for field in row.fields]
            parts = repr((key, terms, [_table_hash(name) for name in tables_of(row)]))
            hashes[key] = hashlib.sha256(parts.encode()).hexdigest()[:12]
        return hashes[key]

    return {
        record_type: {row.clause: hash_of(row) for row in rows}
        for record_type, rows in load_catalog().items()
    }


def tables_of(row: CatalogRow) -> tuple[str, ...]:
    """Return the names of the tables that a clause is built with."""
    fact, _, level = row.clause.partition(".")[2].rpartition(".")
    tables = [
        *TABLES_OF_LEVEL.get(level, ()),
        *TABLES_OF_LEVEL.get(row.level, ()),
        *TABLES_OF_FACT.get(fact, ()),
    ]
    if level in FORM_LEVELS:
        parts = {part for field in row.fields for part in field.split(".")[1:]}
        tables += GIVEN_FORMS if parts & {"given", "middle", "name"} else ()
        tables += SURNAME_FORMS if parts & {"surname", "surname2", "maiden", "name"} else ()
    if any(word.startswith("event.") for need in row.needs for word in need):
        tables.append("search/own_events")
    return tuple(tables)


@cache
def _table_hash(name: str) -> str:
    return hashlib.sha256("\n".join(table_text(name).splitlines()).encode()).hexdigest()


def catalog_hash(hashes: ClauseHashes) -> str:
    """Return one name for the hashes of all clauses."""
    lines = sorted(
        f"{name} {clause} {hash_}"
        for name, of_type in hashes.items()
        for clause, hash_ in of_type.items()
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


@cache
def released_hashes(catalog: str) -> ClauseHashes:
    """Return the clause hashes of a catalog that was named as a whole; none if it is unknown."""
    hashes: dict[str, dict[str, str]] = {}
    if catalog == PREVIOUS_CATALOG:
        for row in read_table("search/released_hashes"):
            for record_type in types_of(row["types"]):
                hashes.setdefault(record_type, {})[row["clause"]] = row["hash"]
    return hashes


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFit:
    """A model as it can be used with the clauses and lists of an archive."""

    model: Model
    replaced: int = 0  # weights that are those of the shipped model
    weights: int = 0  # of how many

    @property
    def notice(self) -> str:
        """Return what a user should know; "" if the model fits."""
        if not self.replaced:
            return ""
        return (
            f"model {self.model.name} was learned for other clauses: {self.replaced:,} of"
            f" {self.weights:,} weights are the shipped ones until `forebear train` learns them"
        )


def fit_model(model: Model, hashes: ClauseHashes, lists: Iterable[RecordList] = ()) -> ModelFit:
    """Return a model with the shipped weights wherever its own are for another clause.

    What moves a custom list counts while its collections are in it.
    """
    if not model.catalog:
        return ModelFit(model=model)
    learned_for = model.clauses or released_hashes(model.catalog)
    moved = _changed_lists(model, lists)
    if learned_for == hashes and not moved:
        return ModelFit(model=model)
    shipped = default_model()
    weights: dict[str, dict[str, int]] = {}
    replaced = 0
    for record_type, of_type in hashes.items():
        same = learned_for.get(record_type, {})
        learned = model.weights.get(record_type, {})
        fitted = weights[record_type] = {}
        for clause, hash_ in of_type.items():
            if same.get(clause) == hash_ and clause in learned:
                fitted[clause] = learned[clause]
            else:
                fitted[clause] = shipped.weight(record_type, clause)
                replaced += 1
    fitted_model = replace(
        model,
        weights=weights,
        shifts={name: value for name, value in model.shifts.items() if name not in moved},
        slopes={name: value for name, value in model.slopes.items() if name not in moved},
        conditions={name: value for name, value in model.conditions.items() if name not in moved},
    )
    return ModelFit(model=fitted_model, replaced=replaced, weights=sum(map(len, weights.values())))


def learned_here(model: Model, hashes: ClauseHashes, lists: Iterable[RecordList]) -> Model:
    """Return a model that says for which clauses and lists it was learned."""
    return replace(
        model,
        catalog=catalog_hash(hashes),
        clauses=hashes,
        lists={list_.name: list_.collections for list_ in lists},
    )


def _changed_lists(model: Model, lists: Iterable[RecordList]) -> frozenset[str]:
    """Return the custom lists that have lost a collection to another list since then."""
    list_of = {member: list_.name for list_ in lists for member in list_.collections}
    return frozenset(
        name
        for name, collections in model.lists.items()
        if name not in RECORD_TYPES
        and any(list_of.get(collection, name) != name for collection in collections)
    )
