"""The grammar of a request's head (RFC 9112), checked before the server's parser sees it.

Request smuggling depends on tolerant parsers: where a proxy before us reads another request out of
the same bytes, one of the two decides and the other acts. So a head is first matched against the
strict grammar: no folded lines, no bare CR or LF, no space before a colon, no control characters.
The parser then splits fields and frames the body.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

END = b"\r\n\r\n"

_TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]++"

_TOKEN_BYTE = re.compile(_TOKEN.removesuffix(b"++"))

_HEAD = re.compile(
    rb"(" + _TOKEN + rb") ([\x21-\x7e]++) (HTTP/1\.[01])"
    rb"((?:\r\n" + _TOKEN + rb":[\t\x20-\x7e\x80-\xff]*+)*)\r\n\r\n"
)

_WISH_TO_UPGRADE = re.compile(rb"\r\nupgrade:[^\r]*+", re.IGNORECASE)

_ABSOLUTE = re.compile(rb"(https?)://([^/?#@]++)((?:[/?][^#]*+)?)", re.IGNORECASE)

_HOSTS = re.compile(rb"\r\nhost:[ \t]*+([^\r]*)", re.IGNORECASE)

_DEFAULT_PORTS = {b"http": b":80", b"https": b":443"}

_ANOTHER_END = re.compile(rb"\n\r?\n")


class BadHead(Exception):
    """A head that no request can be read from, with the reason."""


class WrongHost(BadHead):
    """Raised for a head whose target names another host than its field."""


class RequestLine(NamedTuple):
    """The method and the target, without the scheme and host of an absolute one."""

    method: str
    raw_path: bytes
    query: bytes


def may_go_on(part: bytes, searched: int) -> bool:
    """True as long as an incomplete head can still become valid. The first byte reveals TLS and an
    empty line; a client that ends lines in another way is already waiting for its answer."""
    return _TOKEN_BYTE.match(part) is not None and _ANOTHER_END.search(part, searched) is None


def read_head(head: bytes) -> tuple[RequestLine, bytes]:
    """Parses the request line, and returns it with the head for the server's parser. Raises
    `BadHead`.

    The parser gets a request line of ours: it supports some methods and forms of targets only, and
    refusing others is left to the application. Nor does it see a request to upgrade, which is never
    granted here: it would take the request's body for the first bytes of the other protocol, and
    the bytes after it for another request. Absolute URLs as the target are meant for proxies; their
    host counts (RFC 9112, 3.2.2), so it must equal that of the field, which all other code reads.
    """
    found = _HEAD.fullmatch(head)
    if found is None:
        raise BadHead("not by the grammar")
    method, target, version, fields = found.groups()
    if b"pgrade:" in fields.lower():
        fields = _WISH_TO_UPGRADE.sub(b"", fields)
    if target[:8].lower().startswith((b"http://", b"https://")):
        target, fields = _origin_form(target, fields)
    raw_path, _, query = target.partition(b"?")
    line = RequestLine(method.decode("ascii"), raw_path, query)
    return line, b"POST / %s%s%s" % (version, fields, END)


def _origin_form(target: bytes, fields: bytes) -> tuple[bytes, bytes]:
    """Extracts path and query of an absolute target, and adds its host to fields without one.
    Raises `WrongHost` where the fields name another."""
    found = _ABSOLUTE.fullmatch(target)
    if found is None:
        raise BadHead("an address without a host, or with what no target has")
    scheme, authority, rest = found.groups()
    port = _DEFAULT_PORTS[scheme.lower()]
    host = authority.lower().removesuffix(port)
    named = _HOSTS.findall(fields)
    if any(each.rstrip(b" \t").lower().removesuffix(port) != host for each in named):
        raise WrongHost("an address of another host than the field names")
    if not named:
        fields += b"\r\nHost: " + authority
    return rest if rest.startswith(b"/") else b"/" + rest, fields


def framed_length(headers: Sequence[tuple[bytes, bytes]], *, version: str) -> int | None:
    """Computes the length of the body in bytes from the parsed fields; None where it is chunked.

    Raises `BadHead` unless there is one host, which HTTP/1.0 may leave out, and one framing of the
    body.
    """
    hosts, codings, length = 0, [], 0
    for name, value in headers:
        if name == b"host":
            hosts += 1
        elif name == b"content-length":
            length = int(value)
        elif name == b"transfer-encoding":
            codings.append(value.lower())
    if hosts != 1 and (hosts or version != "1.0"):
        raise BadHead("no host, or several")
    if not codings:
        return length
    if codings != [b"chunked"]:
        raise BadHead("a coding that is not read here")
    return None
