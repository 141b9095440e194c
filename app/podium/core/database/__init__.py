"""The database: engine and sessions, column types, migrations, snapshots."""
