"""Use cases of accounts: sign-up, sign-in, tokens, sessions, deletion."""
