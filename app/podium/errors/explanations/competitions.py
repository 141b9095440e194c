"""Explanations of errors: competitions, ground truths, boards, rejudgings and archives."""

from __future__ import annotations

from podium.errors.codes import ErrorCode
from podium.errors.explanations.shape import Explanation

EXPLANATIONS = {
    ErrorCode.ALREADY_LAUNCHED: Explanation(
        "Already launched",
        "The competition was launched before. Its organizers can delete drafts only.",
        "Nothing is left to do, unless it is to be deleted: ask the administrator.",
    ),
    ErrorCode.ARCHIVE_CORRUPT: Explanation(
        "Damaged archive",
        "The file is no archive of a competition, or parts of it are missing or changed.",
        "Export the competition again, and compare the file's SHA-256.",
    ),
    ErrorCode.ARCHIVE_INCONSISTENT: Explanation(
        "Archive does not fit together",
        "Rows of the archive contradict each other.",
        "Export the competition again.",
    ),
    ErrorCode.ARCHIVE_NOT_FULL: Explanation(
        "Not a full archive",
        "Only full archives can be imported; static ones are for readers.",
        "Export the competition with “full”.",
    ),
    ErrorCode.ARCHIVE_TOO_NEW: Explanation(
        "Archive of a newer version",
        "A newer version of Podium wrote this archive.",
        "Update this installation first.",
    ),
    ErrorCode.BAD_ARCHIVE_ROW: Explanation(
        "Malformed row in the archive",
        "A row of the archive has other members than this version knows.",
        "Export the competition again.",
    ),
    ErrorCode.FULL_OR_STATIC: Explanation(
        "Kind of archive missing",
        "An archive is either full or static.",
        "Ask for one of the two.",
    ),
    ErrorCode.NAMES_TAKEN: Explanation(
        "Names taken",
        "Accounts of the archive have names that exist here.",
        "Say whether they are the same people, or import them under other names.",
    ),
    ErrorCode.BAD_FILE_NAME: Explanation(
        "File name not possible",
        "The name of the data file is empty, too long, no plain name, or that of a picture (.png,"
        " .jpg, .gif, .webp), and its bytes are none.",
        "Choose a name of letters, digits, dots, dashes and underscores. Pictures are PNG, JPEG,"
        " GIF or WebP.",
    ),
    ErrorCode.FILE_IS_GROUND_TRUTH: Explanation(
        "The file is the ground truth",
        "The data file has the very bytes of a ground truth. Participants could download it.",
        "Choose the file for participants. After the reveal the labels may be published.",
    ),
    ErrorCode.BAD_PREPARATION: Explanation(
        "Preparation not possible",
        "The parameters of the preparation do not fit together.",
        "Change them as the detail says.",
    ),
    ErrorCode.BAD_SLUG: Explanation(
        "URL slug not possible",
        "The slug has characters that cannot stand in an address, or is too long.",
        "Use lower-case letters, digits and dashes.",
    ),
    ErrorCode.BAD_TRAINING_USERS: Explanation(
        "Number not possible",
        "“training_users” is not within its range.",
        "Give a number within the range that the detail names.",
    ),
    ErrorCode.BOARD_CHANGED: Explanation(
        "Board changed between pages",
        "Other teams stand on the earlier pages now, and the board of that time cannot be shown.",
        "Begin again without a cursor; with a “limit” of 1000 fewer pages follow.",
    ),
    ErrorCode.CHANGED_MEANWHILE: Explanation(
        "Changed meanwhile",
        "Settings or files were changed while this request ran.",
        "Try again.",
    ),
    ErrorCode.COMPETITION_DRAFT: Explanation(
        "Competition is a draft",
        "A draft does not allow this.",
        "Launch the competition first.",
    ),
    ErrorCode.COMPETITION_UPCOMING: Explanation(
        "Competition has not started",
        "Before its start a competition does not allow this.",
        "Wait for the start, or change the date.",
    ),
    ErrorCode.COMPETITION_OPEN: Explanation(
        "Competition is open",
        "An open competition does not allow this.",
        "Freeze, close or wait, as the detail says.",
    ),
    ErrorCode.COMPETITION_FROZEN: Explanation(
        "Competition is frozen",
        "A frozen competition does not allow this.",
        "Unfreeze it first.",
    ),
    ErrorCode.COMPETITION_CLOSED: Explanation(
        "Competition is closed",
        "After the end of a competition this is not possible any more.",
        "Look at the competition's dates.",
    ),
    ErrorCode.COMPETITION_REVEALED: Explanation(
        "Final ranking is public",
        "After the reveal this is not possible any more.",
        "Nothing is left to do.",
    ),
    ErrorCode.COMPETITION_NOT_OPEN: Explanation(
        "Competition is not open yet",
        "The competition has not been launched, or has not started.",
        "Wait for its start.",
    ),
    ErrorCode.FIXED_AT_LAUNCH: Explanation(
        "Fixed since the launch",
        "Since the launch this never changes, so that all teams are judged alike.",
        "Create another competition.",
    ),
    ErrorCode.GROUND_TRUTH_CHECKING: Explanation(
        "Ground truth is being read",
        "An earlier upload of the ground truth is still being read.",
        "Wait until it has ended.",
    ),
    ErrorCode.IN_THE_FUTURE: Explanation(
        "Time lies in the future",
        "A board can be shown as of a past time only.",
        "Give a time in the past.",
    ),
    ErrorCode.INTERRUPTED: Explanation(
        "Reading interrupted",
        "A server of an earlier version stopped while it read the ground truth. The file is not at"
        " fault.",
        "Upload the file again.",
    ),
    ErrorCode.ITEM_FILE_LACKS: Explanation(
        "Item file incomplete",
        "A metric needs what no item file of this competition tells.",
        "Upload an item file with what the detail names, or choose another metric.",
    ),
    ErrorCode.JUDGING_FAILED: Explanation(
        "Judging failed",
        "We could not judge the file. That is our fault and costs nothing.",
        "Wait: the organizers see why, and judge it again.",
    ),
    ErrorCode.METRIC_FAILED: Explanation(
        "Metric failed",
        "The organizers' own metric failed with this file. Only they see how, since that may depend"
        " on the ground truth; so it counts against the limit.",
        "Ask the organizers: they can return the slot, or rejudge the file.",
    ),
    ErrorCode.NO_SLOT_TO_RETURN: Explanation(
        "No slot to return",
        "The submission has a score, is not judged yet, or does not count against the limit.",
        "Nothing: only what was judged without a score can be given back, once.",
    ),
    ErrorCode.JUDGING_BEGAN: Explanation(
        "Judging has begun",
        "Only a judging that still waits can be cancelled.",
        "Wait for the verdict.",
    ),
    ErrorCode.ALREADY_JUDGED: Explanation(
        "Already judged",
        "The submission has its verdict.",
        "Nothing is left to do.",
    ),
    ErrorCode.LAUNCH_CHECKLIST: Explanation(
        "Checklist incomplete",
        "Something that a launch needs is missing or fails its check.",
        "Do what the checklist names, then launch again.",
    ),
    ErrorCode.NEEDS_REJUDGING: Explanation(
        "Needs a rejudging",
        "Since the launch these settings change scores, so they change through a rejudging only.",
        "Begin a rejudging with the new settings.",
    ),
    ErrorCode.NO_GROUND_TRUTH: Explanation(
        "No ground truth",
        "The competition has no ground truth, so nothing can be judged.",
        "Tell the organizers.",
    ),
    ErrorCode.NO_PUBLISHED_IDS: Explanation(
        "No published ids",
        "The ids that a submission answers are not known yet.",
        "Publish the ids, or upload a ground truth first.",
    ),
    ErrorCode.NO_RULES: Explanation(
        "No rules of its own",
        "The competition has no rules to read or accept.",
        "Nothing is left to do.",
    ),
    ErrorCode.NOT_COMPUTED: Explanation(
        "Not computed in time",
        "The computation took too long or too much memory.",
        "Try again later.",
    ),
    ErrorCode.NOT_DETERMINISTIC: Explanation(
        "Judging is not deterministic",
        "Judging the same file again gave other numbers.",
        "Cancel the rejudging, and tell the operator.",
    ),
    ErrorCode.NOT_FROZEN: Explanation(
        "Not frozen",
        "The competition was not frozen when it closed.",
        "Nothing is left to do.",
    ),
    ErrorCode.NOT_LAUNCHED: Explanation(
        "Not launched then",
        "There was no leaderboard before the launch.",
        "Ask for a later time.",
    ),
    ErrorCode.NOT_PAUSED: Explanation(
        "Not paused",
        "Judging has not paused by itself.",
        "Nothing is left to do.",
    ),
    ErrorCode.NOT_REJUDGEABLE: Explanation(
        "Cannot be judged anew",
        "One of the ids is no accepted submission of this competition.",
        "Leave it out.",
    ),
    ErrorCode.NOT_REVEALED: Explanation(
        "Not revealed",
        "This exists only after the reveal.",
        "Wait for the reveal.",
    ),
    ErrorCode.NOT_SCORED: Explanation(
        "No score",
        "The submission has no score.",
        "Choose submissions that were scored.",
    ),
    ErrorCode.NOT_SEGMENTED: Explanation(
        "No segments",
        "Scores of pairs are not taken apart by segments.",
        "Use segments with ranking tasks.",
    ),
    ErrorCode.DIFFERENT_GROUND_TRUTH: Explanation(
        "Different ground truths",
        "The submissions were judged with different versions of the ground truth.",
        "Compare submissions that were judged with the same version.",
    ),
    ErrorCode.OBJECTIVES_FIXED: Explanation(
        "Objectives are fixed",
        "The objectives stay those of the launch; their weights and metrics can change.",
        "Name the same objectives.",
    ),
    ErrorCode.REJUDGING_APPLIED: Explanation(
        "Rejudging applied",
        "The rejudging was applied before.",
        "Begin another one.",
    ),
    ErrorCode.REJUDGING_CANCELLED: Explanation(
        "Rejudging cancelled",
        "The rejudging was cancelled before.",
        "Begin another one.",
    ),
    ErrorCode.REJUDGING_FAILED: Explanation(
        "Rejudging has failures",
        "A submission could not be judged anew.",
        "Disqualify it, or cancel the rejudging and begin another one.",
    ),
    ErrorCode.REJUDGING_RUNNING: Explanation(
        "Rejudging under way",
        "Not all judgings of the rejudging have ended, or the competition is to be deleted and the"
        " rejudging was neither applied nor cancelled.",
        "Apply it when all have ended, or cancel it.",
    ),
    ErrorCode.REJUDGING_UNFINISHED: Explanation(
        "Another rejudging is unfinished",
        "A competition has one rejudging at a time.",
        "Apply or cancel the other one first.",
    ),
    ErrorCode.RULES_CHANGED: Explanation(
        "Rules have changed",
        "The text that you accepted is not the present one.",
        "Read the rules again, and accept them.",
    ),
    ErrorCode.RULES_NOT_ACCEPTED: Explanation(
        "Rules not accepted",
        "Joining and submitting need your acceptance of the rules.",
        "Read and accept the rules: on the competition’s page “Rules” or “Submit”, with `podium"
        " competitions rules SLUG --accept`, or with an empty POST to `address` of the problem.",
    ),
    ErrorCode.SETTINGS_CHANGED: Explanation(
        "Settings changed meanwhile",
        "The settings or the published ids were changed while the file was read.",
        "Upload the file again.",
    ),
    ErrorCode.SINCE_AFTER_AS_OF: Explanation(
        "Times in the wrong order",
        "“since” lies after “as_of”.",
        "Swap them.",
    ),
    ErrorCode.SLUG_TAKEN: Explanation(
        "URL slug taken",
        "Another competition has this slug.",
        "Choose another slug.",
    ),
    ErrorCode.STILL_JUDGING: Explanation(
        "Still judging",
        "Submissions that were accepted are not judged yet.",
        "Wait as long as Retry-After says.",
    ),
    ErrorCode.UNKNOWN_GROUND_TRUTH: Explanation(
        "Unknown ground truth",
        "The competition has no stored ground truth of this version.",
        "Look at its versions.",
    ),
    ErrorCode.UNKNOWN_METRIC: Explanation(
        "Unknown metric",
        "There is no such metric, or it cannot be used in this place.",
        "GET /api/v1/metrics lists the metrics.",
    ),
    ErrorCode.UPLOADS_PAUSED: Explanation(
        "Uploads paused",
        "The organizers take no uploads for the moment. What was accepted stays.",
        "Try again later.",
    ),
    ErrorCode.WOULD_MIX_VERSIONS: Explanation(
        "Would mix versions",
        "A board never mixes scores of different settings or ground truths.",
        "Leave “submission_ids” out, so that all are judged anew.",
    ),
}
