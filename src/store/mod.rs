//! Durable state: SQLite, one writer thread, migrations, snapshots.
