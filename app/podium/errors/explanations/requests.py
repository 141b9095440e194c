"""Explanations of errors: requests, and what every part of the server may say."""

from __future__ import annotations

from podium.errors.codes import ErrorCode
from podium.errors.explanations.shape import Explanation

EXPLANATIONS = {
    ErrorCode.BAD_REQUEST: Explanation(
        "Malformed request",
        "The headers or the body of the request do not follow HTTP or this API.",
        "Compare the request with the API reference, and send it again.",
    ),
    ErrorCode.NOT_FOUND: Explanation(
        "Not found",
        "Nothing has this address, or you may not see that it exists.",
        "Check the address and the account that you use; drafts are shown to their members only.",
    ),
    ErrorCode.GONE: Explanation(
        "Gone",
        "What had this address was removed for good.",
        "Use another version or object.",
    ),
    ErrorCode.NOT_AUTHENTICATED: Explanation(
        "Sign-in required",
        "The request carries no token, or one that is unknown, expired or revoked.",
        "Sign in again, or send “Authorization: Bearer <token>” with a valid token.",
    ),
    ErrorCode.NOT_ALLOWED: Explanation(
        "Not allowed",
        "Your account is known, but it may not do this.",
        "Use another account, or ask an organizer or the administrator.",
    ),
    ErrorCode.WRONG_STATE: Explanation(
        "Wrong state",
        "The object exists, but its present state does not allow this.",
        "Read the detail and the object's state, then try again.",
    ),
    ErrorCode.PRECONDITION_FAILED: Explanation(
        "Changed in the meantime",
        "Somebody has changed the object since you read it, so If-Match names an old version.",
        "Read the object again, and repeat your change with its new ETag.",
    ),
    ErrorCode.INVALID: Explanation(
        "Invalid input",
        "A value in the request is missing, has the wrong type or lies outside its range.",
        "The members of “errors” name each place and what it takes.",
    ),
    ErrorCode.UNSUPPORTED_MEDIA_TYPE: Explanation(
        "Unsupported kind of file",
        "The bytes are of a kind that is not read here.",
        "Send CSV, JSON Lines or Parquet, plain or compressed, as the detail says.",
    ),
    ErrorCode.TOO_LARGE: Explanation(
        "Too large",
        "The body or the file has more bytes than the competition or the server takes.",
        "Send less, or compress the file; the detail names the limit.",
    ),
    ErrorCode.TOO_SLOW: Explanation(
        "Too slow",
        "The body came too slowly, or stopped coming.",
        "Send it again over a faster connection, or use a resumable upload.",
    ),
    ErrorCode.QUOTA_EXHAUSTED: Explanation(
        "Limit reached",
        "All submissions that the team may make in this time are used.",
        "Wait as long as Retry-After says.",
    ),
    ErrorCode.UNAVAILABLE: Explanation(
        "Unavailable",
        "The server cannot keep what it would have to promise right now.",
        "Try again after the seconds of Retry-After.",
    ),
    ErrorCode.STORED_FILE_CORRUPT: Explanation(
        "Stored file damaged",
        "A stored file is missing, or its bytes are not those that were written.",
        "Tell the operator: the file has to come back from a backup.",
    ),
    ErrorCode.NOT_CONFIGURED: Explanation(
        "Configuration error",
        "The settings of this installation do not fit together.",
        "Tell the operator; `podium doctor` names what is wrong.",
    ),
    ErrorCode.INTERNAL_ERROR: Explanation(
        "Internal error",
        "The server failed in a way that nobody foresaw; the request is not at fault.",
        "Try again; if it stays, tell the operator the request id.",
    ),
    ErrorCode.DATABASE_UNAVAILABLE: Explanation(
        "Database unavailable",
        "The database does not answer. Nothing was changed.",
        "Try again in a few seconds.",
    ),
    ErrorCode.METHOD_NOT_ALLOWED: Explanation(
        "Method not allowed",
        "The address exists, but it does not take this method.",
        "Use one of the methods in the header Allow.",
    ),
    ErrorCode.RANGE_NOT_SATISFIABLE: Explanation(
        "Range not satisfiable",
        "The requested range begins behind the end of the file.",
        "Ask for a range within the size that Content-Range names.",
    ),
    ErrorCode.HEAD_TOO_LONG: Explanation(
        "Request head too long",
        "The headers of the request are too many or too long.",
        "Send fewer or shorter headers.",
    ),
    ErrorCode.URI_TOO_LONG: Explanation(
        "Address too long",
        "The address with its query is longer than the server reads.",
        "Shorten the query.",
    ),
    ErrorCode.WRONG_HOST: Explanation(
        "Wrong host name",
        "The request names a host that is not this installation's.",
        "Use the address that the installation calls its own (PODIUM_BASE_URL).",
    ),
    ErrorCode.CONTENT_ENCODING: Explanation(
        "Content-Encoding not taken",
        "Request bodies are not decoded on the way.",
        "Send the compressed file as the body itself, without Content-Encoding.",
    ),
    ErrorCode.NOT_JSON: Explanation(
        "Not sent as JSON",
        "This address takes JSON, and the body was sent as something else.",
        "Send it with “Content-Type: application/json”.",
    ),
    ErrorCode.BAD_JSON: Explanation(
        "Malformed JSON",
        "The body is no JSON, or is nested too deeply.",
        "The detail names the place; mend it there.",
    ),
    ErrorCode.BAD_YAML: Explanation(
        "Malformed YAML",
        "The text is no YAML of the kind that is read here.",
        "The detail names the line; mend it there.",
    ),
    ErrorCode.BAD_FORM: Explanation(
        "Malformed form",
        "The form was not sent in the way that this address takes.",
        "Go back and use the page's own buttons, or send multipart/form-data.",
    ),
    ErrorCode.FILE_MISSING: Explanation(
        "File missing",
        "The form holds no field “file”.",
        "Send the file in a field of that name.",
    ),
    ErrorCode.UNEXPECTED_FIELD: Explanation(
        "Unexpected form field",
        "The form holds a field that this address does not take, or one of them twice.",
        "Send one field “file” and nothing but what the detail names.",
    ),
    ErrorCode.BAD_CURSOR: Explanation(
        "Unknown cursor",
        "The cursor is not one that this list has given.",
        "Take “next_cursor” of the page before, or begin again without a cursor.",
    ),
    ErrorCode.BAD_DATE: Explanation(
        "Impossible date",
        "The date has passed, lies too far ahead, or lies on the wrong side of another one.",
        "Choose a date within the bounds that the detail names.",
    ),
    ErrorCode.FOREIGN_ORIGIN: Explanation(
        "Sent by another site",
        "A browser sent this request from a page of another site.",
        "Act on the pages of this installation, or use the API with a token.",
    ),
    ErrorCode.TOKEN_OVER_HTTP: Explanation(
        "Token sent in the clear",
        "The token came over plain HTTP, where others can read it.",
        "Revoke the token, make a new one, and use https:// from now on.",
    ),
    ErrorCode.BUSY: Explanation(
        "Busy",
        "As many requests of this kind as the server takes are running already.",
        "Try again after the seconds of Retry-After.",
    ),
    ErrorCode.TOO_MANY_DOWNLOADS: Explanation(
        "Too many downloads",
        "You have as many downloads under way as one account may have.",
        "Wait until one of them has ended.",
    ),
    ErrorCode.TOO_MANY_STREAMS: Explanation(
        "Too many event streams",
        "You follow as many submissions as one account may follow at a time.",
        "End one of these streams first.",
    ),
    ErrorCode.TOO_MANY_UPLOADS: Explanation(
        "Too many uploads",
        "As many uploads as one person or team may have are under way or unfinished.",
        "Wait until one has ended, resume an unfinished one, or remove it.",
    ),
    ErrorCode.DIGEST_MISMATCH: Explanation(
        "Bytes differ from their digest",
        "The bytes that arrived are not those whose SHA-256 was announced.",
        "Send or load the file again; if it stays, look for what changes it on the way.",
    ),
    ErrorCode.BAD_DIGEST: Explanation(
        "Malformed Content-Digest",
        "The header Content-Digest does not hold a SHA-256 in the form of RFC 9530.",
        "Send “Content-Digest: sha-256=:<base64>:”, or leave the header out.",
    ),
    ErrorCode.UPLOAD_CUT: Explanation(
        "Connection ended early",
        "The connection ended before the whole body had arrived.",
        "Send it again; resumable uploads continue where they stopped.",
    ),
    ErrorCode.UPLOAD_TOO_SLOW: Explanation(
        "Upload too slow",
        "The upload fell below the slowest pace that the server waits for.",
        "Resume it over a faster connection.",
    ),
    ErrorCode.STORAGE_FULL: Explanation(
        "Storage full",
        "The server's disk has no room left.",
        "Tell the operator; nothing was accepted, and nothing was charged.",
    ),
    ErrorCode.STORAGE_ERROR: Explanation(
        "Storage unavailable",
        "The server's storage did not take or give the file.",
        "Try again; if it stays, tell the operator.",
    ),
    ErrorCode.NO_WORKER: Explanation(
        "No worker is running",
        "The request needs work that takes longer than a request, and no worker would do it.",
        "Operators start `podium worker`, or `podium serve` without --no-worker. Then repeat the"
        " request.",
    ),
    ErrorCode.STILL_RUNNING: Explanation(
        "Still running",
        "The work takes longer than a request may wait. It goes on.",
        "Repeat the same request after Retry-After: it joins the work and returns its result.",
    ),
    ErrorCode.SANDBOX_MISSING: Explanation(
        "Isolation unavailable",
        "The server cannot isolate the process that reads files, so it reads none.",
        "Tell the operator: `podium doctor` says what is missing.",
    ),
    ErrorCode.READING_FAILED: Explanation(
        "Reading failed",
        "The server failed while reading the file; the file is not at fault.",
        "Try again; the operator finds the cause in the log.",
    ),
    ErrorCode.UNREACHABLE: Explanation(
        "Server unreachable",
        "No server answered at this address. The client says this, no server does.",
        "Check PODIUM_URL, your connection and whether the server runs.",
    ),
    ErrorCode.UPLOAD_INTERRUPTED: Explanation(
        "Upload interrupted",
        "The connection broke more often than the client tries again. The client says this.",
        "Run the same command again; it continues where it stopped.",
    ),
    ErrorCode.FILE_EXISTS: Explanation(
        "File exists",
        "The file to be written exists with other content. The command says this.",
        "Move it away, or overwrite it with --force.",
    ),
    ErrorCode.WAIT_TIMED_OUT: Explanation(
        "Wait timed out",
        "The server's work takes longer than the client was told to wait. The client says this.",
        "The work goes on: look at its result later.",
    ),
}
