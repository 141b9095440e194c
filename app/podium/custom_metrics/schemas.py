"""Documents of the API about versions of custom metrics, their checks and trials."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from podium.core.competition_settings.tables import Argument
from podium.http.examples import OTHER
from podium.http.members import CreatedAt, FileHash, FileSize, Id
from podium.http.paging import Listed
from podium.http.schemas import Output, PersonOut, ProblemOut


class MetricArgumentOut(Output):
    """A further argument of the metric's function."""

    name: Annotated[str, Field(examples=["beta"])]
    """The name by which the settings assign it a value."""
    type: Annotated[str, Field(examples=["float"])]
    """Its annotated type: `bool`, `int`, `float` or `str`, or a list or tuple of one of these, as
    `list[float]` or `tuple[int, ...]`."""
    is_required: bool
    """True if it has no default."""
    default: Annotated[str | None, Field(examples=["1.0"])]
    """Its default, as JSON. Null: it has none."""


class MetricFileFacts(Output):
    """The file of a custom metric."""

    bytes: FileSize
    sha256: FileHash
    packages: Annotated[dict[str, str], Field(examples=[{"numpy": "2.3.4", "pandas": "2.3.3"}])]
    """Packages that the file may import, with their versions."""


class CustomMetricOut(MetricFileFacts):
    """A version of the custom metric, or an upload that has not become one."""

    id: Annotated[Id, Field(examples=[OTHER])]
    version: int | None
    """Its number, from 1. Null until `status` is `stored`."""
    status: Literal["checking", "stored", "rejected"]
    """`checking` while its code is loaded and its doctests run; then `stored` or `rejected`."""
    in_force: bool
    """True for the version that the settings name, which scores."""
    file_name: Annotated[str, Field(examples=["metric.py"])]
    """The name of the uploaded file."""
    note: str
    """The uploader's note for other organizers. Empty: none."""
    created_at: CreatedAt
    created_by: PersonOut
    """The organizer who uploaded it."""
    shape: Literal["kaggle", "podium"] | None
    """`kaggle`: the function takes pandas frames and returns a number; `podium`: Polars frames, and
    several numbers. Null: not known, because it was not accepted."""
    description: str
    """The docstring of its function, or of the file."""
    arguments: list[MetricArgumentOut]
    """The further arguments that the settings may assign values."""
    has_per_row: bool
    """True if it reports what each row contributes, from which standard errors are computed."""
    doctests: Annotated[int, Field(examples=[2])]
    """Examples in its docstrings that were run."""
    output: Annotated[str, Field(examples=[""])]
    """The output of its check."""
    warnings: Annotated[list[str], Field(examples=[[]])]
    """Problems for which a new version would be refused; the one in force remains valid."""
    problem: ProblemOut | None
    """The reason for a rejection, by line. Null: not rejected."""


class CustomMetricsOut(Listed[CustomMetricOut]):
    """A page of versions, and whether this installation runs any."""

    refusal: Annotated[
        str | None,
        Field(
            description="The reason why this installation runs no code of organizers, with what its"
            " operator can do. Null: it does."
        ),
    ]


class MetricInForceOut(MetricFileFacts):
    """The custom metric that scores a competition, as everyone may see it."""

    version: Annotated[int, Field(examples=[2])]
    """The version that scores."""
    is_reproducible: bool
    """False: the organizers declare that the same file may score differently each time."""
    source_is_public: bool
    """True if everyone may download the source."""
    description: str | None
    """The docstring of its function. Null: the source is not public."""
    arguments: Annotated[dict[str, Argument] | None, Field(examples=[{"beta": 1.0}])]
    """The values that the settings assign its arguments. Null: the source is not public."""


class TrialRunOut(Output):
    """A run of the metric on one split."""

    outcome: Literal["measured", "refused", "failed"]
    """`measured`: there is a score. `refused`: it raised `ParticipantVisibleError`. `failed`: it
    raised any other error, or was killed."""
    seconds: Annotated[float, Field(examples=[1.2])]
    """The time that the run took."""
    score: float | None
    """The score, unrounded. Null: there is none."""
    numbers: Annotated[dict[str, float | None], Field(examples=[{"coverage": 0.93}])]
    """Further numbers by name; null for one that is not finite."""
    standard_error: Annotated[float | None, Field(examples=[0.0041])]
    """The standard error of the score. Null: not known."""
    rows: int
    """Rows of the solution of this split."""
    text: str
    """The text that the participant would see with a `refused` file."""
    report: Annotated[str, Field(examples=[""])]
    """The traceback of a failure, which no participant sees."""
    line: int | None
    """The line of the custom metric at which it failed. Null: not known."""
    output: Annotated[str, Field(examples=[""])]
    """The end of its output."""
    processor: Annotated[str, Field(examples=["AMD EPYC 7B13; Python 3.12.3, numpy 2.3.4"])]
    """The processor, and the versions of packages."""


class TrialOut(Output):
    """A trial of a custom metric, which does not count."""

    version: int
    """The version that was tried."""
    public: TrialRunOut | None
    """The run on the public split. Null: the ground truth has none."""
    private: TrialRunOut | None
    """The run on the private split. Null: the ground truth has none."""
