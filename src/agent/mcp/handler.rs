//! What a server may ask of us: where it works, and nothing else.

use std::path::PathBuf;
use std::sync::Arc;

use rmcp::handler::client::ClientHandler;
#[expect(deprecated, reason = "servers of today ask for roots")]
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, ListRootsResult, Root, RootsCapabilities};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleClient};
use tokio::sync::Notify;

/// Answers a server. Requests that are not named here (a model's answer, a question to the person) are refused by the
/// protocol's own words.
pub(super) struct Handler {
    /// The worktree.
    pub directory: PathBuf,
    /// Rung when the server's tools have changed.
    pub changed: Arc<Notify>,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.roots = Some(RootsCapabilities::default());
        ClientConfig::new(capabilities, Implementation::new("paralane", env!("CARGO_PKG_VERSION")))
    }

    #[expect(deprecated, reason = "servers of today ask for roots")]
    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        let address = url::Url::from_directory_path(&self.directory);
        let address = address.map_err(|()| ErrorData::internal_error("the worktree has no address", None))?;
        Ok(ListRootsResult::new(vec![Root::new(address).with_name("worktree")]))
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }
}
