"""REJUDGING: sets of judgings anew, which are compared, then applied or cancelled as a whole."""
