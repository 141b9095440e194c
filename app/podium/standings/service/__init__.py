"""Use cases of standings: boards, the ladder, the leak budget."""
