"""A half-configured identity provider is refused when the service starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.processes.commands import Person

PROVIDER = {
    "PODIUM_OIDC_ISSUER": "https://id.example.org",
    "PODIUM_OIDC_CLIENT_ID": "podium",
    "PODIUM_OIDC_CLIENT_SECRET": "a secret at the provider",
}


@pytest.mark.parametrize("name", ["PODIUM_OIDC_CLIENT_ID", "PODIUM_OIDC_CLIENT_SECRET"])
def test_half_a_provider_is_refused_at_the_start(tmp_path: Path, name: str) -> None:
    place = {"PODIUM_DATA_DIR": str(tmp_path / "data")}
    ended = Person(tmp_path).types("serve", "--port", "0", **place, **{**PROVIDER, name: ""})
    assert ended.code == 2, ended.err
    assert name in ended.err
    assert "Traceback" not in ended.err
    # Nothing was made: the administrator's token is shown once, at a start that works.
    assert not list(tmp_path.rglob("*.sqlite3"))
