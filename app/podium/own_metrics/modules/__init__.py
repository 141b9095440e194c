"""Modules that metric files import by their own names, `podium_metric` and
`kaggle_metric_utilities`."""
