"""The grammar of a request's head (RFC 9112), and what of it the parser of the server is shown.

A parser that forgives is what smuggling lives on: where a proxy before us reads another request out
of the same bytes, one of the two decides and the other acts. So a head is first held against the
grammar, with nothing forgiven: no folded lines, no bare CR or LF, no space before a colon, no
control characters. The parser then splits fields and frames the body.
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
    """A head whose target is an address of another host than its field names."""


class RequestLine(NamedTuple):
    """Method and target as they came, but for the scheme and host of an absolute one."""

    method: str
    raw_path: bytes
    query: bytes


def may_go_on(part: bytes, searched: int) -> bool:
    """True as long as a head that is not whole can become one: the first byte tells TLS, and an
    empty line, and a client that ends lines in another way waits for its answer already."""
    return _TOKEN_BYTE.match(part) is not None and _ANOTHER_END.search(part, searched) is None


def read_head(head: bytes) -> tuple[RequestLine, bytes]:
    """The request line, and the head as the parser is to see it. Raises `BadHead`.

    The parser gets a line of ours: it knows some methods and forms of targets only, and what is
    refused of these is for the application to say. Nor does it see a wish to upgrade, which nothing
    here fulfils: it would take the request's body for the first bytes of the other protocol, and
    what follows for another request. A whole address as the target is what proxies are asked with;
    its host counts (RFC 9112, 3.2.2), so it must be that of the field, which all else reads.
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
    """Path and query of an absolute target, and the fields with its host."""
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
    """Bytes of the body that follows fields which the parser took; None where it comes in chunks.

    Raises `BadHead` unless there is one host, which HTTP/1.0 may leave out, and one way to tell
    where the body ends.
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
