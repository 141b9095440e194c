"""The client's calls by which people come in."""

from __future__ import annotations

import json

from podium.client import Organizer, Podium
from tests.unit.client.scripted import Answer, scripted


def test_a_competitions_code_is_sent_only_where_there_is_one() -> None:
    team = Answer(201, {"id": "t"})
    with scripted(team, team) as server, Podium(server.url, "t") as podium:
        podium.create_team("otto", "Engines")
        podium.create_team("otto", "Engines", code="spring 26")
    first, second = (json.loads(seen.body) for seen in server.seen)
    assert first == {"name": "Engines", "accept_rules": False}
    assert second == {**first, "code": "spring 26"}


def test_a_request_to_join_and_a_roster_go_to_their_routes() -> None:
    answers = [Answer(200, {"state": "pending"}), Answer(200, {}), Answer(201, {})]
    with scripted(*answers) as server, Organizer(server.url, "t") as organizer:
        assert organizer.request_to_join("otto", "spring")["state"] == "pending"
        organizer.preview_roster("Ada")
        organizer.enter_roster("Ada", competition="otto", uses_existing=True)
    assert [(seen.method, seen.path) for seen in server.seen] == [
        ("POST", "/api/v1/competitions/otto/join-request"),
        ("POST", "/api/v1/admin/roster/preview"),
        ("POST", "/api/v1/admin/roster"),
    ]
    assert json.loads(server.seen[2].body) == {
        "text": "Ada",
        "uses_existing": True,
        "competition": "otto",
    }
