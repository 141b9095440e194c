"""Names of documents in the description of the API.

A class is read beside its subject; a generated client has all documents in one place.
"""

from __future__ import annotations

NAMES = {
    "Acceptance": "NewAcceptance",
    "Act": "Reason",
    "Alive": "Health",
    "BestOut": "BestScores",
    "BinOut": "HistogramBin",
    "ChangeOut": "RejudgingChange",
    "CheckOut": "LaunchCheck",
    "ChecklistOut": "LaunchChecklist",
    "ComparedOut": "ComparedSubmission",
    "CustomMetric": "OwnMetric",
    "CustomMetricOut": "MetricFile",
    "CustomMetricsOut": "MetricFiles",
    "Disqualification": "NewDisqualification",
    "FileOut": "DataFile",
    "FiguresOut": "Estimates",
    "Goodbye": "AccountDeletion",
    "GroupOut": "Segment",
    "IncomingOut": "IncomingSubmissions",
    "JudgingOut": "JudgingHealth",
    "LaunchOut": "LaunchedCompetition",
    "LineOut": "LaunchChecklistLine",
    "Me": "OwnAccount",
    "MoveOut": "BoardMove",
    "OwnOut": "OwnPlace",
    "PairOut": "ComparedPair",
    "PauseOut": "JudgingPause",
    "People": "TakenNames",
    "PublishedOut": "PublishedIds",
    "Ready": "Readiness",
    "RowOut": "LeaderboardRow",
    "Selection": "NewSelection",
    "SideOut": "TeamScores",
    "State": "SubmissionStatus",
    "VersionOut": "GroundTruthVersion",
}
"""By the name of the class; of all others it is that name without `Out`."""
