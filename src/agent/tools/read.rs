//! `read`: a part of a text file, or an image.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::arguments::Read;
use super::{counted, looked};
use crate::base::{clip, size_words};
use crate::domain::{Files, ToolImage, ToolOutcome};

/// Lines without word from the model.
const LINES: u64 = 2000;
/// Longer lines are cut: they are data, not text.
const LINE_CELLS: usize = 2000;
/// Bytes given at once.
const CAP: usize = 64 * 1024;
/// Bytes of an image: what is larger no server takes, and it would be kept with the transcript.
pub(in crate::agent) const IMAGE_CAP: usize = 1024 * 1024;

/// Gives the result and the file's whole content.
pub(super) fn run(ask: &Read, files: &dyn Files) -> Result<(ToolOutcome, Vec<u8>), String> {
    let path = &ask.path;
    let content = files.read(path).map_err(|error| error.to_string())?;
    if let Some(media_type) = image_type(&content) {
        return image(path, media_type, &content).map(|outcome| (outcome, content));
    }
    if is_binary(&content) {
        return Err(format!(
            "`{path}` is a binary file of {}; `read` gives text and images only. Look at it with a command, such as \
             `file` or `xxd`",
            size_words(content.len() as u64)
        ));
    }
    let (output, summary) = text(ask, &content)?;
    Ok((looked(output, summary), content))
}

/// Whether bytes are no text.
pub(super) fn is_binary(content: &[u8]) -> bool {
    content.iter().take(8192).any(|byte| *byte == 0)
}

pub(in crate::agent) fn image_type(content: &[u8]) -> Option<&'static str> {
    match content {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

fn image(path: &str, media_type: &str, content: &[u8]) -> Result<ToolOutcome, String> {
    let size = size_words(content.len() as u64);
    if content.len() > IMAGE_CAP {
        let cap = size_words(IMAGE_CAP as u64);
        return Err(format!("`{path}` is an image of {size}, more than the {cap} that can be shown; make it smaller"));
    }
    let mut outcome = looked(format!("[image `{path}`: {media_type}, {size}]"), format!("image, {size}"));
    outcome.images.push(ToolImage { media_type: media_type.to_owned(), data: STANDARD.encode(content) });
    Ok(outcome)
}

fn text(ask: &Read, content: &[u8]) -> Result<(String, String), String> {
    let (path, offset) = (&ask.path, ask.offset.unwrap_or(1).max(1));
    let text = String::from_utf8_lossy(content);
    let total = text.lines().count();
    let first = usize::try_from(offset - 1).unwrap_or(usize::MAX);
    if first >= total && (total > 0 || first > 0) {
        return Err(format!("`{path}` has {total} lines; line {offset} is beyond its end"));
    }
    let limit = usize::try_from(ask.limit.unwrap_or(LINES)).unwrap_or(usize::MAX);
    let mut out = String::new();
    let (mut lines, mut long) = (0, 0);
    for line in text.split_inclusive('\n').skip(first).take(limit) {
        let bare = line.strip_suffix('\n').unwrap_or(line);
        if lines > 0 && out.len() + bare.len().min(LINE_CELLS) > CAP {
            break;
        }
        if bare.len() > LINE_CELLS {
            out.push_str(&clip(bare, LINE_CELLS));
            out.push('\n');
            long += 1;
        } else {
            out.push_str(line);
        }
        lines += 1;
    }
    let last = first + lines;
    let mut notes = Vec::new();
    if long > 0 {
        notes.push(format!("{} cut at {LINE_CELLS} characters", counted(long, "line is", "lines are")));
    }
    if last < total {
        notes.push(format!("lines {offset}–{last} of {total}; read on with offset {}", last + 1));
    } else if total == 0 {
        notes.push("the file is empty".to_owned());
    }
    if !notes.is_empty() {
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        out = format!("{out}[{}]", notes.join("; "));
    }
    Ok((out, counted(lines, "line", "lines")))
}
