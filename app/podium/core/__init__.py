"""The base of every subject: tables, settings of a competition, access, locks, the audit log.

Nothing here depends on a subject, on HTTP or on a metric.
"""
