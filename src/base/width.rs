//! Text measured and cut in terminal cells, never in bytes or characters.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Cells the text takes on a terminal.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text in at most `cells` cells; a cut one ends in `…`.
#[must_use]
pub fn clip(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let Some(room) = cells.checked_sub(1) else { return String::new() };
    let mut out = String::new();
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        used += width(grapheme);
        if used > room {
            break;
        }
        out.push_str(grapheme);
    }
    out.push('…');
    out
}

/// The end of the text in at most `cells` cells; a cut one begins with `…`.
#[must_use]
pub fn clip_start(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let Some(room) = cells.checked_sub(1) else { return String::new() };
    let (mut start, mut used) = (text.len(), 0);
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += width(grapheme);
        if used > room {
            break;
        }
        start = at;
    }
    format!("…{}", text.get(start..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_text_is_cut_in_cells_too() {
        assert_eq!(clip_start("修正 login", 8), "… login");
        assert_eq!(clip_start("修正 login", 9), "…正 login");
        assert_eq!(clip_start("api", 3), "api");
        assert_eq!(clip_start("api", 0), "");
    }

    #[test]
    fn wide_names_are_cut_in_cells() {
        assert_eq!(clip("機能/ログイン画面の修正", 16), "機能/ログイン画…");
        assert!(width(&clip("機能/ログイン画面の修正", 16)) <= 16);
        assert_eq!(clip("api", 3), "api");
        assert_eq!(clip("api", 0), "");
    }
}
