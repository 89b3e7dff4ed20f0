//! Hints that lead a newcomer through the demo, one at a time.

use super::WindowState;

/// The hint to show now, if any is left.
#[must_use]
pub fn hint(window: &WindowState) -> Option<&str> {
    window.hello.hints.get(window.hint).map(String::as_str)
}
