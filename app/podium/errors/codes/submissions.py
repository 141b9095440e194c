"""Codes of errors: submissions and their uploads."""

from __future__ import annotations

from podium.errors.codes.rows import OurCode


class OfSubmissions:
    """Codes of submissions and their uploads."""

    BAD_FILENAME = OurCode("bad-filename", "File name too long", 422).means(
        "The name of the file has too many characters.", "Rename the file."
    )
    BAD_IDEMPOTENCY_KEY = OurCode("bad-idempotency-key", "Malformed Idempotency-Key", 400).means(
        "The key is empty, too long, or not visible ASCII.",
        "Send 1 to 255 visible ASCII characters.",
    )
    BAD_NOTE = OurCode("bad-note", "Note not possible", 422).means(
        "The note is too long, or holds control characters or line ends.",
        "Shorten it to one line of at most 500 characters.",
    )
    BAD_UPLOAD_COMPLETE = OurCode("bad-upload-complete", "Malformed Upload-Complete", 400).means(
        "The header says whether this piece is the last one.", "Send ?1 or ?0."
    )
    BAD_UPLOAD_LENGTH = OurCode("bad-upload-length", "Wrong Upload-Length", 400).means(
        "The length is not a number, or contradicts what was said or sent before.",
        "Send the file's length in bytes, always the same one.",
    )
    BAD_UPLOAD_METADATA = OurCode("bad-upload-metadata", "Malformed Upload-Metadata", 400).means(
        "The header is not a list of names with values in base64, or is too long.",
        "Send pairs such as “filename c3ViLmNzdg==”, separated by commas.",
    )
    BAD_UPLOAD_OFFSET = OurCode("bad-upload-offset", "Upload-Offset missing", 400).means(
        "A piece has to say where in the file it begins.",
        "Ask for the upload's offset with HEAD, and send it along.",
    )
    FILE_REMOVED = OurCode("file-removed", "File removed", 410).means(
        "The file was removed under the competition's retention rules. Its scores stay.",
        "Use your own copy; the SHA-256 tells you which it is.",
    )
    IDEMPOTENCY_MISMATCH = OurCode(
        "idempotency-mismatch", "Idempotency-Key used before", 422
    ).means("The same key came with other bytes before.", "Take a new key for a new file.")
    IDEMPOTENCY_RUNNING = OurCode("idempotency-running", "First request still runs", 409).means(
        "The first request with this Idempotency-Key is under way.",
        "Wait as long as Retry-After says, then repeat it.",
    )
    NOT_SELECTABLE = OurCode("not-selectable", "Cannot be selected", 422).means(
        "Only submissions of your own team, in time and not rejected, can be chosen.",
        "Choose among those.",
    )
    TOO_MANY_PIECES = OurCode("too-many-pieces", "Too many pieces", 409).means(
        "The file came in more pieces than one upload may have.",
        "Remove the upload, and send the file in larger pieces.",
    )
    TOO_MANY_REJECTIONS = OurCode("too-many-rejections", "Too many rejected files", 429).means(
        "Many files of your team were rejected or cancelled within an hour.",
        "Check the next one with `podium validate`, and wait as long as Retry-After says.",
    )
    TOO_MANY_SELECTED = OurCode("too-many-selected", "Too many selected", 422).means(
        "More submissions are chosen than can count.", "Choose as many as the detail says."
    )
    TUS_VERSION = OurCode("tus-version", "Other version of tus", 412).means(
        "The client speaks another version of the protocol tus than the server.",
        "Use a client of the version that Tus-Version names.",
    )
    UPLOAD_BUSY = OurCode("upload-busy", "Upload in use", 409).means(
        "Another request is at work on this upload.", "Wait as long as Retry-After says."
    )
    UPLOAD_COMPLETE = OurCode("upload-complete", "Upload complete", 409).means(
        "All of the file is here already.", "Submit it."
    )
    UPLOAD_INCOMPLETE = OurCode("upload-incomplete", "Upload incomplete", 409).means(
        "Parts of the file are missing.", "Send the rest from “expected_offset” on."
    )
    UPLOAD_LAPSED = OurCode("upload-lapsed", "Upload timed out", 503).means(
        "The upload was silent for too long and lost its slot.", "Send it again."
    )
    UPLOAD_OFFSET_MISMATCH = OurCode("upload-offset-mismatch", "Wrong offset", 409).means(
        "The piece begins at another place than the one where the upload ends.",
        "Continue from “expected_offset”.",
    )
    UPLOAD_TAKEN_OVER = OurCode("upload-taken-over", "Upload taken over", 409).means(
        "Another request has taken this upload over.",
        "Ask for its offset with HEAD, and continue from there.",
    )
    UPLOAD_TOO_LONG = OurCode("upload-too-long", "More bytes than announced", 400).means(
        "The upload has more bytes than Upload-Length announced.",
        "Begin a new upload with the right length.",
    )
    UPLOAD_USED = OurCode("upload-used", "Upload already submitted", 409).means(
        "The upload became a submission before.", "Begin a new upload."
    )
