"""The page `/docs` in a browser, and its commands in a shell."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Request

from podium.client import Podium
from tests.builders.processes.browser import NoBrowser, chromium
from tests.builders.processes.serving import ADMIN_TOKEN
from tests.system.clients.conftest import Served

pytestmark = pytest.mark.xdist_group("clients")


def test_a_token_that_authorize_was_given_is_sent(served: Served) -> None:
    url, token, asked = served.installation.url, served.token("docs"), list[str]()

    def look(request: Request) -> None:
        asked.append(request.url)

    try:
        with chromium() as browser:
            page = browser.new_page()
            page.on("request", look)
            page.goto(f"{url}/docs")
            page.locator("button.authorize").first.click()
            page.locator(".auth-container input").first.fill(f"Bearer {token}")
            page.locator(".auth-btn-wrapper button.authorize").first.click()
            page.locator(".auth-btn-wrapper button.btn-done").first.click()
            page.get_by_label("Find operations").fill("getMe")
            page.click("#operations-accounts-getMe .opblock-summary-control")
            page.click("#operations-accounts-getMe .try-out__btn")
            page.click("#operations-accounts-getMe .execute")
            answer = page.locator("#operations-accounts-getMe .live-responses-table tbody")
            assert '"name": "docs"' in answer.inner_text()
    except NoBrowser as lacking:
        pytest.skip(str(lacking))
    # Every request stays on this machine.
    assert [one for one in asked if not one.startswith((url, "data:", "blob:"))] == []


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_commands_of_the_introduction_work_as_they_stand(
    served: Served, tmp_path: Path
) -> None:
    described: Any = json.loads(served.description.read_text())
    blocks = re.findall(r"```sh\n(.*?)```", described["info"]["description"], re.DOTALL)
    token = served.token("curl")
    shutil.copy(served.file, tmp_path / "submission.csv")
    exports = "export URL=https://podium.example TOKEN=…\n"
    organizing = [block for block in blocks if block.startswith("ADMIN=")]
    script = "\n".join(block for block in blocks if block not in organizing)
    assert exports in script
    script = script.replace(exports, "").replace("/otto/", "/shop/")
    with Podium(served.installation.url, token) as podium:
        podium.create_team("shop", "Team Curl")
        ran = subprocess.run(
            [
                "bash",
                "-euo",
                "pipefail",
                "-c",
                script.replace("curl ", "curl --fail-with-body -s "),
            ],
            cwd=tmp_path,
            env={"PATH": "/usr/bin:/bin", "URL": served.installation.url, "TOKEN": token},
            capture_output=True,
            text=True,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        sent = [(one["filename"], one["note"]) for one in podium.submissions("shop")]
    assert (len(blocks), len(organizing)) == (7, 1)
    assert sent == [("submission.csv", "v3")] * 3


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_commands_of_organizers_lead_to_the_reveal(served: Served, tmp_path: Path) -> None:
    described: Any = json.loads(served.description.read_text())
    blocks = re.findall(r"```sh\n(.*?)```", described["info"]["description"], re.DOTALL)
    [script] = [block for block in blocks if block.startswith("ADMIN=")]
    labels = {"clicks": 7, "carts": [7, 9], "orders": [9]}
    lines = [json.dumps({"session": number, "labels": labels}) for number in range(200)]
    (tmp_path / "labels.jsonl").write_text("\n".join(lines))
    ran = subprocess.run(
        ["bash", "-euc", script.replace("shop", "store").replace("curl ", "curl -fsS ")],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "URL": served.installation.url, "TOKEN": ADMIN_TOKEN},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    with served.installation.organizer() as organizer:
        assert organizer.competition("store")["phase"] == "revealed"


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_commands_after_a_cut_send_the_rest(served: Served, tmp_path: Path) -> None:
    described: Any = json.loads(served.description.read_text())
    blocks = re.findall(r"```sh\n(.*?)```", described["info"]["description"], re.DOTALL)
    [begin] = [block for block in blocks if block.startswith("LOCATION=")]
    [resume] = [block for block in blocks if block.startswith("OFFSET=")]
    token = served.token("cut")
    with Podium(served.installation.url, token) as podium:
        podium.create_team("shop", "Team Cut")
    file = tmp_path / "submission.csv"
    shutil.copy(served.file, file)
    # All but the last bytes arrive, and then the connection is cut.
    half = "head -c 100 submission.csv | curl --fail-with-body --data-binary @- "
    cut = begin.replace("curl -H", half + "-H").replace(" -T submission.csv", "")
    assert file.stat().st_size > 100
    look = 'curl -sI -H "Authorization: Bearer $TOKEN" $URL$LOCATION'
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"{cut}\n{look}\n{resume}\n{look}\n{resume}"],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "URL": served.installation.url, "TOKEN": token},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    arrived = [int(found) for found in re.findall(r"(?i)^upload-offset: (\d+)", ran.stdout, re.M)]
    assert (arrived[0], arrived[-1]) == (100, file.stat().st_size), ran.stdout
