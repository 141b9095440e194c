"""Long work of any subject: stored as a row, done by a worker, waited for by a request.

A subject names its kinds of work in its own `jobs`; nothing here knows one of them.
"""
