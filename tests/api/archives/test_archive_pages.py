"""The pages where a competition is taken out, and in."""

from __future__ import annotations

from typing import Any

from tests.builders.organizer import Organizer
from tests.builders.page import HERE
from tests.builders.site import Site


def test_a_competition_is_restored_from_its_archive(site: Site, olga: Organizer) -> None:
    slug = olga.launched()
    admin = site.browser(site.installation.admin)
    assert (
        f"/admin/competitions/{slug}/export?full=true"
        in admin.get(f"/organize/{slug}/archive").text
    )
    archive = site.installation.admin.get(
        f"/admin/competitions/{slug}/export", params={"full": "true"}
    )

    def restore(content: bytes) -> Any:
        return admin.client.post(
            "/server/import",
            data={"slug": f"{slug}-2", "people": "same"},
            files={"file": ("a.zip", content)},
            headers={"Origin": HERE},
        )

    refused = restore(archive.content[:-100])
    assert refused.status_code == 422
    assert 'role="alert"' in refused.text
    done = restore(archive.content)
    assert done.headers["location"] == f"/organize/{slug}-2?done=competition-imported"
    assert site.installation.admin.get(f"/competitions/{slug}-2").json()["phase"] == "open"
