"""Addresses of mail: those of people and the sender, and of the server."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from podium.bootstrap import mailer_of
from podium.errors import NotConfigured
from podium.mail.addresses import MailServer, Sender, is_address, sender_named, server_at
from podium.settings import Settings

URL = "smtps://podium:geheim@mail.example"

FROM = "podium@example.org"


@pytest.mark.parametrize(
    "text",
    ["ada@example.org", "a.b+c@sub.example.org", "o'neill@x-y.example", "ada@localhost"],
)
def test_an_address_is_one(text: str) -> None:
    assert is_address(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "ada", "@example.org", "ada@", "ada@@example.org", "a@b@example.org"),
        *("ada@example..org", "ada@-x.org", "ada@x-.org", ".ada@x.org", "ada.@x.org", "a..b@x.org"),
        *("ada@example.org ", "a da@example.org", "<ada@example.org>", "Ada <ada@example.org>"),
        *("ada@example.org\nBcc: eve@example.org", "ada@example.org\r\n", "ada\n@example.org"),
        *("ada@example.org,eve@example.org", '"ada"@example.org', "ada@[10.0.0.1]"),
        *("=?utf-8?q?x?=@example.org", "a=?utf-8?b?eA==?=@example.org", "=?x@example.org"),
        *("adä@example.org", "ada@exämple.org", "ada@example.org\0"),
        *("a" * 65 + "@example.org", "a@" + ".".join(["x" * 62] * 5)),
    ],
)
def test_what_is_no_address_or_could_become_more_than_one_is_none(text: str) -> None:
    assert not is_address(text)


def test_a_sender_may_have_a_name() -> None:
    assert sender_named("podium@example.org") == Sender("podium@example.org")
    assert sender_named("Podium der Universität <p@x.org>") == Sender(
        "p@x.org", "Podium der Universität"
    )


@pytest.mark.parametrize("given", ["podium", "A <b", "a@b.org\nBcc: c@d.org", "A\n <a@b.org>"])
def test_what_is_no_sender_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="like podium@example"):
        sender_named(given)


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtps://mail.example", MailServer("smtps", "mail.example", 465)),
        ("smtp://mail.example?starttls", MailServer("starttls", "mail.example", 587)),
        ("smtp://localhost", MailServer("smtp", "localhost", 25)),
        ("smtp://[::1]:2525/", MailServer("smtp", "::1", 2525)),
        ("smtps://me:a%2Fb@m.example:99", MailServer("smtps", "m.example", 99, "me", "a/b")),
    ],
)
def test_the_address_of_a_server_says_how_it_is_spoken_to(url: str, server: MailServer) -> None:
    assert server_at(url) == server


@pytest.mark.parametrize(
    "url",
    [
        *("mail.example", "http://mail.example", "smtp://", "smtps://:1", "smtp://mail.example/x"),
        *("smtps://mail.example?starttls", "smtp://mail.example?tls=1", "smtp://mail.example:0"),
        *("smtp://mail.example:99999", "smtp://mail.example:x", "smtps://geheim@mail.example"),
        *("smtps://me:geh/eim@mail.example", "smtps://me:geh#eim@mail.example"),
        *("smtps://me:geh%C3%A9im@mail.example", "smtps://me:geheim%0D%0A@mail.example"),
        *("smtps://ma il.example", "smtps://mäil.example", "smtps://[::1", "smtp://me:geheim@x"),
    ],
)
def test_what_is_no_server_ends_the_start_and_no_secret_is_repeated(url: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        Settings(mail_url=url)
    told = str(refusal.value.errors(include_url=False, include_input=False)[0]["ctx"]["error"])
    assert "smtps://" in told
    assert "geheim" not in told.replace("user:password", "")


def test_a_password_is_in_no_text_of_the_settings_or_of_the_server() -> None:
    settings = Settings(mail_url=URL, mail_from=FROM)
    assert "geheim" not in f"{settings!r} {server_at(URL)!r}"


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"mail_url": URL, "base_url": "https://x.example"}, "needs PODIUM_MAIL_FROM"),
        ({"mail_url": URL, "mail_from": FROM}, "needs PODIUM_BASE_URL"),
        ({"mail_from": FROM}, "used with PODIUM_MAIL_URL only"),
    ],
    ids=str,
)
def test_half_of_the_settings_of_mail_is_refused(settings: dict[str, str], told: str) -> None:
    with pytest.raises(NotConfigured, match=told):
        mailer_of(Settings.model_validate(settings))


def test_an_installation_without_these_settings_sends_no_mail() -> None:
    assert mailer_of(Settings()) is None
