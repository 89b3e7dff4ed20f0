//! What goes back to the server that made it: an answer's parts in their order, with its seals unchanged.
//!
//! An answer's text and calls stand in the transcript as everybody reads them. The parts only say in which order
//! they came and what was around them, so that the message can be put together exactly as it was.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::domain::{Reasoning, ToolCall};

/// One part of an answer, as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Part {
    /// The next so many bytes of the text.
    Text {
        bytes: usize,
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        extra: Map<String, Value>,
    },
    /// The next call.
    Call {
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        extra: Map<String, Value>,
    },
    /// Something that only its server understands.
    Kept(Value),
}

impl Part {
    /// Whether the message cannot be put together without it.
    pub fn matters(&self) -> bool {
        match self {
            Self::Text { extra, .. } | Self::Call { extra } => !extra.is_empty(),
            Self::Kept(_) => true,
        }
    }
}

/// A part with what it stands for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Echo<'a> {
    Text(&'a str, Map<String, Value>),
    Call(&'a ToolCall, Map<String, Value>),
    Kept(Value),
}

/// The parts of an answer, for the server that `maker` names: with seals if it made them, plain if not.
pub(super) fn parts<'a>(
    text: &'a str,
    calls: &'a [ToolCall],
    reasoning: &Reasoning,
    maker: Option<&str>,
) -> Vec<Echo<'a>> {
    let ours = maker.is_some_and(|maker| maker == reasoning.made_by);
    let stored = if ours { reasoning.parts.as_slice() } else { &[] };
    let stored: Option<Vec<Part>> =
        stored.iter().map(|part| serde_json::from_value(part.clone()).ok()).collect::<Option<_>>();
    stored.and_then(|stored| sealed(text, calls, stored)).unwrap_or_else(|| plain(text, calls))
}

fn plain<'a>(text: &'a str, calls: &'a [ToolCall]) -> Vec<Echo<'a>> {
    let text = (!text.is_empty()).then(|| Echo::Text(text, Map::new()));
    text.into_iter().chain(calls.iter().map(|call| Echo::Call(call, Map::new()))).collect()
}

/// `None` when the parts do not fit the text and calls.
fn sealed<'a>(text: &'a str, calls: &'a [ToolCall], stored: Vec<Part>) -> Option<Vec<Echo<'a>>> {
    let (mut text, mut calls) = (text, calls.iter());
    let mut out = Vec::new();
    for part in stored {
        match part {
            Part::Text { bytes, extra } => {
                let (now, later) = text.split_at_checked(bytes)?;
                text = later;
                out.push(Echo::Text(now, extra));
            }
            Part::Call { extra } => out.push(Echo::Call(calls.next()?, extra)),
            Part::Kept(value) => out.push(Echo::Kept(value)),
        }
    }
    (text.is_empty() && calls.next().is_none()).then_some(out).filter(|out| !out.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::CallId;
    use serde_json::json;

    fn call(id: &str) -> ToolCall {
        ToolCall { id: CallId(id.into()), model_id: id.into(), tool: "read".into(), arguments: json!({}) }
    }

    #[test]
    fn parts_come_back_in_their_order_to_their_maker_alone() {
        let calls = [call("a"), call("b")];
        let parts = [
            Part::Kept(json!({"thinking": "hm"})),
            Part::Text { bytes: 2, extra: Map::new() },
            Part::Call { extra: Map::from_iter([("signature".to_owned(), json!("s"))]) },
            Part::Text { bytes: 2, extra: Map::new() },
            Part::Call { extra: Map::new() },
        ];
        let parts = parts.iter().map(|part| serde_json::to_value(part).unwrap()).collect();
        let reasoning = Reasoning { text: "hm".into(), made_by: "me".into(), parts };
        let back = super::parts("éab", &calls, &reasoning, Some("me"));
        assert_eq!(back.len(), 5);
        assert_eq!(back[1], Echo::Text("é", Map::new()));
        assert!(matches!(&back[2], Echo::Call(call, extra) if call.model_id == "a" && extra["signature"] == "s"));
        let plain = super::parts("éab", &calls, &reasoning, Some("another"));
        assert_eq!(plain.len(), 3);
        assert_eq!(super::parts("éab", &calls, &reasoning, None), plain);
        // What does not fit any more is told plainly, never wrongly.
        assert_eq!(super::parts("é", &calls, &reasoning, Some("me")).len(), 3);
        assert_eq!(super::parts("éab", &calls[..1], &reasoning, Some("me")).len(), 2);
    }
}
