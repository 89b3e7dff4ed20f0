//! Variables: which of them change nothing but how programs speak.

/// Variables that may be set for a program without changing what it runs or writes.
const HARMLESS: &[&str] = &[
    "CARGO_BUILD_JOBS",
    "CARGO_INCREMENTAL",
    "CARGO_NET_OFFLINE",
    "CARGO_TERM_COLOR",
    "CARGO_TERM_PROGRESS_WHEN",
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "DEBUG",
    "FORCE_COLOR",
    "GIT_OPTIONAL_LOCKS",
    "GIT_TERMINAL_PROMPT",
    "INSTA_UPDATE",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_NUMERIC",
    "LC_TIME",
    "LINES",
    "NODE_ENV",
    "NO_COLOR",
    "PROPTEST_CASES",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "RUST_TEST_THREADS",
    "TERM",
    "TZ",
    "VERBOSE",
];

/// Variables that name a program, and values by which it does nothing.
pub(super) fn does_nothing(name: &str, value: &str) -> bool {
    matches!(name, "PAGER" | "GIT_PAGER" | "EDITOR" | "VISUAL" | "GIT_EDITOR" | "GIT_SEQUENCE_EDITOR")
        && matches!(value, "" | "cat" | "true" | ":")
}

/// Whether setting a variable can change which programs run or what they do. `exported` says that programs get it
/// even if it was not there before.
pub(super) fn changes_programs(name: &str, exported: bool) -> bool {
    if HARMLESS.contains(&name) {
        return false;
    }
    let plain = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    // Lower case names are a script's own, unless programs read them from the environment they came with.
    let known = name.starts_with("npm_") || name.ends_with("_proxy");
    exported || !plain || known
}
