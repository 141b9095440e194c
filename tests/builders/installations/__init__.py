"""Installations of earlier versions, frozen as those versions left them, and how they were made."""
