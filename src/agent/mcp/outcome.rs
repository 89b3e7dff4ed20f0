//! What a server gave back, as a call's result: bounded, and with no picture that a model's server would refuse.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};

use crate::agent::tools;
use crate::base::{HeadTail, clip, one_line, size_words, visible};
use crate::domain::{ToolImage, ToolOutcome};

/// Pictures of one result that models are shown.
const IMAGES: usize = 4;
/// Bytes of an address or a name in a note.
const NAME: usize = 200;

/// The result of a call.
pub(super) fn outcome(result: CallToolResult) -> ToolOutcome {
    let mut parts = Vec::new();
    let mut images = Vec::new();
    let mut texts = 0;
    for block in result.content {
        match block {
            ContentBlock::Text(text) => {
                texts += 1;
                parts.push(text.text);
            }
            ContentBlock::Image(image) => parts.push(match picture(&image.data, images.len()) {
                Ok(shown) => {
                    let note = format!("[image: {}]", shown.media_type);
                    images.push(shown);
                    note
                }
                Err(why) => format!("[an image of type `{}` that is not shown: {why}]", named(&image.mime_type)),
            }),
            ContentBlock::Audio(audio) => {
                parts.push(format!("[sound of type `{}`, which cannot be given]", named(&audio.mime_type)));
            }
            ContentBlock::ResourceLink(link) => {
                let words = link.description.as_deref().map(|words| format!(": {words}")).unwrap_or_default();
                parts.push(format!(
                    "[resource `{}` at `{}`{}]",
                    named(&link.name),
                    named(&link.uri),
                    clip(&words, NAME * 2)
                ));
            }
            ContentBlock::Resource(resource) => match resource.resource {
                ResourceContents::TextResourceContents { uri, text, .. } => {
                    texts += 1;
                    parts.push(format!("[resource `{}`]\n{text}", named(&uri)));
                }
                ResourceContents::BlobResourceContents { uri, blob, .. } => {
                    let size = size_words(blob.len() as u64 / 4 * 3);
                    parts.push(format!("[resource `{}`: {size} that are no text]", named(&uri)));
                }
                _ => parts.push("[a resource of an unknown kind]".to_owned()),
            },
            _ => parts.push("[a part of an unknown kind]".to_owned()),
        }
    }
    // Servers are asked to give the same as text too.
    if let Some(structured) = result.structured_content.filter(|_| texts == 0) {
        parts.push(serde_json::to_string_pretty(&structured).unwrap_or_default());
    }
    let ok = result.is_error != Some(true);
    let whole = parts.join("\n");
    let mut kept = HeadTail::new(tools::RESULT_CAP);
    kept.push(whole.as_bytes());
    let output = match kept.text() {
        text if !text.trim().is_empty() => text,
        _ if ok => "[the tool gave nothing back]".to_owned(),
        _ => "[the tool failed without a word]".to_owned(),
    };
    let summary = match (ok, output.lines().count()) {
        (false, _) => "failed".to_owned(),
        (true, _) if !images.is_empty() => tools::counted(images.len(), "image", "images"),
        (true, lines) => tools::counted(lines, "line", "lines"),
    };
    ToolOutcome { ok, output, summary, images, ..ToolOutcome::default() }
}

/// A picture that models may be shown: one that is not what it says would have every later request refused.
fn picture(data: &str, before: usize) -> Result<ToolImage, String> {
    if before >= IMAGES {
        return Err(format!("a result may have {IMAGES}"));
    }
    if data.len() > tools::IMAGE_CAP / 3 * 4 + 4 {
        return Err(format!("it is larger than {}", size_words(tools::IMAGE_CAP as u64)));
    }
    let bytes = STANDARD.decode(data.trim()).map_err(|_| "it is not base64".to_owned())?;
    let media_type = tools::image_type(&bytes).ok_or("it is neither png, jpeg, gif nor webp")?;
    Ok(ToolImage { media_type: media_type.to_owned(), data: STANDARD.encode(bytes) })
}

fn named(text: &str) -> String {
    clip(&visible(&one_line(text)), NAME)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn of(result: Value) -> ToolOutcome {
        outcome(serde_json::from_value(result).unwrap())
    }

    #[test]
    fn every_kind_of_content_becomes_text_or_a_picture() {
        let png = STANDARD.encode(b"\x89PNG\r\n\x1a\nrest");
        let done = of(json!({"content": [
            {"type": "text", "text": "one"},
            {"type": "image", "data": png, "mimeType": "image/gif"},
            {"type": "image", "data": "%%%", "mimeType": "image/png"},
            {"type": "image", "data": STANDARD.encode("no picture"), "mimeType": "image/png"},
            {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
            {"type": "resource_link", "uri": "file:///x", "name": "x", "description": "what it is"},
            {"type": "resource", "resource": {"uri": "file:///y", "text": "two"}},
            {"type": "resource", "resource": {"uri": "file:///z", "blob": "AAAA"}},
        ], "structuredContent": {"left": "out"}}));
        assert!(done.ok && done.summary == "1 image");
        assert_eq!((done.images.len(), done.images[0].media_type.as_str()), (1, "image/png"));
        for part in [
            "one\n[image: image/png]",
            "not base64",
            "neither png",
            "[sound of type `audio/wav`",
            "[resource `x` at `file:///x`: what it is]",
            "[resource `file:///y`]\ntwo",
            "[resource `file:///z`: 0.0 KB that are no text]",
        ] {
            assert!(done.output.contains(part), "{part}: {}", done.output);
        }
        assert!(!done.output.contains("left"), "{}", done.output);
    }

    #[test]
    fn structured_content_alone_is_given_and_an_error_is_one() {
        let done = of(json!({"content": [], "structuredContent": {"a": [1, 2]}}));
        assert!(done.ok && done.output.contains("\"a\": ["), "{}", done.output);
        let failed = of(json!({"content": [{"type": "text", "text": "no such page"}], "isError": true}));
        assert_eq!((failed.ok, failed.output.as_str(), failed.summary.as_str()), (false, "no such page", "failed"));
        assert!(of(json!({"content": []})).output.contains("nothing back"));
    }

    #[test]
    fn a_huge_result_is_cut() {
        let done = of(json!({"content": [{"type": "text", "text": "x".repeat(5_000_000)}]}));
        assert!(done.output.len() < tools::RESULT_CAP + 100 && done.output.contains("bytes left out"));
    }
}
