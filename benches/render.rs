//! From a pane's picture to the bytes for the terminal: what each frame of a flood and each echo costs.
//!
//! A pane of 200×50 in a zoomed window. `whole` changes every cell from frame to frame, `row` one row, `same` none.
#![allow(missing_docs, reason = "a measurement run by hand")]
#![allow(clippy::pedantic, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(dead_code, reason = "the support of the window's tests does more than this needs")]

#[path = "../tests/ui/support.rs"]
mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use divan::counter::ItemsCount;
use paralane::domain::{Cell, CellStyle, Cells, Colour, CursorShape, LaneId, PaneFrame, PaneModes, Size};
use paralane::ui::backend::Abilities;
use paralane::ui::{Theme, WindowTerminal};
use support::{Scene, WINDOW};

const COLUMNS: u16 = 200;
const ROWS: u16 = 50;

/// What stands in the pane.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Plain,
    Truecolour,
    Cjk,
}

const KINDS: [Kind; 3] = [Kind::Plain, Kind::Truecolour, Kind::Cjk];

fn main() {
    divan::main();
}

/// A picture; another `seed` changes every cell.
fn picture(kind: Kind, seed: usize) -> PaneFrame {
    let mut cells = Vec::with_capacity(usize::from(COLUMNS) * usize::from(ROWS));
    for at in 0..usize::from(COLUMNS) * usize::from(ROWS) {
        let n = at * 7 + at / usize::from(COLUMNS) + seed * 31;
        let letter = char::from(b'a' + (n % 26) as u8);
        let (text, continuation) = match kind {
            Kind::Plain | Kind::Truecolour => (String::from(letter), false),
            Kind::Cjk if at % 2 == 1 => (String::new(), true),
            Kind::Cjk => (char::from_u32(0x4e00 + (n % 4096) as u32).unwrap().to_string(), false),
        };
        let style = match kind {
            Kind::Truecolour => CellStyle {
                foreground: Colour::Rgb(n as u8, (n / 3) as u8, (n / 7) as u8),
                background: Colour::Rgb((n / 2) as u8, (n / 5) as u8, (n / 11) as u8),
                ..CellStyle::default()
            },
            Kind::Plain | Kind::Cjk => CellStyle::default(),
        };
        cells.push(Cell { text: text.into(), style, continuation });
    }
    PaneFrame {
        size: Size { columns: COLUMNS, rows: ROWS },
        cells: Cells::new(COLUMNS, &cells),
        links: Vec::new(),
        cursor: (3, 3),
        cursor_visible: true,
        cursor_shape: CursorShape(0),
        modes: PaneModes::default(),
    }
}

/// The first picture with one row of the second.
fn with_row(base: &PaneFrame, other: &PaneFrame, row: usize) -> PaneFrame {
    let mut frame = base.clone();
    let cells: Vec<Cell> = other.cells.rows().nth(row).unwrap().to_vec();
    frame.cells.replace(row as u16, &Cells::new(COLUMNS, &cells));
    frame
}

/// A window that is shown pictures in turn.
struct Shown {
    scene: Scene,
    terminal: WindowTerminal,
    theme: Theme,
    pictures: Vec<BTreeMap<LaneId, Arc<PaneFrame>>>,
    next: usize,
}

impl Shown {
    fn new(pictures: Vec<PaneFrame>) -> Self {
        let mut scene = Scene::new();
        let lane = scene.pane("sh", &["bash"]);
        scene.live(lane).pane_running = true;
        scene.resize(COLUMNS, ROWS + 8);
        scene.window().zoom = true;
        let size = scene.window().size;
        let terminal = WindowTerminal::new(size, Abilities::of("xterm-256color", Some("truecolor"), false));
        let pictures = pictures.into_iter().map(|frame| BTreeMap::from([(lane, Arc::new(frame))])).collect();
        Self { scene, terminal, theme: Theme::load("paralane-dark").unwrap(), pictures, next: 0 }
    }

    fn show(&mut self) -> usize {
        let frames = &self.pictures[self.next % self.pictures.len()];
        self.next += 1;
        self.terminal.draw(&self.scene.state, WINDOW, frames, self.scene.now, &self.theme);
        self.terminal.take().len()
    }
}

#[divan::bench(args = KINDS)]
fn whole(bencher: divan::Bencher<'_, '_>, kind: Kind) {
    let mut shown = Shown::new(vec![picture(kind, 1), picture(kind, 2)]);
    let bytes = (0..4).map(|_| shown.show()).last().unwrap();
    bencher.counter(ItemsCount::new(bytes)).bench_local(|| shown.show());
}

#[divan::bench(args = KINDS)]
fn row(bencher: divan::Bencher<'_, '_>, kind: Kind) {
    let (one, two) = (picture(kind, 1), picture(kind, 2));
    let other = with_row(&one, &two, 20);
    let mut shown = Shown::new(vec![one, other]);
    let bytes = (0..4).map(|_| shown.show()).last().unwrap();
    bencher.counter(ItemsCount::new(bytes)).bench_local(|| shown.show());
}

#[divan::bench(args = KINDS)]
fn same(bencher: divan::Bencher<'_, '_>, kind: Kind) {
    let mut shown = Shown::new(vec![picture(kind, 1)]);
    shown.show();
    bencher.bench_local(|| shown.show());
}
