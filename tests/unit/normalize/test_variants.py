"""Tests for `forebear.normalize.variants`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.normalize.spelling import ascii_forms, normalize_name
from forebear.normalize.variants import (
    abbreviations,
    forms_between,
    gendered_surnames,
    surname_translations,
    surname_variants,
    variants,
)
from forebear.tables import read_table

TABLES = {
    "nicknames": "nicknames",
    "abbreviations": "abbreviations",
    "spellings": "spellings",
    "latin": "names",
}
LANGUAGES = (
    *("catalan", "spanish", "portuguese", "italian", "german", "dutch", "scandinavian"),
    *("polish", "french"),
)


def listed_names() -> list[str]:
    rows = [row for table in TABLES for row in read_table(f"normalize/names/{table}")]
    return sorted({row.get("name") or row["latin"] for row in rows})


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("polly", "mary"),
        ("patsy", "martha"),
        ("nancy", "ann"),
        ("sally", "sarah"),
        ("peggy", "margaret"),
        ("jack", "john"),
        ("dick", "richard"),
        ("ned", "edward"),
        ("biddy", "bridget"),
        ("hitty", "mehitable"),
        ("sukey", "susan"),
        ("wm", "william"),
        ("jno", "john"),
        ("thos", "thomas"),
        ("edwd", "edward"),
        ("margt", "margaret"),
        ("elizth", "elizabeth"),
        ("xpher", "christopher"),
        ("gulielmus", "william"),
        ("johannis", "john"),
        ("mariae", "mary"),
        ("ricardum", "richard"),
        ("hugonis", "hugh"),
        ("aegidius", "giles"),
        ("katharine", "catherine"),
    ],
)
def test_a_form_finds_its_name_and_the_name_its_form(form: str, name: str) -> None:
    assert name in variants(form)
    assert form in variants(name)


def test_forms_of_one_name_find_each_other() -> None:
    assert {"molly", "mary"} <= variants("polly")
    assert {"jno", "johannes"} <= variants("jack")


def test_a_form_of_two_names_does_not_join_them() -> None:
    assert {"james", "jacob", "jas", "jake"} <= variants("jacobus")
    assert not {"jacob", "jake"} & variants("james")
    assert "helen" in variants("nelly")
    assert "helen" not in variants("eleanor")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        *(("josep", "jose"), ("joan", "juan"), ("didac", "diego"), ("lluis", "luis")),
        *(("jordi", "jorge"), ("pere", "pedro"), ("joao", "juan"), ("agnieszka", "ines")),
        *(("wawrzyniec", "laurentius"), ("aegidius", "gilles"), ("stijn", "agostino")),
    ],
)
def test_forms_of_two_languages_are_one_name_with_or_without_accents(
    first: str, second: str
) -> None:
    written = {form for name in variants(first) for form in ascii_forms(name)}

    assert second in written
    assert forms_between(first, second)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_enough_names_and_each_row_its_source(language: str) -> None:
    rows = read_table("normalize/names/languages")

    pairs = sum(len(row[language].split()) for row in rows)

    assert pairs >= (150 if language in ("catalan", "spanish") else 60)
    assert all(row["source"] for row in (*rows, *read_table("normalize/names/latin")))


def test_the_sex_leaves_out_names_of_the_other_sex() -> None:
    assert "patrick" in variants("pat", sex="m")
    assert "patricia" not in variants("pat", sex="m")
    assert "patricia" in variants("pat", sex="f")
    assert "patrick" not in variants("pat", sex="f")
    assert {"patrick", "patricia"} <= variants("pat")


def test_a_form_without_a_sex_is_for_both() -> None:
    assert "christian" in variants("xtian", sex="f") & variants("xtian", sex="m")


@given(st.text(max_size=10), st.sampled_from(["f", "m", None]))
def test_a_name_is_a_variant_of_itself(name: str, sex: str | None) -> None:
    assert name in variants(name, sex=sex)


@given(st.sampled_from(listed_names()), st.sampled_from(["f", "m"]))
def test_knowing_the_sex_never_adds_a_variant(name: str, sex: str) -> None:
    assert variants(name, sex=sex) <= variants(name)


@given(st.sampled_from(listed_names()))
def test_what_stands_for_a_name_has_that_name_among_its_variants(name: str) -> None:
    assert all(name in variants(form) or form in variants(name) for form in variants(name))


def test_abbreviations_go_both_ways() -> None:
    assert {"wm", "willm"} <= abbreviations("william")
    assert abbreviations("wm") == {"william"}
    assert abbreviations("fras") == {"frances", "francis"}
    assert "bill" not in abbreviations("william")
    assert abbreviations("zebulon") == frozenset()


@pytest.mark.parametrize(
    ("table", "column", "count"),
    [
        ("nicknames", "nicknames", 120),
        ("abbreviations", "abbreviations", 120),
        ("latin", "names", 100),
        ("spellings", "spellings", 100),
    ],
)
def test_the_tables_are_well_formed(table: str, column: str, count: int) -> None:
    rows = read_table(f"normalize/names/{table}")
    names = [row.get("latin") or row["name"] for row in rows]

    assert len(names) >= count
    assert len(set(names)) == len(names)
    assert {row["sex"] for row in rows} <= {"f", "m", ""}
    for row in rows:
        forms = row[column].split()
        assert forms
        assert all(normalize_name(form) == form for form in forms)
        assert row.get("name") not in forms


def test_every_nickname_table_name_may_be_asked_for_by_any_form() -> None:
    for row in read_table("normalize/names/nicknames"):
        for nickname in row["nicknames"].split():
            assert row["name"] in variants(nickname, sex=row["sex"])


def test_surnames_have_spellings_translations_and_genders() -> None:
    assert "johnsen" in surname_variants("johnson")
    assert "johnson" not in surname_variants("johnson")
    assert "schmidt" in surname_translations("Smith".lower())
    assert {"kowalska"} <= gendered_surnames("kowalski")
    assert surname_variants("zzz") == surname_translations("zzz") == frozenset()
