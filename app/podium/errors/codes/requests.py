"""Codes of errors: requests, and errors that every part of the server may raise."""

from __future__ import annotations

from podium.errors.codes.rows import OurCode


class OfRequests:
    """Codes of requests, and those that every part of the server may raise."""

    BAD_REQUEST = OurCode("bad-request", "Malformed request", 400).means(
        "The headers or the body of the request do not follow HTTP or this API.",
        "Compare the request with the API reference, and send it again.",
    )
    NOT_FOUND = OurCode("not-found", "Not found", 404).means(
        "Nothing has this address, or you may not see that it exists.",
        "Check the address and the account that you use; drafts are shown to their members only.",
    )
    GONE = OurCode("gone", "Gone", 410).means(
        "What had this address was removed for good.", "Use another version or object."
    )
    NOT_AUTHENTICATED = OurCode("not-authenticated", "Sign-in required", 401).means(
        "The request carries no token, or one that is unknown, expired or revoked.",
        "Sign in again, or send “Authorization: Bearer <token>” with a valid token.",
    )
    NOT_ALLOWED = OurCode("not-allowed", "Not allowed", 403).means(
        "Your account is known, but it may not do this.",
        "Use another account, or ask an organizer or the administrator.",
    )
    WRONG_STATE = OurCode("wrong-state", "Wrong state", 409).means(
        "The object exists, but its present state does not allow this.",
        "Read the detail and the object's state, then try again.",
    )
    PRECONDITION_FAILED = OurCode("precondition-failed", "Changed in the meantime", 412).means(
        "Somebody has changed the object since you read it, so If-Match names an old version.",
        "Read the object again, and repeat your change with its new ETag.",
    )
    INVALID = OurCode("invalid", "Invalid input", 422).means(
        "A value in the request is missing, has the wrong type or lies outside its range.",
        "The members of “errors” name each place and what it takes.",
    )
    UNSUPPORTED_MEDIA_TYPE = OurCode(
        "unsupported-media-type", "Unsupported kind of file", 415
    ).means(
        "The bytes are of a kind that is not read here.",
        "Send CSV, JSON Lines or Parquet, plain or compressed, as the detail says.",
    )
    TOO_LARGE = OurCode("too-large", "Too large", 413).means(
        "The body or the file has more bytes than the competition or the server takes.",
        "Send less, or compress the file; the detail names the limit.",
    )
    TOO_SLOW = OurCode("too-slow", "Too slow", 408).means(
        "The body came too slowly, or stopped coming.",
        "Send it again over a faster connection, or use a resumable upload.",
    )
    QUOTA_EXHAUSTED = OurCode("quota-exhausted", "Limit reached", 429).means(
        "All submissions that the team may make in this time are used.",
        "Wait as long as Retry-After says.",
    )
    UNAVAILABLE = OurCode("unavailable", "Unavailable", 503).means(
        "The server cannot keep what it would have to promise right now.",
        "Try again after the seconds of Retry-After.",
    )
    STORED_FILE_CORRUPT = OurCode("stored-file-corrupt", "Stored file damaged", 503).means(
        "A stored file is missing, or its bytes are not those that were written.",
        "Tell the operator: the file has to come back from a backup.",
    )
    NOT_CONFIGURED = OurCode("not-configured", "Configuration error", 500).means(
        "The settings of this installation do not fit together.",
        "Tell the operator; `podium doctor` names what is wrong.",
    )
    INTERNAL_ERROR = OurCode("internal-error", "Internal error", 500).means(
        "The server failed in a way that nobody foresaw; the request is not at fault.",
        "Try again; if it stays, tell the operator the request id.",
    )
    DATABASE_UNAVAILABLE = OurCode("database-unavailable", "Database unavailable", 503).means(
        "The database does not answer. Nothing was changed.", "Try again in a few seconds."
    )
    METHOD_NOT_ALLOWED = OurCode("method-not-allowed", "Method not allowed", 405).means(
        "The address exists, but it does not take this method.",
        "Use one of the methods in the header Allow.",
    )
    RANGE_NOT_SATISFIABLE = OurCode("range-not-satisfiable", "Range not satisfiable", 416).means(
        "The requested range begins behind the end of the file.",
        "Ask for a range within the size that Content-Range names.",
    )
    HEAD_TOO_LONG = OurCode("head-too-long", "Request head too long", 431).means(
        "The headers of the request are too many or too long.", "Send fewer or shorter headers."
    )
    URI_TOO_LONG = OurCode("uri-too-long", "Address too long", 414).means(
        "The address with its query is longer than the server reads.", "Shorten the query."
    )
    WRONG_HOST = OurCode("wrong-host", "Wrong host name", 421).means(
        "The request names a host that is not this installation's.",
        "Use the address that the installation calls its own (PODIUM_BASE_URL).",
    )
    CONTENT_ENCODING = OurCode("content-encoding", "Content-Encoding not taken", 415).means(
        "Request bodies are not decoded on the way.",
        "Send the compressed file as the body itself, without Content-Encoding.",
    )
    NOT_JSON = OurCode("not-json", "Not sent as JSON", 415).means(
        "This address takes JSON, and the body was sent as something else.",
        "Send it with “Content-Type: application/json”.",
    )
    BAD_JSON = OurCode("bad-json", "Malformed JSON", 400).means(
        "The body is not JSON, or is nested too deeply.",
        "The detail names the place; mend it there.",
    )
    BAD_YAML = OurCode("bad-yaml", "Malformed YAML", 422).means(
        "The text is not YAML of the kind that is read here.",
        "The detail names the line; mend it there.",
    )
    BAD_FORM = OurCode("bad-form", "Malformed form", 400).means(
        "The form was not sent in the way that this address takes.",
        "Go back and use the page's own buttons, or send multipart/form-data.",
    )
    FILE_MISSING = OurCode("file-missing", "File missing", 422).means(
        "The form holds no field “file”.", "Send the file in a field of that name."
    )
    UNEXPECTED_FIELD = OurCode("unexpected-field", "Unexpected form field", 422).means(
        "The form holds a field that this address does not take, or one of them twice.",
        "Send one field “file” and nothing but what the detail names.",
    )
    BAD_CURSOR = OurCode("bad-cursor", "Unknown cursor", 422).means(
        "The cursor is not one that this list has given.",
        "Take “next_cursor” of the page before, or begin again without a cursor.",
    )
    BAD_DATE = OurCode("bad-date", "Impossible date", 422).means(
        "The date has passed, lies too far ahead, or lies on the wrong side of another one.",
        "Choose a date within the bounds that the detail names.",
    )
    FOREIGN_ORIGIN = OurCode("foreign-origin", "Sent by another site", 403).means(
        "A browser sent this request from a page of another site.",
        "Act on the pages of this installation, or use the API with a token.",
    )
    TOKEN_OVER_HTTP = OurCode("token-over-http", "Token sent in the clear", 403).means(
        "The token came over plain HTTP, where others can read it.",
        "Revoke the token, make a new one, and use https:// from now on.",
    )
    BUSY = OurCode("busy", "Busy", 503).means(
        "As many requests of this kind as the server takes are running already.",
        "Try again after the seconds of Retry-After.",
    )
    NO_WORKER = OurCode("no-worker", "No worker is running", 503).means(
        "The request needs work that takes longer than a request, and no worker would do it.",
        "Operators start `podium worker`, or `podium serve` without --no-worker. Then repeat the"
        " request.",
    )
    STILL_RUNNING = OurCode("still-running", "Still running", 503).means(
        "The work takes longer than a request may wait. It goes on.",
        "Repeat the same request after Retry-After: it joins the work and returns its result.",
    )
    TOO_MANY_DOWNLOADS = OurCode("too-many-downloads", "Too many downloads", 429).means(
        "You have as many downloads under way as one account may have.",
        "Wait until one of them has ended.",
    )
    TOO_MANY_STREAMS = OurCode("too-many-streams", "Too many event streams", 429).means(
        "You follow as many submissions as one account may follow at a time.",
        "End one of these streams first.",
    )
    TOO_MANY_UPLOADS = OurCode("too-many-uploads", "Too many uploads", 429).means(
        "As many uploads as one person or team may have are under way or unfinished.",
        "Wait until one has ended, resume an unfinished one, or remove it.",
    )
    DIGEST_MISMATCH = OurCode("digest-mismatch", "Bytes differ from their digest", 422).means(
        "The bytes that arrived are not those whose SHA-256 was announced.",
        "Send or load the file again; if it stays, look for what changes it on the way.",
    )
    BAD_DIGEST = OurCode("bad-digest", "Malformed Content-Digest", 400).means(
        "The header Content-Digest does not hold a SHA-256 in the form of RFC 9530.",
        "Send “Content-Digest: sha-256=:<base64>:”, or leave the header out.",
    )
    UPLOAD_CUT = OurCode("upload-cut", "Connection ended early", 400).means(
        "The connection ended before the whole body had arrived.",
        "Send it again; resumable uploads continue where they stopped.",
    )
    UPLOAD_TOO_SLOW = OurCode("upload-too-slow", "Upload too slow", 408).means(
        "The upload fell below the slowest pace that the server waits for.",
        "Resume it over a faster connection.",
    )
    STORAGE_FULL = OurCode("storage-full", "Storage full", 503).means(
        "The server's disk has no room left.",
        "Tell the operator; nothing was accepted, and nothing was charged.",
    )
    STORAGE_ERROR = OurCode("storage-error", "Storage unavailable", 503).means(
        "The server's storage did not take or give the file.",
        "Try again; if it stays, tell the operator.",
    )
    SANDBOX_MISSING = OurCode("sandbox-missing", "Isolation unavailable", 503).means(
        "The server cannot isolate the process that reads files, so it reads none.",
        "Tell the operator: `podium doctor` says what is missing.",
    )
    READING_FAILED = OurCode("reading-failed", "Reading failed", 503).means(
        "The server failed while reading the file; the file is not at fault.",
        "Try again; the operator finds the cause in the log.",
    )
    UNREACHABLE = OurCode("unreachable", "Server unreachable").means(
        "No server answered at this address. The client says this, no server does.",
        "Check PODIUM_URL, your connection and whether the server runs.",
    )
    UPLOAD_INTERRUPTED = OurCode("upload-interrupted", "Upload interrupted").means(
        "The connection broke more often than the client tries again. The client says this.",
        "Run the same command again; it continues where it stopped.",
    )
    FILE_EXISTS = OurCode("file-exists", "File exists").means(
        "The file to be written exists with other content. The command says this.",
        "Move it away, or overwrite it with --force.",
    )
    WAIT_TIMED_OUT = OurCode("wait-timed-out", "Wait timed out").means(
        "The server's work takes longer than the client was told to wait. The client says this.",
        "The work goes on: look at its result later.",
    )
