"""ACCOUNTS: people, their tokens, passwords and browser sessions, and the authentication of
requests."""
