"""The look of the page to submit at files, by the scripts that a browser runs."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.builders.page import Page
from tests.places import ROOT

SCRIPT = ROOT / "app/podium/submissions/static/submit_check.js"


def facts_in(page: str) -> dict[str, str]:
    """The dataset of the form, as scripts see it."""
    (form,) = [attrs for _, attrs in Page(page).tags if attrs.get("id") == "submit-form"]
    found = {}
    for name, value in form.items():
        if name.startswith("data-"):
            first, *others = name.removeprefix("data-").split("-")
            found[first + "".join(map(str.title, others))] = value or ""
    return found


def looked_at(
    node: str, files: Sequence[tuple[dict[str, str], bytes]], folder: Path
) -> list[list[dict[str, Any]]]:
    """The problems that are seen in each file."""
    # Node takes the files of a folder for modules where a package.json there says so.
    for script in SCRIPT.parent.glob("submit_*.js"):
        (folder / script.name).write_bytes(script.read_bytes())
    (folder / "package.json").write_text('{"type": "module"}')
    given = [
        {"facts": facts, "bytes": base64.b64encode(content).decode()} for facts, content in files
    ]
    done = subprocess.run(
        [node, str(Path(__file__).with_name("look.mjs")), str(folder / SCRIPT.name)],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    found: list[list[dict[str, Any]]] = json.loads(done.stdout)
    return found
