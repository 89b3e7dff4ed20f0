//! File changes: one watcher for all lanes, no polling.
//!
//! The kernel's events go from notify's thread through a bounded queue to one thread of ours, which owns all state: which
//! directory is watched for which lanes (`table`), and what happened since a lane was last told (`pending`). That thread
//! sleeps until an event or the end of a quiet time, then hands a [`WatchEvent`] to the sink. While nothing changes, nothing
//! runs. Directories are watched one by one, so that what git ignores (`target`, `node_modules`) costs nothing; a tracked file
//! inside an ignored directory is not noticed by itself.

mod error;
mod pending;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod watcher;

pub use error::WatchError;
pub use pending::WatchEvent;
pub use table::Target;
pub use watcher::Watcher;
