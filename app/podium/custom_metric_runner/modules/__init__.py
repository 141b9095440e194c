"""Modules that custom metrics import by their own names, `podium_metric` and
`kaggle_metric_utilities`."""
