"""Tests for `forebear.server.api`: what programs get, and what they never get."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from forebear.archive import Archive
from forebear.server.api import PREFIX

MARY = {"given": "Mary Ann", "surname": "Fairweather", "birth": "1851"}
ALICE = {"given": "Alice", "surname": "Tye"}
HIDDEN = "baptisms:B-living"


def get(client: TestClient, path: str, **parameters: Any) -> Any:
    response = client.get(f"{PREFIX}{path}", params=parameters)
    assert response.status_code == 200, response.text
    return response.json()


def test_a_search_by_fields_by_text_and_by_json_finds_the_same(client: TestClient) -> None:
    by_fields = get(client, "/search", **MARY)
    by_text = get(client, "/search", text="Mary Ann Fairweather b. 1851")
    query = {
        "given": "Mary Ann",
        "surname": "Fairweather",
        "events": [{"kind": "birth", "date": "1851"}],
    }
    by_json = client.post(f"{PREFIX}/search", json=query).json()

    assert by_fields["results"]
    assert by_fields["results"] == by_text["results"] == by_json["results"]


def test_hits_are_those_of_the_python_api(client: TestClient, archive: Archive) -> None:
    result = archive.search(**MARY, viewer="public", log=False)

    page = get(client, "/search", **MARY, size=5)

    assert page["total"] == result.total
    assert page["results"] == [hit.to_dict() for hit in result.page(size=5).hits]


def test_pages_follow_by_cursor_without_repeating_a_record(client: TestClient) -> None:
    page = get(client, "/search", **ALICE, size=20)
    records = [hit["record"] for hit in page["results"]]
    while page["next"]:
        page = get(client, "/search", **ALICE, size=20, cursor=page["next"])
        records += [hit["record"] for hit in page["results"]]

    assert len(records) == len(set(records)) == page["total"]


@pytest.mark.parametrize("order", ["score", "types"])
def test_no_probability_rises_over_the_pages_of_any_order(client: TestClient, order: str) -> None:
    facts = {"given": "Mary", "surname": "Fairweather"}
    page = get(client, "/search", **facts, order=order, size=2)
    hits = page["results"]
    while page["next"]:
        page = get(client, "/search", **facts, size=2, cursor=page["next"])
        hits += page["results"]

    chances = [hit["probability"] for hit in hits]
    assert len(chances) == page["total"] > 4
    assert chances == sorted(chances, reverse=True)
    for hit in hits:
        why = get(client, "/explanation", **facts, order=order, record=hit["record"])
        assert why["probability"] == pytest.approx(hit["probability"], abs=1e-9)
        assert why["log_odds"] == sum(row["bits"] for row in why["rows"])


def test_the_rows_of_an_explanation_add_up_to_the_probability(client: TestClient) -> None:
    hit = get(client, "/search", **MARY)["results"][0]

    explanation = get(client, "/explanation", **MARY, record=hit["record"])

    assert explanation["in_result"]
    assert sum(row["bits"] for row in explanation["rows"]) == explanation["log_odds"]
    assert explanation["probability"] == pytest.approx(hit["probability"], abs=1e-9)
    assert sum(step["bits"] for step in explanation["steps"]) == explanation["score"]
    assert explanation["score"] == hit["score"]
    surname = next(row for row in explanation["rows"] if row["fact"] == "surname")
    assert surname["you_said"] == surname["record_says"] == "Fairweather"
    assert surname["verdict"].startswith("same name")
    assert surname["clauses"]


def test_a_record_that_is_not_in_the_result_has_a_reason(client: TestClient) -> None:
    other = get(client, "/search", **ALICE)["results"][0]["record"]

    explanation = get(client, "/explanation", given="Peter", surname="Quilter", record=other)

    assert explanation["in_result"] is False
    assert explanation["missing"]
    assert explanation["rows"][0]["you_said"] == "Quilter"
    assert explanation["rows"][0]["verdict"] == "conflicts"


def test_facets_count_and_filter(client: TestClient) -> None:
    decades = get(client, "/facets", **ALICE)["decade"]
    first, second = decades[0], decades[1]

    filtered = get(client, "/search", **ALICE, **{"only.decade": [first["words"], second["value"]]})

    assert filtered["total"] == first["records"] + second["records"]


def test_a_record_and_the_collections_are_returned(client: TestClient) -> None:
    key = get(client, "/search", **MARY)["results"][0]["record"]

    record = get(client, f"/records/{key}")

    assert f"{record['collection']}:{record['id']}" == key
    assert record["personas"]
    assert {one["name"] for one in get(client, "/collections")} >= {"baptisms", "census", "many"}


def test_hidden_records_are_not_there(client: TestClient, archive: Archive) -> None:
    assert archive.record(HIDDEN, viewer="owner")

    missing = client.get(f"{PREFIX}/records/{HIDDEN}")
    unknown = client.get(f"{PREFIX}/records/baptisms:B-nowhere")
    hits = get(client, "/search", given="Peregrine", surname="Zebulon")["results"]

    assert missing.status_code == unknown.status_code == 404
    assert missing.json()["detail"].replace("living", "nowhere") == unknown.json()["detail"]
    assert HIDDEN not in [hit["record"] for hit in hits]


@pytest.mark.parametrize(
    ("path", "parameters", "status", "code"),
    [
        ("/search", {"birth": "soon"}, 400, "query"),
        ("/search", {"nonsense": "1"}, 400, "input"),
        ("/search", {"text": "Mary", "given": "Mary"}, 400, "input"),
        ("/search", {"given": "Mary", "size": "0"}, 400, "input"),
        ("/search", {"given": "Mary", "cursor": "none"}, 400, "input"),
        ("/search", {}, 400, "input"),
        ("/explanation", {"given": "Mary"}, 400, "input"),
        ("/records/none:1", {}, 404, "not-found"),
        ("/nothing", {}, 404, "not-found"),
    ],
)
def test_every_error_is_a_problem(
    client: TestClient, path: str, parameters: dict[str, str], status: int, code: str
) -> None:
    response = client.get(f"{PREFIX}{path}", params=parameters)

    problem = response.json()
    assert response.headers["content-type"] == "application/problem+json"
    assert (response.status_code, problem["status"], problem["code"]) == (status, status, code)
    assert problem["title"]
    assert problem["detail"]


@pytest.mark.parametrize("body", ["[]", "{", '{"nonsense": 1}'])
def test_a_body_that_is_no_query_is_a_problem(client: TestClient, body: str) -> None:
    headers = {"Content-Type": "application/json"}

    response = client.post(f"{PREFIX}/search", content=body, headers=headers)

    assert response.status_code == 400
    assert response.headers["content-type"] == "application/problem+json"


def test_every_operation_is_described(client: TestClient) -> None:
    schema = client.get("/openapi.json").json()

    operations = [
        operation for methods in schema["paths"].values() for operation in methods.values()
    ]
    assert schema["openapi"] == "3.1.0"
    assert len(operations) == len({operation["operationId"] for operation in operations}) == 6
    for operation in operations:
        assert operation["responses"]["200"]["content"]["application/json"]["example"]
        problem = operation["responses"]["400"]["content"]["application/problem+json"]
        assert problem["schema"] == {"$ref": "#/components/schemas/Problem"}
    assert "Problem" in schema["components"]["schemas"]


def test_examples_of_the_description_have_the_shape_of_responses(client: TestClient) -> None:
    schema = client.get("/openapi.json").json()
    page = get(client, "/search", **MARY)

    example = schema["paths"][f"{PREFIX}/search"]["get"]["responses"]["200"]["content"][
        "application/json"
    ]["example"]

    assert example.keys() == page.keys()
    assert example["results"][0].keys() == page["results"][0].keys()
