"""The administrator's pages."""

from __future__ import annotations

import re

from podium.accounts.service.bootstrap import ensure_administrator
from podium.application import Application
from podium.main import create_app
from podium.operations.service.backup_records import record_backup
from tests.builders.installation import ADMIN_TOKEN, Installation
from tests.builders.jobs.in_process import doing_jobs
from tests.builders.organizer import Organizer
from tests.builders.page import compact
from tests.builders.servers.in_process import TestClient
from tests.builders.site import Site


def test_the_server_page_tells_that_no_worker_judges(application: Application) -> None:
    with application.database.write() as session:
        ensure_administrator(session, token=ADMIN_TOKEN)
    with TestClient(create_app(application)) as client:
        installation = Installation(client, application)
        with doing_jobs(application):
            installation.launched()
        ada = installation.person("ada")
        ada.post("/competitions/otto/teams", json={"name": "Ada"})
        ada.post("/competitions/otto/submissions", content=b"a")
        page = Site(installation).browser(installation.admin).get("/server").text
    assert "No worker is running" in page
    assert re.search(r"<dt>queued</dt><dd>1<", compact(page))
    assert "SQLite 3." in page


def test_the_last_backup_is_on_the_server_page_and_in_the_metrics(
    installation: Installation,
) -> None:
    admin, watcher = Site(installation).browser(installation.admin), installation.client
    bearer = {"Authorization": f"Bearer {ADMIN_TOKEN}"}
    assert "never backed up" in admin.get("/server").text
    assert "podium_backup_age_seconds +Inf" in watcher.get("/metrics", headers=bearer).text
    with installation.application.database.write() as session:
        record_backup(session, name="20261124T030000.000000Z", place="/mnt/backups")
    page = admin.get("/server").text
    assert "never backed up" not in page
    assert "/mnt/backups" in page
    found = re.search(
        r"^podium_backup_age_seconds ([0-9.e-]+)$",
        watcher.get("/metrics", headers=bearer).text,
        re.MULTILINE,
    )
    assert found is not None
    assert float(found[1]) < 600


def test_a_new_key_wants_its_word(site: Site) -> None:
    admin = site.browser(site.installation.admin)
    keys = site.installation.anonymous.get("/signing-key").json()["keys"]
    assert admin.send("/server/signing-key", confirm="yes").status_code == 422
    assert len(site.installation.anonymous.get("/signing-key").json()["keys"]) == len(keys)
    assert admin.send("/server/signing-key", confirm="new key").status_code == 303
    assert len(site.installation.anonymous.get("/signing-key").json()["keys"]) == len(keys) + 1


def test_the_audit_log_is_everybodys_and_has_filters(site: Site, olga: Organizer) -> None:
    slug = olga.draft()
    admin = site.browser(site.installation.admin)
    assert slug in admin.get("/server/log").text
    assert "No matching entries" in admin.get(f"/server/log?competition={slug}&action=team").text
    unknown = admin.get("/server/log?competition=unknown")
    assert unknown.status_code == 404


def test_no_other_user_sees_the_server(site: Site, olga: Organizer) -> None:
    for address in ("/server", "/server/log", "/server/import"):
        assert olga.browser.get(address).status_code == 403
        led = site.browser().get(address)
        assert led.headers["location"] == f"/sign-in?next=%2F{address[1:].replace('/', '%2F')}"
