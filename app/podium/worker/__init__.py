"""The process that judges and runs jobs: beside the web server or alone, in any number."""
