"""The pages of the error metrics of predicted ratings."""

from __future__ import annotations

from podium.scoring.metrics.about.description import AboutMetric, Case
from podium.scoring.metrics.about.examples import example_of_ratings

FAMILY = "Ratings"

_SYMBOLS = "n is the number of pairs; rᵢ is the rating of pair i, r̂ᵢ the predicted one."

_PAIRS = ((3.0, 4.0), (5.0, 2.0))

_CASES: tuple[Case, ...] = (
    ("A missing pair", "rejects the file, as every published pair needs a number."),
    ("A pair twice", "rejects the file."),
    ("A value that is no finite number", "rejects the file."),
    ("A prediction outside the scale", "counts as it is; nothing is clipped or rounded."),
    ("A perfect file", "scores 0."),
    ("A table of one column of numbers", "is scored alike; rows may have weights."),
)

_AVERAGE = (
    "There is none to choose: all pairs of a split count alike, so a user with many ratings weighs"
    " more than one with few."
)

_RANGE = "0 or more, in the unit of the ratings; lower is better."

_ERROR = (
    "From the spread between users: the losses of one user count together, as they depend on each"
    " other, and the mean over pairs is a ratio of sums over users (delta method)."
)

MEAN_ABSOLUTE_ERROR = AboutMetric(
    key="mae",
    family=FAMILY,
    title="Mean absolute error (MAE)",
    tex=r"\frac{1}{n} \sum_{i=1}^{n} | \hat{r}_i - r_i |",
    symbols=_SYMBOLS,
    definition=(
        "The mean distance between predicted and true ratings. An error of 2 counts twice as much"
        " as one of 1. The best constant answer is the median of the ratings."
    ),
    example=example_of_ratings(
        "mae",
        _PAIRS,
        steps=("Errors: 4 − 3 = 1 and 2 − 5 = −3.", "(1 + 3) / 2 = 2"),
        value=2.0,
    ),
    cases=_CASES,
    average=_AVERAGE,
    value_range=_RANGE,
    standard_error=_ERROR,
    used_by=("Early papers on collaborative filtering", "Courses, beside RMSE"),
    elsewhere=(
        ("scikit-learn", "mean_absolute_error"),
        ("Surprise", "accuracy.mae"),
        ("RecBole", "MAE"),
        ("Microsoft Recommenders", "mae"),
    ),
    relatives=(("rmse", "squares the errors, so that large ones weigh more."),),
)

ROOT_MEAN_SQUARED_ERROR = AboutMetric(
    key="rmse",
    family=FAMILY,
    title="Root mean squared error (RMSE)",
    tex=r"\sqrt{ \frac{1}{n} \sum_{i=1}^{n} ( \hat{r}_i - r_i )^2 }",
    symbols=_SYMBOLS,
    definition=(
        "The root of the mean squared distance between predicted and true ratings. Large errors"
        " weigh more: one of 2 counts as much as four of 1. The best constant answer is the mean of"
        " the ratings."
    ),
    example=example_of_ratings(
        "rmse",
        _PAIRS,
        steps=(
            "Errors: 4 − 3 = 1 and 2 − 5 = −3; squared, 1 and 9.",
            "√((1 + 9) / 2) = √5 = 2.23607",
        ),
        value=2.23607,
    ),
    cases=_CASES,
    average=_AVERAGE,
    value_range=_RANGE,
    standard_error=f"{_ERROR} That of the root follows from its slope, 1 / (2 · RMSE).",
    used_by=("Netflix Prize (2006–2009)", "Yelp (RecSys Challenge 2013)"),
    elsewhere=(
        ("scikit-learn", "root_mean_squared_error"),
        ("Surprise", "accuracy.rmse"),
        ("RecBole", "RMSE"),
        ("Microsoft Recommenders", "rmse"),
    ),
    relatives=(
        ("mae", "takes the errors as they are."),
        ("MSE", "is its square: the ranking is the same."),
        ("The mean of the users' RMSE", "weighs each user alike; this one weighs each pair alike."),
    ),
)

PAGES = (MEAN_ABSOLUTE_ERROR, ROOT_MEAN_SQUARED_ERROR)
