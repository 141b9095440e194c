"""COMPETITIONS: drafts, settings, phases, rules and announcements."""
