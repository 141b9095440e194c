"""Use cases of competitions: drafts, settings, phases, announcements, deletion."""
