"""Foreign tracing in the same process learns no address, which may be a secret."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.places import ROOT

SECRET = "m0st-secret-0f-all-c0des-that-pe0ple-are-sent"


def test_nothing_that_a_global_provider_exports_holds_a_secret_address(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "tests.system.operating.watching.traced_requests"]
    ended = subprocess.run(
        [*program, str(tmp_path / "data"), SECRET],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("OTEL_")}
        | {"FASTAPI_OTEL_AUTO_CONFIGURE": "true"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
    assert "a span of the operator's" in ended.stdout
    assert SECRET not in ended.stdout
    assert "/links/" not in ended.stdout
