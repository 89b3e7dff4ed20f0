//! One server as the caller gives it; no secret in it is ever printed.

use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::provider::ApiKey;
use crate::agent::proxy::ProxySettings;
use crate::config::Server;
use crate::domain::Sandbox;

/// Shorter ones would blot out half of a text.
const SHORTEST_SECRET: usize = 6;

/// A server of a lane, with all that starting it needs.
#[derive(Clone)]
pub struct ServerSpec {
    /// What the configuration says of it.
    pub settings: Server,
    /// Where its process runs: the lane's worktree.
    pub directory: PathBuf,
    /// The few variables that every process gets. A change of them alone starts no server anew.
    pub base: Vec<(String, String)>,
    /// Variables that the configuration sets or hands on.
    pub given: Vec<(String, String)>,
    /// Headers with secrets in them.
    pub headers: Vec<(String, ApiKey)>,
    /// What the environment says about proxies.
    pub proxies: ProxySettings,
    /// What holds its process.
    pub sandbox: Option<Arc<dyn Sandbox>>,
    /// Why it cannot be used: a variable that it needs is not set.
    pub fault: Option<String>,
}

impl std::fmt::Debug for ServerSpec {
    /// Without values: they may be secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerSpec").field("name", &self.settings.name).finish_non_exhaustive()
    }
}

impl ServerSpec {
    /// Whether a server that was started by the other one is the one that this one means.
    pub(super) fn same(&self, other: &Self) -> bool {
        // That its table has moved within the file is no change of it.
        let settings = Server { origin: other.settings.origin.clone(), ..self.settings.clone() };
        settings == other.settings
            && self.directory == other.directory
            && self.given == other.given
            && self.headers == other.headers
            && self.fault == other.fault
    }

    /// A text of the server's without the secrets that it was given.
    pub(super) fn clean(&self, text: &str) -> String {
        let passed = |name: &String| self.settings.env.get(name).is_some_and(Option::is_none);
        let given = self.given.iter().filter(|(name, _)| passed(name)).map(|(_, value)| value.as_str());
        let secrets = given.chain(self.headers.iter().map(|(_, value)| value.secret()));
        secrets
            .filter(|secret| secret.len() >= SHORTEST_SECRET)
            .fold(text.to_owned(), |text, secret| text.replace(secret, "[key]"))
    }
}
