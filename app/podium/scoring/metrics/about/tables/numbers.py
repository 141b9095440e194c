"""The pages of errors of predicted numbers in tables."""

from __future__ import annotations

from podium.scoring.metrics.about.description import AboutMetric, Case
from podium.scoring.metrics.about.tables.description import (
    ERROR_BY_DERIVATIVE,
    ERROR_OF_MEAN,
    FILES,
    ROWS_ALIKE,
    SEVERAL,
    example_of_tables,
)

FAMILY = "Numbers of tables"

_SYMBOLS = "n is the number of rows; yᵢ is the truth of row i, ŷᵢ the predicted number."

_CASES: tuple[Case, ...] = (*FILES, SEVERAL)

_TRUE, _GIVEN = (3.0, 5.0), (4.0, 2.0)

MSE = AboutMetric(
    key="mse",
    family=FAMILY,
    title="Mean squared error (MSE)",
    tex=r"\frac{1}{n} \sum_{i=1}^{n} ( \hat{y}_i - y_i )^2",
    symbols=_SYMBOLS,
    definition=(
        "The mean squared distance between predicted and true numbers. Large errors weigh more. The"
        " best constant answer is the mean of the truth."
    ),
    example=example_of_tables(
        "mse",
        _TRUE,
        _GIVEN,
        steps=("Errors: 4 − 3 = 1 and 2 − 5 = −3.", "(1 + 9) / 2 = 5"),
        value=5.0,
    ),
    cases=_CASES,
    average=ROWS_ALIKE,
    value_range="0 or more, in the squared unit of the truth; lower is better.",
    standard_error=ERROR_OF_MEAN,
    used_by=("Forecasting and regression in general",),
    elsewhere=(("scikit-learn", "mean_squared_error"),),
    relatives=(("rmse", "is its root: the ranking is the same."),),
)

RMSLE = AboutMetric(
    key="rmsle",
    family=FAMILY,
    title="Root mean squared logarithmic error (RMSLE)",
    tex=r"\sqrt{ \frac{1}{n} \sum_{i=1}^{n} ( \ln (1 + \hat{y}_i) - \ln (1 + y_i) )^2 }",
    symbols=_SYMBOLS,
    definition=(
        "The root of the mean squared distance between the logarithms. It looks at ratios: 20"
        " instead of 10 is about as wrong as 200 instead of 100, and too little costs more than too"
        " much."
    ),
    example=example_of_tables(
        "rmsle",
        (0.0, 1.0),
        (1.0, 1.0),
        steps=(
            "Errors: ln 2 − ln 1 = 0.69315, and ln 2 − ln 2 = 0.",
            "√(0.48045 / 2) = 0.49013",
        ),
        value=0.49013,
    ),
    cases=(
        *_CASES,
        ("A column without a minimum of 0 or more", "is refused in the settings."),
        ("A truth below 0", "is refused with the solution."),
    ),
    average=ROWS_ALIKE,
    value_range="0 or more; lower is better.",
    standard_error=f"{ERROR_OF_MEAN} That of the root follows from its slope, 1 / (2 · RMSLE).",
    used_by=(
        "Kaggle's Bike Sharing (2014), Store Sales (2021), ASHRAE Energy (2019)",
        "Nomad2018 Predicting Transparent Conductors, the mean over two columns",
    ),
    elsewhere=(("scikit-learn", "root_mean_squared_log_error"),),
    relatives=(("rmse", "looks at differences."), ("mape", "looks at ratios without squares.")),
)

MCRMSE = AboutMetric(
    key="mcrmse",
    family=FAMILY,
    title="Mean column-wise RMSE (MCRMSE)",
    tex=r"\frac{1}{K} \sum_{k=1}^{K}"
    r" \sqrt{ \frac{1}{n} \sum_{i=1}^{n} ( \hat{y}_{i k} - y_{i k} )^2 }",
    symbols=(
        "K is the number of columns, n that of rows; y with i and k is the truth of row i in column"
        " k, ŷ the predicted number."
    ),
    definition=(
        "The root mean squared error of each column, averaged. Columns count by their scale."
    ),
    example=example_of_tables(
        "mcrmse",
        {"a": (0, 0), "b": (1, 1)},
        {"a": (1.0, -1.0), "b": (4.0, 4.0)},
        steps=("a: √((1 + 1) / 2) = 1. b: √((9 + 9) / 2) = 3.", "(1 + 3) / 2 = 2"),
        value=2.0,
    ),
    cases=(*FILES, ("One column", "has its RMSE.")),
    average="All columns count alike.",
    value_range="0 or more, in the unit of the truth; lower is better.",
    standard_error=ERROR_BY_DERIVATIVE,
    used_by=("Kaggle's OpenVaccine (2020), Feedback Prize: English Language Learning (2022)",),
    elsewhere=(("scikit-learn", "root_mean_squared_error of several outputs"),),
    relatives=(("rmse", "looks at one column: objectives may weigh several."),),
)

MAPE = AboutMetric(
    key="mape",
    family=FAMILY,
    title="Mean absolute percentage error (MAPE)",
    tex=r"\frac{1}{n} \sum_{i=1}^{n} \frac{| \hat{y}_i - y_i |}{| y_i |}",
    symbols=_SYMBOLS,
    definition=(
        "The mean error as a share of the truth; 0.1 is ten per cent. Rows with a small truth weigh"
        " most, and predicting too little costs less than predicting too much."
    ),
    example=example_of_tables(
        "mape",
        (2.0, 4.0),
        (3.0, 3.0),
        steps=("1/2 and 1/4.", "(0.5 + 0.25) / 2 = 0.375"),
        value=0.375,
    ),
    cases=(*_CASES, ("A truth of 0", "is refused with the solution.")),
    average=ROWS_ALIKE,
    value_range="0 or more; lower is better. Kaggle and others show 100 times this.",
    standard_error=ERROR_OF_MEAN,
    used_by=("Forecasts of demand",),
    elsewhere=(("scikit-learn", "mean_absolute_percentage_error"),),
    relatives=(("smape", "divides by the mean of truth and prediction, so that it is bounded."),),
)

SMAPE = AboutMetric(
    key="smape",
    family=FAMILY,
    title="Symmetric mean absolute percentage error (SMAPE)",
    tex=r"\frac{1}{n} \sum_{i=1}^{n} \frac{2 | \hat{y}_i - y_i |}{| \hat{y}_i | + | y_i |}",
    symbols=_SYMBOLS,
    definition=(
        "The mean error as a share of the mean of truth and prediction. It is never more than 2,"
        " which is what any prediction but 0 has where the truth is 0."
    ),
    example=example_of_tables(
        "smape",
        (1.0, 0.0),
        (3.0, 0.0),
        steps=("2 · 2 / 4 = 1, and 0 where both are 0.", "(1 + 0) / 2 = 0.5"),
        value=0.5,
    ),
    cases=(*_CASES, ("Truth and prediction of 0", "have no error.")),
    average=ROWS_ALIKE,
    value_range="0 to 2; lower is better. Kaggle shows 100 times this.",
    standard_error=ERROR_OF_MEAN,
    used_by=(
        "The M3 and M4 competitions",
        "Kaggle's Web Traffic Time Series (2017), GoDaddy (2023)",
    ),
    elsewhere=(("torchmetrics", "SymmetricMeanAbsolutePercentageError"),),
    relatives=(("mape", "divides by the truth alone."),),
)

PINBALL = AboutMetric(
    key="pinball",
    family=FAMILY,
    title="Pinball loss (quantile loss)",
    tex=r"\frac{1}{n} \sum_{i=1}^{n} \max (q ( y_i - \hat{y}_i ), (1 - q) ( \hat{y}_i - y_i ))",
    symbols=f"{_SYMBOLS} q is the quantile, in hundredths behind the name: pinball_90 has 0.9.",
    definition=(
        "Asks for a quantile: with pinball_90, the number that nine in ten truths do not exceed."
        " Who predicts too little pays q for each unit, who predicts too much 1 − q."
    ),
    example=example_of_tables(
        "pinball",
        _TRUE,
        _GIVEN,
        steps=("q is 0.5: 0.5 · 1 and 0.5 · 3.", "(0.5 + 1.5) / 2 = 1"),
        value=1.0,
    ),
    cases=_CASES,
    average=ROWS_ALIKE,
    value_range="0 or more, in the unit of the truth; lower is better.",
    standard_error=ERROR_OF_MEAN,
    used_by=(
        "Global Energy Forecasting Competition (2014)",
        "Kaggle's M5 Uncertainty (2020), scaled, over nine quantiles",
    ),
    elsewhere=(("scikit-learn", "mean_pinball_loss"), ("LightGBM", "quantile")),
    relatives=(("mae", "is twice pinball_50."),),
)

R2 = AboutMetric(
    key="r2",
    family=FAMILY,
    title="Coefficient of determination (R²)",
    tex=r"1 - \frac{\sum_i ( \hat{y}_i - y_i )^2}{\sum_i ( y_i - \bar{y} )^2}",
    symbols="yᵢ is the truth of row i, ŷᵢ the predicted number, ȳ the mean of the split's truths.",
    definition=(
        "The share of the truth's variance that is explained. Unlike MSE it has no unit: 0 is what"
        " the mean of the split would have."
    ),
    example=example_of_tables(
        "r2",
        (1.0, 2.0, 3.0),
        (1.0, 2.0, 4.0),
        steps=("Errors squared: 0 + 0 + 1. Distances from 2: 1 + 0 + 1.", "1 − 1 / 2 = 0.5"),
        value=0.5,
    ),
    cases=(*_CASES, ("A split whose truths are equal", "is refused with the solution.")),
    average=ROWS_ALIKE,
    value_range="Any number up to 1; higher is better, and a perfect answer reaches 1.",
    standard_error=f"{ERROR_BY_DERIVATIVE} That the variance is that of a sample is counted, too.",
    used_by=("Kaggle's Mercedes-Benz (2017), LEAP climate simulation (2024)",),
    elsewhere=(("scikit-learn", "r2_score"),),
    relatives=(("pearson", "squared, is what the best straight line of the answers would have."),),
)

PAGES = (MSE, RMSLE, MCRMSE, MAPE, SMAPE, PINBALL, R2)
