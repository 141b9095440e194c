"""`podium export`, `import` and `archive`, as an operator types them."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tests.builders.processes.commands import Person
from tests.builders.processes.serving import launch, serving


def test_a_competition_goes_from_one_installation_to_another(
    tmp_path: Path, person: Person
) -> None:
    here = {"PODIUM_DATA_DIR": str(tmp_path / "data"), "PODIUM_MIN_FREE_BYTES": "0"}
    there = {"PODIUM_DATA_DIR": "there", "PODIUM_MIN_FREE_BYTES": "0"}
    with serving(tmp_path) as installation:
        with installation.organizer() as organizer:
            launch(organizer, "small", tmp_path)
        slug = "small"
        plain = person.types("export", slug, "--to", "plain.zip", **here)
        assert plain.code == 0, plain.err
        full = person.types("export", slug, "--to", "full.zip", "--full", **here)
        assert full.code == 0, full.err
        early = person.types("archive", slug, "--to", "site", **here)
        assert early.code == 6, early.err
    assert (person.home / "full.zip").stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(person.home / "full.zip") as archive:
        assert "tables/teams.jsonl" in archive.namelist()
    again = person.types("export", slug, "--to", "full.zip", **here)
    assert (again.code, again.err) == (2, "full.zip exists already.\n")

    assert person.types("import", "full.zip", **there).code == 2
    assert person.types("migrate", **there).code == 0
    assert "was never started" in person.types("import", "full.zip", **there).err
    (tmp_path / "there").mkdir()
    with serving(tmp_path / "there"):
        there["PODIUM_DATA_DIR"] = str(tmp_path / "there" / "data")
    refused = person.types("import", "plain.zip", **there)
    assert (refused.code, refused.out) == (2, "")
    ran = person.types("import", "full.zip", "--slug", "moved", **there)
    assert (ran.code, ran.out) == (0, "moved\n"), ran.err
    assert person.types("import", "full.zip", "--people", "nobody", **there).code == 2
