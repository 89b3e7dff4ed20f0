//! The door to listed hosts, where there is no network of one's own that it could lead out of.

use std::sync::Arc;

use tokio::runtime::Handle;

/// Whether a host is open at a port: then, whether it may lie in a private network. Else why not, in words.
pub type Judge = Arc<dyn Fn(&str, u16) -> Result<bool, String> + Send + Sync>;

/// What a door needs of the outside.
#[derive(Clone)]
pub struct Porter {
    /// Who is let through.
    pub judge: Judge,
    /// Where the work is done.
    pub runtime: Handle,
}
