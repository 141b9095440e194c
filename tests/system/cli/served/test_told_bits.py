"""The list of `podium teams` with the bits that a board has told, and the limit on them."""

from __future__ import annotations

from pathlib import Path

from tests.builders.processes.commands import Person
from tests.builders.processes.serving import Installation, launch, serving, submission


def test_what_a_team_was_told_is_listed_and_limited(person: Person, tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir()
    with serving(folder) as server:
        with server.organizer() as organizer:
            launch(organizer, "shop", folder)
        file = folder / "good.csv"
        file.write_text(submission(clicks="3"))
        _listed_and_limited(person, server, file)


def _listed_and_limited(person: Person, server: Installation, file: Path) -> None:
    here = server.as_administrator
    with server.organizer() as organizer:
        token = organizer.create_user("bob")["token"]
    bob = {"PODIUM_URL": server.url, "PODIUM_TOKEN": token}
    assert person.types("team", "create", "Bob", "-c", "shop", **bob).code == 0
    assert person.types("submit", "shop", "-f", file, "--wait", **bob).code == 0
    ran = person.types("teams", "shop", "--json", **here)
    assert ran.code == 0, ran.err
    # Of the public labels 0 to 2, 0 to 4 and 0 to 2 can be hit: log2 of 45 is 5.5.
    told = {team["name"]: (team["told_bits"], team["public_rows"]) for team in ran.document}
    assert told == {"Bob": (6, 6)}
    assert person.types("teams", "shop", **here).out.splitlines()[-1].split()[-2:] == ["6", "6"]
    changed = person.types("settings", "shop", "--change", '{"leak_limit": 6}', **here)
    assert changed.code == 0, changed.err
    for command in (("limits", "shop"), ("submit", "shop", "-f", file)):
        refused = person.types(*command, **bob)
        assert refused.code == 6, refused.err
        assert "told your team 6 bits of the public split" in refused.err
