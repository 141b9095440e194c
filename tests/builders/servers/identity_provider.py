"""A small OpenID provider that serves HTTP: every visitor is recognized as the `person` it knows.

It checks what a strict one checks (client, secret, redirect, PKCE, codes that work once), and can
be told to lie, for those who must not believe it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLIENT, SECRET = "podium", "the secret of podium"


@dataclass
class Provider:
    """The state of the provider. `claims` replaces claims of the next tokens; None leaves one out.
    `says` does the same with its discovery document, `keys` with its keys."""

    issuer: str = ""
    person: dict[str, Any] = field(default_factory=lambda: {"sub": "1", "name": "Ada"})
    claims: dict[str, Any] = field(default_factory=dict)
    says: dict[str, Any] = field(default_factory=dict)
    keys: Any = None
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one"}))
    signs_with: RSAKey | None = None
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def described(self) -> dict[str, Any]:
        """The discovery document."""
        document = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            **self.says,
        }
        return {name: value for name, value in document.items() if value is not None}

    def authorized(self, query: dict[str, str]) -> str:
        """The address to which a recognized user is sent back."""
        assert query["client_id"] == CLIENT
        assert query["response_type"] == "code"
        assert query["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self.codes[code] = query
        back = {"code": code, "state": query["state"]}
        return f"{query['redirect_uri']}?{urlencode(back)}"

    def tokens(self, form: dict[str, str], authorization: str) -> dict[str, str] | None:
        """The answer to a good request for tokens."""
        asked = self.codes.pop(form["code"], None)
        expected = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if (
            asked is None
            or authorization != f"Basic {expected}"
            or challenge != asked["code_challenge"]
            or form["redirect_uri"] != asked["redirect_uri"]
        ):
            return None
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            **self.person,
            **self.claims,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        header = {"alg": "RS256", "kid": "one"}
        token = jwt.encode(header, claims, self.signs_with or self.key)
        return {"access_token": "x", "token_type": "Bearer", "id_token": token}


@contextmanager
def running() -> Iterator[Provider]:
    """A provider on a free port of this machine."""
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path == "/authorize":
                self.send_response(302)
                self.send_header("Location", provider.authorized(dict(parse_qsl(parts.query))))
                self.end_headers()
            elif parts.path == "/keys":
                known = KeySet([provider.key]).as_dict(private=False)
                self._json(known if provider.keys is None else provider.keys)
            else:
                self._json(provider.described())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            tokens = provider.tokens(form, self.headers.get("Authorization", ""))
            self._json(tokens or {"error": "invalid_grant"}, 200 if tokens else 400)

        def _json(self, document: Any, status: int = 200) -> None:
            content = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments: Any) -> None:
            """Nothing is written to the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
