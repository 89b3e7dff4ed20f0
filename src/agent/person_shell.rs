//! What the person runs in a lane, a shell command (`!cmd`) or the configured init program, run like an
//! agent's command: own session, capped output, time limit, everything it started ended with it.

use std::path::Path;

use tokio_util::sync::CancellationToken;

use super::tools::{OUTPUT_CAP, Shell, Surroundings, run_shell as run};
use crate::base::shell_word;
use crate::domain::ToolOutcome;

/// Seconds after which a command that the person did not put in the background is ended.
const TIMEOUT: u64 = 600;
/// Seconds that setting up a lane may take: fetching and building a large project.
const INIT_TIMEOUT: u64 = 3_600;

/// Runs a command to its end, or ends it.
pub async fn run_shell(
    command: &str,
    directory: &Path,
    environment: &[(String, String)],
    stop: CancellationToken,
) -> ToolOutcome {
    let shell = Shell { command: command.to_owned(), timeout: TIMEOUT, keep: OUTPUT_CAP };
    let around = Surroundings { directory, environment, secret: None, call: "person", sandbox: None };
    run(&shell, around, &stop, &mut |_| {}).await
}

/// Runs a program with its arguments to its end, or ends it. `show` gets its output as it comes.
pub async fn run_program(
    arguments: &[String],
    directory: &Path,
    environment: &[(String, String)],
    stop: CancellationToken,
    show: &mut (dyn FnMut(&str) + Send),
) -> ToolOutcome {
    let words: Vec<_> = arguments.iter().map(|word| shell_word(word)).collect();
    let shell = Shell { command: format!("exec {}", words.join(" ")), timeout: INIT_TIMEOUT, keep: OUTPUT_CAP };
    let around = Surroundings { directory, environment, secret: None, call: "init", sandbox: None };
    run(&shell, around, &stop, show).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_program_gets_its_arguments_as_they_are() {
        let directory = tempfile::tempdir().unwrap();
        let path = [("PATH".to_owned(), std::env::var("PATH").unwrap())];
        let program = ["printf", "[%s]", "a b", "it's", "$HOME", "*", ""].map(str::to_owned);
        let mut shown = String::new();
        let outcome =
            run_program(&program, directory.path(), &path, CancellationToken::new(), &mut |text| shown.push_str(text))
                .await;
        assert!(outcome.ok, "{outcome:?}");
        assert_eq!(shown, "[a b][it's][$HOME][*][]");
        let missing = run_program(
            &["no-such-program".to_owned()],
            directory.path(),
            &path,
            CancellationToken::new(),
            &mut |_| {},
        )
        .await;
        assert!(!missing.ok);
    }
}
