//! Lines and where they break at a width, with the places that move along.

use std::ops::Range;

use super::{Before, Piece, Place, Row};

/// A place in a line: behind so many pieces, and so many columns further.
#[derive(Debug, Clone, Copy, Default)]
struct Spot {
    line: usize,
    piece: usize,
    beyond: u16,
}

/// A logical line, or a row of the live region.
#[derive(Debug)]
struct Line {
    pieces: Vec<Piece>,
    /// The pieces on each of its rows.
    rows: Vec<Range<usize>>,
    live: bool,
}

/// The lines of a screen, the first on top.
#[derive(Debug)]
pub(super) struct Lines {
    /// The last line first: lines are added on top.
    stack: Vec<Line>,
    columns: u16,
    live: Option<usize>,
    places: [Option<Place>; 2],
    spots: [Option<Spot>; 2],
}

const CURSOR: usize = 0;
const SAVED: usize = 1;

impl Lines {
    pub(super) fn new(before: &Before<'_>, used: usize, columns: u16) -> Self {
        let saved = before.saved.filter(|(row, _)| usize::from(*row) < used);
        Self {
            stack: Vec::new(),
            columns,
            live: before.live.map(|(first, _)| usize::from(first)),
            places: [Some(before.cursor), saved],
            spots: [None; 2],
        }
    }

    /// Makes lines of rows.
    pub(super) fn fill(&mut self, rows: Vec<Row>) {
        let mut lines: Vec<Line> = Vec::new();
        let mut goes_on = false;
        for (number, row) in rows.into_iter().enumerate() {
            let live = self.live.is_some_and(|live| live <= number);
            if !goes_on || live {
                lines.push(Line { pieces: Vec::new(), rows: Vec::new(), live });
            }
            goes_on = row.wrapped && !live;
            let line = lines.len() - 1;
            let Some(last) = lines.last_mut() else { continue };
            for (place, spot) in self.places.iter().zip(&mut self.spots) {
                if let Some((_, column)) = place.filter(|place| usize::from(place.0) == number) {
                    let (piece, beyond) = locate(&row.pieces, column);
                    *spot = Some(Spot { line, piece: last.pieces.len() + piece, beyond });
                }
            }
            last.pieces.extend(row.pieces);
        }
        // From the end on, so that their numbers stay when more come on top.
        let count = lines.len();
        for spot in self.spots.iter_mut().flatten() {
            spot.line = count - 1 - spot.line;
        }
        lines.reverse();
        self.stack = lines;
        for number in 0..count {
            self.lay(number);
        }
    }

    /// Puts pieces on top: at the start of the first line, or as a line of their own.
    pub(super) fn prepend(&mut self, mut pieces: Vec<Piece>, joined: bool) {
        let first = self.stack.len().wrapping_sub(1);
        match self.stack.last_mut().filter(|_| joined) {
            Some(line) => {
                for spot in self.spots.iter_mut().flatten().filter(|spot| spot.line == first) {
                    spot.piece += pieces.len();
                }
                pieces.append(&mut line.pieces);
                line.pieces = pieces;
            }
            None => self.stack.push(Line { pieces, rows: Vec::new(), live: false }),
        }
        self.lay(self.stack.len() - 1);
    }

    /// Breaks a line into rows.
    fn lay(&mut self, number: usize) {
        let spots = self.spots;
        let columns = self.columns;
        let Some(line) = self.stack.get_mut(number) else { return };
        line.rows.clear();
        if line.live {
            line.rows.push(0..line.pieces.len());
            return;
        }
        // Blanks at the end make no row, unless a place stands there.
        let text = line.pieces.iter().rposition(|piece| !piece.blank()).map_or(0, |last| last + 1);
        let placed = spots.iter().flatten().filter(|spot| spot.line == number).map(|spot| spot.piece).max();
        let needed = text.max(placed.unwrap_or(0).min(line.pieces.len()));
        let (mut start, mut width) = (0, 0);
        for (at, piece) in line.pieces.iter().enumerate() {
            if width + piece.width > columns {
                if at >= needed {
                    line.pieces.truncate(at);
                    break;
                }
                line.rows.push(start..at);
                (start, width) = (at, 0);
            }
            width += piece.width;
        }
        line.rows.push(start..line.pieces.len());
    }

    pub(super) fn first_is_live(&self) -> bool {
        self.stack.last().is_some_and(|line| line.live)
    }

    /// The row where the live ones begin.
    pub(super) fn first_live(&self) -> Option<usize> {
        let above = self.stack.iter().rev().take_while(|line| !line.live);
        self.stack.iter().any(|line| line.live).then(|| above.map(|line| line.rows.len()).sum())
    }

    /// All rows.
    pub(super) fn rows(&self) -> usize {
        self.stack.iter().map(|line| line.rows.len()).sum()
    }

    /// The row and column of a spot. In the column behind the last one a wrap is pending.
    fn place(&self, spot: Spot) -> (usize, u16) {
        let above: usize = self.stack.iter().skip(spot.line + 1).map(|line| line.rows.len()).sum();
        let Some(line) = self.stack.get(spot.line) else { return (above, 0) };
        let row = line.rows.iter().rposition(|row| row.start <= spot.piece).unwrap_or(0);
        let pieces = line.rows.get(row).cloned().unwrap_or_default();
        let before = pieces.start..spot.piece.clamp(pieces.start, pieces.end);
        let width: usize = line.pieces[before].iter().map(|piece| usize::from(piece.width)).sum();
        let column = width + usize::from(spot.beyond);
        let most = usize::from(if spot.beyond > 0 || width > usize::from(self.columns) {
            self.columns - 1
        } else {
            self.columns
        });
        (above + row, column.min(most) as u16)
    }

    pub(super) fn row_of_cursor(&self) -> usize {
        self.cursor().0
    }

    pub(super) fn cursor(&self) -> (usize, u16) {
        self.spots[CURSOR].map_or((0, 0), |spot| self.place(spot))
    }

    pub(super) fn saved(&self) -> Option<(usize, u16)> {
        self.spots[SAVED].map(|spot| self.place(spot))
    }

    /// Goes over some rows, counted from the top: their pieces, and whether the line ends with them.
    pub(super) fn each_row(&self, wanted: Range<usize>, mut take: impl FnMut(&[Piece], bool)) {
        let mut number = 0;
        for line in self.stack.iter().rev() {
            for (at, row) in line.rows.iter().enumerate() {
                if wanted.contains(&number) {
                    take(&line.pieces[row.clone()], at + 1 == line.rows.len());
                }
                number += 1;
            }
        }
    }

    pub(super) const fn columns(&self) -> u16 {
        self.columns
    }
}

/// The piece at a column, and the columns that lie behind all of them.
fn locate(pieces: &[Piece], column: u16) -> (usize, u16) {
    let mut at = 0;
    for (number, piece) in pieces.iter().enumerate() {
        if at + piece.width > column {
            return (number, 0);
        }
        at += piece.width;
    }
    (pieces.len(), column - at)
}
