"""Runs a custom metric: a Python file, or a zip with one package.

Everything here except `values` and `packages` runs beside the organizer's code, in a child of the
sandbox or in a notebook: its parent trusts none of it. The metric may do anything to its process;
its result is checked and cleaned outside.
"""
