"""Everything that the API can do can be done on a page: an operation without one fails here."""

from __future__ import annotations

import re
from typing import Any

from podium.accounts.pages import administration
from podium.competitions.pages import announcements, dashboard
from podium.http.pages.acts import FormAction
from podium.http.pages.flash import DONE
from podium.materials.pages import ground_truth, uploads
from podium.operations.pages import administration as operation_pages
from podium.rejudging import pages as rejudging_pages
from podium.submissions.pages import organizing as organizing_submissions
from podium.teams.pages import links, people
from podium.teams.pages import organizing as organizing_teams
from tests.builders.access.operations import undescribed
from tests.builders.site import Site

C, DASHBOARD = "/competitions/{slug}", "/organize/{slug}"
ACCOUNT = "/organizers/accounts/{user_id}"

PAGES = {
    "acceptMerge": f"POST {C}/team",
    "acceptRules": f"POST {C}/rules",
    "addOrganizer": f"POST {DASHBOARD}/people/organizers",
    "appendToUpload": f"GET {C}/submit",
    "applyRejudging": f"POST {DASHBOARD}/rejudgings/{{rejudging_id}}/{{name}}",
    "approveAccountRequest": "POST /organizers/sign-ups/{request_id}/{name}",
    "approveJoinRequest": f"POST {DASHBOARD}/people/requests/{{request_id}}/{{name}}",
    "cancelOwnSubmission": f"POST {C}/submissions/{{submission_id}}/cancel",
    "cancelRejudging": f"POST {DASHBOARD}/rejudgings/{{rejudging_id}}/{{name}}",
    "cancelSubmission": f"POST {DASHBOARD}/submissions/{{submission_id}}/{{name}}",
    "changeAnnouncement": f"POST {DASHBOARD}/announcements/{{announcement_id}}/{{name}}",
    "changeCompetition": f"POST {DASHBOARD}/settings",
    "changeTeam": f"POST {DASHBOARD}/teams/{{team_id}}/{{name}}",
    "changeUser": f"POST {ACCOUNT}/{{name}}",
    "checkLaunch": f"GET {DASHBOARD}",
    "closeCompetition": f"POST {DASHBOARD}/acts/{{name}}",
    "compareSubmissions": f"GET {C}/comparison",
    "compareMetricFiles": f"GET {DASHBOARD}/metric/{{version}}",
    "createAnnouncement": f"POST {DASHBOARD}/announcements",
    "createCompetition": "POST /organizers/new",
    "createInvite": f"POST {DASHBOARD}/people/links",
    "createResetLink": f"POST {ACCOUNT}/reset-link",
    "createTeam": f"POST {C}/team",
    "createToken": "POST /account",
    "createUser": "POST /organizers/accounts",
    "declineAccountRequest": "POST /organizers/sign-ups/{request_id}/{name}",
    "declineJoinRequest": f"POST {DASHBOARD}/people/requests/{{request_id}}/{{name}}",
    "declineMerge": f"POST {C}/team",
    "deleteAnnouncement": f"POST {DASHBOARD}/announcements/{{announcement_id}}/{{name}}",
    "deleteCompetition": f"POST {DASHBOARD}/acts/{{name}}",
    "deleteFile": f"POST {DASHBOARD}/files/delete",
    "deleteItemFile": f"POST {DASHBOARD}/ground-truth/forget/{{kind}}",
    "deleteMe": "POST /account",
    "deleteSessionFile": f"POST {DASHBOARD}/ground-truth/forget/{{kind}}",
    "deleteUser": f"POST {ACCOUNT}/{{name}}",
    "discardUpload": f"POST {C}/submit/discard/{{upload_id}}",
    "disqualifySubmission": f"POST {DASHBOARD}/submissions/{{submission_id}}/{{name}}",
    "disqualifyTeam": f"POST {DASHBOARD}/teams/{{team_id}}/{{name}}",
    "downloadFile": f"GET {C}/data",
    "downloadMetricFile": f"GET {C}/metric",
    "downloadSampleSubmission": f"GET {C}/data",
    "downloadSubmission": f"GET {C}/submissions/{{submission_id}}",
    "endSession": "POST /account",
    "enterRoster": f"POST {DASHBOARD}/people/roster",
    "exportCompetition": f"GET {DASHBOARD}/archive",
    "followSubmission": f"GET {C}/submissions/{{submission_id}}",
    "freezeCompetition": f"POST {DASHBOARD}/acts/{{name}}",
    "getAccountRequest": "GET /sign-up/requests/{code}",
    "getActivity": f"GET {DASHBOARD}",
    "getCharts": f"GET {C}/charts",
    "getCommitments": f"GET {DASHBOARD}/integrity",
    "getCompetition": f"GET {C}",
    "getGroundTruth": f"GET {DASHBOARD}/ground-truth/{{version}}",
    "getMetricFile": f"GET {DASHBOARD}/metric/{{version}}",
    "getMetricInForce": f"GET {C}/metric",
    "getInvite": "GET /organizers/links/{link_id}",
    "getInvitation": f"GET {C}/team",
    "getItemFile": f"GET {DASHBOARD}/ground-truth",
    "getJoinRequest": f"GET {C}/team",
    "getLeaderboard": f"GET {C}/leaderboard",
    "getPeopleCsv": f"GET {DASHBOARD}/teams",
    "getLeaderboardCsv": f"GET {C}/leaderboard",
    "getLink": "GET /links/{code}",
    "getMe": "GET /account",
    "getOwnTeam": f"GET {C}/team",
    "getReceipt": f"GET {C}/submissions/{{submission_id}}",
    "getRejudging": f"GET {DASHBOARD}/rejudgings/{{rejudging_id}}",
    "getRegistration": f"GET {C}/team",
    "getRules": f"GET {C}/rules",
    "getSegments": f"GET {C}/submissions/{{submission_id}}/segments",
    "getSegmentsAsOrganizer": f"GET {DASHBOARD}/submissions/{{submission_id}}/segments",
    "getServer": "GET /server",
    "getSessionFile": f"GET {DASHBOARD}/ground-truth",
    "getSettingsFile": f"GET {DASHBOARD}/settings",
    "getSignUp": "GET /sign-up",
    "getSigningKeys": "GET /server",
    "getSubmission": f"GET {C}/submissions/{{submission_id}}",
    "getTeam": f"GET {DASHBOARD}/teams/{{team_id}}",
    "getUpload": f"GET {C}/submit",
    "getUser": f"GET {ACCOUNT}",
    "importCompetition": "POST /server/import",
    "joinTeam": f"POST {C}/team",
    "launchCompetition": f"POST {DASHBOARD}/acts/{{name}}",
    "leaveTeam": f"POST {C}/team",
    "listAcceptances": f"GET {DASHBOARD}/people",
    "listAccountRequests": "GET /organizers/sign-ups",
    "lookAtAlert": f"POST {DASHBOARD}/integrity/alerts",
    "listAlerts": f"GET {DASHBOARD}/integrity",
    "listAllSubmissions": f"GET {DASHBOARD}/submissions",
    "listAnnouncements": f"GET {C}/announcements",
    "listAudit": "GET /server/log",
    "listCompetitions": "GET /",
    "listFiles": f"GET {C}/data",
    "listGroundTruth": f"GET {DASHBOARD}/ground-truth",
    "listInvites": "GET /organizers/links",
    "listJoinRequests": f"GET {DASHBOARD}/people",
    "listMergeRequests": f"GET {C}/team",
    "listMetrics": "GET /organizers/metrics",
    "listOwnSubmissions": f"GET {C}/submissions",
    "listPresets": "GET /organizers/new/form",
    "listRejudgings": f"GET {DASHBOARD}/rejudgings",
    "listSessions": "GET /account",
    "listSimilarSubmissions": f"GET {DASHBOARD}/integrity",
    "listTeams": f"GET {DASHBOARD}/teams",
    "listTokens": "GET /account",
    "listUploads": f"GET {C}/submit",
    "listUsers": "GET /organizers/accounts",
    "makeBaseline": f"POST {DASHBOARD}/teams/new/{{kind}}",
    "makeTeam": f"POST {DASHBOARD}/teams/new/{{kind}}",
    "mergeTeams": f"POST {DASHBOARD}/teams/{{team_id}}/{{name}}",
    "previewFinale": f"GET {DASHBOARD}/finale",
    "previewRoster": f"POST {DASHBOARD}/people/roster",
    "putFile": f"POST {DASHBOARD}/uploads/{{kind}}",
    "putItemFile": f"POST {DASHBOARD}/uploads/{{kind}}",
    "putMember": f"POST {DASHBOARD}/teams/{{team_id}}/{{name}}",
    "putPublishedIds": f"POST {DASHBOARD}/uploads/{{kind}}",
    "putSessionFile": f"POST {DASHBOARD}/uploads/{{kind}}",
    "reinstateSubmission": f"POST {DASHBOARD}/submissions/{{submission_id}}/{{name}}",
    "returnSlot": f"POST {DASHBOARD}/submissions/{{submission_id}}/{{name}}",
    "reinstateTeam": f"POST {DASHBOARD}/teams/{{team_id}}/{{name}}",
    "removeMember": f"POST {DASHBOARD}/teams/{{team_id}}/{{name}}",
    "removeOrganizer": f"POST {DASHBOARD}/people/organizers/{{user_id}}/remove",
    "renameTeam": f"POST {C}/team",
    "renewInviteCode": f"POST {C}/team",
    "reopenCompetition": f"POST {DASHBOARD}/acts/{{name}}",
    "requestAccount": "POST /sign-up",
    "requestMerge": f"POST {C}/team",
    "requestToJoin": f"POST {C}/team",
    "resumeJudging": f"POST {DASHBOARD}/acts/{{name}}",
    "revealCompetition": f"POST {DASHBOARD}/acts/{{name}}",
    "replaceCard": "POST /organizers/links/{link_id}/card",
    "revokeInvite": "POST /organizers/links/{link_id}/revoke",
    "revokeToken": "POST /account",
    "rotateSigningKey": "POST /server/signing-key",
    "getStatistics": f"GET {C}/data/statistics",
    "getFinals": f"GET {C}/submissions",
    "selectFinals": f"POST {C}/submissions/finals",
    "setPassword": "POST /account",
    "signIn": "POST /sign-in",
    "signUp": "POST /sign-up",
    "startRejudging": f"POST {DASHBOARD}/rejudgings",
    "startUpload": "POST /organizers/new/upload",
    "submit": f"POST {C}/submit",
    "unfreezeCompetition": f"POST {DASHBOARD}/acts/{{name}}",
    "uploadGroundTruth": f"POST {DASHBOARD}/uploads/{{kind}}",
    "uploadMetricFile": f"POST {DASHBOARD}/metric",
    "listMetricFiles": f"GET {DASHBOARD}/metric",
    "tryMetricFile": f"POST {DASHBOARD}/metric/{{version}}/trial",
    "uploadInteractions": f"POST {DASHBOARD}/uploads/{{kind}}",
    "uploadRawSessions": f"POST {DASHBOARD}/uploads/{{kind}}",
    "signUpByMail": "POST /sign-up",
    "forgotPassword": "POST /forgot-password",
    "getMailLink": "GET /mail-links/{code}",
    "useMailLink": "POST /mail-links/{code}",
    "useLink": "POST /links/{code}",
    "withdrawJoinRequest": f"POST {C}/team",
    "withdrawMerge": f"POST {C}/team",
}
"""By operation: the page that shows it, or the form that asks for it. Pieces of uploads are sent by
the script of the page with the form."""

PAGELESS = {
    "describeUploads": "for clients of tus",
    "isAlive": "for machines",
    "isReady": "for machines; its reasons stand on the server's page",
    "getMetrics": "for machines; its numbers stand on the server's page",
    "readGroundTruthAgain": f"POST {DASHBOARD}/ground-truth/read-again",
}
"""Operations that need no page, and why."""

ACTS: tuple[dict[str, FormAction], ...] = (
    administration.ACTS,
    announcements.ACTS,
    dashboard.ACTS,
    ground_truth.ACTS,
    rejudging_pages.ACTS,
    organizing_submissions.ACTS,
    organizing_teams.ACTS,
    organizing_teams.MAKING,
)

SINGLE_ACTS = (
    announcements.SAY,
    links.REVOKE,
    people.ADD,
    people.REMOVE,
    operation_pages.ROTATE,
    organizing_submissions.REJUDGE,
)


def operations(site: Site) -> dict[str, str]:
    """Method and path of every operation, by its name."""
    paths: dict[str, Any] = site.installation.client.get("/openapi.json").json()["paths"]
    return {
        operation["operationId"]: f"{method.upper()} {path}"
        for path, methods in paths.items()
        for method, operation in methods.items()
    }


def test_every_operation_has_a_page_and_every_page_is_there(site: Site) -> None:
    assert operations(site).keys() ^ (PAGES.keys() | PAGELESS.keys()) == set()
    assert set(PAGES.values()) - undescribed(site.app) == set()


def test_every_form_asks_for_an_operation_that_there_is(site: Site) -> None:
    known = {re.sub(r"\{\w*\}", "{}", each) for each in operations(site).values()}
    asked = [act for table in ACTS for act in table.values()] + [*SINGLE_ACTS]
    asked_for = {f"{act.method} /api/v1{act.path}" for act in asked}
    asked_for |= {f"{each.method} /api/v1{each.path}" for each in uploads.UPLOADS.values()}
    assert asked_for - known == set()


def test_every_line_that_follows_a_form_is_written() -> None:
    lines = {act.done for table in ACTS for act in table.values()}
    lines |= {act.done for act in SINGLE_ACTS} | {each.done for each in uploads.UPLOADS.values()}
    assert lines - DONE.keys() == set()
