"""Changes of a link, or a session, while it is being used."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import update

from podium.accounts import queries as account_queries
from podium.core import locks
from podium.core.database.engine import database_now
from podium.core.models import PageSession
from tests.builders.installation import ADMIN_TOKEN, Installation, problem_of
from tests.builders.page import Browser
from tests.builders.servers.in_process import TestClient

GOOD = "correct horse battery"


@contextmanager
def in_a_thread(ask: Callable[[], Any], answers: list[Any]) -> Iterator[None]:
    """Something that is asked meanwhile, and waits for the transaction that surrounds this."""
    thread = threading.Thread(target=lambda: answers.append(ask()))
    thread.start()
    # Long enough for it to be let in and to wait; on a slow machine it comes after everything.
    time.sleep(1.0)
    yield
    thread.join()


def test_using_a_link_and_deleting_its_account_do_not_wait_for_each_other(
    installation_on_both: Installation,
) -> None:
    installation = installation_on_both
    ada = installation.person("ada")
    made = installation.admin.post(f"/admin/users/{ada.id}/reset-link", json={}).json()
    client = TestClient(installation.client.app, raise_server_exceptions=False)
    answers: list[Any] = []

    def use() -> Any:
        return client.post(f"/api/v1/links/{made['code']}", json={"password": GOOD})

    meanwhile = in_a_thread(use, answers)
    with installation.application.database.write() as session:
        locks.locked_user(session, ada.id)
        meanwhile.__enter__()
        account_queries.end_links(session, user_id=ada.id, now=database_now(session))
        account_queries.remove_credentials(session, user_id=ada.id)
    meanwhile.__exit__(None, None, None)
    problem_of(answers[0], 404, "unknown-link")
    assert ada.get("/me").status_code == 401


def test_signing_out_of_a_session_that_ends_meanwhile_is_signing_out(
    installation: Installation,
) -> None:
    browser = Browser(installation.client.app)
    answers: list[Any] = []
    browser.sign_in(ADMIN_TOKEN)
    meanwhile = in_a_thread(lambda: browser.send("/sign-out"), answers)
    with installation.application.database.write() as session:
        session.execute(update(PageSession).values(revoked_at=database_now(session)))
        meanwhile.__enter__()
    meanwhile.__exit__(None, None, None)
    assert answers[0].status_code == 303


def test_a_browser_is_let_in_by_the_very_act_that_uses_the_link(
    installation: Installation,
) -> None:
    ada = installation.person("ada")
    made = installation.admin.post(f"/admin/users/{ada.id}/reset-link", json={}).json()
    browser, database = Browser(installation.client.app), installation.application.database
    before = database.writes
    answer = browser.send(f"/links/{made['code']}", password=GOOD)
    assert answer.status_code == 200
    assert browser.get("/account").status_code == 200
    # Between two of them a second reset could be used, which would not end the session.
    assert database.writes == before + 1
