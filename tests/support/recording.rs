//! Recordings of programs in a terminal, in the asciicast v2 format: a header line, then one JSON array a line.
//!
//! `o` is output, `r` a resize that was made before the output behind it, `m` a mark: a moment at which the
//! screen is worth comparing. Times are seconds since the start.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use paralane::domain::Size;
use serde_json::{Value, json};

/// What happened next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The program wrote this; a character may be cut from its rest, which comes next.
    Output(String),
    /// The terminal was resized.
    Resize(Size),
    /// The screen is worth a look.
    Mark(String),
}

/// One recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// The size at the start.
    pub size: Size,
    /// Milliseconds since the start, and what happened.
    pub events: Vec<(u64, Event)>,
}

impl Recording {
    /// Reads one.
    pub fn load(path: &Path) -> Result<Self, Box<dyn std::error::Error>> {
        let text = fs::read_to_string(path)?;
        let mut lines = text.lines();
        let header: Value = serde_json::from_str(lines.next().unwrap_or_default())?;
        let side =
            |name: &str| header[name].as_u64().and_then(|n| u16::try_from(n).ok()).ok_or("the header has no size");
        let size = Size { columns: side("width")?, rows: side("height")? };
        let mut events = Vec::new();
        for line in lines {
            let (time, kind, data): (f64, String, String) = serde_json::from_str(line)?;
            let event = match kind.as_str() {
                "o" => Event::Output(data),
                "r" => Event::Resize(parse_size(&data).ok_or("a resize without a size")?),
                "m" => Event::Mark(data),
                other => return Err(format!("an event of the unknown kind {other:?}").into()),
            };
            events.push(((time * 1000.0).round() as u64, event));
        }
        Ok(Self { size, events })
    }

    /// Writes it.
    pub fn save(&self, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let header = json!({
            "version": 2,
            "width": self.size.columns,
            "height": self.size.rows,
            "env": { "TERM": "xterm-256color" },
        });
        let mut text = format!("{header}\n");
        for (time, event) in &self.events {
            let (kind, data) = match event {
                Event::Output(data) => ("o", data.clone()),
                Event::Resize(size) => ("r", format!("{}x{}", size.columns, size.rows)),
                Event::Mark(label) => ("m", label.clone()),
            };
            let time = *time as f64 / 1000.0;
            // Writing to memory does not fail.
            let _ = writeln!(text, "{}", json!([time, kind, data]));
        }
        fs::write(path, text)?;
        Ok(())
    }
}

/// `120x40`.
pub fn parse_size(text: &str) -> Option<Size> {
    let (columns, rows) = text.split_once('x')?;
    Some(Size { columns: columns.parse().ok()?, rows: rows.parse().ok()? })
}
