"""JSON that two readers could take differently, or that no reader should have to take."""

from __future__ import annotations

import json

import pytest

from tests.builders.installation import Installation, problem_of

JSON = {"Content-Type": "application/json"}

ABUSE: list[tuple[bytes, int]] = [
    (b"[" * 60_000, 400),
    (b'{"name":' * 7_000 + b"1" + b"}" * 7_000, 400),
    (b'{"name": NaN}', 400),
    (b'{"name": -Infinity}', 400),
    (b'{"name": "a", "name": "b"}', 400),
    (b'\xef\xbb\xbf{"name": "a"}', 400),
    ('{"name": "a"}'.encode("utf-16"), 400),
    (b'{"name": "\xff"}', 400),
    (b'{"name": "\\ud800"}', 400),
    (b'{"na\\udc00me": "x"}', 400),
    (b'{"name": "a\\u0000b"}', 400),
    (b'{"name": 123456789012345678901234567890}', 400),
    (b'{"name": ' + b"9" * 60_000 + b"}", 400),
    (b'{"name": "a"', 400),
    (b'{"name": "a"} {}', 400),
    (b"{'name': 'a'}", 400),
    (b"[]", 422),
    (b'"name"', 422),
    (b"null", 422),
    (b"", 422),
    (b'{"name": 1e400}', 422),
    (b'{"name": ["a"]}', 422),
    (b'{"name": {"a": 1}}', 422),
    (b'{"name": [' + b"1," * 12_000 + b"1]}", 400),
    (json.dumps({f"k{i}": 1 for i in range(60_000)}).encode(), 413),
    (b'{"name": "' + b"a" * (1 << 20) + b'"}', 413),
]


def test_bad_json_is_refused_and_never_an_error_of_ours(
    installation_on_both: Installation,
) -> None:
    for body, status in ABUSE:
        answer = installation_on_both.admin.post("/admin/users", content=body, headers=JSON)
        assert answer.status_code == status, (body[:40], answer.text)
        assert answer.headers["content-type"] == "application/problem+json"
        assert len(answer.content) <= 64 << 10


def test_a_surrogate_pair_is_an_ordinary_character(installation: Installation) -> None:
    answer = installation.admin.post(
        "/admin/users", content=b'{"name": "\\ud83d\\ude80"}', headers=JSON
    )
    assert answer.status_code == 201
    assert answer.json()["name"] == "🚀"


def test_a_form_is_not_json(installation: Installation) -> None:
    answer = installation.admin.post("/admin/users", data={"name": "ada"})
    problem_of(answer, 415, "not-json")


@pytest.mark.parametrize("text", ["' OR 1=1--", "..%2f..%2fetc", "%2e%2e/", "\\\\host\\share"])
def test_hostile_texts_in_addresses_are_not_found(
    installation_on_both: Installation, text: str
) -> None:
    for path in (f"/competitions/{text}", f"/admin/users/{text}", f"/competitions/{text}/files"):
        assert installation_on_both.admin.get(path).status_code in (404, 405)


def test_nul_and_invalid_utf8_in_addresses_are_refused(installation_on_both: Installation) -> None:
    for path in ("/competitions/%00", "/competitions/a%00b", "/competitions/%ff%fe"):
        assert installation_on_both.admin.get(path).status_code == 404
    assert installation_on_both.admin.get("/competitions?cursor=%00").status_code == 422


def test_an_address_of_10_kilobytes_is_414(installation: Installation) -> None:
    problem_of(installation.admin.get("/competitions/" + "a" * 10_000), 414, "uri-too-long")


@pytest.mark.parametrize("method", ["TRACE", "PROPFIND", "DELETE"])
def test_other_methods_are_405_with_those_that_work(
    installation: Installation, method: str
) -> None:
    answer = installation.admin.send(method, "/competitions")
    problem_of(answer, 405, "method-not-allowed")
    assert "GET" in answer.headers["allow"]
