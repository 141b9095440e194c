"""Sign-in at an identity provider: OpenID Connect's code flow with PKCE and a nonce.

The state between the two halves of the flow travels in a signed cookie of ten minutes, so that any
replica can finish what another began. Independent of accounts.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import secrets
import ssl
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx2

from podium.errors import NotAllowed, NotConfigured, Unavailable
from podium.errors.codes import ErrorCode
from podium.settings import Settings

SECONDS = 600
"""Seconds that a user may take at the provider."""

PATIENCE_SECONDS = 10.0
"""Timeout in seconds for the provider's answers."""

LEEWAY_SECONDS = 60
"""Accepted difference of the provider's clock in seconds."""

ALGORITHMS = ["RS256", "PS256", "ES256"]
"""Signatures by a public key only: HMAC with our client secret is not accepted."""

REDIRECT_PATH = "/sign-in/elsewhere/back"
"""The path of the redirect URI that operators register at the provider."""

SCOPES = "openid profile"

ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
"""Endpoints that a provider must publish in its discovery document."""

FAILURES = (httpx2.HTTPError, httpx2.InvalidURL, ValueError, RecursionError)
"""Errors of requests to the provider: it cannot be reached, refuses, or sends no JSON."""

RETRY_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Provider:
    """An identity provider and our client credentials there. `issuer` is its URL without a trailing
    slash, exactly as its tokens name it otherwise."""

    issuer: str
    client_id: str
    client_secret: str

    @classmethod
    def of(cls, settings: Settings) -> Provider | None:
        """Builds the configured provider, if any. Raises `NotConfigured` for an incomplete
        configuration."""
        if not settings.oidc_issuer:
            return None
        secret = settings.oidc_client_secret.get_secret_value()
        if not (settings.oidc_client_id and secret):
            raise NotConfigured(
                "PODIUM_OIDC_ISSUER needs PODIUM_OIDC_CLIENT_ID and PODIUM_OIDC_CLIENT_SECRET."
            )
        return cls(settings.oidc_issuer, settings.oidc_client_id, secret)

    def described(self) -> dict[str, Any]:
        """Fetches the discovery document of the provider. Raises `Unavailable`
        (`identity-provider`)."""
        found = _asked("GET", self._discovery)
        if self._flaw_of(found) is not None:
            raise _unavailable()
        return found

    def trouble(self) -> str | None:
        """Explains to operators why sign-in would fail now, and what to do; None where the checks
        pass that are possible without signing in."""
        address = self._discovery
        try:
            found = _fetched("GET", address)
            if (flaw := self._flaw_of(found)) is not None:
                return flaw
            address = found["jwks_uri"]
            _fetched("GET", address)
        except FAILURES as error:
            return (
                f"The identity provider does not answer as it should: {address}: {_reason(error)}."
                " See that it is there, or correct PODIUM_OIDC_ISSUER."
            )
        return None

    @property
    def _discovery(self) -> str:
        return f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"

    def _flaw_of(self, found: Mapping[str, Any]) -> str | None:
        """Explains why a discovery document is untrustworthy or incomplete; None for a good one."""
        named = found.get("issuer")
        if named != self.issuer:
            return (
                f"The identity provider calls itself {named!r}, and PODIUM_OIDC_ISSUER is"
                f" {self.issuer!r}. They have to be equal to the last character: set"
                " PODIUM_OIDC_ISSUER to the provider's own."
            )
        lacking = [name for name in ENDPOINTS if not self._is_address(found.get(name))]
        if not lacking:
            return None
        return (
            f"{self._discovery} names no address, or not one with HTTPS, as {', '.join(lacking)}."
            " Correct this at the identity provider."
        )

    def _is_address(self, given: object) -> bool:
        """True if a browser, or we, may send requests there: by HTTPS if the issuer uses it."""
        if not isinstance(given, str) or not given.isascii() or not given.isprintable():
            return False
        try:
            parts = urlsplit(given)
            is_complete = bool(parts.hostname) and parts.port != 0
        except ValueError:
            return False
        return is_complete and parts.scheme in {"https", urlsplit(self.issuer).scheme}


@dataclass(frozen=True, slots=True)
class Pending:
    """A sign-in that is pending at the provider: the values that the browser must return with, and
    the page that follows.

    `connects` is the id of the account that the identity is to be connected with; empty for a plain
    sign-in.
    """

    state: str
    nonce: str
    verifier: str
    next: str
    connects: str
    until: int

    @classmethod
    def begun(cls, next_address: str, *, connects: str = "") -> Pending:
        """Creates the state of a new sign-in, with random values."""
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        until = int(time.time()) + SECONDS
        return cls(state, nonce, verifier, next_address, connects, until)

    def sealed(self, provider: Provider) -> str:
        """Serializes and signs the state for a cookie."""
        text = _encoded(json.dumps(asdict(self)).encode())
        return f"{text}.{_signature(provider, text)}"

    @classmethod
    def opened(cls, provider: Provider, cookie: str | None) -> Pending:
        """Verifies and parses a cookie. Raises `NotAllowed` (`sign-in-failed`) for one that is
        forged or expired."""
        text, _, signature = (cookie or "").partition(".")
        if not hmac.compare_digest(signature.encode(), _signature(provider, text).encode()):
            raise failed("The sign-in did not begin in this browser.")
        pending = cls(**json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))))
        if time.time() >= pending.until:
            raise failed("The sign-in took too long.")
        return pending


@dataclass(frozen=True, slots=True)
class Identity:
    """A user as the provider recognized them: `subject` never changes there, `name` is a
    suggestion."""

    issuer: str
    subject: str
    name: str


def address_to_go(provider: Provider, pending: Pending, redirect_uri: str) -> str:
    """Builds the URL of the provider to which the browser is redirected."""
    digest = hashlib.sha256(pending.verifier.encode()).digest()
    query = {
        "response_type": "code",
        "client_id": provider.client_id,
        "redirect_uri": redirect_uri,
        "scope": SCOPES,
        "state": pending.state,
        "nonce": pending.nonce,
        "code_challenge": _encoded(digest),
        "code_challenge_method": "S256",
    }
    address = str(provider.described()["authorization_endpoint"])
    return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"


def recognized(
    provider: Provider, pending: Pending, redirect_uri: str, query: Mapping[str, str]
) -> Identity:
    """Identifies the user by the parameters of the provider's redirect. Raises `NotAllowed`
    (`sign-in-failed`) and `Unavailable` (`identity-provider`)."""
    if not hmac.compare_digest(query.get("state", "").encode(), pending.state.encode()):
        raise failed("The sign-in did not begin in this browser.")
    if "code" not in query:
        raise failed("The identity provider did not let you in.")
    described = provider.described()
    if query.get("iss", provider.issuer) != provider.issuer:
        raise failed("Another identity provider answered.")
    body = {
        "grant_type": "authorization_code",
        "code": query["code"],
        "redirect_uri": redirect_uri,
        "code_verifier": pending.verifier,
    }
    auth = (provider.client_id, provider.client_secret)
    tokens = _asked("POST", described["token_endpoint"], data=body, auth=auth)
    keys = _asked("GET", described["jwks_uri"])
    claims = _claims(provider, pending, tokens.get("id_token"), keys)
    name = claims.get("preferred_username") or claims.get("name") or ""
    return Identity(provider.issuer, str(claims["sub"]), str(name))


def failed(why: str) -> NotAllowed:
    """Builds a refusal that leads back to the form."""
    return NotAllowed(f"{why} Try again.", code=ErrorCode.SIGN_IN_FAILED)


def _claims(
    provider: Provider, pending: Pending, token: object, keys: dict[str, Any]
) -> dict[str, Any]:
    # Only installations with a provider need it.
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    wanted = jwt.JWTClaimsRegistry(
        leeway=LEEWAY_SECONDS,
        iss={"essential": True, "value": provider.issuer},
        aud={"essential": True, "value": provider.client_id},
        nonce={"essential": True, "value": pending.nonce},
        sub={"essential": True},
        exp={"essential": True},
    )
    try:
        known = KeySet.import_key_set(keys)  # type: ignore[arg-type]
    except (JoseError, ValueError, KeyError, TypeError, AttributeError):
        raise _unavailable() from None
    try:
        claims = jwt.decode(str(token), known, algorithms=ALGORITHMS).claims
        wanted.validate(claims)
    except (JoseError, ValueError, KeyError, TypeError, AttributeError):
        raise failed("The identity provider's answer cannot be trusted.") from None
    if claims.get("azp", provider.client_id) != provider.client_id:
        raise failed("The identity provider's answer is for somebody else.")
    return dict(claims)


def _asked(method: str, address: str, **arguments: Any) -> dict[str, Any]:
    try:
        return _fetched(method, address, **arguments)
    except FAILURES:
        raise _unavailable() from None


def _fetched(method: str, address: str, **arguments: Any) -> dict[str, Any]:
    """Fetches the JSON object at an address. Fails with one of `FAILURES`."""
    with httpx2.Client(timeout=PATIENCE_SECONDS, verify=_trusted()) as client:
        answer = client.request(method, address, **arguments)
        answer.raise_for_status()
        found = answer.json()
    if not isinstance(found, dict):
        raise ValueError("no JSON object")
    return found


def _reason(error: Exception) -> str:
    """Describes the failure in a few words."""
    if isinstance(error, httpx2.HTTPStatusError):
        return f"it answers {error.response.status_code}"
    if isinstance(error, httpx2.TimeoutException):
        return f"no answer within {PATIENCE_SECONDS:g} s"
    if isinstance(error, httpx2.HTTPError | httpx2.InvalidURL):
        return re.sub(r"^\[Errno -?\d+\] ", "", str(error)).rstrip(".") or type(error).__name__
    return "it answers with something else than a JSON object"


@cache
def _trusted() -> ssl.SSLContext:
    """Loads the trusted certificate authorities of this machine, which takes longer than a
    request."""
    return httpx2.create_ssl_context()


def _unavailable() -> Unavailable:
    return Unavailable(
        "The identity provider does not answer as it should. Sign in otherwise, or try again.",
        code=ErrorCode.IDENTITY_PROVIDER,
        retry_after=RETRY_SECONDS,
    )


def _signature(provider: Provider, text: str) -> str:
    key = hashlib.sha256(b"podium oidc " + provider.client_secret.encode()).digest()
    return _encoded(hmac.new(key, text.encode(), hashlib.sha256).digest())


def _encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")
