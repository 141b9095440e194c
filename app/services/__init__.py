"""USE CASES. One verb per function, keyword-only, with everything it touches in its signature.

Services never commit (the entry point's session does), never read settings, and raise only
`podium.errors`.
"""
