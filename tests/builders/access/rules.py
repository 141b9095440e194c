"""Expected statuses: the table of operations and roles.

A line holds a method, a path below `/api/v1` (with two slashes: from the root), and the status of a
good request by an anonymous visitor, a stranger, a member of the team that the object belongs to, a
member of another team, an organizer of another competition, an organizer, the administrator.
"""

from __future__ import annotations

REFUSED = (401, 403, 404)
"""Refusals for lack of identity or of rights."""


def table(text: str) -> dict[str, tuple[int, ...]]:
    rows = {}
    for line in text.strip().splitlines():
        method, path, *statuses = line.split()
        address = path.removeprefix("/") if path.startswith("//") else f"/api/v1{path}"
        rows[f"{method} {address}"] = tuple(map(int, statuses))
        assert len(statuses) == 7, line
    return rows


OPEN = table("""
GET    /competitions 200 200 200 200 200 200 200
GET    /competitions/{slug} 200 200 200 200 200 200 200
GET    /competitions/{slug}/announcements 200 200 200 200 200 200 200
GET    /competitions/{slug}/charts 200 200 200 200 200 200 200
GET    /competitions/{slug}/commitments 200 200 200 200 200 200 200
GET    /competitions/{slug}/files 200 200 200 200 200 200 200
GET    /competitions/{slug}/files/{name} 200 200 200 200 200 200 200
GET    /competitions/{slug}/registration 401 200 200 200 200 200 200
GET    /competitions/{slug}/join-request 401 200 404 404 404 404 404
POST   /competitions/{slug}/join-request 401 409 409 409 409 409 409
DELETE /competitions/{slug}/join-request 401 204 404 404 404 404 404
GET    /competitions/{slug}/teams/invitation 200 200 200 200 200 200 200
GET    /competitions/{slug}/leaderboard 200 200 200 200 200 200 200
GET    /competitions/{slug}/leaderboard.csv 200 200 200 200 200 200 200
GET    /competitions/{slug}/rules 200 200 200 200 200 200 200
POST   /competitions/{slug}/rules/acceptance 401 200 200 200 200 200 200
GET    /competitions/{slug}/metric-file 404 404 404 404 404 404 404
GET    /competitions/{slug}/metric-files/{version}/source 404 404 404 404 404 404 404
GET    /competitions/{slug}/sample-submission 200 200 200 200 200 200 200
GET    /competitions/{slug}/statistics 404 404 404 404 404 404 404
GET    /competitions/{slug}/selection 401 403 200 200 403 403 403
PUT    /competitions/{slug}/selection 401 403 200 422 403 403 403
GET    /competitions/{slug}/submissions 401 200 200 200 200 200 200
POST   /competitions/{slug}/submissions 401 403 202 202 403 403 403
GET    /competitions/{slug}/team 401 404 200 200 404 404 404
PATCH  /competitions/{slug}/team 401 404 200 200 404 404 404
POST   /competitions/{slug}/team/invite-code 401 404 200 200 404 404 404
POST   /competitions/{slug}/team/leave 401 404 409 409 404 404 404
GET    /competitions/{slug}/team/merge-requests 401 404 200 200 404 404 404
POST   /competitions/{slug}/team/merge-requests 401 404 201 422 404 404 404
POST   /competitions/{slug}/team/merge-requests/{request_id}/accept 401 404 200 404 404 404 404
POST   /competitions/{slug}/team/merge-requests/{request_id}/decline 401 404 200 404 404 404 404
POST   /competitions/{slug}/team/merge-requests/{request_id}/withdraw 401 404 404 200 404 404 404
POST   /competitions/{slug}/teams 401 201 409 409 201 201 201
POST   /competitions/{slug}/teams/join 401 200 409 409 200 200 200
POST   /forgot-password 403 403 403 403 403 403 403
GET    /links/{code} 200 200 200 200 200 200 200
POST   /links/{code} 200 200 409 409 200 200 200
GET    /mail-links/{code} 200 200 200 200 200 200 200
POST   /mail-links/{code} 201 201 201 201 201 201 201
DELETE /me 401 204 204 204 204 204 409
GET    /me 401 200 200 200 200 200 200
PUT    /me/password 401 204 204 204 204 204 204
GET    /me/sessions 401 200 200 200 200 200 200
DELETE /me/sessions/{session_id} 401 404 204 404 404 404 404
GET    /me/tokens 401 200 200 200 200 200 200
POST   /me/tokens 401 201 201 201 201 201 201
DELETE /me/tokens/{token_id} 401 404 204 404 404 404 404
GET    /metrics 200 200 200 200 200 200 200
GET    /presets 200 200 200 200 200 200 200
POST   /sign-in 200 200 200 200 200 200 200
GET    /sign-up 200 200 200 200 200 200 200
POST   /sign-up 403 403 403 403 403 403 403
POST   /sign-up/mail 403 403 403 403 403 403 403
POST   /sign-up/requests 403 403 403 403 403 403 403
GET    /sign-up/requests/{code} 200 200 200 200 200 200 200
GET    /signing-key 200 200 200 200 200 200 200
GET    /submissions/{submission_id} 401 404 200 404 404 200 200
POST   /submissions/{submission_id}/cancel 401 404 200 404 404 200 200
GET    /submissions/{submission_id}/events 401 404 200 404 404 200 200
GET    /submissions/{submission_id}/file 401 404 200 404 404 200 200
GET    /submissions/{submission_id}/receipt 401 404 200 404 404 200 200
GET    /submissions/{submission_id}/segments 401 404 404 404 404 200 200
GET    /uploads 401 200 200 200 200 200 200
OPTIONS /uploads 204 204 204 204 204 204 204
POST   /uploads 401 403 201 201 201 201 201
DELETE /uploads/{upload_id} 401 404 204 404 404 404 404
GET    /uploads/{upload_id} 401 404 200 404 404 404 404
PATCH  /uploads/{upload_id} 401 404 204 404 404 404 404
GET    /admin/audit 401 404 404 404 404 200 200
POST   /admin/competitions 401 403 403 403 201 201 201
POST   /admin/competitions/import 401 403 403 403 403 403 422
PATCH  /admin/competitions/{slug} 401 404 404 404 404 200 200
DELETE /admin/competitions/{slug} 401 404 404 404 404 409 409
GET    /admin/competitions/{slug}/activity 401 404 404 404 404 200 200
GET    /admin/competitions/{slug}/alerts 401 404 404 404 404 200 200
POST   /admin/competitions/{slug}/alerts/looks 401 404 404 404 404 204 204
POST   /admin/competitions/{slug}/announcements 401 404 404 404 404 201 201
DELETE /admin/competitions/{slug}/announcements/{announcement_id} 401 404 404 404 404 204 204
PATCH  /admin/competitions/{slug}/announcements/{announcement_id} 401 404 404 404 404 200 200
POST   /admin/competitions/{slug}/baselines 401 404 404 404 404 201 201
POST   /admin/competitions/{slug}/close 401 404 404 404 404 200 200
GET    /admin/competitions/{slug}/comparison 401 404 404 404 404 200 200
GET    /admin/competitions/{slug}/export 401 404 404 404 404 200 200
PUT    /admin/competitions/{slug}/files/{name} 401 404 404 404 404 200 200
DELETE /admin/competitions/{slug}/files/{name} 401 404 404 404 404 204 204
GET    /admin/competitions/{slug}/finale 401 404 404 404 404 200 200
POST   /admin/competitions/{slug}/freeze 401 404 404 404 404 200 200
GET    /admin/competitions/{slug}/ground-truth 401 404 404 404 404 200 200
POST   /admin/competitions/{slug}/ground-truth 401 404 404 404 404 200 200
POST   /admin/competitions/{slug}/raw-sessions 401 404 404 404 404 409 409
POST   /admin/competitions/{slug}/interactions 401 404 404 404 404 409 409
GET    /admin/competitions/{slug}/ground-truth/{version} 401 404 404 404 404 200 200
POST   /admin/competitions/{slug}/ground-truth/{version}/read 401 404 404 404 404 200 200
DELETE /admin/competitions/{slug}/items 401 404 404 404 404 409 409
GET    /admin/competitions/{slug}/people.csv 401 404 404 404 404 200 200
GET    /admin/competitions/{slug}/items 401 404 404 404 404 200 200
PUT    /admin/competitions/{slug}/items 401 404 404 404 404 409 409
GET    /admin/competitions/{slug}/metric-files 401 404 404 404 404 200 200
POST   /admin/competitions/{slug}/metric-files 401 404 404 404 404 409 409
GET    /admin/competitions/{slug}/metric-files/{version} 401 404 404 404 404 404 404
GET    /admin/competitions/{slug}/metric-files/{version}/diff 401 404 404 404 404 404 404
POST   /admin/competitions/{slug}/metric-files/{version}/trial 401 404 404 404 404 404 404
GET    /admin/competitions/{slug}/launch 401 404 404 404 404 409 409
GET    /admin/competitions/{slug}/join-requests 401 404 404 404 404 200 200
POST   /admin/competitions/{slug}/launch 401 404 404 404 404 409 409
POST   /admin/competitions/{slug}/organizers 401 404 404 404 404 201 201
DELETE /admin/competitions/{slug}/organizers/{user_id} 401 404 404 404 404 204 204
PUT    /admin/competitions/{slug}/published-ids 401 404 404 404 404 409 409
GET    /admin/competitions/{slug}/rejudgings 401 404 404 404 404 200 200
POST   /admin/competitions/{slug}/rejudgings 401 404 404 404 404 409 409
POST   /admin/competitions/{slug}/reopen 401 404 404 404 404 409 409
POST   /admin/competitions/{slug}/resume-judging 401 404 404 404 404 409 409
POST   /admin/competitions/{slug}/reveal 401 404 404 404 404 409 409
GET    /admin/competitions/{slug}/rules/acceptances 401 404 404 404 404 200 200
DELETE /admin/competitions/{slug}/sessions 401 404 404 404 404 204 204
GET    /admin/competitions/{slug}/sessions 401 404 404 404 404 200 200
PUT    /admin/competitions/{slug}/sessions 401 404 404 404 404 200 200
GET    /admin/competitions/{slug}/settings.yaml 401 404 404 404 404 200 200
GET    /admin/competitions/{slug}/similarity 401 404 404 404 404 200 200
GET    /admin/competitions/{slug}/submissions 401 404 404 404 404 200 200
GET    /admin/competitions/{slug}/teams 401 404 404 404 404 200 200
POST   /admin/competitions/{slug}/teams 401 404 404 404 404 201 201
POST   /admin/competitions/{slug}/unfreeze 401 404 404 404 404 409 409
GET    /admin/invites 401 403 403 403 200 200 200
POST   /admin/invites 401 403 403 403 404 201 201
GET    /admin/invites/{link_id} 401 403 403 403 404 200 200
POST   /admin/join-requests/{request_id}/approve 401 404 404 404 404 200 200
POST   /admin/join-requests/{request_id}/decline 401 404 404 404 404 200 200
POST   /admin/roster 401 403 403 403 404 201 201
POST   /admin/roster/preview 401 403 403 403 404 200 200
GET    /admin/sign-up/requests 401 403 403 403 200 200 200
POST   /admin/sign-up/requests/{request_id}/approve 401 403 403 403 200 200 200
POST   /admin/sign-up/requests/{request_id}/decline 401 403 403 403 204 204 204
POST   /admin/invites/{link_id}/replacement 401 403 403 403 404 201 201
DELETE /admin/invites/{link_id} 401 403 403 403 404 204 204
GET    /admin/rejudgings/{rejudging_id} 401 404 404 404 404 200 200
POST   /admin/rejudgings/{rejudging_id}/apply 401 404 404 404 404 200 200
POST   /admin/rejudgings/{rejudging_id}/cancel 401 404 404 404 404 200 200
GET    /admin/server 401 403 403 403 403 403 200
POST   /admin/signing-key 401 403 403 403 403 403 200
POST   /admin/submissions/{submission_id}/cancel 401 404 404 404 404 200 200
POST   /admin/submissions/{submission_id}/disqualify 401 404 404 404 404 200 200
POST   /admin/submissions/{submission_id}/reinstate 401 404 404 404 404 409 409
POST   /admin/submissions/{submission_id}/return-slot 401 404 404 404 404 409 409
GET    /admin/submissions/{submission_id}/segments 401 404 404 404 404 200 200
GET    /admin/teams/{team_id} 401 404 404 404 404 200 200
PATCH  /admin/teams/{team_id} 401 404 404 404 404 200 200
POST   /admin/teams/{team_id}/disqualify 401 404 404 404 404 200 200
POST   /admin/teams/{team_id}/merge 401 404 404 404 404 200 200
POST   /admin/teams/{team_id}/put-member 401 404 404 404 404 200 200
POST   /admin/teams/{team_id}/reinstate 401 404 404 404 404 409 409
POST   /admin/teams/{team_id}/remove-member 401 404 404 404 404 200 200
GET    /admin/users 401 403 403 403 200 200 200
POST   /admin/users 401 403 403 403 201 201 201
DELETE /admin/users/{user_id} 401 403 403 403 403 403 204
GET    /admin/users/{user_id} 401 403 403 403 200 200 200
PATCH  /admin/users/{user_id} 401 403 403 403 403 403 200
POST   /admin/users/{user_id}/reset-link 401 403 403 403 403 403 201
GET    //healthz 200 200 200 200 200 200 200
GET    //metrics 401 403 403 403 403 403 200
GET    //readyz 200 200 200 200 200 200 200
""")
"""While the competition is open."""

_ENDED = table("""
PUT    /competitions/{slug}/selection 401 403 409 409 403 403 403
POST   /competitions/{slug}/submissions 401 403 409 409 403 403 403
PATCH  /competitions/{slug}/team 401 404 409 409 404 404 404
POST   /competitions/{slug}/team/merge-requests 401 404 409 409 404 404 404
POST   /competitions/{slug}/team/merge-requests/{request_id}/accept 401 404 409 404 404 404 404
POST   /competitions/{slug}/teams 401 409 409 409 409 409 409
POST   /competitions/{slug}/teams/join 401 409 409 409 409 409 409
POST   /links/{code} 409 409 409 409 409 409 409
POST   /admin/roster 401 403 403 403 404 409 409
POST   /admin/roster/preview 401 403 403 403 404 409 409
POST   /submissions/{submission_id}/cancel 401 404 409 404 404 409 409
POST   /admin/competitions/{slug}/baselines 401 404 404 404 404 409 409
POST   /admin/competitions/{slug}/close 401 404 404 404 404 409 409
POST   /admin/competitions/{slug}/freeze 401 404 404 404 404 409 409
POST   /admin/competitions/{slug}/teams 401 404 404 404 404 409 409
POST   /admin/submissions/{submission_id}/cancel 401 404 404 404 404 409 409
""")

LATER = {
    "frozen": table("""
POST   /submissions/{submission_id}/cancel 401 404 409 404 404 409 409
POST   /admin/competitions/{slug}/freeze 401 404 404 404 404 409 409
POST   /admin/competitions/{slug}/unfreeze 401 404 404 404 404 200 200
POST   /admin/submissions/{submission_id}/cancel 401 404 404 404 404 409 409
"""),
    "closed": _ENDED
    | table("""
POST   /admin/competitions/{slug}/reopen 401 404 404 404 404 200 200
POST   /admin/competitions/{slug}/reveal 401 404 404 404 404 200 200
"""),
    "revealed": _ENDED
    | table("""
GET    /submissions/{submission_id}/segments 401 404 200 404 404 200 200
GET    /admin/competitions/{slug}/finale 401 404 404 404 404 409 409
POST   /admin/teams/{team_id}/merge 401 404 404 404 404 409 409
"""),
}
"""The lines that differ in later phases. Nothing waits to be judged any more."""

PAGES = table("""
GET    // 200 200 200 200 200 200 200
GET    //account 200 200 200 200 200 200 200
GET    //competitions 200 200 200 200 200 200 200
POST   //account 400 400 400 400 400 400 400
GET    //competitions/{slug} 200 200 200 200 200 200 200
GET    //competitions/{slug}/announcements 200 200 200 200 200 200 200
GET    //competitions/{slug}/finale 404 404 404 404 404 404 404
GET    //competitions/{slug}/finale.svg 404 404 404 404 404 404 404
GET    //competitions/{slug}/charts 200 200 200 200 200 200 200
GET    //competitions/{slug}/comparison 200 200 200 200 200 200 200
GET    //competitions/{slug}/metric 404 404 404 404 404 404 404
GET    //competitions/{slug}/data 200 200 200 200 200 200 200
GET    //competitions/{slug}/data/statistics 404 404 404 404 404 404 404
GET    //competitions/{slug}/leaderboard 200 200 200 200 200 200 200
GET    //competitions/{slug}/rules 200 200 200 200 200 200 200
POST   //competitions/{slug}/rules 200 409 409 409 409 409 409
GET    //competitions/{slug}/submissions 200 200 200 200 200 200 200
POST   //competitions/{slug}/submissions/finals 200 403 200 200 403 403 403
POST   //competitions/{slug}/submissions/{submission_id}/final 200 404 200 404 404 403 403
GET    //competitions/{slug}/submissions/{submission_id} 200 404 200 404 404 200 200
POST   //competitions/{slug}/submissions/{submission_id}/cancel 200 404 409 404 404 409 409
GET    //competitions/{slug}/submit 200 200 200 200 200 200 200
POST   //competitions/{slug}/submit 200 403 200 200 403 403 403
POST   //competitions/{slug}/submit/discard/{upload_id} 200 404 200 404 404 404 404
GET    //competitions/{slug}/team 200 200 200 200 200 200 200
POST   //competitions/{slug}/team 400 400 400 400 400 400 400
GET    //competitions/{slug}/announcements.atom 200 200 200 200 200 200 200
GET    //docs 200 200 200 200 200 200 200
GET    //forgot-password 404 404 404 404 404 404 404
POST   //forgot-password 404 404 404 404 404 404 404
GET    //forgot-password/sent 404 404 404 404 404 404 404
GET    //help/metrics 200 200 200 200 200 200 200
GET    //help/metrics/{name} 404 404 404 404 404 404 404
GET    //links/{code} 200 200 200 200 200 200 200
POST   //links/{code} 422 403 409 409 403 200 404
GET    //mail-links/{code} 404 404 404 404 404 404 404
POST   //mail-links/{code} 404 404 404 404 404 404 404
GET    //openapi.json 200 200 200 200 200 200 200
GET    //problems 200 200 200 200 200 200 200
GET    //problems/{code} 404 404 404 404 404 404 404
GET    //sign-in 200 200 200 200 200 200 200
GET    //sign-in/elsewhere 404 404 404 404 404 404 404
POST   //sign-in/elsewhere 200 404 404 404 404 404 404
GET    //sign-in/elsewhere/back 404 404 404 404 404 404 404
GET    //sign-up 404 200 200 200 200 200 200
GET    //sign-up/sent 403 403 403 403 403 403 403
POST   //sign-up 404 404 404 404 404 404 404
GET    //sign-up/requests/{code} 404 404 404 404 404 404 404
POST   //sign-in 401 401 401 401 401 401 401
POST   //sign-out 200 200 200 200 200 200 200
GET    //static/{release}/{name} 200 200 200 200 200 200 200
GET    //redoc 200 200 200 200 200 200 200
GET    //static-offline-docs 404 404 404 404 404 404 404
GET    //static/{name} 200 200 200 200 200 200 200
""")
"""Pages, which the description leaves out, with an empty form where one is sent. An anonymous
visitor is led to sign in, and sees that page."""
