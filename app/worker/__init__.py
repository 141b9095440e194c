"""EDGE: the judging process. Runs beside the web server or alone, as often as wanted."""
