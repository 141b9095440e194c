"""Sends mail by SMTP, with the standard library.

Certificates are verified with the machine's certificate authorities (`SSL_CERT_FILE` names others),
and no mail is sent to a server without TLS where that is required. Every wait has a timeout, and
few letters are sent at a time: each occupies a thread that all requests share.
"""

from __future__ import annotations

import smtplib
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid

from podium.errors import InvalidInput, Unavailable
from podium.errors.codes import ErrorCode
from podium.logs import get_logger
from podium.mail import Letter
from podium.mail.addresses import MailServer, Sender, domain_of

PATIENCE_SECONDS = 10.0
"""Seconds without an answer after which the server has failed."""

AT_ONCE = 8
"""Letters that one process sends at a time."""

FORM = SMTP.clone(max_line_length=998, cte_type="7bit")
"""Lines as long as SMTP allows, so that links stay in one line; 7 bits, which every server
accepts."""

NO_ADDRESS = "The mail server knows no such address. Check how you typed it."

FAILED = "The mail could not be sent. Try again in a while, or ask an organizer."

_log = get_logger("mail")


class SmtpMailer:
    """Sends letters through one server, from one address."""

    def __init__(
        self, server: MailServer, sender: Sender, *, patience_seconds: float = PATIENCE_SECONDS
    ) -> None:
        self._server = server
        self._sender = sender
        self._patience = patience_seconds
        self._places = threading.Semaphore(AT_ONCE)
        self._counting = threading.Lock()
        self._counts = {"sent": 0, "failed": 0, "refused": 0}

    def send(self, letter: Letter) -> None:
        """Sends a letter through the server. Raises `Unavailable` (`mail-failed`), and
        `InvalidInput` (`bad-mail`) for an address that does not exist: that does not count as a
        failure."""
        if not self._places.acquire(blocking=False):
            self._count("failed")
            raise _failed()
        try:
            message = self._message(letter)
            with self._connected() as server:
                server.send_message(message, self._sender.address, [letter.to])
        except (OSError, ValueError) as error:
            if _is_no_address(error):
                self._count("refused")
                raise InvalidInput(NO_ADDRESS, code=ErrorCode.BAD_MAIL) from error
            self._count("failed")
            _log.warning("mail.failed", domain=domain_of(letter.to), **_cause(error))
            raise _failed() from error
        finally:
            self._places.release()
        self._count("sent")
        _log.info("mail.sent", domain=domain_of(letter.to))

    def trouble(self) -> str | None:
        """Checks the server without sending; returns the reason for which it cannot be used, or
        None."""
        try:
            with self._connected() as server:
                server.noop()
        except (OSError, ValueError) as error:
            return f"{self._server.host}:{self._server.port}: {_line(error)}"
        return None

    def counts(self) -> Mapping[str, int]:
        """Counts the letters of this process so far that were `sent`, that `failed`, and that the
        server `refused` because of the recipient's address."""
        return dict(self._counts)

    def _count(self, outcome: str) -> None:
        with self._counting:
            self._counts[outcome] += 1

    def _message(self, letter: Letter) -> EmailMessage:
        message = EmailMessage(policy=FORM)
        message["From"] = Address(self._sender.name, addr_spec=self._sender.address)
        message["To"] = Address(addr_spec=letter.to)
        message["Subject"] = letter.subject
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=self._sender.domain)
        # Automatic responders do not answer such a mail.
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(letter.text)
        return message

    @contextmanager
    def _connected(self) -> Iterator[smtplib.SMTP]:
        """Opens an authenticated connection for letters. Raises `OSError`, which includes SMTP's
        errors, and `ValueError` for malformed answers."""
        server = self._opened()
        try:
            if self._server.security == "starttls":
                server.starttls(context=ssl.create_default_context())
            if self._server.user:
                server.login(self._server.user, self._server.password)
            yield server
            # The letter is on its way, whatever the farewell is.
            with suppress(OSError, ValueError):
                server.quit()
        finally:
            server.close()

    def _opened(self) -> smtplib.SMTP:
        # The host name, which may take long to find, has no meaning for the server.
        host, port, own_name = self._server.host, self._server.port, self._sender.domain
        if self._server.security == "smtps":
            return smtplib.SMTP_SSL(
                host, port, own_name, timeout=self._patience, context=ssl.create_default_context()
            )
        return smtplib.SMTP(host, port, own_name, timeout=self._patience)


def _failed() -> Unavailable:
    return Unavailable(FAILED, code=ErrorCode.MAIL_FAILED, retry_after=60)


def _is_no_address(error: Exception) -> bool:
    """True if the server refused the recipient permanently, with an enhanced status (RFC 3463) for
    an unknown mailbox or domain. Any other refusal may be caused by our configuration."""
    return isinstance(error, smtplib.SMTPRecipientsRefused) and all(
        text.startswith(b"5.1.") if isinstance(text, bytes) else text.startswith("5.1.")
        for _, text in error.recipients.values()
    )


def _cause(error: Exception) -> dict[str, object]:
    """Reduces an error to its kind and the server's code: its text may name the person."""
    status = getattr(error, "smtp_code", None)
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        status = next((code for code, _ in error.recipients.values()), None)
    return {"error": type(error).__name__, "status": status}


def _line(error: Exception) -> str:
    """Formats an error in one line."""
    if isinstance(error, smtplib.SMTPResponseException):
        reply = error.smtp_error
        text = reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply
        return f"{error.smtp_code} {' '.join(text.split())}"
    return " ".join(str(error).split()) or type(error).__name__
