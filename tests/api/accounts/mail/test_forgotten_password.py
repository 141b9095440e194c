"""A forgotten password: a link by mail sets another one, and ends what came of the old one."""

from __future__ import annotations

from tests.api.accounts.mail.conftest import GOOD, Mailing
from tests.builders.installation import Person, problem_of

BETTER = "staple battery horse"


def test_the_link_sets_a_password_and_ends_what_was_before(by_mail: Mailing) -> None:
    made = by_mail.registered("ada@example.org")
    ada = Person(by_mail.site.installation.client, made["token"])
    thief = by_mail.site.browser(ada)
    browser = by_mail.browser()
    assert 'href="/forgot-password"' in browser.get("/sign-in").text
    assert browser.get("/forgot-password").status_code == 200
    sent = browser.send("/forgot-password", mail="ADA@example.org")
    assert (sent.status_code, sent.headers["location"]) == (303, "/forgot-password/sent")
    assert "Look into your mailbox" in browser.get("/forgot-password/sent").text

    mail = by_mail.server.sent_to("ada@example.org")[-1]
    assert mail.message["Subject"] == "Set a new password (Podium at testserver)"
    assert "your account Ada at http://testserver" in mail.text
    page = browser.get(mail.link).text
    assert "Set a new password" in page
    assert "Ada" in page
    assert browser.send(mail.link, password="short").status_code == 422
    assert thief.get("/api/v1/me").status_code == 200
    done = browser.send(mail.link, password=BETTER)
    assert (done.status_code, done.headers["location"]) == (303, "/?done=password-set")
    assert browser.get("/api/v1/me").json()["name"] == "Ada"
    assert thief.get("/api/v1/me").status_code == 401
    assert ada.get("/me").status_code == 401
    assert by_mail.browser().send("/sign-in", name="Ada", password=GOOD).status_code == 401
    assert by_mail.browser().send("/sign-in", name="Ada", password=BETTER).status_code == 303
    assert browser.send(mail.link, password=GOOD).status_code == 404


def test_one_link_ends_the_others_of_its_account(by_mail: Mailing) -> None:
    by_mail.registered("ada@example.org")
    for _ in range(2):
        by_mail.post("/forgot-password", mail="ada@example.org")
    first, second = by_mail.server.received[-2:]
    assert by_mail.post(second.link, password=BETTER).status_code == 201
    problem_of(by_mail.post(first.link, password=GOOD), 404, "unknown-link")


def test_an_account_keeps_its_name_and_is_no_new_one(by_mail: Mailing) -> None:
    made = by_mail.registered("ada@example.org")
    by_mail.post("/forgot-password", mail="ada@example.org")
    used = by_mail.post(by_mail.server.received[-1].link, password=BETTER, name="Eve").json()
    assert used["account"] == made["account"]


def test_the_answer_is_the_same_for_an_address_without_an_account(by_mail: Mailing) -> None:
    by_mail.registered("ada@example.org")
    answers = [
        by_mail.post("/forgot-password", mail=mail) for mail in ("ada@example.org", "eve@x.org")
    ]
    assert {(answer.status_code, answer.content) for answer in answers} == {
        (202, b'{"link_seconds":86400}')
    }
    (mail,) = by_mail.server.sent_to("eve@x.org")
    assert mail.message["Subject"].startswith("No account has this address")
    assert "/mail-links/" not in mail.text


def test_a_disabled_account_is_not_opened(by_mail: Mailing) -> None:
    made = by_mail.registered("ada@example.org")
    by_mail.post("/forgot-password", mail="ada@example.org")
    link = by_mail.server.received[-1].link
    path = f"/admin/users/{made['account']['id']}"
    admin = by_mail.site.installation.admin
    assert admin.patch(path, json={"disabled": True}).status_code == 200
    problem_of(by_mail.post(link, password=BETTER), 404, "unknown-link")
    by_mail.post("/forgot-password", mail="ada@example.org")
    assert "/mail-links/" not in by_mail.server.received[-1].text


def test_what_is_wrong_stands_in_the_form(by_mail: Mailing) -> None:
    browser = by_mail.browser()
    assert browser.send("/forgot-password", mail="ada").status_code == 422
    by_mail.server.refuses = {"MAIL": "451 later"}
    failed = browser.send("/forgot-password", mail="ada@example.org")
    assert failed.status_code == 503
    assert "The mail could not be sent" in failed.text
    assert 'value="ada@example.org"' in failed.text


def test_mail_alone_opens_no_registration(closed: Mailing) -> None:
    assert closed.browser().get("/sign-up").status_code == 404
    refused = closed.post("/sign-up/mail", name="Ada", mail="ada@example.org")
    problem_of(refused, 403, "sign-up-off")
    assert closed.browser().get("/forgot-password").status_code == 200
    assert closed.post("/forgot-password", mail="ada@example.org").status_code == 202
