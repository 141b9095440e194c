"""Explanations of errors: submissions and their uploads."""

from __future__ import annotations

from podium.errors.codes import ErrorCode
from podium.errors.explanations.shape import Explanation

EXPLANATIONS = {
    ErrorCode.BAD_FILENAME: Explanation(
        "File name too long",
        "The name of the file has too many characters.",
        "Rename the file.",
    ),
    ErrorCode.BAD_IDEMPOTENCY_KEY: Explanation(
        "Malformed Idempotency-Key",
        "The key is empty, too long, or not visible ASCII.",
        "Send 1 to 255 visible ASCII characters.",
    ),
    ErrorCode.BAD_NOTE: Explanation(
        "Note not possible",
        "The note is too long, or holds control characters or line ends.",
        "Shorten it to one line of at most 500 characters.",
    ),
    ErrorCode.BAD_UPLOAD_COMPLETE: Explanation(
        "Malformed Upload-Complete",
        "The header says whether this piece is the last one.",
        "Send ?1 or ?0.",
    ),
    ErrorCode.BAD_UPLOAD_LENGTH: Explanation(
        "Wrong Upload-Length",
        "The length is no number, or contradicts what was said or sent before.",
        "Send the file's length in bytes, always the same one.",
    ),
    ErrorCode.BAD_UPLOAD_METADATA: Explanation(
        "Malformed Upload-Metadata",
        "The header is no list of names with values in base64, or is too long.",
        "Send pairs such as “filename c3ViLmNzdg==”, separated by commas.",
    ),
    ErrorCode.BAD_UPLOAD_OFFSET: Explanation(
        "Upload-Offset missing",
        "A piece has to say where in the file it begins.",
        "Ask for the upload's offset with HEAD, and send it along.",
    ),
    ErrorCode.FILE_REMOVED: Explanation(
        "File removed",
        "The file was removed under the competition's retention rules. Its scores stay.",
        "Use your own copy; the SHA-256 tells you which it is.",
    ),
    ErrorCode.IDEMPOTENCY_MISMATCH: Explanation(
        "Idempotency-Key used before",
        "The same key came with other bytes before.",
        "Take a new key for a new file.",
    ),
    ErrorCode.IDEMPOTENCY_RUNNING: Explanation(
        "First request still runs",
        "The first request with this Idempotency-Key is under way.",
        "Wait as long as Retry-After says, then repeat it.",
    ),
    ErrorCode.NOT_SELECTABLE: Explanation(
        "Cannot be selected",
        "Only submissions of your own team, in time and not rejected, can be chosen.",
        "Choose among those.",
    ),
    ErrorCode.TOO_MANY_PIECES: Explanation(
        "Too many pieces",
        "The file came in more pieces than one upload may have.",
        "Remove the upload, and send the file in larger pieces.",
    ),
    ErrorCode.TOO_MANY_REJECTIONS: Explanation(
        "Too many rejected files",
        "Many files of your team were rejected or cancelled within an hour.",
        "Check the next one with `podium validate`, and wait as long as Retry-After says.",
    ),
    ErrorCode.TOO_MANY_SELECTED: Explanation(
        "Too many selected",
        "More submissions are chosen than can count.",
        "Choose as many as the detail says.",
    ),
    ErrorCode.TUS_VERSION: Explanation(
        "Other version of tus",
        "The client speaks another version of the protocol tus than the server.",
        "Use a client of the version that Tus-Version names.",
    ),
    ErrorCode.UPLOAD_BUSY: Explanation(
        "Upload in use",
        "Another request is at work on this upload.",
        "Wait as long as Retry-After says.",
    ),
    ErrorCode.UPLOAD_COMPLETE: Explanation(
        "Upload complete",
        "All of the file is here already.",
        "Submit it.",
    ),
    ErrorCode.UPLOAD_INCOMPLETE: Explanation(
        "Upload incomplete",
        "Parts of the file are missing.",
        "Send the rest from “expected_offset” on.",
    ),
    ErrorCode.UPLOAD_LAPSED: Explanation(
        "Upload timed out",
        "The upload was silent for too long and lost its slot.",
        "Send it again.",
    ),
    ErrorCode.UPLOAD_OFFSET_MISMATCH: Explanation(
        "Wrong offset",
        "The piece begins at another place than the one where the upload ends.",
        "Continue from “expected_offset”.",
    ),
    ErrorCode.UPLOAD_TAKEN_OVER: Explanation(
        "Upload taken over",
        "Another request has taken this upload over.",
        "Ask for its offset with HEAD, and continue from there.",
    ),
    ErrorCode.UPLOAD_TOO_LONG: Explanation(
        "More bytes than announced",
        "The upload has more bytes than Upload-Length announced.",
        "Begin a new upload with the right length.",
    ),
    ErrorCode.UPLOAD_USED: Explanation(
        "Upload already submitted",
        "The upload became a submission before.",
        "Begin a new upload.",
    ),
}
