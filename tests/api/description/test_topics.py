"""The words that the search of the API's page knows: all lead to something that is there."""

from __future__ import annotations

import re
from typing import Any

from podium.http.openapi.topics import TOPICS


def test_every_topic_leads_to_sections_and_operations_that_exist(
    description: dict[str, Any],
) -> None:
    sections = set(re.findall(r"^## (.+)$", description["info"]["description"], re.MULTILINE))
    operations = {
        operation["operationId"]
        for methods in description["paths"].values()
        for operation in methods.values()
    }
    assert {title for each in TOPICS for title in each.sections} <= sections
    assert {name for each in TOPICS for name in each.operations} <= operations
    assert all(word == word.lower() for each in TOPICS for word in each.words)
