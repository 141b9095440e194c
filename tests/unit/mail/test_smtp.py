"""Letters on their way to a mail server, over TLS and without, and what may go wrong there."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from podium.errors import Unavailable
from podium.mail import Letter
from podium.mail.addresses import Sender, server_at
from podium.mail.smtp import AT_ONCE, SmtpMailer
from tests.builders.machine.ports import free_ports
from tests.builders.servers.certificates import Certificate, certificate_for
from tests.builders.servers.mail_server import PASSWORD, USER, MailServer, receiving

LETTER = Letter("ada@example.org", "A subject", f"Dear Ada,\n\nlook:\n\nhttps://x/{'y' * 200}\n")

SENDER = Sender("podium@example.org", "Pódium, of the university")

KNOWN = f"{USER}:p%40ss%3Aword%2F%23%3F@"


def mailer(server: MailServer, form: str, **options: Any) -> SmtpMailer:
    return SmtpMailer(server_at(form.format(server.port)), SENDER, **options)


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Certificate:
    """A certificate that this process trusts."""
    found = certificate_for("localhost", tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(found.chain))
    return found


@pytest.fixture
def plain() -> Iterator[MailServer]:
    """A server without TLS."""
    with receiving() as server:
        yield server


def test_a_letter_arrives_as_it_was_written(plain: MailServer) -> None:
    mailer(plain, "smtp://localhost:{}").send(LETTER)
    (mail,) = plain.received
    assert (mail.sender, mail.recipients) == ("podium@example.org", ["ada@example.org"])
    message = mail.message
    assert message["From"].addresses[0].display_name == "Pódium, of the university"
    assert (message["To"], message["Subject"]) == ("ada@example.org", "A subject")
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Date"].datetime is not None
    assert message["Message-ID"].endswith("@example.org>")
    assert mail.text == LETTER.text
    assert b"y" * 200 in mail.content, "links stay whole"


def test_a_name_in_any_script_arrives_in_seven_bits(plain: MailServer) -> None:
    mailer(plain, "smtp://localhost:{}").send(Letter("ada@x.org", "Söme", "Für Ådá, 你好\n"))
    (mail,) = plain.received
    assert mail.content.isascii()
    assert (mail.message["Subject"], mail.text) == ("Söme", "Für Ådá, 你好\n")


@pytest.mark.parametrize(
    ("form", "from_the_start"),
    [
        ("smtps://" + KNOWN + "localhost:{}", True),
        ("smtp://" + KNOWN + "localhost:{}?starttls", False),
    ],
    ids=["smtps", "starttls"],
)
def test_the_password_is_proven_over_tls(
    certificate: Certificate, form: str, from_the_start: bool
) -> None:
    with receiving(certificate, starts_with_tls=from_the_start) as server:
        server.needs_password = True
        sends = mailer(server, form)
        sends.send(LETTER)
        assert len(server.received) == 1
        assert sends.trouble() is None
        wrong = mailer(server, form.replace("%40", ""))
        assert "535" in (wrong.trouble() or "")
        assert PASSWORD not in (wrong.trouble() or "")
        with pytest.raises(Unavailable):
            wrong.send(LETTER)
        assert len(server.received) == 1


@pytest.mark.parametrize("host", ["localhost", "mail.example"])
@pytest.mark.parametrize("form", ["smtps://localhost:{}", "smtp://localhost:{}?starttls"])
def test_a_server_that_cannot_prove_its_name_gets_no_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, host: str
) -> None:
    certificate = certificate_for(host, tmp_path)
    if host != "localhost":
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.chain))
    with receiving(certificate, starts_with_tls=form.startswith("smtps")) as server:
        sends = mailer(server, form)
        assert "certificate" in (sends.trouble() or "").lower()
        with pytest.raises(Unavailable):
            sends.send(LETTER)
        assert server.received == []


def test_a_server_without_tls_gets_no_letter_where_it_is_wanted(plain: MailServer) -> None:
    with pytest.raises(Unavailable):
        mailer(plain, "smtp://localhost:{}?starttls").send(LETTER)
    assert plain.received == []


@pytest.mark.parametrize(
    ("refuses", "status"),
    [
        ({"": "554 no"}, "554"),
        ({"": "no number"}, "-1"),
        ({"EHLO": "500 no", "HELO": "500 no"}, "500"),
        ({"MAIL": "451 later"}, "451"),
        ({"RCPT": "550 <ada@example.org> is unknown"}, "550"),
        ({"DATA": "554 spam"}, "554"),
    ],
    ids=str,
)
def test_a_refused_letter_is_told_and_the_log_names_no_person(
    plain: MailServer, capfd: pytest.CaptureFixture[str], refuses: dict[str, str], status: str
) -> None:
    plain.refuses = refuses
    with pytest.raises(Unavailable) as refusal:
        mailer(plain, "smtp://localhost:{}").send(LETTER)
    assert refusal.value.code == "mail-failed"
    log = "".join(capfd.readouterr())
    assert log.count("mail.failed") == 1
    assert "example.org" in log
    assert status in log
    assert "ada" not in log


def test_a_letter_that_was_taken_is_sent_whatever_the_farewell_is(plain: MailServer) -> None:
    plain.refuses = {"QUIT": "500 no"}
    mailer(plain, "smtp://localhost:{}").send(LETTER)
    assert len(plain.received) == 1


def test_a_server_that_is_away_or_silent_is_not_waited_for(plain: MailServer) -> None:
    away = SmtpMailer(server_at(f"smtp://localhost:{free_ports(1)[0]}"), SENDER)
    assert "refused" in (away.trouble() or "")
    plain.is_silent = True
    begun = time.monotonic()
    with pytest.raises(Unavailable):
        mailer(plain, "smtp://localhost:{}", patience_seconds=0.2).send(LETTER)
    assert time.monotonic() - begun < 5


def test_only_so_many_letters_are_on_their_way_at_a_time(plain: MailServer) -> None:
    plain.is_silent = True
    sends = mailer(plain, "smtp://localhost:{}", patience_seconds=30.0)

    def attempt(_: int) -> float:
        begun = time.monotonic()
        with pytest.raises(Unavailable):
            sends.send(LETTER)
        return time.monotonic() - begun

    with ThreadPoolExecutor(AT_ONCE + 1) as pool:
        waiting = [pool.submit(attempt, n) for n in range(AT_ONCE)]
        while plain.connections < AT_ONCE:
            time.sleep(0.01)
        assert attempt(0) < 1
        plain.leaving.set()
        for each in waiting:
            each.result(timeout=20)
    assert plain.connections == AT_ONCE


def test_no_header_can_be_smuggled_in(plain: MailServer) -> None:
    sends = mailer(plain, "smtp://localhost:{}")
    for letter in (
        Letter("ada@example.org\r\nBcc: eve@example.org", "s", "t"),
        Letter("ada@example.org", "s\r\nBcc: eve@example.org", "t"),
    ):
        with pytest.raises(Unavailable):
            sends.send(letter)
    sends.send(Letter("ada@example.org", "s", "a\r\n.\r\nMAIL FROM:<eve@example.org>\r\n.b\n"))
    (mail,) = plain.received
    assert mail.recipients == ["ada@example.org"]
    assert mail.text.splitlines() == ["a", ".", "MAIL FROM:<eve@example.org>", ".b"]
