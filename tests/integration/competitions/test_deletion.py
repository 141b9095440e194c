"""The deletion of a draft, on both databases."""

from __future__ import annotations

from podium.competitions.service import competitions
from podium.core.database.engine import Database, database_now
from podium.core.models import Competition, Membership, MergeRequest, Team
from tests.builders.rows import add_competition, add_team, add_user


def test_rows_of_a_draft_go_with_it_and_others_stay(database: Database) -> None:
    with database.write() as session:
        draft, other = add_competition(session), add_competition(session, slug="other")
        administrator = add_user(session, is_administrator=True)
        one, _ = add_team(session, draft, "One")
        two, _ = add_team(session, draft, "Two")
        kept, _ = add_team(session, other, "Kept")
        wish = MergeRequest(from_team_id=one.id, to_team_id=two.id, status="pending")
        wish.created_at, wish.created_by = database_now(session), administrator.user_id
        session.add(wish)
        draft.launched_at = None
    with database.write() as session:
        competitions.delete_draft(session, actor=administrator, slug="otto")
    with database.read() as session:
        assert [each.slug for each in session.query(Competition)] == ["other"]
        assert [each.id for each in session.query(Team)] == [kept.id]
        assert {each.team_id for each in session.query(Membership)} == {kept.id}
        assert session.query(MergeRequest).count() == 0
