"""An identity provider, and installations that know it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.servers.identity_provider import Provider, running
from tests.builders.site import Site, served


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """An identity provider that runs."""
    with running() as provider:
        yield provider


@pytest.fixture
def honest(provider: Provider) -> Iterator[None]:
    """Restores the provider's replies after each test."""
    yield
    provider.claims, provider.signs_with = {}, None
    provider.says, provider.keys = {}, None


@pytest.fixture(scope="module")
def open_site(
    tmp_path_factory: pytest.TempPathFactory, migrated_sqlite_file: Path, provider: Provider
) -> Iterator[Site]:
    """A site where every user whom the provider recognizes gets an account."""
    folder = tmp_path_factory.mktemp("open")
    yield from served(folder, migrated_sqlite_file, provider, oidc_sign_up=True)


@pytest.fixture(scope="module")
def closed_site(
    tmp_path_factory: pytest.TempPathFactory, migrated_sqlite_file: Path, provider: Provider
) -> Iterator[Site]:
    """Only those who connected their account can come in."""
    yield from served(tmp_path_factory.mktemp("closed"), migrated_sqlite_file, provider)
