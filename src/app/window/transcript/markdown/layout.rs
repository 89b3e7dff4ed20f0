//! Chunks as lines: what leads them, their tones, tables at a width.

use std::sync::Arc;

use crate::app::window::line::{CodeLine, Line};
use crate::app::window::text::{Run, Tone, clean};
use crate::base::width;

use super::scan::marker;
use super::table::Columns;
use super::{Chunk, Kind, inline};

/// Cells before everything.
pub(in crate::app::window::transcript) const MARGIN: usize = 2;
/// Cells of a code line's own indent that its further rows take over.
const MOST_OWN: usize = 12;
/// Cells of a rule at most.
const RULE: usize = 48;

/// The language that a fence's first line names, without what may stand behind it.
pub(in crate::app::window::transcript) fn language(text: &str, fence: u32) -> &str {
    let line = text.get(fence as usize..).and_then(|rest| rest.lines().next()).unwrap_or("");
    let info = line.trim().trim_start_matches(['`', '~']).trim();
    let end = info.find([' ', ',', '{', '\t']).unwrap_or(info.len());
    if end == 0 { info } else { &info[..end] }
}

/// The lines of each unit of a chunk, at so many cells. `key` tells the text from others. `tail`: more may follow.
pub(in crate::app::window::transcript) fn lay_out(
    text: &str,
    chunk: &Chunk,
    cells: usize,
    key: u64,
    tail: bool,
) -> Vec<Vec<Line>> {
    let bytes = chunk.bytes();
    let body = text.get(bytes.clone()).unwrap_or("");
    let mut units: Vec<Vec<Line>> = match chunk.kind {
        Kind::Paragraph { indent } => paragraph(body, &lead(indent), tail),
        Kind::Item { indent } => item(body, indent, tail),
        Kind::Heading => vec![vec![heading(body)]],
        Kind::Title => title(body, cells),
        Kind::Quote { indent } => quote(body, indent),
        Kind::Rule => vec![vec![rule(cells)]],
        Kind::Language { indent } => {
            let name = clean(language(text, chunk.start)).into_owned();
            vec![vec![Line::new(&lead(indent), MARGIN, vec![Run::new(Tone::Dim, name)])]]
        }
        Kind::Code { indent, fence, piece, line } => {
            let language: Arc<str> = fence.map_or("", |fence| language(text, fence)).into();
            let code = |(number, raw): (usize, &str)| {
                let at = CodeLine {
                    piece: key ^ u64::from(piece),
                    line: line as usize + number,
                    language: language.clone(),
                };
                vec![code_line(raw, usize::from(indent), fence.is_some(), at)]
            };
            body.split('\n').enumerate().map(code).collect()
        }
        Kind::Table { start, end } => {
            let whole = text.get(start as usize..end as usize).unwrap_or("");
            let columns = Columns::of(whole, cells.saturating_sub(MARGIN));
            let first = start == chunk.start;
            let row = |(number, row): (usize, &str)| columns.row(row, first && number == 0, cells);
            body.split('\n').enumerate().map(row).collect()
        }
    };
    if chunk.gap {
        units.insert(0, vec![Line::default()]);
    }
    // As many as the outline has counted, whatever a text may hold.
    units.resize(chunk.units().len(), vec![Line::default()]);
    units
}

fn lead(indent: u16) -> String {
    " ".repeat(MARGIN + usize::from(indent))
}

/// Each line without blanks around it.
fn trimmed(body: &str) -> String {
    body.split('\n').map(str::trim).collect::<Vec<_>>().join("\n")
}

fn paragraph(body: &str, lead: &str, tail: bool) -> Vec<Vec<Line>> {
    let line = |runs| vec![Line::led(lead, lead, Tone::Text, runs)];
    inline(&mended(trimmed(body), tail), Tone::Text).into_iter().map(line).collect()
}

fn item(body: &str, indent: u16, tail: bool) -> Vec<Vec<Line>> {
    let body = trimmed(body);
    let mark = marker(&body).unwrap_or(0);
    let written = body[..mark].trim_end();
    let glyph = if written.len() == 1 { "•" } else { written };
    let first = format!("{}{glyph} ", lead(indent));
    let more = " ".repeat(width(&first));
    let text = mended(body[mark..].trim_start().to_owned(), tail);
    let lines = inline(&text, Tone::Text).into_iter().enumerate();
    lines.map(|(i, runs)| vec![Line::led(if i == 0 { &first } else { &more }, &more, Tone::Text, runs)]).collect()
}

fn heading(body: &str) -> Line {
    let text = body.trim().trim_start_matches('#').trim_end_matches('#').trim();
    let runs = inline(text, Tone::Strong).into_iter().flatten().map(firm).collect();
    Line::new("  ", MARGIN, runs)
}

/// Plain words of a heading stand out.
fn firm(mut run: Run) -> Run {
    if matches!(run.tone, Tone::Text | Tone::Emphasis) {
        run.tone = Tone::Strong;
    }
    run
}

fn title(body: &str, cells: usize) -> Vec<Vec<Line>> {
    let (text, _) = body.rsplit_once('\n').unwrap_or((body, ""));
    let lines = inline(&trimmed(text), Tone::Strong).into_iter();
    let mut units: Vec<Vec<Line>> =
        lines.map(|runs| vec![Line::new("  ", MARGIN, runs.into_iter().map(firm).collect())]).collect();
    units.push(vec![rule(cells)]);
    units
}

fn rule(cells: usize) -> Line {
    let text = "─".repeat(cells.saturating_sub(2 * MARGIN).clamp(1, RULE));
    Line::new("  ", MARGIN, vec![Run::new(Tone::Rule, text)])
}

/// Quoted lines keep their bars in every row; what they quote is told from each other by lists and code alone.
fn quote(body: &str, indent: u16) -> Vec<Vec<Line>> {
    let mut depths = Vec::new();
    let mut inner = String::new();
    for (i, line) in body.split('\n').enumerate() {
        let mut rest = line.trim();
        let mut depth = 0;
        while let Some(next) = rest.strip_prefix('>') {
            rest = next.strip_prefix(' ').unwrap_or(next);
            depth += 1;
        }
        depths.push(depth.clamp(1, 6));
        inner.push_str(if i > 0 { "\n" } else { "" });
        inner.push_str(rest.trim());
    }
    let mut code = false;
    let raw: Vec<&str> = inner.split('\n').collect();
    let fences: Vec<bool> = raw.iter().map(|line| line.starts_with("```")).collect();
    let lines = inline(&inner, Tone::Text).into_iter().enumerate();
    let line = |(i, runs): (usize, Vec<Run>)| {
        let lead = format!("{}{}", lead(indent), "▎ ".repeat(depths[i]));
        code ^= fences[i];
        let runs = if code || fences[i] { vec![Run::new(Tone::Code, clean(raw[i]).into_owned())] } else { runs };
        vec![Line::led(&lead, &lead, Tone::Rule, runs)]
    };
    lines.map(line).collect()
}

fn code_line(raw: &str, indent: usize, fenced: bool, at: CodeLine) -> Line {
    let raw = raw.strip_suffix('\r').unwrap_or(raw);
    // What the fence itself stands in is no part of the code.
    let blanks = raw.bytes().take(indent).take_while(|byte| *byte == b' ').count();
    let text = clean(&raw[blanks..]).into_owned();
    let lead = if fenced { format!("{}│ ", " ".repeat(MARGIN + indent)) } else { " ".repeat(MARGIN + indent) };
    // What has no room stands further in than the line itself.
    let own = text.bytes().take_while(|byte| *byte == b' ').count().min(MOST_OWN);
    let more = format!("{lead}{}", " ".repeat(own + 2));
    Line { code: fenced.then_some(at), ..Line::led(&lead, &more, Tone::Rule, vec![Run::new(Tone::Code, text)]) }
}

/// The end of a text that still grows, with what it has begun and not ended closed: it looks now as it will then.
fn mended(mut text: String, tail: bool) -> String {
    if !tail {
        return text;
    }
    let ticks = text.matches('`').count();
    if ticks % 2 == 1 && text.ends_with('`') {
        // What stands behind the mark has not come.
        text.pop();
    } else if ticks % 2 == 1 {
        text.push('`');
    } else if text.matches("**").count() % 2 == 1 {
        let end = text.trim_end_matches('*').len();
        text.truncate(end);
        if text.matches("**").count() % 2 == 1 {
            text.push_str("**");
        }
    }
    text
}
