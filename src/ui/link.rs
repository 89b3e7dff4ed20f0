//! Links as they are written (OSC 8): the target made harmless, and an id that holds its parts together.

use std::sync::Arc;

/// The longest target, in bytes as written: some terminals drop the link beyond it, some the whole command.
const LONGEST: usize = 2_083;

/// Where a link leads: printable ASCII, bounded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link(Arc<str>);

impl Link {
    /// A link to an untrusted target; every other byte is percent-encoded. None when it is empty or too long.
    #[must_use]
    pub fn new(target: &Arc<str>) -> Option<Self> {
        if target.is_empty() || target.len() > LONGEST {
            return None;
        }
        if target.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Some(Self(Arc::clone(target)));
        }
        let mut written = String::with_capacity(target.len() + 16);
        for byte in target.bytes() {
            if byte.is_ascii_graphic() {
                written.push(char::from(byte));
            } else {
                let digit = |n: u8| char::from_digit(u32::from(n), 16).unwrap_or('0').to_ascii_uppercase();
                written.extend(['%', digit(byte >> 4), digit(byte & 15)]);
            }
        }
        (written.len() <= LONGEST).then(|| Self(written.into()))
    }

    /// The target as it is written.
    #[must_use]
    pub fn target(&self) -> &str {
        &self.0
    }

    /// A number that is the same wherever this target stands: parts of one link stand in several rows and are
    /// drawn at different times.
    pub(super) fn number(&self) -> u32 {
        // FNV-1a.
        self.0.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(target: &str) -> Option<String> {
        Link::new(&target.into()).map(|link| link.target().to_owned())
    }

    #[test]
    fn a_target_is_written_in_printable_ascii() {
        assert_eq!(written("https://x.org/a?b=1;2").as_deref(), Some("https://x.org/a?b=1;2"));
        assert_eq!(written("file:///tmp/ä b\x1b\x07").as_deref(), Some("file:///tmp/%C3%A4%20b%1B%07"));
    }

    #[test]
    fn what_is_no_target_is_no_link() {
        assert_eq!(written(""), None);
        assert_eq!(written(&"a".repeat(LONGEST + 1)), None);
        assert_eq!(written(&"\u{9c}".repeat(LONGEST / 6 + 1)), None);
        assert!(written(&"a".repeat(LONGEST)).is_some());
    }
}
