"""Registration by a mail address that is proven: the pages, the API, and what strangers learn."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from podium.core.database.engine import database_now
from podium.core.models import AuditEntry, MailLink, User
from podium.logs import configure_logs
from tests.api.accounts.elsewhere import name_in, way_back
from tests.api.accounts.mail.conftest import GOOD, Mailing
from tests.builders.installation import Installation, Person, problem_of
from tests.builders.page import Page
from tests.builders.servers.identity_provider import Provider


def test_by_default_there_is_no_mail_and_no_page_speaks_of_it(installation: Installation) -> None:
    for path, body, code in (
        ("/sign-up/mail", {"name": "Ada", "mail": "ada@example.org"}, "sign-up-off"),
        ("/forgot-password", {"mail": "ada@example.org"}, "no-mail"),
    ):
        problem_of(installation.anonymous.post(path, json=body), 403, code)
    assert "/forgot-password" not in installation.client.get("/sign-in").text
    for page in ("/forgot-password", "/forgot-password/sent"):
        assert installation.client.get(page).status_code == 404
    assert installation.client.get("/sign-up/sent").status_code == 403


def test_a_proven_address_becomes_an_account_and_leads_back(by_mail: Mailing) -> None:
    browser = by_mail.browser()
    invited = "/competitions/otto/team?code=x"
    assert "Create an account" in browser.get("/sign-in").text
    form = browser.get("/sign-up").text
    assert Page(form).fields() == {"name", "mail"}
    sent = browser.send("/sign-up", name="Ada", mail=" Ada@Example.org ", next=invited)
    assert (sent.status_code, sent.headers["location"]) == (303, "/sign-up/sent")
    assert "Look into your mailbox" in browser.get("/sign-up/sent").text
    assert browser.send("/sign-in", name="Ada", password=GOOD).status_code == 401

    (mail,) = by_mail.server.received
    assert (mail.sender, mail.recipients) == ("podium@example.org", ["Ada@Example.org"])
    assert mail.message["Subject"] == "Confirm your mail address (Podium at testserver)"
    assert "http://testserver/mail-links/" in mail.text

    for _ in range(2):
        page = browser.get(mail.link)
        assert page.status_code == 200
        assert 'value="Ada"' in page.text
        assert "Ada@Example.org" in page.text
    assert page.headers["referrer-policy"] == "strict-origin", "the code stays here"
    short = browser.send(mail.link, name="Ada", password="short")
    assert short.status_code == 422
    done = browser.send(mail.link, name="Ada L", password=GOOD)
    assert (done.status_code, done.headers["location"]) == (303, invited)
    me = browser.get("/api/v1/me").json()
    assert (me["name"], me["mail"], me["organizer"]) == ("Ada L", "Ada@Example.org", False)
    assert "Ada@Example.org" in browser.get("/account").text
    assert by_mail.browser().send("/sign-in", name="ada l", password=GOOD).status_code == 303


@pytest.mark.parametrize("address", ["//evil.example", "https://evil.example/", "/" + "x" * 500])
def test_a_link_leads_to_no_foreign_page_and_to_no_endless_address(
    by_mail: Mailing, address: str
) -> None:
    browser = by_mail.browser()
    browser.send("/sign-up", name="Ada", mail="ada@example.org", next=address)
    done = browser.send(by_mail.server.received[-1].link, name="Ada", password=GOOD)
    assert (done.status_code, done.headers["location"]) == (303, "/?done=signed-up")


def test_a_link_works_once(by_mail: Mailing) -> None:
    mail = by_mail.asked("ada@example.org")
    looked_at = by_mail.site.installation.anonymous.get(mail.link).json()
    assert looked_at == {"kind": "sign-up", "mail": "ada@example.org", "name": "Ada"}
    made = by_mail.post(mail.link, password=GOOD)
    assert made.status_code == 201, made.text
    assert Person(by_mail.site.installation.client, made.json()["token"]).get("/me").is_success
    problem_of(by_mail.post(mail.link, password=GOOD, name="Eve"), 404, "unknown-link")
    browser = by_mail.browser()
    for answer in (browser.get(mail.link), browser.send(mail.link, name="Eve", password=GOOD)):
        assert answer.status_code == 404
        assert "was used" in answer.text
    problem_of(by_mail.site.installation.anonymous.get("/mail-links/none"), 404, "unknown-link")


def test_a_link_works_for_a_day_and_leaves_no_address_behind(by_mail: Mailing) -> None:
    first = by_mail.asked("ada@example.org")
    database = by_mail.site.installation.application.database

    def grown_older(age: timedelta) -> None:
        with database.write() as session:
            end = database_now(session) + timedelta(hours=24) - age
            session.execute(update(MailLink).values(expires_at=end))

    with database.read() as session:
        link = session.scalars(select(MailLink)).one()
        assert link.expires_at - link.created_at == timedelta(hours=24)
        assert first.link.rpartition("/")[2] not in str(vars(link))
    grown_older(timedelta(hours=23, minutes=59))
    assert by_mail.browser().get(first.link).status_code == 200
    grown_older(timedelta(hours=24))
    problem_of(by_mail.post(first.link, password=GOOD), 404, "unknown-link")
    by_mail.asked("bob@example.org")
    with database.read() as session:
        assert session.scalars(select(MailLink.mail)).all() == ["bob@example.org"]


def test_the_answer_is_the_same_whether_the_address_or_the_name_is_in_use_or_not(
    by_mail: Mailing,
) -> None:
    by_mail.registered("ada@example.org")
    wanted = [("Eve", "ADA@example.org"), ("Ada", "eve@example.org"), ("Bob", "bob@example.org")]
    answers = [by_mail.post("/sign-up/mail", name=name, mail=mail) for name, mail in wanted]
    assert {(answer.status_code, answer.content) for answer in answers} == {
        (202, b'{"link_seconds":86400}')
    }
    browser = by_mail.browser()
    pages = [browser.send("/sign-up", name=name, mail=mail, next="/") for name, mail in wanted]
    assert {(page.status_code, page.headers["location"]) for page in pages} == {
        (303, "/sign-up/sent")
    }
    known = by_mail.server.sent_to("ada@example.org")[-1]
    assert known.message["Subject"].startswith("You have an account already")
    assert "with the name Ada" in known.text
    assert "/mail-links/" not in known.text
    assert "Eve" not in known.text
    assert by_mail.server.sent_to("ADA@example.org") == [], "it goes where it was proven"
    # What happened is told in the log alike, too, and for no address.
    with by_mail.site.installation.application.database.read() as session:
        entries = session.scalars(
            select(AuditEntry).where(AuditEntry.action == "sign-up.mail")
        ).all()
        assert len(entries) == 7
        assert {(entry.object_id, str(entry.facts)) for entry in entries} == {(None, "{}")}
        assert "example.org" not in str(
            [vars(entry) for entry in session.scalars(select(AuditEntry))]
        )


def test_a_name_in_use_leaves_the_link_as_it_was(by_mail: Mailing) -> None:
    by_mail.site.installation.person("Ada")
    mail = by_mail.asked("ada@example.org", "Ada")
    problem_of(by_mail.post(mail.link, password=GOOD), 409, "name-taken")
    browser = by_mail.browser()
    taken = browser.send(mail.link, name="ada", password=GOOD)
    assert taken.status_code == 409
    assert 'aria-invalid="true"' in taken.text
    assert browser.send(mail.link, name="", password=GOOD).status_code == 422
    assert browser.send(mail.link, name="Ada L", password=GOOD).status_code == 303
    assert name_in(browser) == "Ada L"


def test_an_address_has_one_account_and_the_other_links_to_it_end(by_mail: Mailing) -> None:
    first, second = by_mail.asked("ada@example.org"), by_mail.asked("Ada@Example.ORG", "Bob")
    assert by_mail.post(second.link, password=GOOD).json()["account"]["name"] == "Bob"
    problem_of(by_mail.post(first.link, password=GOOD), 404, "unknown-link")


def test_a_link_to_an_address_that_has_got_an_account_makes_no_second_one(
    by_mail: Mailing,
) -> None:
    mail = by_mail.asked("ada@example.org")
    bob = by_mail.site.installation.person("Bob")
    with by_mail.site.installation.application.database.write() as session:
        session.get_one(User, bob.id).mail_key = "ada@example.org"
    problem_of(by_mail.post(mail.link, password=GOOD), 409, "mail-taken")
    refused = by_mail.browser().send(mail.link, name="Ada", password=GOOD)
    assert refused.status_code == 409
    assert "Another account has this mail address" in refused.text
    assert by_mail.site.installation.admin.get("/admin/users?text=Ada").json()["items"] == []


@pytest.mark.parametrize(
    "mail",
    [
        *("", "ada", "ada@example.org\r\nBcc: eve@example.org", "ada@example.org, eve@example.org"),
        *("ada@example.org\nSubject: x", "<ada@example.org>", "ada@example.org>\r\nRCPT TO:<eve@x"),
    ],
)
def test_what_is_no_address_gets_no_mail(by_mail: Mailing, mail: str) -> None:
    problem_of(by_mail.post("/sign-up/mail", name="Ada", mail=mail), 422, "bad-mail")
    refused = by_mail.browser().send("/sign-up", name="Ada", mail=mail)
    assert refused.status_code == 422
    assert 'href="#f-mail"' in refused.text or "mail address" in refused.text
    assert by_mail.server.connections == 0


def test_no_word_of_a_stranger_is_sent_to_the_address(by_mail: Mailing) -> None:
    mail = by_mail.asked("ada@example.org", "win at http://evil.example")
    assert b"evil" not in mail.content
    forged = by_mail.browser()
    forged.client.headers["Host"] = "evil"
    forged.send("/sign-up", name="Ada", mail="ada@example.org")
    assert all(b"evil" not in each.content for each in by_mail.server.received)
    problem_of(by_mail.post("/sign-up/mail", name="a\nb", mail="ada@example.org"), 422, "bad-name")


@pytest.mark.parametrize("path", ["/sign-up/mail", "/forgot-password"])
def test_an_address_gets_five_mails_in_an_hour_of_all_who_ask(by_mail: Mailing, path: str) -> None:
    def asked(mail: str) -> int:
        name = {"name": "Ada"} if path == "/sign-up/mail" else {}
        return int(by_mail.post(path, mail=mail, **name).status_code)

    by_mail.registered("ada@example.org")
    assert [asked("ada@example.org") for _ in range(4)] == [202] * 4
    assert asked("ADA@example.org") == 429
    assert [asked("bob@example.org") for _ in range(6)] == [202] * 5 + [429]
    assert asked("carl@example.org") == 202
    waiting = by_mail.browser().send("/sign-up", name="Ada", mail="ada@example.org")
    assert waiting.status_code == 429
    assert "Look into your mailbox" in waiting.text


def test_a_network_asks_for_a_hundred_mails_in_an_hour(by_mail: Mailing) -> None:
    by_mail.server.refuses = {"": "421 not now"}
    codes = [
        by_mail.post("/sign-up/mail", name="Ada", mail=f"p{n}@example.org").status_code
        for n in range(101)
    ]
    assert codes == [503] * 100 + [429]


def test_mail_that_cannot_be_sent_is_told_and_the_log_names_no_person(
    by_mail: Mailing, capfd: pytest.CaptureFixture[str]
) -> None:
    configure_logs(json=True)
    by_mail.registered("known@example.org", "Known")
    by_mail.server.refuses = {"RCPT": "550 <zoe@example.org> is unknown"}
    capfd.readouterr()
    told = [
        by_mail.browser().send("/sign-up", name="Zoe", mail=mail, next="/docs")
        for mail in ("zoe@example.org", "known@example.org")
    ]
    for page in told:
        assert page.status_code == 503
        assert "The mail could not be sent" in page.text
    assert 'value="zoe@example.org"' in told[0].text
    assert 'name="next" value="/docs"' in told[0].text
    answer = by_mail.post("/sign-up/mail", name="Zoe", mail="zoe@example.org")
    problem_of(answer, 503, "mail-failed")
    assert int(answer.headers["retry-after"]) > 0
    log = capfd.readouterr().err
    assert log.count('"mail.failed"') == 3
    assert '"domain": "example.org"' in log
    # No name of hexadecimal digits, which may stand in an id.
    assert not re.search("zoe|known@", log)


def test_a_deleted_account_leaves_its_address_free(by_mail: Mailing) -> None:
    made = by_mail.registered("ada@example.org")
    by_mail.post("/forgot-password", mail="ada@example.org")
    ada = Person(by_mail.site.installation.client, made["token"])
    assert ada.send("DELETE", "/me", json={"confirm": "Ada"}).status_code == 204
    with by_mail.site.installation.application.database.read() as session:
        assert not session.scalars(select(User.mail).where(User.mail.is_not(None))).all()
        assert not session.scalars(select(MailLink)).all()
    assert by_mail.registered("ada@example.org", "Ada again")["account"]["name"] == "Ada again"


def test_organizers_and_other_people_see_no_address(by_mail: Mailing) -> None:
    by_mail.registered("ada@example.org")
    organizer = by_mail.site.installation.person("grace", organizer=True)
    assert "ada@example.org" not in organizer.get("/admin/users").text
    assert "ada@example.org" not in by_mail.site.browser(organizer).get("/organizers/accounts").text


def test_an_identity_with_the_address_of_an_account_is_not_joined_to_it(
    by_mail_and_provider: tuple[Mailing, Provider],
) -> None:
    by_mail, provider = by_mail_and_provider
    by_mail.registered("gus@example.org", "gus")
    claims = {"email": "gus@example.org", "email_verified": True}
    provider.person = {"sub": "gus there", "preferred_username": "gus", **claims}
    browser = by_mail.browser()
    browser.get(way_back(browser))
    me = browser.get("/api/v1/me").json()
    assert (me["name"], me["mail"]) == ("gus 2", None)


def test_prometheus_is_told_how_many_mails_were_sent_and_how_many_failed(
    by_mail: Mailing,
) -> None:
    by_mail.asked("ada@example.org")
    by_mail.asked("bob@example.org")
    by_mail.server.refuses = {"DATA": "554 no"}
    by_mail.post("/sign-up/mail", name="Carl", mail="carl@example.org")
    assert counted(by_mail) == {"sent": 2, "failed": 1, "refused": 0}


def counted(by_mail: Mailing) -> dict[str, int]:
    """The letters that Prometheus is told of."""
    admin = by_mail.site.installation.admin
    told = admin.client.get("/metrics", headers={"Authorization": f"Bearer {admin.token}"}).text
    found = re.findall(r'podium_mails_total\{outcome="(\w+)"\} (\d+)\.0', told)
    return {outcome: int(number) for outcome, number in found}


@pytest.mark.parametrize(
    ("mail", "replies", "status", "code", "outcome"),
    [
        ("=?utf-8?q?x?=@example.org", {}, 422, "bad-mail", None),
        ("ada@example.org", {"RCPT": "550 5.1.1 no such user"}, 422, "bad-mail", "refused"),
        ("ada@example.org", {"RCPT": "550 5.1.2 no such domain"}, 422, "bad-mail", "refused"),
        (
            "ada@example.org",
            {"RCPT": "554 5.7.1 relay access denied"},
            503,
            "mail-failed",
            "failed",
        ),
        ("ada@example.org", {"RCPT": "550 no"}, 503, "mail-failed", "failed"),
        ("ada@example.org", {"RCPT": "451 4.1.8 try later"}, 503, "mail-failed", "failed"),
    ],
)
def test_an_address_that_is_wrong_is_the_persons_to_mend_and_no_alarm(
    by_mail: Mailing, mail: str, replies: dict[str, str], status: int, code: str, outcome: str
) -> None:
    by_mail.server.refuses = replies
    for path, body in (("/sign-up/mail", {"name": "Ada"}), ("/forgot-password", {})):
        problem_of(by_mail.post(path, mail=mail, **body), status, code)
    none = {"sent": 0, "failed": 0, "refused": 0}
    assert counted(by_mail) == ({**none, outcome: 2} if outcome else none)
