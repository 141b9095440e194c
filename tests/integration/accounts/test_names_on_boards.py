"""Boards show names: who changes theirs gives the boards of their competitions a new version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from podium.accounts.service import accounts
from podium.accounts.service.deletion import delete_account
from podium.core.access import Actor
from podium.core.database.engine import Database
from podium.core.models import Competition
from podium.teams.service import teams
from tests.builders.rows import add_competition, add_team, add_user


def rename(session: Any, administrator: Actor, ada: Actor) -> None:
    accounts.change_user(
        session, actor=administrator, user_id=ada.user_id, changes={"name": "Ada Lovelace"}
    )


def delete(session: Any, administrator: Actor, ada: Actor) -> None:
    delete_account(session, actor=administrator, user_id=ada.user_id, confirm=ada.name)


@pytest.mark.parametrize("change", [rename, delete])
def test_boards_of_all_competitions_of_a_person_and_no_others_get_a_new_version(
    database: Database, change: Callable[[Any, Actor, Actor], None]
) -> None:
    with database.write() as session:
        administrator = add_user(session, is_administrator=True)
        ada = add_user(session, "ada")
        for slug in ("first", "second"):
            add_competition(session, slug)
            teams.create_team(session, slug=slug, actor=ada, name="Ada's team")
        add_team(session, add_competition(session, "third"))

    def versions() -> dict[str, int]:
        with database.read() as session:
            return {row.slug: row.board_version for row in session.query(Competition)}

    before = versions()
    with database.write() as session:
        change(session, administrator, ada)
    moved = {slug: version - before[slug] for slug, version in versions().items()}
    assert moved == {"first": 1, "second": 1, "third": 0}
