//! File changes: one watcher for all lanes, no polling.
