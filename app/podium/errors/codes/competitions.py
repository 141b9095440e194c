"""Codes of errors: competitions, ground truths, boards, rejudgings and archives."""

from __future__ import annotations

from podium.errors.codes.rows import OurCode


class OfCompetitions:
    """Codes of competitions, ground truths, boards, rejudgings and archives."""

    ALREADY_LAUNCHED = OurCode("already-launched", "Already launched", 409).means(
        "The competition was launched before. Its organizers can delete drafts only.",
        "Nothing is left to do, unless it is to be deleted: ask the administrator.",
    )
    ARCHIVE_CORRUPT = OurCode("archive-corrupt", "Damaged archive", 422).means(
        "The file is not an archive of a competition, or parts of it are missing or changed.",
        "Export the competition again, and compare the file's SHA-256.",
    )
    ARCHIVE_INCONSISTENT = OurCode(
        "archive-inconsistent", "Archive does not fit together", 422
    ).means("Rows of the archive contradict each other.", "Export the competition again.")
    ARCHIVE_NOT_FULL = OurCode("archive-not-full", "Not a full archive", 422).means(
        "Only full archives can be imported; static ones are for readers.",
        "Export the competition with “full”.",
    )
    ARCHIVE_TOO_NEW = OurCode("archive-too-new", "Archive of a newer version", 422).means(
        "A newer version of Podium wrote this archive.", "Update this installation first."
    )
    BAD_ARCHIVE_ROW = OurCode("bad-archive-row", "Malformed row in the archive", 422).means(
        "A row of the archive has other members than this version knows.",
        "Export the competition again.",
    )
    FULL_OR_STATIC = OurCode("full-or-static", "Kind of archive missing", 422).means(
        "An archive is either full or static.", "Ask for one of the two."
    )
    NAMES_TAKEN = OurCode("names-taken", "Names taken", 409).means(
        "Accounts of the archive have names that exist here.",
        "Say whether they are the same people, or import them under other names.",
    )
    BAD_FILE_NAME = OurCode("bad-file-name", "File name not possible", 422).means(
        "The name of the data file is empty, too long, no plain name, or that of a picture (.png,"
        " .jpg, .gif, .webp), and its bytes are none.",
        "Choose a name of letters, digits, dots, dashes and underscores. Pictures are PNG, JPEG,"
        " GIF or WebP.",
    )
    BAD_METRIC_FILE = OurCode("bad-metric-file", "Custom metric rejected", 422).means(
        "The file was loaded in the sandbox, its function looked at and its doctests run;"
        " “errors” names what is wrong, with its line.",
        "Correct the file and upload it again.",
    )
    FILE_IS_GROUND_TRUTH = OurCode(
        "file-is-ground-truth", "The file is the ground truth", 422
    ).means(
        "The data file has the very bytes of a ground truth. Participants could download it.",
        "Choose the file for participants. After the reveal the labels may be published.",
    )
    BAD_PREPARATION = OurCode("bad-preparation", "Preparation not possible", 422).means(
        "The parameters of the preparation do not fit together.", "Change them as the detail says."
    )
    BAD_SLUG = OurCode("bad-slug", "URL slug not possible", 422).means(
        "The slug has characters that cannot stand in an address, or is too long.",
        "Use lower-case letters, digits and dashes.",
    )
    BAD_TRAINING_USERS = OurCode("bad-training-users", "Number not possible", 422).means(
        "“training_users” is not within its range.",
        "Give a number within the range that the detail names.",
    )
    BOARD_CHANGED = OurCode("board-changed", "Board changed between pages", 409).means(
        "Other teams stand on the earlier pages now, and the board of that time cannot be shown.",
        "Begin again without a cursor; with a “limit” of 1000 fewer pages follow.",
    )
    CHANGED_MEANWHILE = OurCode("changed-meanwhile", "Changed meanwhile", 409).means(
        "Settings or files were changed while this request ran.", "Try again."
    )
    COMPETITION_DRAFT = OurCode("competition-draft", "Competition is a draft", 409).means(
        "A draft does not allow this.", "Launch the competition first."
    )
    COMPETITION_UPCOMING = OurCode(
        "competition-upcoming", "Competition has not started", 409
    ).means(
        "Before its start a competition does not allow this.",
        "Wait for the start, or change the date.",
    )
    COMPETITION_OPEN = OurCode("competition-open", "Competition is open", 409).means(
        "An open competition does not allow this.", "Freeze, close or wait, as the detail says."
    )
    COMPETITION_FROZEN = OurCode("competition-frozen", "Competition is frozen", 409).means(
        "A frozen competition does not allow this.", "Unfreeze it first."
    )
    COMPETITION_CLOSED = OurCode("competition-closed", "Competition is closed", 409).means(
        "After the end of a competition this is not possible any more.",
        "Look at the competition's dates.",
    )
    COMPETITION_REVEALED = OurCode("competition-revealed", "Final ranking is public", 409).means(
        "After the reveal this is not possible any more.", "Nothing is left to do."
    )
    COMPETITION_NOT_OPEN = OurCode(
        "competition-not-open", "Competition is not open yet", 409
    ).means("The competition has not been launched, or has not started.", "Wait for its start.")
    FIXED_AT_LAUNCH = OurCode("fixed-at-launch", "Fixed since the launch", 409).means(
        "Since the launch this never changes, so that all teams are judged alike.",
        "Create another competition.",
    )
    GROUND_TRUTH_CHECKING = OurCode(
        "ground-truth-checking", "Ground truth is being read", 409
    ).means(
        "An earlier upload of the ground truth is still being read.", "Wait until it has ended."
    )
    IN_THE_FUTURE = OurCode("in-the-future", "Time lies in the future", 422).means(
        "A board can be shown as of a past time only.", "Give a time in the past."
    )
    INTERRUPTED = OurCode("interrupted", "Reading interrupted").means(
        "A server of an earlier version stopped while it read the ground truth. The file is not"
        " at fault.",
        "Upload the file again.",
    )
    ITEM_FILE_LACKS = OurCode("item-file-lacks", "Item file incomplete", 422).means(
        "A metric needs what no item file of this competition tells.",
        "Upload an item file with what the detail names, or choose another metric.",
    )
    JUDGING_FAILED = OurCode("judging-failed", "Judging failed", 503).means(
        "We could not judge the file. That is our fault and costs nothing.",
        "Wait: the organizers see why, and judge it again.",
    )
    METRIC_FAILED = OurCode("metric-failed", "Metric failed", 503).means(
        "The organizers' metric failed with this file. Only they see how, since that may"
        " depend on the ground truth; so it counts against the limit.",
        "Ask the organizers: they can return the slot, or rejudge the file.",
    )
    NO_SLOT_TO_RETURN = OurCode("no-slot-to-return", "No slot to return", 409).means(
        "The submission has a score, is not judged yet, or does not count against the limit.",
        "Nothing: only what was judged without a score can be given back, once.",
    )
    JUDGING_BEGAN = OurCode("judging-began", "Judging has begun", 409).means(
        "Only a judging that still waits can be cancelled.", "Wait for the verdict."
    )
    ALREADY_JUDGED = OurCode("already-judged", "Already judged", 409).means(
        "The submission has its verdict.", "Nothing is left to do."
    )
    LAUNCH_CHECKLIST = OurCode("launch-checklist", "Checklist incomplete", 409).means(
        "Something that a launch needs is missing or fails its check.",
        "Do what the checklist names, then launch again.",
    )
    METRIC_ARGUMENTS = OurCode("metric-arguments", "Arguments do not fit the metric", 422).means(
        "The settings give the metric's function an argument that it does not take, that has"
        " another type, or lack one that it needs.",
        "Compare “own_metric.arguments” with the arguments of the custom metric's version.",
    )
    METRIC_CHECKING = OurCode(
        "metric-checking", "Another custom metric is being checked", 409
    ).means(
        "A competition's custom metrics are checked one after the other.",
        "Wait as long as Retry-After says, and upload it again.",
    )
    METRIC_TRUST = OurCode("metric-trust", "The archive brings code", 422).means(
        "The competition is scored by a custom metric, and importing it would let this server run"
        " that code, in the sandbox.",
        "If you trust who wrote it, import the archive once more with “trust_metric=true”.",
    )
    METRICS_OFF = OurCode("metrics-off", "Custom metrics are off", 403).means(
        "This installation runs no code of organizers.",
        "Use a built-in metric, or ask the operator to set PODIUM_CUSTOM_METRICS=on.",
    )
    NEEDS_REJUDGING = OurCode("needs-rejudging", "Needs a rejudging", 409).means(
        "Since the launch these settings change scores, so they change through a rejudging only.",
        "Begin a rejudging with the new settings.",
    )
    NO_GROUND_TRUTH = OurCode("no-ground-truth", "No ground truth", 503).means(
        "The competition has no ground truth, so nothing can be judged.", "Tell the organizers."
    )
    NO_PUBLISHED_IDS = OurCode("no-published-ids", "No published ids", 409).means(
        "The ids that a submission answers are not known yet.",
        "Publish the ids, or upload a ground truth first.",
    )
    NO_RULES = OurCode("no-rules", "No rules of its own", 404).means(
        "The competition has no rules to read or accept.", "Nothing is left to do."
    )
    NOT_A_TABLE = OurCode(
        "not-a-table", "Only tables and label sets have custom metrics", 409
    ).means(
        "The competition's task is neither “table” nor “label-sets”, and its metrics are built in.",
        "Choose one of the built-in metrics, or create a competition with one of these tasks.",
    )
    NOT_COMPUTED = OurCode("not-computed", "Not computed in time", 503).means(
        "The computation took too long or too much memory.", "Try again later."
    )
    NOT_DETERMINISTIC = OurCode("not-deterministic", "Judging is not deterministic", 409).means(
        "Judging the same file again gave other numbers.",
        "Cancel the rejudging, and tell the operator.",
    )
    NOT_FROZEN = OurCode("not-frozen", "Not frozen", 409).means(
        "The competition was not frozen when it closed.", "Nothing is left to do."
    )
    NOT_LAUNCHED = OurCode("not-launched", "Not launched then", 404).means(
        "There was no leaderboard before the launch.", "Ask for a later time."
    )
    NOT_PAUSED = OurCode("not-paused", "Not paused", 409).means(
        "Judging has not paused by itself.", "Nothing is left to do."
    )
    NOT_REJUDGEABLE = OurCode("not-rejudgeable", "Cannot be judged anew", 422).means(
        "One of the ids is not an accepted submission of this competition.", "Leave it out."
    )
    NOT_REVEALED = OurCode("not-revealed", "Not revealed", 404, 409).means(
        "This exists only after the reveal.", "Wait for the reveal."
    )
    NOT_SCORED = OurCode("not-scored", "No score", 409).means(
        "The submission has no score.", "Choose submissions that were scored."
    )
    NOT_SEGMENTED = OurCode("not-segmented", "No segments", 409).means(
        "Scores of pairs are not taken apart by segments.", "Use segments with ranking tasks."
    )
    DIFFERENT_GROUND_TRUTH = OurCode(
        "different-ground-truth", "Different ground truths", 409
    ).means(
        "The submissions were judged with different versions of the ground truth.",
        "Compare submissions that were judged with the same version.",
    )
    OBJECTIVES_FIXED = OurCode("objectives-fixed", "Objectives are fixed", 422).means(
        "The objectives stay those of the launch; their weights and metrics can change.",
        "Name the same objectives.",
    )
    REJUDGING_APPLIED = OurCode("rejudging-applied", "Rejudging applied", 409).means(
        "The rejudging was applied before.", "Begin another one."
    )
    REJUDGING_CANCELLED = OurCode("rejudging-cancelled", "Rejudging cancelled", 409).means(
        "The rejudging was cancelled before.", "Begin another one."
    )
    REJUDGING_FAILED = OurCode("rejudging-failed", "Rejudging has failures", 409).means(
        "A submission could not be judged anew.",
        "Disqualify it, or cancel the rejudging and begin another one.",
    )
    REJUDGING_RUNNING = OurCode("rejudging-running", "Rejudging under way", 409).means(
        "Not all judgings of the rejudging have ended, or the competition is to be deleted and"
        " the rejudging was neither applied nor cancelled.",
        "Apply it when all have ended, or cancel it.",
    )
    REJUDGING_UNFINISHED = OurCode(
        "rejudging-unfinished", "Another rejudging is unfinished", 409
    ).means("A competition has one rejudging at a time.", "Apply or cancel the other one first.")
    RULES_CHANGED = OurCode("rules-changed", "Rules have changed", 409).means(
        "The text that you accepted is not the present one.",
        "Read the rules again, and accept them.",
    )
    RULES_NOT_ACCEPTED = OurCode("rules-not-accepted", "Rules not accepted", 403).means(
        "Joining and submitting need your acceptance of the rules.",
        "Read and accept the rules: on the competition’s page “Rules” or “Submit”, with `podium"
        " competitions rules SLUG --accept`, or with an empty POST to `address` of the problem.",
    )
    SETTINGS_CHANGED = OurCode("settings-changed", "Settings changed meanwhile", 422).means(
        "The settings or the published ids were changed while the file was read.",
        "Upload the file again.",
    )
    SINCE_AFTER_AS_OF = OurCode("since-after-as-of", "Times in the wrong order", 422).means(
        "“since” lies after “as_of”.", "Swap them."
    )
    SLUG_TAKEN = OurCode("slug-taken", "URL slug taken", 409).means(
        "Another competition has this slug.", "Choose another slug."
    )
    STILL_JUDGING = OurCode("still-judging", "Still judging", 409).means(
        "Submissions that were accepted are not judged yet.", "Wait as long as Retry-After says."
    )
    UNKNOWN_GROUND_TRUTH = OurCode("unknown-ground-truth", "Unknown ground truth", 422).means(
        "The competition has no stored ground truth of this version.", "Look at its versions."
    )
    UNKNOWN_METRIC = OurCode("unknown-metric", "Unknown metric", 422).means(
        "There is no such metric, or it cannot be used in this place.",
        "GET /api/v1/metrics lists the metrics.",
    )
    UNKNOWN_METRIC_VERSION = OurCode(
        "unknown-metric-version", "Unknown version of the metric", 422
    ).means(
        "The competition has no stored custom metric of this version.",
        "Look at its versions, or upload the file first.",
    )
    UPLOADS_PAUSED = OurCode("uploads-paused", "Uploads paused", 409).means(
        "The organizers take no uploads for the moment. What was accepted stays.",
        "Try again later.",
    )
    WOULD_MIX_VERSIONS = OurCode("would-mix-versions", "Would mix versions", 422).means(
        "A board never mixes scores of different settings or ground truths.",
        "Leave “submission_ids” out, so that all are judged anew.",
    )
