"""Use cases of rejudging: sets are started, compared, applied or cancelled."""
