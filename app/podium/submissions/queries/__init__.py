"""All SQL of submissions: uploads, quotas, receipts, retention, activity."""
