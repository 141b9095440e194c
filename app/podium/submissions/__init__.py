"""SUBMISSIONS: uploads, quotas, receipts, selection."""
