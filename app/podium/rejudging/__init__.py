"""REJUDGING: sets of judgings anew, compared, then applied or cancelled as a whole."""
