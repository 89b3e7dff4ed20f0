//! A shell command of the person's own (`!cmd`), run like an agent's: own group, capped output, time limit.

use std::path::Path;

use tokio_util::sync::CancellationToken;

use super::tools::{Shell, Surroundings, run_shell as run};
use crate::domain::ToolOutcome;

/// Seconds after which a command that the person did not put in the background is ended.
const TIMEOUT: u64 = 600;

/// Runs a command to its end, or ends it.
pub async fn run_shell(
    command: &str,
    directory: &Path,
    environment: &[(String, String)],
    stop: CancellationToken,
) -> ToolOutcome {
    let shell = Shell { command: command.to_owned(), timeout: TIMEOUT };
    let around = Surroundings { directory, environment, secret: None, call: "person" };
    run(&shell, around, &stop, &mut |_| {}).await
}
