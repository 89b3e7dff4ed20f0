//! The plugin that governs OpenCode, run by itself as OpenCode runs it. That takes a JavaScript runtime: where there is none,
//! the test says so and has nothing to look at. What the workstation makes of the plugin's words is tested with the stub.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

const GUARD: &str = include_str!("../../src/native/adapter/opencode_guard.js");
const HOST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/guard_host.mjs");

/// What the plugin asks: it writes down what it was told, and answers what the test has prepared.
const PROGRAM: &str = r#"#!/bin/sh
place=${0%/*}
[ "$1" = hook ] && [ "$3" = opencode ] || exit 9
printf '%s %s\n' "$2" "$(cat)" >> "$place/asked"
reply=$(cat "$place/reply-$2" 2>/dev/null || echo '{}')
case $reply in
    status\ *)
        words=${reply#status ? }
        [ "$words" = "$reply" ] || printf '%s\n' "$words" >&2
        status=${reply#status }
        exit "${status%% *}"
        ;;
    wait)
        trap 'echo ended >> "$place/ended"; exit 0' TERM
        sleep 30 &
        wait
        ;;
esac
printf '%s\n' "$reply"
"#;

#[test]
fn the_guard_of_opencode_judges_tells_and_answers_where_node_or_bun_is_there() {
    let there = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|run| run.status.success());
    let Some(runtime) = ["bun", "node"].into_iter().find(there) else {
        eprintln!("nothing was looked at: neither `bun` nor `node` is there");
        return;
    };
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("program");
    fs::write(&program, PROGRAM).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let guard = place.path().join("guard.mjs");
    fs::write(&guard, GUARD.replace("@PROGRAM@", &serde_json::json!(program).to_string())).unwrap();
    let run = Command::new(runtime).arg(HOST).arg(&guard).arg(place.path()).output().unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(run.status.success(), "{}{}", said(&run.stdout), said(&run.stderr));
    assert_eq!(said(&run.stdout), "fine\n");
}
