//! The directory of hooks that a lane's processes get instead of the repository's own, to which each of them leads.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

use super::RefRules;
use crate::native::Fault;
use crate::native::launch::text;
use crate::native::tools::quoted;

/// The rules' file, beside the hooks.
pub const RULES: &str = "rules.json";

/// Every hook that git knows, but for those below.
const NAMES: &[&str] = &[
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "p4-changelist",
    "p4-post-changelist",
    "p4-pre-submit",
    "p4-prepare-changelist",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-receive",
    "post-rewrite",
    "post-update",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "pre-receive",
    "prepare-commit-msg",
    "reference-transaction",
    "sendemail-validate",
    "update",
];

/// Hooks that change what git does by being there: they are there only where the repository has them.
const MEANINGFUL: &[&str] = &["proc-receive", "push-to-checkout"];

/// Leads to the repository's own hook: arguments, input and status stay as they are. Where it is, is asked without our
/// settings; a CLI that sets none runs none.
const CHAIN: &str = r#"#!/bin/sh
own=$(unset GIT_CONFIG_PARAMETERS; GIT_CONFIG_KEY_0=paralane.none git rev-parse --git-path hooks 2>/dev/null)/${0##*/}
case $own in .//*) own= ;; esac
[ -x "$own" ] || exit 0
exec "$own" "$@"
"#;

/// The same, with our word first where a change can still be refused. `@OWN@` is this program.
const REFERENCES: &str = r#"#!/bin/sh
own=$(unset GIT_CONFIG_PARAMETERS; GIT_CONFIG_KEY_0=paralane.none git rev-parse --git-path hooks 2>/dev/null)/${0##*/}
case $own in .//*) own= ;; esac
if [ "$1" = prepared ]; then
    [ -x "$own" ] || exec @OWN@ hook git "${0%/*}"
    lines=$(cat)
    printf '%s\n' "$lines" | @OWN@ hook git "${0%/*}" || exit
    printf '%s\n' "$lines" | "$own" "$@"
    exit
fi
[ -x "$own" ] || exit 0
exec "$own" "$@"
"#;

/// Writes the hooks into a directory of their own. `program` is this one; `repository` holds the repository's hooks.
/// Gives the variables with which git finds them.
///
/// # Errors
/// [`Fault`], when a file cannot be written.
pub fn install(
    directory: &Path,
    program: &Path,
    repository: &Path,
    rules: &RefRules,
) -> Result<Vec<(OsString, OsString)>, Fault> {
    let fault = |path: &Path| {
        let path = path.to_owned();
        move |source: io::Error| Fault::File { path, source }
    };
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(fault(directory))?;
    let references = REFERENCES.replace("@OWN@", &quoted(text(program)?));
    let there = |name: &&&str| repository.join("hooks").join(name).exists();
    let rules = serde_json::to_string(rules).map_err(|error| fault(directory)(io::Error::other(error)))?;
    let scripts = NAMES.iter().chain(MEANINGFUL.iter().filter(there)).map(|name| {
        let text = if *name == "reference-transaction" { references.as_str() } else { CHAIN };
        (*name, text, 0o700)
    });
    for (name, text, mode) in scripts.chain([(RULES, rules.as_str(), 0o600)]) {
        let path = directory.join(name);
        let file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(&path);
        file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(fault(&path))?;
    }
    // Some CLIs set settings of their own after those that are counted, no hooks among them; parameters come after all.
    let parameter = format!("'core.hooksPath={}'", text(directory)?.replace('\'', "'\\''"));
    let value = directory.as_os_str().to_owned();
    let all = [
        ("COUNT", "1".into()),
        ("KEY_0", "core.hooksPath".into()),
        ("VALUE_0", value),
        ("PARAMETERS", parameter.into()),
    ];
    Ok(all.into_iter().map(|(name, value): (&str, OsString)| (format!("GIT_CONFIG_{name}").into(), value)).collect())
}

/// Reads the rules beside the hooks.
///
/// # Errors
/// When they are not there or cannot be understood.
pub fn rules(directory: &Path) -> io::Result<RefRules> {
    serde_json::from_slice(&fs::read(directory.join(RULES))?).map_err(io::Error::other)
}
