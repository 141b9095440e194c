"""Names of files in forms: the character set that a sender names is looked up nowhere."""

from __future__ import annotations

import encodings
import pkgutil
from encodings import aliases
from typing import Any
from urllib.parse import quote

import pytest

from tests.builders.installation import TRUTH, Installation, Person

CODECS = sorted(
    {*aliases.aliases.values(), *(each.name for each in pkgutil.iter_modules(encodings.__path__))}
)
"""Every codec that Python knows, some of which raise, run for long, or swell what they read."""

OTHERS = ["", "us-ascii", "UTF8", "utf_8", "latin1", "x" * 300, "utf-8\x00", "../utf-8"]


@pytest.fixture
def ada(installation: Installation) -> Person:
    """A user in a team of an open competition."""
    installation.launched(daily_limit=1000)
    person = installation.person("ada")
    assert person.post("/competitions/otto/teams", json={"name": "Ada"}).status_code == 201
    return person


def send(person: Person, parameter: str, *, boundary: str = "boundary=b") -> Any:
    body = (
        f"--b\r\nContent-Disposition: form-data; name=file; {parameter}\r\n\r\nno csv\r\n--b--\r\n"
    )
    return person.post(
        "/competitions/otto/submissions",
        content=body.encode(),
        headers={"Content-Type": f"multipart/form-data; {boundary}"},
    )


def test_no_codec_of_python_is_used_but_two(ada: Person) -> None:
    for name in [*CODECS, *OTHERS]:
        answer = send(ada, f"filename*={name}''%78%9c%61%2e%63%73%76%ff")
        assert answer.status_code == (202 if name.lower() == "iso-8859-1" else 400), name
        assert answer.status_code == 202 or answer.json()["code"] == "bad-form", name


@pytest.mark.parametrize("charset", ["UTF-8", "utf-8", "ISO-8859-1"])
def test_the_two_of_the_standards_are_read(ada: Person, charset: str) -> None:
    text = quote("größe.csv".encode(charset))
    answer = send(ada, f"filename*={charset}'de'{text}")
    assert (answer.status_code, answer.json()["filename"]) == (202, "größe.csv")


@pytest.mark.parametrize(
    "parameter",
    [
        "filename*=utf-8''%ff%fe",
        "filename*=idna''x",
        "filename*0*=idna''x; filename*1*=y",
        "filename*0*=utf-8''%ff; filename*9=y",
        "filename*=",
        "filename*",
        "filename*='",
        "filename*=''",
        "filename*=utf-8''\u20ac",
        "filename*99999999999999999999*=utf-8''a",
        'filename="\udcff"'.encode("utf-8", "replace").decode(),
        'filename="a',
        "filename*=utf-16''%00",
        "name*=idna''file",
    ],
)
def test_no_way_of_writing_a_name_is_our_fault(ada: Person, parameter: str) -> None:
    assert send(ada, parameter).status_code in (202, 400, 422)


def test_the_boundary_is_read_in_the_same_way(ada: Person) -> None:
    for name in ("idna", "punycode", "rot13", "hex", "zlib", "unicode_escape", "undefined"):
        assert send(ada, "filename=a.csv", boundary=f"boundary*={name}''b").status_code == 400


def test_uploads_of_organizers_on_pages_are_read_in_the_same_way(
    installation: Installation,
) -> None:
    installation.draft()
    body = b"--b\r\nContent-Disposition: form-data; name=file; filename*=idna''x\r\n\r\n"
    answer = installation.client.post(
        "/organize/otto/uploads/file",
        content=body + TRUTH + b"\r\n--b--\r\n",
        headers={
            "Content-Type": "multipart/form-data; boundary=b",
            "Authorization": f"Bearer {installation.admin.token}",
            "Origin": "http://testserver",
        },
    )
    assert answer.status_code < 500
