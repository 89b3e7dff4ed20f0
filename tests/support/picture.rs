//! A pane's frame as text that a person can read and two programs can compare: the rows, then the styles by row
//! and columns, then the cursor.

use std::fmt::Write as _;

use paralane::domain::{Cell, CellStyle, Colour, PaneFrame, Underline};

/// The whole picture.
pub fn picture(frame: &PaneFrame) -> String {
    let mut out = String::new();
    for row in rows(frame) {
        let _ = writeln!(out, "|{row}");
    }
    for (number, cells) in frame.cells.rows().enumerate() {
        let styles = row_styles(cells);
        if !styles.is_empty() {
            let _ = writeln!(out, "{number}: {styles}");
        }
    }
    out
}

/// The rows as text, blank ends cut.
pub fn rows(frame: &PaneFrame) -> Vec<String> {
    frame.cells.rows().map(row_text).collect()
}

fn row_text(cells: &[Cell]) -> String {
    let cells = cells.iter().filter(|cell| !cell.continuation);
    let text: String = cells.map(|cell| if cell.text.is_empty() { " " } else { &cell.text }).collect();
    text.trim_end().to_owned()
}

/// Runs of equal styles that differ from the default: `3-9 bold fg=2, 12-12 inverse`. A background behind the last
/// visible character is left out: tmux does not tell it for what was only cleared.
fn row_styles(cells: &[Cell]) -> String {
    let seen = |cell: &Cell| {
        let style = cell.style;
        !cell.text.trim().is_empty() || style.inverse || style.underline != Underline::None || style.strikethrough
    };
    let end = cells.iter().rposition(|cell| seen(cell) || cell.continuation).map_or(0, |last| last + 1);
    let cells = &cells[..end];
    let mut runs: Vec<(usize, usize, String)> = Vec::new();
    for (column, cell) in cells.iter().enumerate() {
        let words = words(cell);
        match runs.last_mut() {
            Some((_, last, style)) if *style == words && *last + 1 == column => *last = column,
            _ => runs.push((column, column, words)),
        }
    }
    let runs = runs.iter().filter(|(_, _, style)| !style.is_empty());
    let texts: Vec<String> = runs.map(|(from, to, style)| format!("{from}-{to}{style}")).collect();
    texts.join(", ")
}

/// The style in words; what cannot be seen on a blank cell is left out.
fn words(cell: &Cell) -> String {
    let CellStyle { foreground, background, bold, dim, italic, underline, inverse, strikethrough, hidden, .. } =
        cell.style;
    let blank = !cell.continuation && cell.text.trim().is_empty();
    let mut out = String::new();
    for (on, word) in [
        (bold && !blank, "bold"),
        (dim && !blank, "dim"),
        (italic && !blank, "italic"),
        (underline != Underline::None, "underline"),
        (inverse, "inverse"),
        (strikethrough, "struck"),
        (hidden && !blank, "hidden"),
    ] {
        if on {
            out.push(' ');
            out.push_str(word);
        }
    }
    let drawn = !blank || inverse || underline != Underline::None || strikethrough;
    for (name, colour, drawn) in [("fg", foreground, drawn), ("bg", background, true)] {
        match colour {
            Colour::Indexed(index) if drawn => drop(write!(out, " {name}={index}")),
            Colour::Rgb(r, g, b) if drawn => drop(write!(out, " {name}=#{r:02x}{g:02x}{b:02x}")),
            _ => {}
        }
    }
    out
}
