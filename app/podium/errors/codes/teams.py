"""Error codes of teams: members, merges, rosters, disqualification."""

from __future__ import annotations

from podium.errors.codes.rows import OurCode


class OfTeams:
    """Codes of teams, their members and merges."""

    ALREADY_IN_TEAM = OurCode("already-in-team", "Already in a team", 409).means(
        "A person is in at most one team of a competition.",
        "Leave the other team first, or merge the two.",
    )
    APPROVAL_NEEDED = OurCode("approval-needed", "Approval needed", 403).means(
        "The organizers of this competition approve each participant.",
        "Ask to join on the competition's Team page, and wait for the answer.",
    )
    ALREADY_REQUESTED = OurCode("already-requested", "Merge already requested", 409).means(
        "This team has a request of yours that waits for an answer.",
        "Wait for the answer, or withdraw the request.",
    )
    BAD_TAGS = OurCode("bad-tags", "Tags not possible", 422).means(
        "The tags do not fit together, or there are others than these.",
        "Use the tags that the detail names.",
    )
    BAD_ROSTER = OurCode("bad-roster", "Roster has problems", 422).means(
        "Names that are taken or stand twice, teams that are too large, or lines that cannot be"
        " read. Nothing was made.",
        "Correct the lines that the problem names, or look at all of them in the preview.",
    )
    BASELINE_HAS_NO_MEMBERS = OurCode(
        "baseline-has-no-members", "Baselines have no members", 409
    ).means(
        "A baseline is a team of the organizers, without people.",
        "Add the person to an ordinary team.",
    )
    CANNOT_MERGE = OurCode("cannot-merge", "Team cannot merge", 409).means(
        "Baselines, disqualified and hidden teams do not merge.", "Choose another team."
    )
    MERGE_TOO_LARGE = OurCode("merge-too-large", "Merged team too large", 409).means(
        "Together the teams would have more members than a team may have.",
        "Merge with a smaller team.",
    )
    MERGE_TOO_MANY_SUBMISSIONS = OurCode(
        "merge-too-many-submissions", "Merged team has too many submissions", 409
    ).means(
        "Together the teams have used more submissions than one team could have.",
        "Wait until the limit allows it.",
    )
    NO_TEAM = OurCode("no-team", "No team", 404).means(
        "You are in no team of this competition.",
        "Create a team, or join one with its invite code.",
    )
    NOT_JOINED = OurCode("not-joined", "Not in a team", 403).means(
        "Only members of a team, or organizers for baselines, may do this.",
        "Join the competition with a team first.",
    )
    NOT_PENDING = OurCode("not-pending", "Request already answered", 409).means(
        "The request was answered or cancelled already.", "Look at the team's page again."
    )
    REGISTRATION_CLOSED = OurCode("registration-closed", "By invitation only", 403).means(
        "The organizers of this competition create the teams.",
        "Ask an organizer, or join a team with its invite code.",
    )
    LAST_ORGANIZER = OurCode("last-organizer", "Last organizer", 409).means(
        "A competition has at least one organizer.", "Add another organizer first."
    )
    SAME_TEAM = OurCode("same-team", "Same team", 422).means(
        "A team cannot be merged with itself.", "Name the other team."
    )
    TEAM_CHANGED = OurCode("team-changed", "Team changed meanwhile", 409).means(
        "Somebody joined or left while this request ran.", "Try again."
    )
    TEAM_FULL = OurCode("team-full", "Team full", 409).means(
        "The team has as many members as a team may have.", "Ask for another team, or create one."
    )
    TEAM_GONE = OurCode("team-gone", "Team gone", 409).means(
        "The team that this link leads to does not exist any more.", "Ask for a new link."
    )
    TEAM_HAS_BEGUN = OurCode("team-has-begun", "Team has submitted", 409).means(
        "Members cannot leave a team that has submitted: that would give them a new limit.",
        "Ask an organizer.",
    )
    TEAM_DISQUALIFIED = OurCode("team-disqualified", "Team disqualified", 403).means(
        "The organizers have disqualified your team.", "Ask the organizers."
    )
    LEAK_LIMIT = OurCode("leak-limit", "Leak limit reached", 403).means(
        "Public scores have told your team as many bits of the public split as the organizers"
        " allow, or those of files that are not judged yet might.",
        "Wait for the verdicts on your files. If the limit is reached then, select the files that"
        " count in the end.",
    )
    ALREADY_DISQUALIFIED = OurCode("already-disqualified", "Already disqualified", 409).means(
        "The team or submission is disqualified already.", "Nothing is left to do."
    )
    NOT_DISQUALIFIED = OurCode("not-disqualified", "Not disqualified", 409).means(
        "The team or submission is not disqualified.", "Nothing is left to do."
    )
    TOO_MANY_MEMBERS = OurCode("too-many-members", "Too many members", 422).means(
        "These are more members than a team may have.",
        "Name fewer, or raise “team_size” in the settings.",
    )
    TOO_MANY_REQUESTS = OurCode("too-many-requests", "Too many merge requests", 409).means(
        "As many requests of your team as are allowed wait for an answer.", "Withdraw one first."
    )
    UNKNOWN_CODE = OurCode("unknown-code", "Unknown invite code", 404).means(
        "No team of this competition has this invite code.", "Ask the team for its present code."
    )
    UNKNOWN_TEAM = OurCode("unknown-team", "Unknown team", 404, 422).means(
        "No team of this competition has this id or name.",
        "Look the team up among the competition's teams.",
    )
