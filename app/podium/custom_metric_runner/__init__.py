"""Runs a custom metric: a Python file, or a zip with one package.

Everything here but `values` and `packages` runs beside the organizer's code, in a child of the
sandbox or in a notebook: nothing of it is trusted by its parent. The metric may do to its process
what it likes; the answer is looked at and cleaned outside.
"""
