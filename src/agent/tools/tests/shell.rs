//! The shell on real processes.

use super::*;
use std::time::Duration;

/// Runs a command in a directory of its own until it ends, or until `cancel_at` is shown.
async fn sh(directory: &Path, command: &str, timeout: u64, cancel_at: Option<&str>) -> (ToolOutcome, String) {
    let path = std::env::var("PATH").unwrap_or_default();
    let environment: Vec<(String, String)> =
        [("PATH", path.as_str()), ("GIT_DIR", "/elsewhere"), ("OTHER_KEY", "sk-SENTINEL"), ("LANG", "C.UTF-8")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec();
    let around = Surroundings {
        directory,
        environment: &environment,
        secret: Some("sk-SENTINEL"),
        call: "p1.1.1",
        sandbox: None,
    };
    let stop = CancellationToken::new();
    let mut shown = String::new();
    let mut show = |text: &str| {
        shown.push_str(text);
        if cancel_at.is_some_and(|words| shown.contains(words)) {
            stop.cancel();
        }
    };
    let shell = super::super::shell::Shell { command: command.to_owned(), timeout, keep: OUTPUT_CAP };
    let outcome = run_shell(&shell, around, &stop, &mut show).await;
    (outcome, shown)
}

/// Whether a process of this number lives (a zombie does not).
fn lives(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap().trim_start().starts_with('Z'))
}

fn dir() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[tokio::test]
async fn output_comes_in_order_with_the_status() {
    let dir = dir();
    let (outcome, shown) = sh(dir.path(), "echo a; echo b >&2; echo grün; pwd; exit 3", 60, None).await;
    let real = dir.path().canonicalize().unwrap();
    assert_eq!(outcome.output, format!("a\nb\ngrün\n{}\n[exit 3]", dir.path().display()), "{}", real.display());
    assert_eq!((outcome.ok, outcome.summary.as_str()), (false, "exit 3"));
    assert!(shown.starts_with("a\nb\ngrün\n"));
    let (outcome, _) = sh(dir.path(), "kill -9 $$", 60, None).await;
    assert_eq!(outcome.summary, "signal 9");
}

#[tokio::test]
async fn the_environment_is_clean_and_there_is_no_terminal() {
    let dir = dir();
    let (outcome, _) = sh(dir.path(), "env; cat; (: </dev/tty) 2>&1", 60, None).await;
    assert!(!outcome.output.contains("SENTINEL") && !outcome.output.contains("GIT_DIR"), "{}", outcome.output);
    assert!(!outcome.ok, "the terminal could be opened: {}", outcome.output);
}

#[tokio::test]
async fn a_flood_is_capped_head_and_tail() {
    let dir = dir();
    let (outcome, _) =
        sh(dir.path(), "echo first; head -c 300000 /dev/zero | tr '\\0' x; echo; echo last", 60, None).await;
    assert!(outcome.output.len() < OUTPUT_CAP + 400, "{}", outcome.output.len());
    assert!(outcome.output.starts_with("first\n") && outcome.output.contains("\nlast\n[exit 0]"));
    assert!(outcome.output.contains("bytes left out"));
}

#[tokio::test]
async fn bytes_that_are_no_text_and_cut_characters_are_shown() {
    let dir = dir();
    let command = "printf '\\xc3'; sleep 0.05; printf '\\xbc\\xff|'; printf '\\xe6\\xbc'";
    let (outcome, shown) = sh(dir.path(), command, 60, None).await;
    assert_eq!(shown, "ü\u{fffd}|\u{fffd}");
    assert!(outcome.output.starts_with("ü\u{fffd}|"));
}

#[tokio::test]
async fn what_is_left_in_the_background_does_not_hang_and_is_ended() {
    let dir = dir();
    let (outcome, _) = sh(dir.path(), "sleep 1000 & echo $! > pid; echo done", 60, None).await;
    assert_eq!(outcome.output, "done\n[exit 0]\n[processes that it left in the background were ended]");
    let pid = std::fs::read_to_string(dir.path().join("pid")).unwrap();
    assert!(!lives(pid.trim()));
}

#[tokio::test]
async fn the_time_limit_ends_the_children_too() {
    let dir = dir();
    let (outcome, _) = sh(dir.path(), "sleep 1000 & echo $! > pid; wait", 2, None).await;
    assert_eq!((outcome.ok, outcome.summary.as_str()), (false, "timed out"));
    assert!(outcome.output.contains("ended after 2 s"), "{}", outcome.output);
    assert!(!lives(std::fs::read_to_string(dir.path().join("pid")).unwrap().trim()));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn cancel_ends_all_also_what_left_the_session_or_ignores_the_signal() {
    let dir = dir();
    let command = "trap '' TERM; sleep 1000 & echo $! >> pids; \
                   setsid sh -c 'echo $$ >> pids; exec sleep 1000' & \
                   setsid setsid sh -c 'trap \"\" TERM; echo $$ >> pids; while :; do sleep 1; done' & \
                   while [ $(wc -l < pids) -lt 3 ]; do sleep 0.02; done; echo ready; while :; do sleep 1; done";
    let running = sh(dir.path(), command, 600, Some("ready"));
    let (outcome, _) = tokio::time::timeout(Duration::from_secs(60), running).await.unwrap();
    assert_eq!(outcome.summary, "cancelled");
    let pids = std::fs::read_to_string(dir.path().join("pids")).unwrap();
    assert_eq!(pids.lines().count(), 3);
    for pid in pids.lines() {
        assert!(!lives(pid), "{pid} still lives");
    }
}

#[tokio::test]
async fn a_missing_directory_is_told() {
    let (outcome, _) = sh(Path::new("/nonexistent/tree"), "true", 60, None).await;
    assert!(outcome.output.contains("cannot start the shell in `/nonexistent/tree`"), "{}", outcome.output);
}
