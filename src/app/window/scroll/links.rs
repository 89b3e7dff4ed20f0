//! Links in a frozen text: those that a program laid under it (OSC 8), and addresses that just stand there.
//!
//! A wrapped address is whole, since lines are not rows. All of it is untrusted text.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::text::{Place, ScrollText};

/// A link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The bytes of the line that show it.
    pub bytes: Range<usize>,
    /// Where it leads.
    pub target: String,
}

static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // What may stand in an address, and beyond it what people write there: no blank, quote, bracket or full-width sign.
    let rest = r#"[^\s<>"'`{}|\\^\x00-\x1f\x7f、。，；：！？「」『』（）【】《》“”‘’…]+"#;
    Regex::new(&format!(r"(?i)\b(?:(?:https?|file)://|mailto:){rest}")).ok()
});

/// The addresses that stand in a text, without the signs of the sentence around them.
pub(in crate::app::window) fn addresses(text: &str) -> Vec<Range<usize>> {
    if !text.contains(':') {
        return Vec::new();
    }
    let Some(address) = ADDRESS.as_ref() else { return Vec::new() };
    address.find_iter(text).map(|hit| trimmed(text, hit.range())).collect()
}

/// The link under a place.
#[must_use]
pub fn link_at(text: &ScrollText, place: Place) -> Option<Link> {
    if let Some((bytes, target)) = text.laid_link(place) {
        return Some(Link { bytes, target: target.to_string() });
    }
    let line = text.line(place.line);
    let bytes = addresses(line).into_iter().find(|bytes| bytes.contains(&place.byte))?;
    Some(Link { target: line[bytes.clone()].to_owned(), bytes })
}

/// Without the signs at its end that belong to the sentence around it.
fn trimmed(line: &str, bytes: Range<usize>) -> Range<usize> {
    let mut address = &line[bytes.clone()];
    while let Some(last) = address.chars().next_back() {
        let opening = match last {
            ')' => Some('('),
            ']' => Some('['),
            _ => None,
        };
        let cut = match opening {
            Some(opening) => address.matches(last).count() > address.matches(opening).count(),
            None => matches!(last, '.' | ',' | ';' | ':' | '!' | '?' | '*' | '_' | '~'),
        };
        if !cut {
            break;
        }
        address = &address[..address.len() - last.len_utf8()];
    }
    bytes.start..bytes.start + address.len()
}
