"""`podium doctor`: checks what an installation needs to run, and reports what is missing."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from podium.cli.outcome import Exit, complain
from podium.cli.printing import AsJson, print_outcome


def doctor(
    health: Annotated[
        bool,
        typer.Option(
            "--health",
            help="Only ask the running server, as health checks do: that at PODIUM_URL, or at"
            " http://127.0.0.1:8000.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check the database, storage, disk, workers, clock, sandbox, mail server and identity
    provider.

    Exit code 4 if this installation cannot accept and judge submissions.
    """
    if health:
        facts, failures = _server()
    else:
        from podium.cli.operator.installation import look_at_installation

        facts, failures = look_at_installation()
    document = {"ok": not failures, "facts": facts, "failures": failures}
    print_outcome(document, facts, as_json=as_json)
    for failure in failures:
        complain(failure)
    if failures:
        raise typer.Exit(Exit.SERVER)


def _server() -> tuple[dict[str, str], list[str]]:
    """Asks the server whether it is up; returns its facts and failures. Uses only the standard
    library, because it runs every few seconds."""
    import http.client
    import urllib.request

    address = os.environ.get("PODIUM_URL", "http://127.0.0.1:8000").rstrip("/") + "/healthz"
    try:
        with urllib.request.urlopen(address, timeout=5):  # noqa: S310 - the operator's own address
            return {"server": f"{address} answers"}, []
    except ValueError:
        wrong = f"PODIUM_URL is not an address of a server: {address.removesuffix('/healthz')!r}."
        return {"server": "no answer"}, [f"{wrong} Set it to one like http://127.0.0.1:8000."]
    except (OSError, http.client.HTTPException) as failure:
        why = getattr(failure, "reason", failure)
        return {"server": "no answer"}, [
            f"Nothing answers at {address} ({getattr(why, 'strerror', None) or why}). Start the"
            " server, or set PODIUM_URL to its address."
        ]
