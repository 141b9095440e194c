"""The token that the operator sets: what hangs on it when another one is set; the last way in."""

from __future__ import annotations

import pytest

from podium.accounts.service.bootstrap import ensure_administrator
from podium.logs import configure_logs
from tests.builders.installation import ADMIN_TOKEN, Installation, Person, problem_of
from tests.builders.page import Browser
from tests.builders.tokens import GOOD, SOON, further, listed, sign_in, works


def restart(installation: Installation, token: str | None) -> Person:
    """Starts with `PODIUM_ADMIN_TOKEN` set to this: the administrator who comes by it."""
    with installation.application.database.write() as session:
        ensure_administrator(session, token=token)
    return Person(installation.client, token)


def test_what_hung_on_the_configured_token_hangs_on_the_next_one(
    installation_on_both: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    installation = installation_on_both
    configure_logs(json=True)
    before = installation.admin
    browser = Browser(installation.client.app)
    browser.sign_in(ADMIN_TOKEN)
    headers = {"Origin": browser.origin}
    set_by = browser.client.put("/api/v1/me/password", json={"password": GOOD}, headers=headers)
    assert set_by.status_code == 204
    metrics = further(before, label="metrics")
    after = restart(installation, "another-token-of-the-operator")
    assert [works(each) for each in (before, metrics, after)] == [False, True, True]
    assert sign_in(installation, "administrator").status_code == 200
    assert browser.get("/account").status_code == 200
    output = capsys.readouterr().err
    assert output.count("administrator-token.replaced") == 1
    assert ADMIN_TOKEN not in output
    restart(installation, "another-token-of-the-operator")
    assert "administrator-token.replaced" not in capsys.readouterr().err
    assert listed(after, "PODIUM_ADMIN_TOKEN")["set_password"] is True
    again = restart(installation, ADMIN_TOKEN)
    assert [works(each) for each in (again, metrics, after)] == [True, True, False]


def test_a_token_of_the_administrators_that_ended_can_be_set(installation: Installation) -> None:
    admin = installation.admin
    short = further(admin, label="short", expires_at=SOON)
    child = further(short, label="child")
    admin.delete(f"/me/tokens/{short.id}")
    set_anew = restart(installation, short.token)
    assert [works(each) for each in (set_anew, child, admin)] == [True, False, False]
    row = listed(set_anew, "short")
    assert (row["expires_at"], row["made_by"]) == (None, None)


def test_the_administrator_keeps_a_last_way_in(installation_on_both: Installation) -> None:
    admin = installation_on_both.admin
    configured = listed(admin, "PODIUM_ADMIN_TOKEN")["id"]
    child = further(admin)
    refused = problem_of(admin.delete(f"/me/tokens/{configured}"), 409, "last-way-in")
    assert "PODIUM_ADMIN_TOKEN" in refused["detail"]
    assert admin.delete(f"/me/tokens/{child.id}").status_code == 204
    assert works(admin)
    ada = installation_on_both.person("ada")
    assert ada.delete(f"/me/tokens/{listed(ada, 'first token')['id']}").status_code == 204
