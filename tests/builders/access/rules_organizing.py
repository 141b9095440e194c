"""Expected statuses of organizers' and the administrator's pages; see `rules.py`.

Anonymous visitors are led to sign in, which is 200 in the end. Forms are sent empty, and with a
name of an act that there is not.
"""

from __future__ import annotations

from tests.builders.access.rules import PAGES, table

ORGANIZING_PAGES = table("""
GET    //competitions/{slug}/submissions/{submission_id}/segments 200 404 404 404 404 200 200
GET    //organize 200 404 404 404 200 200 200
GET    //organize/{slug} 200 404 404 404 404 200 200
POST   //organize/{slug}/acts/{name} 404 404 404 404 404 404 404
GET    //organize/{slug}/announcements 200 404 404 404 404 200 200
POST   //organize/{slug}/announcements 200 404 404 404 404 422 422
POST   //organize/{slug}/announcements/{announcement_id}/{name} 404 404 404 404 404 404 404
GET    //organize/{slug}/archive 200 404 404 404 404 200 200
GET    //organize/{slug}/finale 200 404 404 404 404 200 200
GET    //organize/{slug}/files 200 404 404 404 404 200 200
POST   //organize/{slug}/files/delete 404 404 404 404 404 404 404
GET    //organize/{slug}/ground-truth 200 404 404 404 404 200 200
POST   //organize/{slug}/ground-truth/forget/{kind} 200 404 404 404 404 409 409
POST   //organize/{slug}/ground-truth/read-again 200 404 404 404 404 200 200
GET    //organize/{slug}/ground-truth/{version} 200 404 404 404 404 200 200
GET    //organize/{slug}/integrity 200 404 404 404 404 200 200
POST   //organize/{slug}/integrity/alerts 200 404 404 404 404 422 422
GET    //organize/{slug}/log 200 404 404 404 404 200 200
GET    //organize/{slug}/metric 200 404 404 404 404 200 200
POST   //organize/{slug}/metric 200 404 404 404 404 409 409
POST   //organize/{slug}/metric/file 200 404 404 404 404 400 400
POST   //organize/{slug}/metric/use 200 404 404 404 404 422 422
GET    //organize/{slug}/metric/{version} 200 404 404 404 404 404 404
POST   //organize/{slug}/metric/{version}/trial 200 404 404 404 404 404 404
GET    //organize/{slug}/people 200 404 404 404 404 200 200
POST   //organize/{slug}/people/links 200 404 404 404 404 200 200
POST   //organize/{slug}/people/organizers 200 404 404 404 404 422 422
POST   //organize/{slug}/people/organizers/{user_id}/remove 200 404 404 404 404 404 404
GET    //organize/{slug}/people/roster 200 404 404 404 404 200 200
POST   //organize/{slug}/people/roster 200 404 404 404 404 200 200
POST   //organize/{slug}/people/requests/{request_id}/{name} 404 404 404 404 404 404 404
GET    //organize/{slug}/rejudgings 200 404 404 404 404 200 200
POST   //organize/{slug}/rejudgings 200 404 404 404 404 422 422
GET    //organize/{slug}/rejudgings/{rejudging_id} 200 404 404 404 404 200 200
POST   //organize/{slug}/rejudgings/{rejudging_id}/{name} 404 404 404 404 404 404 404
GET    //organize/{slug}/settings 200 404 404 404 404 200 200
POST   //organize/{slug}/settings 200 404 404 404 404 200 200
POST   //organize/{slug}/settings/file 200 404 404 404 404 422 422
GET    //organize/{slug}/submissions 200 404 404 404 404 200 200
POST   //organize/{slug}/submissions 200 404 404 404 404 422 422
GET    //organize/{slug}/submissions/{submission_id} 200 404 404 404 404 200 200
GET    //organize/{slug}/submissions/{submission_id}/segments 200 404 404 404 404 200 200
POST   //organize/{slug}/submissions/{submission_id}/{name} 404 404 404 404 404 404 404
GET    //organize/{slug}/teams 200 404 404 404 404 200 200
POST   //organize/{slug}/teams/new/{kind} 404 404 404 404 404 404 404
GET    //organize/{slug}/teams/{team_id} 200 404 404 404 404 200 200
POST   //organize/{slug}/teams/{team_id}/{name} 404 404 404 404 404 404 404
GET    //organize/{slug}/texts 200 404 404 404 404 200 200
POST   //organize/{slug}/texts 200 404 404 404 404 200 200
POST   //organize/{slug}/uploads/{kind} 200 404 404 404 404 400 400
GET    //organizers/accounts 200 404 404 404 200 200 200
POST   //organizers/accounts 200 404 404 404 422 422 422
GET    //organizers/accounts/{user_id} 200 403 403 403 200 200 200
POST   //organizers/accounts/{user_id}/reset-link 200 403 403 403 403 403 200
POST   //organizers/accounts/{user_id}/{name} 404 404 404 404 404 404 404
GET    //organizers/links 200 404 404 404 200 200 200
POST   //organizers/links 200 404 404 404 200 200 200
GET    //organizers/links/{link_id} 200 403 403 403 404 200 200
GET    //organizers/roster 200 404 404 404 200 200 200
POST   //organizers/roster 200 404 404 404 200 200 200
GET    //organizers/sign-ups 200 404 404 404 200 200 200
POST   //organizers/sign-ups/{request_id}/{name} 404 404 404 404 404 404 404
POST   //organizers/links/{link_id}/revoke 200 404 404 404 404 200 200
POST   //organize/{slug}/people/cards 200 404 404 404 404 422 422
POST   //organizers/links/{link_id}/card 200 404 404 404 404 409 409
GET    //organizers/metrics 200 200 200 200 200 200 200
GET    //organizers/new 200 404 404 404 200 200 200
POST   //organizers/new 200 404 404 404 422 422 422
GET    //organizers/new/form 200 404 404 404 200 200 200
POST   //organizers/new/form 200 404 404 404 422 422 422
POST   //organizers/new/upload 200 404 404 404 400 400 400
POST   //organizers/new/discard/{upload_id} 200 404 404 404 200 200 200
POST   //organizers/new/file 200 404 404 404 422 422 422
GET    //server 200 403 403 403 403 403 200
GET    //server/import 200 403 403 403 403 403 200
POST   //server/import 200 403 403 403 403 403 400
GET    //server/log 200 403 403 403 403 403 200
POST   //server/signing-key 200 403 403 403 403 403 422
""")

ALL_PAGES = PAGES | ORGANIZING_PAGES
"""Those of participants and those of organizers."""
