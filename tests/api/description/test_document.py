"""The description of the API, as readers and generators of clients get it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter

from podium.application import Application
from podium.boards.schemas import LeaderboardOut
from podium.competitions.schemas.competitions import NewCompetition
from podium.core.competition_settings.presets import PRESETS
from podium.http.openapi import public_name
from podium.http.openapi.names import NAMES
from podium.http.openapi.parameters import LOCATED
from podium.http.schemas import OF_FILES, ProblemOut
from podium.main import create_app
from podium.submissions.schemas import SubmissionOut, UploadOut
from podium.teams.routes.teams import NewTeam
from tests.builders.servers.in_process import TestClient

PROBLEM = TypeAdapter(ProblemOut)


def operations(description: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for methods in description["paths"].values():
        yield from methods.values()


def test_every_reference_leads_somewhere(description: dict[str, Any]) -> None:
    references = set(re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(description)))
    assert len(references) > 100
    for reference in references:
        found = description
        for part in reference.split("/"):
            assert part in found, reference
            found = found[part]


def test_a_problem_is_described_once(description: dict[str, Any]) -> None:
    text = json.dumps(description)
    assert text.count('"error_count": {') == 1
    # The codes of each operation are a sixth of it.
    assert len(text) < 720_000
    problem = description["components"]["schemas"]["Submission"]["properties"]["problem"]
    assert problem["anyOf"] == [{"$ref": "#/components/schemas/Problem"}, {"type": "null"}]


def test_every_answer_but_an_empty_one_says_what_it_is(description: dict[str, Any]) -> None:
    for operation in operations(description):
        for status, answer in operation["responses"].items():
            if status not in ("204", "304") and "$ref" not in answer:
                kinds = answer["content"]
                assert all(kind["schema"] for kind in kinds.values()), operation["operationId"]


def _told(description: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The place, the name and the words of each member and parameter."""
    for name, schema in description["components"]["schemas"].items():
        for member, told in schema.get("properties", {}).items():
            yield name, member, told.get("description", "")
    for operation in operations(description):
        where = operation["operationId"]
        for parameter in operation.get("parameters", ()):
            yield where, parameter["name"], parameter.get("description", "")
        for body in operation.get("requestBody", {}).get("content", {}).values():
            for member, told in body["schema"].get("properties", {}).items():
                yield where, member, told.get("description", "")


def test_every_member_and_parameter_is_described_in_more_words_than_its_name(
    description: dict[str, Any],
) -> None:
    told = list(_told(description))
    assert len(told) > 1000
    for where, name, words in told:
        used = set(re.findall(r"[a-z0-9]+", words.lower())) - {"a", "an", "the", "of", "its", "is"}
        assert words.endswith("."), (where, name)
        assert used - set(re.split(r"[-_]", name.lower())), (where, name)


def test_a_setting_with_a_short_form_is_described_in_both(description: dict[str, Any]) -> None:
    schemas = description["components"]["schemas"]
    word, share = schemas["SplitChoice"]["anyOf"]
    assert word == {"type": "string", "const": "usage"}
    assert share["properties"].keys() == {"public_fraction", "usage"}
    for name in ("NewCompetition", "CompetitionChanges"):
        objectives = schemas[name]["properties"]["objectives"]
        # What matches a pattern has to be as that pattern says, besides.
        assert "patternProperties" not in objectives
        kinds = [each["type"] for each in objectives["additionalProperties"]["anyOf"]]
        assert kinds == ["number", "string", "object"]


def test_no_default_would_be_sent_that_changes_what_was_not_meant(
    description: dict[str, Any],
) -> None:
    schemas = description["components"]["schemas"]
    changes = [name for name in schemas if name.endswith("Changes")]
    assert len(changes) >= 4
    for name in changes:
        assert not [n for n, m in schemas[name]["properties"].items() if "default" in m], name
    new = schemas["NewCompetition"]["properties"]
    decided = {name for preset in PRESETS.values() for name in preset}
    assert {"task", "id_column", "query_ids", "metric"} <= decided
    assert not [name for name in decided if "default" in new[name]]


def test_conditional_requests_and_refusals_of_bodies_are_described(
    description: dict[str, Any],
) -> None:
    paths = description["paths"]
    board = paths["/api/v1/competitions/{slug}/leaderboard"]["get"]
    assert "If-None-Match" in [each["name"] for each in board["parameters"]]
    assert "ETag" in board["responses"]["200"]["headers"]
    change = paths["/api/v1/admin/competitions/{slug}"]["patch"]
    assert "If-Match" in [each["name"] for each in change["parameters"]]
    assert {"413", "415"} <= change["responses"].keys()


def test_parameters_that_may_be_left_out_are_no_nulls(description: dict[str, Any]) -> None:
    given = [each for one in operations(description) for each in one.get("parameters", ())]
    assert len(given) > 200
    assert [each["name"] for each in given if '"null"' in json.dumps(each["schema"])] == []
    audit = description["paths"]["/api/v1/admin/audit"]["get"]["parameters"]
    [action] = [each for each in audit if each["name"] == "action"]
    assert (action["required"], action["schema"]["type"]) == (False, "string")
    assert (action["schema"]["maxLength"], "anyOf" in action["schema"]) == (64, False)


def test_what_is_made_is_described_with_where_it_is(description: dict[str, Any]) -> None:
    by_name = {one["operationId"]: one["responses"] for one in operations(description)}
    for name, status in (("createTeam", "201"), ("startUpload", "201"), ("startRejudging", "202")):
        assert "Location" in by_name[name][status]["headers"], name
    assert "headers" not in by_name["createToken"]["201"]
    assert by_name.keys() >= LOCATED.keys()


def test_names_of_documents_are_readable_alone(description: dict[str, Any]) -> None:
    names = set(description["components"]["schemas"])
    assert [name for name in names if not re.fullmatch(r"[A-Z][a-z]+([A-Z][a-z]+)*", name)] == []
    assert [name for name in names if name.endswith("Out")] == []
    # A class that is renamed takes its public name along.
    assert set(NAMES.values()) <= names


def test_tags_are_described_in_the_order_of_a_reader(description: dict[str, Any]) -> None:
    tags = [tag["name"] for tag in description["tags"]]
    assert set(tags) == {tag for operation in operations(description) for tag in operation["tags"]}
    assert all(len(tag["description"]) > 20 for tag in description["tags"])
    assert (tags[0], tags[-1]) == ("competitions", "health")


def test_the_token_that_authorize_asks_for_is_what_operations_take(
    description: dict[str, Any],
) -> None:
    [(name, scheme)] = description["components"]["securitySchemes"].items()
    assert (name, scheme["type"], scheme["scheme"]) == ("token", "http", "bearer")
    by_name = {one["operationId"]: one.get("security", []) for one in operations(description)}
    assert by_name["submit"] == [{"token": []}]
    assert by_name["getLeaderboard"] == [{}, {"token": []}]
    assert by_name["isAlive"] == []


def test_the_introduction_tells_what_every_client_has_to_know(
    description: dict[str, Any],
) -> None:
    text = description["info"]["description"]
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == [
        "Authenticate",
        "Upload",
        "Organize",
        "Repeat safely",
        "Lists and pagination",
        "Ask for what is new",
        "Errors",
        "Limits",
    ]
    for path in re.findall(r"/api/v1/[a-z/-]+", text):
        shown = path.rstrip("/").replace("/otto", "/{slug}")
        assert shown in description["paths"], path


def test_examples_of_refusals_are_problems_with_a_code_of_their_status(
    description: dict[str, Any], client: TestClient
) -> None:
    for answer in description["components"]["responses"].values():
        example = answer["content"]["application/problem+json"]["example"]
        PROBLEM.validate_python(example, strict=True)
        explained = client.get(example["type"], headers={"Accept": "text/html"})
        assert f"<code>{example['code']}</code>" in explained.text


def test_an_operation_that_names_its_codes_has_an_example_of_each(
    description: dict[str, Any],
) -> None:
    examples = description["components"]["examples"]
    named = set()
    for operation in operations(description):
        for status, answer in operation["responses"].items():
            content = answer.get("content", {}).get("application/problem+json", {})
            for code, reference in content.get("examples", {}).items():
                named.add(operation["operationId"])
                if code == OF_FILES:
                    assert "those of files" in answer["description"]
                    continue
                assert f"`{code}`" in answer["description"], (operation["operationId"], code)
                problem = examples[reference["$ref"].rpartition("/")[2]]["value"]
                assert (problem["code"], str(problem["status"])) == (code, status)
                PROBLEM.validate_python(problem, strict=True)
    assert named >= {"submit", "startUpload", "createTeam", "launchCompetition", "signIn"}


def test_a_conflict_of_submitting_is_one_that_can_happen(description: dict[str, Any]) -> None:
    submit = description["paths"]["/api/v1/competitions/{slug}/submissions"]["post"]
    conflicts = submit["responses"]["409"]["content"]["application/problem+json"]["examples"]
    assert {"competition-closed", "uploads-paused"} <= set(conflicts)
    assert "already-launched" not in conflicts


def test_the_license_is_told_and_the_contact_where_there_is_one(
    description: dict[str, Any],
) -> None:
    assert description["info"]["license"]["identifier"] == "Apache-2.0"
    assert "contact" not in description["info"]


def test_the_title_of_a_problem_is_that_of_its_code(client: TestClient) -> None:
    unknown = client.get("/api/v1/me").json()
    assert (unknown["code"], unknown["title"]) == ("not-authenticated", "Sign-in required")


def test_examples_of_documents_are_such_documents(description: dict[str, Any]) -> None:
    schemas = description["components"]["schemas"]
    told = {name: schema["examples"] for name, schema in schemas.items() if "examples" in schema}
    assert told.keys() >= {"Submission", "Leaderboard", "NewCompetition", "NewTeam", "Upload"}
    for name, examples in told.items():
        for example in examples:
            assert example.keys() <= schemas[name]["properties"].keys(), name
    for document in (LeaderboardOut, NewCompetition, NewTeam, SubmissionOut, UploadOut):
        for example in told[public_name(document.__name__)]:
            document.model_validate(example)


@pytest.fixture
def client(application: Application) -> Iterator[TestClient]:
    with TestClient(create_app(application)) as client:
        yield client


def test_what_a_page_proposes_to_send_is_an_example_and_no_random_text(
    description: dict[str, Any],
) -> None:
    schemas = description["components"]["schemas"]
    seen = 0
    for operation in operations(description):
        content = operation.get("requestBody", {}).get("content", {})
        name = content.get("application/json", {}).get("schema", {}).get("$ref", "")
        schema = schemas.get(name.rpartition("/")[2], {})
        if "examples" in schema or not schema:
            continue
        seen += 1
        for member, told in schema["properties"].items():
            is_told = "examples" in json.dumps(told) or "default" in told
            assert is_told or len(schema["properties"]) == 1, (name, member)
    assert seen > 10


def test_accepting_a_file_is_described_with_its_headers(description: dict[str, Any]) -> None:
    operation = description["paths"]["/api/v1/competitions/{slug}/submissions"]["post"]
    accepted = operation["responses"]["202"]
    assert {"Location", "Retry-After", "Idempotency-Replayed"} <= accepted["headers"].keys()
    example = accepted["content"]["application/json"]["example"]
    assert (example["status"], example.get("public_score")) == ("queued", None)
    assert example.keys() <= SubmissionOut.model_fields.keys()
    assert "Successful Response" not in json.dumps(description)


def test_what_the_framework_refuses_has_a_sentence(client: TestClient) -> None:
    nothing = client.get("/api/v1/nothing").json()
    assert nothing["detail"].startswith("There is nothing at this address.")
    wrong = client.delete("/api/v1/competitions").json()
    assert wrong["detail"].startswith("This address does not take this method;")
    kind = {"Content-Type": "application/json"}
    broken = client.post("/api/v1/sign-in", content=b'{"name" 1}', headers=kind).json()
    assert broken["detail"].startswith("body: JSON decode error at character 8: ")
    assert [each["column"] for each in broken["errors"]] == ["body"]
    array = client.post("/api/v1/sign-in", json=[1]).json()
    takes = 'body: This takes a JSON object, for example {"name": "ada", "password": "'
    assert array["detail"].startswith(takes)
