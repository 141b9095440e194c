"""Explanations of errors: teams."""

from __future__ import annotations

from podium.errors.codes import ErrorCode
from podium.errors.explanations.shape import Explanation

EXPLANATIONS = {
    ErrorCode.ALREADY_IN_TEAM: Explanation(
        "Already in a team",
        "A person is in at most one team of a competition.",
        "Leave the other team first, or merge the two.",
    ),
    ErrorCode.ALREADY_REQUESTED: Explanation(
        "Merge already requested",
        "This team has a request of yours that waits for an answer.",
        "Wait for the answer, or withdraw the request.",
    ),
    ErrorCode.BAD_TAGS: Explanation(
        "Tags not possible",
        "The tags do not fit together, or there are others than these.",
        "Use the tags that the detail names.",
    ),
    ErrorCode.APPROVAL_NEEDED: Explanation(
        "Approval needed",
        "The organizers of this competition approve each participant.",
        "Ask to join on the competition's Team page, and wait for the answer.",
    ),
    ErrorCode.BAD_ROSTER: Explanation(
        "Roster has problems",
        "Names that are taken or stand twice, teams that are too large, or lines that cannot be"
        " read. Nothing was made.",
        "Correct the lines that the problem names, or look at all of them in the preview.",
    ),
    ErrorCode.BASELINE_HAS_NO_MEMBERS: Explanation(
        "Baselines have no members",
        "A baseline is a team of the organizers, without people.",
        "Add the person to an ordinary team.",
    ),
    ErrorCode.CANNOT_MERGE: Explanation(
        "Team cannot merge",
        "Baselines, disqualified and hidden teams do not merge.",
        "Choose another team.",
    ),
    ErrorCode.MERGE_TOO_LARGE: Explanation(
        "Merged team too large",
        "Together the teams would have more members than a team may have.",
        "Merge with a smaller team.",
    ),
    ErrorCode.MERGE_TOO_MANY_SUBMISSIONS: Explanation(
        "Merged team has too many submissions",
        "Together the teams have used more submissions than one team could have.",
        "Wait until the limit allows it.",
    ),
    ErrorCode.NO_TEAM: Explanation(
        "No team",
        "You are in no team of this competition.",
        "Create a team, or join one with its invite code.",
    ),
    ErrorCode.NOT_JOINED: Explanation(
        "Not in a team",
        "Only members of a team, or organizers for baselines, may do this.",
        "Join the competition with a team first.",
    ),
    ErrorCode.NOT_PENDING: Explanation(
        "Request already answered",
        "The request was answered or cancelled already.",
        "Look at the team's page again.",
    ),
    ErrorCode.REGISTRATION_CLOSED: Explanation(
        "By invitation only",
        "The organizers of this competition create the teams.",
        "Ask an organizer, or join a team with its invite code.",
    ),
    ErrorCode.LAST_ORGANIZER: Explanation(
        "Last organizer",
        "A competition has at least one organizer.",
        "Add another organizer first.",
    ),
    ErrorCode.SAME_TEAM: Explanation(
        "Same team",
        "A team cannot be merged with itself.",
        "Name the other team.",
    ),
    ErrorCode.TEAM_CHANGED: Explanation(
        "Team changed meanwhile",
        "Somebody joined or left while this request ran.",
        "Try again.",
    ),
    ErrorCode.TEAM_FULL: Explanation(
        "Team full",
        "The team has as many members as a team may have.",
        "Ask for another team, or create one.",
    ),
    ErrorCode.TEAM_GONE: Explanation(
        "Team gone",
        "The team that this link leads to does not exist any more.",
        "Ask for a new link.",
    ),
    ErrorCode.TEAM_HAS_BEGUN: Explanation(
        "Team has submitted",
        "Members cannot leave a team that has submitted: that would give them a new limit.",
        "Ask an organizer.",
    ),
    ErrorCode.TEAM_DISQUALIFIED: Explanation(
        "Team disqualified",
        "The organizers have disqualified your team.",
        "Ask the organizers.",
    ),
    ErrorCode.LEAK_LIMIT: Explanation(
        "Leak limit reached",
        "Public scores have told your team as many bits of the public split as the organizers"
        " allow, or those of files that are not judged yet might.",
        "Wait for the verdicts on your files. If the limit is reached then, select the files that"
        " count in the end.",
    ),
    ErrorCode.ALREADY_DISQUALIFIED: Explanation(
        "Already disqualified",
        "The team or submission is disqualified already.",
        "Nothing is left to do.",
    ),
    ErrorCode.NOT_DISQUALIFIED: Explanation(
        "Not disqualified",
        "The team or submission is not disqualified.",
        "Nothing is left to do.",
    ),
    ErrorCode.TOO_MANY_MEMBERS: Explanation(
        "Too many members",
        "These are more members than a team may have.",
        "Name fewer, or raise “team_size” in the settings.",
    ),
    ErrorCode.TOO_MANY_REQUESTS: Explanation(
        "Too many merge requests",
        "As many requests of your team as are allowed wait for an answer.",
        "Withdraw one first.",
    ),
    ErrorCode.UNKNOWN_CODE: Explanation(
        "Unknown invite code",
        "No team of this competition has this invite code.",
        "Ask the team for its present code.",
    ),
    ErrorCode.UNKNOWN_TEAM: Explanation(
        "Unknown team",
        "No team of this competition has this id or name.",
        "Look the team up among the competition's teams.",
    ),
}
