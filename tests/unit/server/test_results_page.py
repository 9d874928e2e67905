"""Tests for what the page tells beside the hits: facets, relaxing, pages, registers."""

import re
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from forebear.archive import Archive
from forebear.cli.text import page_text

ALICE = "/?given=Alice&surname=Tye"
HIDDEN = "baptisms:B-living"
HEADINGS = "id,date,parish,county,given,surname,sex,father"
SMALL = Path(__file__).parent / "small_archive"


def links(page: str, words: str) -> list[str]:
    matches = re.findall(rf'<a [^>]*href="([^"]+)"[^>]*>{words}</a>', page)
    return [unescape(address) for address in matches]


def records(page: str) -> list[str]:
    return re.findall(r'name="record" value="([^"]+)"', page)


def add(archive: Archive, path: Path, collection: str, *rows: str) -> None:
    path.write_text("\n".join([HEADINGS, *rows]))
    archive.import_file(path, mapping=str(SMALL / "baptisms.toml"), collection=collection)


def test_the_next_page_is_the_next_whatever_arrives_meanwhile(
    client: TestClient, archive: Archive, tmp_path: Path
) -> None:
    first = client.get(ALICE).text
    before = records(first)
    newcomers = [f"X-{n},{1810 + n},Raydon,Suffolk,Alice,Tye,F,Amos Tye" for n in range(9)]
    add(archive, tmp_path / "new.csv", "new", *newcomers)

    pages = [first]
    while following := links(pages[-1], "Next page"):
        pages.append(client.get(following[0]).text)

    shown = [record for page in pages for record in records(page)]
    old = [record for record in shown if record.startswith("many:")]
    assert len(shown) == len(set(shown))
    assert len(old) == 45, "none is left out"
    assert shown[: len(before)] == before
    assert any(record.startswith("new:") for record in shown)


def test_facets_lead_to_the_search_with_only_that_and_back(client: TestClient) -> None:
    page = client.get(ALICE).text
    (decade,) = links(page, "1810s")

    only = client.get(decade).text

    assert re.search(r'1810s</a> <span class="figure">10</span>', page)
    assert len(records(only)) == 10
    assert "Only 1810s" in only
    (back,) = links(only, "show all")
    assert len(records(client.get(back).text)) == 20


def test_a_filter_that_is_none_is_told(client: TestClient) -> None:
    answer = client.get(ALICE + "&only.color=red")

    assert answer.status_code == 400
    assert "cannot filter by" in unescape(answer.text)


def test_what_was_relaxed_is_told(client: TestClient) -> None:
    page = client.get("/?given=Mary&surname=Quackenbush&birth=1851").text

    assert "There were few results, so the search was relaxed" in page
    assert "surname: not needed to find a record, only to rank it" in page
    assert "Little was found" not in client.get(ALICE).text


def test_the_list_can_be_had_type_by_type(client: TestClient) -> None:
    page = client.get("/?given=Mary&surname=Fairweather").text
    (turns,) = links(page, "Best of each type first")

    arranged = client.get(turns).text

    kinds = re.findall(
        r'<span class="badge type-(\w+)">[^<]+</span>\s+<span class="date">', arranged
    )
    assert set(kinds[:2]) == {"baptism", "census"}
    assert links(arranged, "By score")


def test_less_likely_records_stand_below_a_line(client: TestClient) -> None:
    page = client.get("/?given=Mary&surname=Quackenbush&birth=1851").text

    assert page.count('class="line"') == 1
    below = page.partition('class="line"')[2]
    assert "very unlikely" in below


def test_the_same_event_is_shown_once_with_both_records(
    client: TestClient, archive: Archive, tmp_path: Path
) -> None:
    row = "1,12 Mar 1851,Raydon,Suffolk,Mary Ann,Fairweather,F,John Fairweather"
    add(archive, tmp_path / "index.csv", "index", row)

    page = client.get("/?given=Mary+Ann&surname=Fairweather&birth=1851").text

    shown = [key for key in records(page) if key in ("index:1", "baptisms:B-1")]
    assert len(shown) == 1
    (other,) = {"index:1", "baptisms:B-1"} - set(shown)
    assert links(page, other)


def test_an_entry_transcribed_twice_is_shown_once_in_page_json_and_text(
    client: TestClient, archive: Archive, tmp_path: Path
) -> None:
    row = "12 Mar 1851,Raydon,Suffolk,Zillah,Quantrill,F,John Quantrill"
    add(archive, tmp_path / "twice.csv", "twice", f"1,{row}\n2,{row}")

    page = client.get("/?given=Zillah&surname=Quantrill&birth=1851").text
    response = client.get("/api/1/search?given=Zillah&surname=Quantrill&birth=1851").json()
    text = page_text(archive.search(given="Zillah", surname="Quantrill", log=False).page())

    (shown,) = (hit for hit in response["results"] if hit["record"].startswith("twice:"))
    assert {shown["record"], *shown["identical"]} == {"twice:1", "twice:2"}
    assert response["total"] == 2
    assert "and 1 identical record" in page
    assert links(page, shown["identical"][0])
    assert f"and 1 identical record: {shown['identical'][0]}" in text


def test_a_line_is_shown_as_it_was_read_in_page_json_and_text(
    client: TestClient, archive: Archive
) -> None:
    line = "Mary Ann Fairweather b. 1851 Raydon, aged 30 in 1881"

    page = client.get("/", params={"text": line}).text
    response = client.get("/api/1/search", params={"text": line}).json()
    text = page_text(archive.search(line, log=False).page())

    assert {"fact": "surname", "value": "Fairweather"} in response["read_as"]
    for fact in response["read_as"]:
        assert f"<span>{fact['fact'].capitalize()}</span> {fact['value']}</li>" in page
    assert text.startswith(
        "read as: given names Mary Ann, surname Fairweather, date of birth 1851, "
        "place of birth Raydon, age 30 in 1881\n"
    )
    # The fields are filled in, so that a fact that was read wrongly can be moved.
    assert 'name="surname" value="Fairweather"' in page
    assert "The fields below do not have: age 30 in 1881." in page
    assert f'name="text" value="{line}"' in page


def test_the_pages_of_a_line_are_pages_of_that_line(client: TestClient) -> None:
    page = client.get("/", params={"text": "Alice Tye"}).text

    assert all(
        "text=Alice+Tye" in address for address in re.findall('rel="next" href="(.*?)"', page)
    )
    assert "text=Alice+Tye" in page.partition('aria-label="Pages of results"')[2]


def test_where_nothing_matches_all_outputs_say_what_to_change(
    client: TestClient, archive: Archive
) -> None:
    line = "Zebedee Quixote b. 1850"
    words = "No record matches. Check the spelling of the names, leave a fact out or widen a date"

    assert words in client.get("/", params={"text": line}).text
    assert words in client.get("/api/1/search", params={"text": line}).json()["suggestion"]
    assert words in page_text(archive.search(line, log=False).page())


def test_a_line_that_says_nothing_is_shown_again(client: TestClient) -> None:
    page = client.get("/", params={"text": "aged 30"})

    assert page.status_code == 400
    assert 'name="text" value="aged 30"' in page.text


def test_why_a_record_is_missing_is_told_but_not_of_a_hidden_one(client: TestClient) -> None:
    shut = client.get("/missing?given=Alice&surname=Tye&record=baptisms:B-1")
    there = client.get("/missing?given=Alice&surname=Tye&record=many:N-3")
    hidden = client.get(f"/missing?given=Alice&surname=Tye&record={HIDDEN}")
    nobody = client.get("/missing?given=Alice&surname=Tye&record=baptisms:B-nobody")

    assert "does not pass the gate" in shut.text
    assert "you said Tye" in shut.text
    assert "the record says Fairweather" in shut.text
    assert '<td class="verdict">conflicts</td>' in shut.text
    assert "Yes: it is among the records" in there.text
    assert hidden.status_code == nobody.status_code == 404
    assert hidden.text == nobody.text.replace("B-nobody", "B-living")


def test_a_collection_is_browsed_by_place_and_year_without_the_hidden(client: TestClient) -> None:
    whole = client.get("/browse/baptisms").text
    part = client.get("/browse/baptisms?place=Layham&year=1880").text

    assert "4 records, in the order of the register" in whole
    assert "Peregrine" not in whole
    assert "1 record," in part
    assert "/record/baptisms:B-3" in part
    assert client.get("/browse/nothing").status_code == 404
    assert client.get("/browse/baptisms?year=soon").status_code == 400


def test_pages_of_a_register_lead_on_and_back(
    client: TestClient, archive: Archive, tmp_path: Path
) -> None:
    add(
        archive,
        tmp_path / "book.csv",
        "book",
        *(f"{n},{1800},Raydon,Suffolk,Ann,Nunn,F,Amos Nunn" for n in range(1, 61)),
    )

    first = client.get("/browse/book").text
    (later,) = links(first, "Later")
    second = client.get(later).text

    assert len(re.findall('href="/record/book:', first)) == 50
    assert len(re.findall('href="/record/book:', second)) == 10
    assert links(second, "Earlier")


def test_a_record_s_neighbors_are_told_without_the_hidden(client: TestClient) -> None:
    record = client.get("/record/baptisms:B-4").text
    (beside,) = links(record, "What stands beside it")

    page = client.get(beside).text

    assert re.findall(r'href="/record/baptisms:(B-\w+)"', page) == ["B-4", "B-1", "B-2", "B-3"]
    assert "Peregrine" not in page
    assert client.get(f"/beside/{HIDDEN}").status_code == 404


@pytest.mark.parametrize("after", ["x", "W10", "%00"])
def test_what_is_no_cursor_is_told(client: TestClient, after: str) -> None:
    answer = client.get(f"{ALICE}&after={after}")

    assert answer.status_code == 400
    assert "is not a cursor" in unescape(answer.text)


def test_a_searcher_is_known_by_a_pseudonym_only(client: TestClient, archive: Archive) -> None:
    page = client.get("/?given=Zebulon&surname=Quixote&birth=1850").text
    search_id = re.findall(r'id="search-id">(s[0-9a-f]{16})<', page)[0]

    logged = archive.logged_search(search_id)

    assert re.fullmatch("u[0-9a-f]{10}", logged.searcher)
    assert archive.report_searches().searchers == 1
