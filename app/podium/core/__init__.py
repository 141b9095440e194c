"""The base of every subject: tables, settings of a competition, access, locks, the audit log.

Nothing here knows a subject, HTTP or a metric."""
