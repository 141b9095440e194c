"""ADAPTER: tables (`models`), questions to them (`queries`), and the engine that runs both."""
