"""Long work of any subject: stored as a row, done by a worker, awaited by a request.

A subject names its kinds of work in its own `jobs`; this package knows none of them.
"""
