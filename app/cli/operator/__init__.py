"""Commands of whoever operates an installation, on its own machine."""
