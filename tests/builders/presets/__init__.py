"""Competitions in small, for tests of presets."""
