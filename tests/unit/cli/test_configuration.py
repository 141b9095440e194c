"""The choice of server and token: the environment before the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from podium.cli.configuration import competition_named, configuration
from podium.errors import NotConfigured


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration folder of the test's own, and no variable of the tester's."""
    for name in ("PODIUM_URL", "PODIUM_TOKEN", "PODIUM_COMPETITION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "podium").mkdir()
    return tmp_path / "podium" / "login.json"


def stored(home: Path) -> None:
    home.write_text(json.dumps({"url": "http://a", "token": "t", "competition": "otto"}))


def test_without_anything_the_server_is_this_machine_and_no_user_is_signed_in() -> None:
    here = configuration()
    assert (here.url, here.token, here.competition) == ("http://127.0.0.1:8000", None, None)


def test_the_login_is_used(home: Path) -> None:
    stored(home)
    here = configuration()
    assert (here.url, here.token, here.competition) == ("http://a", "t", "otto")


def test_the_environment_comes_first(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(home)
    monkeypatch.setenv("PODIUM_TOKEN", "other")
    monkeypatch.setenv("PODIUM_COMPETITION", "shop")
    here = configuration()
    assert (here.url, here.token, here.competition) == ("http://a", "other", "shop")


def test_a_token_goes_only_where_it_was_made_for(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(home)
    monkeypatch.setenv("PODIUM_URL", "http://b/")
    assert configuration().url == "http://b"
    assert configuration().token is None
    monkeypatch.setenv("PODIUM_URL", "http://a/")
    assert configuration().token == "t"


@pytest.mark.parametrize("given", ["pät", "two\nlines", "\udce9"])
def test_a_token_that_no_request_can_carry_is_refused(
    given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PODIUM_TOKEN", given)
    with pytest.raises(NotConfigured, match="PODIUM_TOKEN has characters that no token has"):
        configuration()


@pytest.mark.parametrize("text", ["", "[]", '{"what": 1}'])
def test_a_damaged_file_is_told(home: Path, text: str) -> None:
    home.write_text(text)
    with pytest.raises(NotConfigured, match="podium login"):
        configuration()


@pytest.mark.parametrize("is_folder", [True, False])
def test_a_login_that_cannot_be_read_does_not_matter_where_the_environment_says_all(
    home: Path, monkeypatch: pytest.MonkeyPatch, *, is_folder: bool
) -> None:
    if is_folder:
        home.mkdir()
    else:
        home.write_text("no JSON")
    monkeypatch.setenv("PODIUM_URL", "http://b")
    with pytest.raises(NotConfigured):
        configuration()
    monkeypatch.setenv("PODIUM_TOKEN", "other")
    assert (configuration().url, configuration().token) == ("http://b", "other")


def test_a_named_competition_comes_before_the_configured_one(home: Path) -> None:
    with pytest.raises(NotConfigured):
        competition_named(None)
    stored(home)
    assert competition_named(None) == "otto"
    assert competition_named("shop") == "shop"
