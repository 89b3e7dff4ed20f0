//! What may become a fact: plain text of some length that holds no key.

use super::secret;
use crate::base::hidden;

/// Bytes that a fact's text may have: a page. What is longer belongs into a file of the project.
pub const FACT_BYTES: usize = 4 * 1024;

/// Why a text cannot become a fact.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextFault {
    /// Nothing in it.
    #[error("the text is empty: say what is to be remembered")]
    Empty,
    /// Too long.
    #[error(
        "the text has {0} bytes, and a fact may have {FACT_BYTES}: remember the gist, or put it into a file of the \
         project and remember where it stands"
    )]
    Long(usize),
    /// Characters that hide something.
    #[error("the text holds a character that is not shown (U+{0:04X}): leave it out, it could hide what the text says")]
    Hidden(u32),
    /// It looks like a key.
    #[error(
        "the text holds what looks like {0}, and secrets are never remembered: keep it in a variable or a password \
         store, and remember its name, such as `the deploy key is in $DEPLOY_KEY`"
    )]
    Secret(&'static str),
}

/// A text as it is kept: without blanks around it, with plain line ends.
///
/// # Errors
/// When it cannot become a fact.
pub fn fact_text(text: &str) -> Result<String, TextFault> {
    let text = text.trim().replace("\r\n", "\n");
    if text.is_empty() {
        return Err(TextFault::Empty);
    }
    if text.len() > FACT_BYTES {
        return Err(TextFault::Long(text.len()));
    }
    if let Some(c) = text.chars().find(|c| hidden(*c)) {
        return Err(TextFault::Hidden(c as u32));
    }
    secret::find(&text).map_or(Ok(text), |what| Err(TextFault::Secret(what)))
}
