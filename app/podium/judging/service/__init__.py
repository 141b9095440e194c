"""Use cases of judging: assignments to workers, verdicts, failures, pauses."""
