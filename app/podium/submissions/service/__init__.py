"""Use cases of submissions: uploads, quotas, receipts, selection, dispatch, retention."""
