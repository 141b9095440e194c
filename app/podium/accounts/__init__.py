"""ACCOUNTS: people, their tokens, passwords and browsers, and who a request comes from."""
