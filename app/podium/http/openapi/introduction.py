"""The introduction of the API's description: how to use the API, and its parts."""

from __future__ import annotations

from podium.http.openapi.refusals import ANYWHERE

_SHARED = ", ".join(f"`{code}`" for code in ANYWHERE)

INTRODUCTION = """\
Everything that the pages and the command line do, they do with this API, version 1. Paths, names of
members and error codes stay as they are; members and operations may be added.

## Authenticate

Send a token with every request: `Authorization: Bearer <token>`. The account page makes one, and
`POST /api/v1/sign-in` gives one for a name and a password. On a server's page `/docs`, press
**Authorize** at the top and paste it. Public competitions can be read without. Operations with a
padlock need a token.

Call the API from programs and servers, not from pages of other sites: it sends no CORS headers (no
`Access-Control-Allow-Origin`), so browsers keep its answers from them. Serve such a page under
Podium's own address, or let its own server ask.

```sh
export URL=https://podium.example TOKEN=…
curl -H "Authorization: Bearer $TOKEN" $URL/api/v1/me
```

## Upload

A submission can be sent in three ways. All are answered with `202` and the submission, whose score
follows: look at its `Location` every few seconds, or listen to its `/events`, until its `status` is
`scored`, `rejected`, `failed` or `cancelled`.

As the body of one request, which is the quickest:

```sh
curl -H "Authorization: Bearer $TOKEN" -T submission.csv -X POST \\
  "$URL/api/v1/competitions/otto/submissions?filename=submission.csv&note=v3"
```

As a form, as browsers send it:

```sh
curl -H "Authorization: Bearer $TOKEN" -F file=@submission.csv -F note=v3 \\
  $URL/api/v1/competitions/otto/submissions
```

In pieces, so that a broken connection costs nothing. `POST /api/v1/uploads` speaks tus 1.0 and the
IETF's draft of resumable uploads, so any client of these will do. Start an upload and append to it:

```sh
LOCATION=$(curl -si -H "Authorization: Bearer $TOKEN" -X POST \\
  -H "Upload-Length: $(wc -c < submission.csv)" $URL/api/v1/uploads |
  sed -n 's/^[Ll]ocation: //p' | tr -d '\\r')
curl -H "Authorization: Bearer $TOKEN" -T submission.csv -X PATCH \\
  -H "Upload-Offset: 0" $URL$LOCATION
```

After a cut, `HEAD` tells in `Upload-Offset` how many bytes have arrived. Send the rest, as often as
it takes; after the last byte this sends nothing. It reads as it sends, and keeps nothing in memory:

```sh
OFFSET=$(curl -sI -H "Authorization: Bearer $TOKEN" $URL$LOCATION |
  sed -n 's/^[Uu]pload-[Oo]ffset: //p' | tr -d '\\r')
test "$OFFSET" -eq "$(wc -c < submission.csv)" || tail -c +$((OFFSET + 1)) submission.csv |
  curl -H "Authorization: Bearer $TOKEN" -T - -X PATCH \\
  -H "Upload-Offset: $OFFSET" $URL$LOCATION
```

Then submit its id, with the file's name and a note:

```sh
curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d "{\\"upload_id\\": \\"${LOCATION##*/}\\", \\"filename\\": \\"submission.csv\\",
  \\"note\\": \\"v3\\"}" \\
  $URL/api/v1/competitions/otto/submissions
```

Files may be CSV or Parquet, plain or compressed (gzip, zstd, zip); their bytes say which.
`Content-Type` only tells forms from files: of JSON, a short object that names an upload is one, and
any other body is a file. `Content-Digest: sha-256=:<base64>:` is compared when it is sent.
Organizers' files (ground truth, published ids, raw sessions, data) come
as the body of one request, or in pieces with `{"upload_id": …}` as the body.

## Organize

From a draft to the final ranking, as an organizer; what is missing before the launch is listed by
`GET …/launch`:

```sh
ADMIN=$URL/api/v1/admin/competitions
curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"slug": "shop", "title": "The shop"}' $ADMIN
curl -H "Authorization: Bearer $TOKEN" --data-binary @labels.jsonl $ADMIN/shop/ground-truth
curl -H "Authorization: Bearer $TOKEN" -X POST $ADMIN/shop/launch
curl -H "Authorization: Bearer $TOKEN" -X POST $ADMIN/shop/close
curl -H "Authorization: Bearer $TOKEN" -X POST $ADMIN/shop/reveal
```

## Repeat safely

With an `Idempotency-Key` a submission can be sent again after a lost answer: the same key and bytes
get the first answer, marked `Idempotency-Replayed: true`; other bytes are refused (422). An upload
becomes one submission, however often it is submitted. `PUT` and `DELETE` can always be repeated.

## Lists and pagination

Lists take `limit` (up to 1,000) and `cursor`, and answer `{"items": […], "next_cursor": …}` with a
`Link` to the next page. The last page has a `next_cursor` of null. A leaderboard's `items` are
called `rows`.

A leaderboard may be read page by page while it changes: no team comes twice, and none is left out.
Where other teams stand on the earlier pages by now, the next one is that of the board of the first
page, and `as_of` tells its time. What changes the past, such as a disqualification or a rejudging,
ends such pages (409, `board-changed`): begin again, with a `limit` of 1000 in fewer pages.

## Ask for what is new

Boards, charts and files answer with an `ETag`. Send it as `If-None-Match`, and what has not changed
is a 304 without a body. The `ETag` of a competition is that of its settings: send it as `If-Match`
when you change them, and what somebody else has changed since is refused (412).

## Errors

Every refusal is `application/problem+json` (RFC 9457) with a stable `code`, a sentence in `detail`,
and the first ten things that are wrong in `errors`, with lines where a file is at fault. `type`
leads to an explanation of the code, except for two problems of uploads, whose `type` is that of the
IETF's draft. `request_id`, also in the header `X-Request-ID` of every answer, finds the request in
the log. A rejected file is not an error of its upload: its submission ends as `rejected`, with such
a document as `problem`.

In `errors`, the `code` of a wrong member or parameter is the kind of error of Pydantic, the library
that checks them, with hyphens (`extra-forbidden`, `less-than-equal`, `missing`): its documentation
lists them, and a newer version may add some. Codes of files are Podium's own.

Each operation lists the codes that it is known to answer with, by status. The lists may not be
complete: go by the status where you do not know the code. `/problems` explains all of them. Any
request may also be answered with one of these:

<shared>.

## Limits

Submissions per day and sizes of files are the competition's; `GET …/team` says how many are left
and when they come back. After 20 rejected or cancelled files within an hour a
team waits until the first of them is an hour old. What is refused for a while (429, 503) says in
`Retry-After` for how many seconds; rate limits of sign-in and of downloads do, too. JSON bodies may
have 64 KiB, settings and long texts 1 MiB. Times are RFC 3339 in UTC. A query parameter that an
operation does not have is ignored: lists go on by `cursor`, not by `page`.

There is no rate limit on requests as such: none is refused because of how many came before it.
Rate limits hold for wrong passwords and codes, for requests for accounts and mail, and for rejected
files. What runs at the same time is limited: an account has at most 16 uploads, 8 downloads and 16
event streams, and a network address 512 connections. Asking for a score every few seconds is fine.

Of uploads in pieces, an account has at most three that are unfinished, and together they may
have twice the bytes of the largest file that it may send, as which one without a length counts. One
more is refused (429, `too-many-uploads`); `detail` says which limit it is. An upload without bytes
makes room: a new one takes its place. An upload is discarded 24 hours after its last bytes;
`Upload-Expires` says when. A piece may have any size up to the rest of the file, and a file at most
10,000 pieces. An installation may set other numbers.
""".replace("<shared>", _SHARED)

TAGS = (
    ("competitions", "What there is to compete in, its settings and its life up to the reveal."),
    ("files", "What participants download: data, and a sample submission."),
    ("rules", "The competition's rules, and who has agreed to them."),
    ("teams", "Making and joining teams, members, merges; baselines, for organizers."),
    ("submissions", "Sending files, following their judging, scores, and the final selection."),
    ("uploads", "Files in pieces that survive broken connections: tus 1.0 and the IETF's draft."),
    ("leaderboard", "Rankings, also as CSV and of the past, and the figures of charts."),
    ("segments", "Scores taken apart by groups of sessions, labels and ranks."),
    (
        "receipts",
        "Signed proof of what was submitted and scored, and of the ground truth in force.",
    ),
    ("announcements", "What organizers tell all participants."),
    ("metrics", "The metrics and presets that a competition can use, with their definitions."),
    ("accounts", "Oneself: signing in, tokens, sessions of browsers, password."),
    ("links", "One-time links: invitations, and new passwords."),
    ("ground truth", "For organizers: what submissions are compared with, and the published ids."),
    ("metric files", "Custom metrics of tables: versions, differences, trials, sources."),
    ("item file", "For organizers: facts about items, for metrics beyond accuracy."),
    ("rejudgings", "For organizers: judging anew as a set, compared first, then applied."),
    ("comparison", "For organizers: submissions side by side, with intervals."),
    ("integrity", "For organizers: what to look at to find unfair play."),
    ("archives", "A competition as one file, out and in; its static site."),
    ("administration", "For administrators: accounts, the log of what was done, the server."),
    ("health", "For machines that watch over the service."),
)
"""Tags in the order in which a newcomer needs them, with their descriptions."""
