//! Hooks and the running whole: which files of the repository they may run, and the end of a lane's session.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::shared::Shared;
use crate::agent::{self, HookFile, Hooks, LaneHooks};
use crate::app::{LaneMsg, Msg};
use crate::base::lock;
use crate::config::Hook;
use crate::domain::{HookEvent, HookTrust, LaneId, PortFuture, Sandbox};

/// How long each hook may take when a session ends: others wait for it, a person at a closing workstation too.
const LAST: Duration = Duration::from_secs(3);

/// What the person trusted, as far as the configuration was last read with it.
#[derive(Debug, Default)]
pub(super) struct Trusted(Mutex<BTreeSet<String>>);

impl Trusted {
    /// Takes what is trusted now.
    pub fn set(&self, marks: BTreeSet<String>) {
        *lock(&self.0) = marks;
    }
}

/// Trust as hooks ask for it.
pub(super) struct Trust(Weak<Shared>);

impl HookTrust for Trust {
    fn trusts(&self, mark: &str) -> bool {
        self.0.upgrade().is_some_and(|shared| lock(&shared.trusted.0).contains(mark))
    }

    fn ask(&self) -> PortFuture<'_, ()> {
        Box::pin(async move {
            // Without a workstation nobody is there to be asked.
            if let Some(shared) = self.0.upgrade() {
                shared.tell(Msg::TrustWanted).await;
            }
        })
    }
}

/// The hooks of a lane, as its turns take them.
pub(super) fn of_lane(
    shared: &Arc<Shared>,
    lane: String,
    hooks: Vec<Hook>,
    sandbox: Option<Arc<dyn Sandbox>>,
) -> LaneHooks {
    let project = shared.project.root().to_owned();
    LaneHooks { hooks, lane, project, sandbox, trust: Arc::new(Trust(Arc::downgrade(shared))) }
}

/// Files of the repository that these hooks run, and that are not trusted as they stand. What cannot be looked at is
/// left to the hook's own run, which fails for it.
pub(super) fn untrusted_files(hooks: &[Hook], root: &Path, trusted: &BTreeSet<String>) -> Vec<HookFile> {
    let mut files: Vec<HookFile> = Vec::new();
    for file in hooks.iter().filter_map(|hook| agent::hook_command(hook, root).ok()).flat_map(|found| found.files) {
        if !trusted.contains(&file.mark) && !files.iter().any(|known| known.path == file.path) {
            files.push(file);
        }
    }
    files
}

/// A file as it is shown to be trusted.
pub(super) fn shown(file: &HookFile) -> String {
    let what = match std::str::from_utf8(&file.content) {
        Ok(text) => text.to_owned(),
        Err(_) => format!("({} bytes that are no text; their mark is {})\n", file.content.len(), file.mark),
    };
    format!("# file: {} (run by a hook)\n\n{what}", file.path)
}

/// Tells hooks that a lane's session is over, and the transcript what they said.
pub(super) async fn end_session(lane: LaneId, shared: &Arc<Shared>, hooks: LaneHooks, reason: &str) {
    let Some(place) = shared.places.get(lane) else { return };
    let environment = shared.environment.without(&shared.providers.key_names());
    let hooks = Hooks::new(hooks, place.directory, environment, None, None);
    if !hooks.any(HookEvent::SessionEnd, None) {
        return;
    }
    // Its own time limit ends it: a workstation that ends waits for it.
    let reply = hooks.session_end(reason, LAST, &CancellationToken::new()).await;
    for (level, text) in reply.notices(HookEvent::SessionEnd) {
        shared.tell_lane(lane, LaneMsg::Said(level, text)).await;
    }
}
