"""A small mail server that speaks SMTP, keeps what it is sent, and can be told to refuse.

It checks what a strict one checks: the order of commands, TLS before a password, the password, and
line ends. Its certificate is of an authority of its own, which clients trust only if they are told.
"""

from __future__ import annotations

import base64
import re
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import IO

from tests.builders.servers.certificates import Certificate

USER, PASSWORD = "podium", "p@ss:word/#?"


@dataclass(frozen=True)
class Received:
    """A mail, with the addresses of its envelope and the bytes as they came."""

    sender: str
    recipients: list[str]
    content: bytes

    @property
    def message(self) -> EmailMessage:
        found = message_from_bytes(self.content, policy=policy.default)
        assert isinstance(found, EmailMessage)
        return found

    @property
    def text(self) -> str:
        return str(self.message.get_content()).replace("\r\n", "\n")

    @property
    def link(self) -> str:
        """The path of the link in it."""
        found = re.search(r"https?://[^/\s]+(/mail-links/[\w-]{43})\s", self.text)
        assert found, self.text
        return found[1]


@dataclass
class MailServer:
    """The state of the server. `refuses` is a reply to a command, such as `{"RCPT": "550 no"}`."""

    port: int = 0
    received: list[Received] = field(default_factory=list)
    refuses: dict[str, str] = field(default_factory=dict)
    needs_password: bool = False
    is_silent: bool = False
    context: ssl.SSLContext | None = None
    starts_with_tls: bool = False
    connections: int = 0
    leaving: threading.Event = field(default_factory=threading.Event)

    def sent_to(self, address: str) -> list[Received]:
        """The mails to one address, oldest first."""
        return [mail for mail in self.received if mail.recipients == [address]]


class _Dialog(socketserver.BaseRequestHandler):
    """One connection."""

    state: MailServer
    stream: IO[bytes] | None = None

    def handle(self) -> None:
        self.state.connections += 1
        self.is_secure, self.is_known, self.sender = False, False, ""
        self.recipients: list[str] = []
        if self.state.is_silent:
            self.state.leaving.wait()
            return
        try:
            if self.state.starts_with_tls:
                self._secure()
            self._say(self.state.refuses.get("", "220 mail.test ESMTP"))
            while (line := self._read()) and self._answered(line):
                pass
        except OSError:
            """The client does not trust the certificate, or has gone."""
        finally:
            self._close_stream()
            self.request.close()

    def _read(self) -> bytes:
        if self.stream is None:
            self.stream = self.request.makefile("rb")
        return self.stream.readline()

    def _close_stream(self) -> None:
        if self.stream is not None:
            self.stream.close()
            self.stream = None

    def _secure(self) -> None:
        assert self.state.context is not None
        self.request = self.state.context.wrap_socket(self.request, server_side=True)
        self.is_secure = True

    def _say(self, *lines: str) -> None:
        self.request.sendall("".join(f"{line}\r\n" for line in lines).encode())

    def _answered(self, line: bytes) -> bool:
        """Answers a command; false after the last one."""
        assert line.endswith(b"\r\n"), line
        verb, _, rest = line.decode("ascii").strip().partition(" ")
        verb = verb.upper()
        if verb in self.state.refuses:
            self._say(self.state.refuses[verb])
        elif verb == "QUIT":
            self._say("221 bye")
            return False
        else:
            getattr(self, f"_{verb.lower()}")(rest)
        return True

    def _ehlo(self, _: str) -> None:
        can = ["250-mail.test", "250-8BITMIME"]
        if self.state.context is not None and not self.is_secure:
            can.append("250-STARTTLS")
        elif self.state.needs_password:
            can.append("250-AUTH PLAIN")
        self._say(*can, "250 SIZE 1000000")

    def _starttls(self, _: str) -> None:
        self._say("220 go on")
        self._close_stream()
        self._secure()

    def _auth(self, rest: str) -> None:
        assert self.is_secure, "a password in clear"
        kind, _, given = rest.partition(" ")
        assert kind == "PLAIN"
        self.is_known = base64.b64decode(given) == f"\0{USER}\0{PASSWORD}".encode()
        self._say("235 welcome" if self.is_known else "535 5.7.8 authentication failed")

    def _mail(self, rest: str) -> None:
        if self.state.needs_password and not self.is_known:
            self._say("530 authentication required")
            return
        found = re.fullmatch(r"FROM:<([^<>]*)>( SIZE=\d+)?", rest, re.IGNORECASE)
        assert found, rest
        self.sender = found[1]
        self._say("250 ok")

    def _rcpt(self, rest: str) -> None:
        found = re.fullmatch(r"TO:<([^<>]+)>", rest, re.IGNORECASE)
        assert found, rest
        self.recipients.append(found[1])
        self._say("250 ok")

    def _data(self, _: str) -> None:
        assert self.recipients
        self._say("354 go on")
        lines = []
        while (line := self._read()) != b".\r\n":
            assert line.endswith(b"\r\n")
            assert len(line) <= 1000
            lines.append(line[1:] if line.startswith(b".") else line)
        self.state.received.append(Received(self.sender, self.recipients, b"".join(lines)))
        self._say("250 taken")

    def _noop(self, _: str) -> None:
        self._say("250 ok")

    def _rset(self, _: str) -> None:
        self._say("250 ok")


@contextmanager
def receiving(
    certificate: Certificate | None = None, *, starts_with_tls: bool = False
) -> Iterator[MailServer]:
    """A mail server on a free port of this machine."""
    state = MailServer(starts_with_tls=starts_with_tls)
    if certificate is not None:
        state.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        state.context.load_cert_chain(certificate.chain, certificate.key)
    handler = type("Dialog", (_Dialog,), {"state": state})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        state.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=[0.01], daemon=True)
        thread.start()
        try:
            yield state
        finally:
            state.leaving.set()
            server.shutdown()
            thread.join()
