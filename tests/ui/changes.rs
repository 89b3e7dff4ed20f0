//! Frames of which only panes' pictures have changed: what goes out is what a whole frame would have sent.

use std::sync::Arc;

use paralane::domain::{Cell, CellStyle, Cells, LaneId, LinkId, PaneFrame, Underline};
use paralane::ui::backend::Abilities;
use paralane::ui::{Theme, WindowTerminal};
use proptest::prelude::*;

use crate::panes::picture;
use crate::support::{Scene, WINDOW};

/// A window that is drawn twice: once by what has changed, once whole.
struct Both {
    scene: Scene,
    theme: Theme,
    quick: WindowTerminal,
    whole: WindowTerminal,
}

impl Both {
    fn new(mut scene: Scene) -> Self {
        let size = scene.window().size;
        let [quick, whole] =
            [(); 2].map(|()| WindowTerminal::new(size, Abilities::of("xterm-256color", Some("truecolor"), false)));
        let mut both = Self { scene, theme: Theme::load("paralane-dark").unwrap(), quick, whole };
        both.touch();
        both
    }

    fn touch(&mut self) {
        let Self { scene, theme, quick, .. } = self;
        quick.draw(&scene.state, WINDOW, &scene.frames, scene.now, theme);
        self.compare();
    }

    fn show(&mut self, lane: LaneId, frame: PaneFrame) {
        self.scene.frames.insert(lane, Arc::new(frame));
        let Self { scene, theme, quick, .. } = self;
        quick.draw_panes(&scene.state, WINDOW, &scene.frames, scene.now, theme);
        self.compare();
    }

    fn compare(&mut self) {
        let Self { scene, theme, quick, whole } = self;
        whole.draw(&scene.state, WINDOW, &scene.frames, scene.now, theme);
        let [quick, whole] = [quick.take(), whole.take()].map(|bytes| bytes.escape_ascii().to_string());
        assert_eq!(quick, whole);
    }
}

/// The picture with another row, as a pane publishes it: the other rows are shared.
fn with_row(frame: &PaneFrame, row: u16, text: &str, style: CellStyle) -> PaneFrame {
    let mut next = frame.clone();
    let line = picture(frame.size.columns, 1, &[(text, style)]).cells;
    next.cells.replace(row, &line);
    next.cursor = (text.chars().count() as u16 % frame.size.columns, row);
    next
}

fn two_panes(grid: bool) -> (Both, [LaneId; 2]) {
    let mut scene = Scene::new();
    let lanes = ["sh", "top"].map(|name| {
        let lane = scene.pane(name, &["bash"]);
        scene.live(lane).pane_running = true;
        scene.frames.insert(lane, Arc::new(picture(54, 20, &[])));
        lane
    });
    scene.window().focus = Some(lanes[0]);
    scene.window().grid = grid;
    scene.window().keyboard = paralane::app::window::Keyboard::Pane;
    (Both::new(scene), lanes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn changed_rows_are_drawn_as_whole_frames_are(
        grid in any::<bool>(),
        steps in prop::collection::vec((0..2_usize, 0..20_u16, prop::sample::select(vec![
            "a", "ab cd", "漢字", "x漢", "", "👨‍👩‍👧 z", "é", "0123456789012345678901234567890123456789012345678901漢", "\u{1b}[m",
        ]), 0..4_u8), 1..24),
    ) {
        let (mut both, lanes) = two_panes(grid);
        for (which, row, text, kind) in steps {
            let style = match kind {
                0 => CellStyle { underline: Underline::Curly, ..CellStyle::default() },
                1 => CellStyle { inverse: true, ..CellStyle::default() },
                _ => CellStyle::default(),
            };
            let frame = with_row(&both.scene.frames[&lanes[which]], row, text, style);
            both.show(lanes[which], frame);
        }
    }
}

#[test]
fn what_stands_over_a_pane_stays_there_and_another_size_is_drawn_whole() {
    let (mut both, [lane, _]) = two_panes(false);
    let frame = both.scene.frames[&lane].as_ref().clone();
    both.scene.lead('?');
    both.touch();
    for row in 0..20 {
        both.show(lane, with_row(&frame, row, &"below ".repeat(9), CellStyle::default()));
    }
    let small = picture(20, 5, &[("small", CellStyle::default())]);
    both.show(lane, small);
    let link = Cell {
        text: "l".into(),
        style: CellStyle { link: Some(LinkId(0)), ..CellStyle::default() },
        ..Cell::default()
    };
    let mut linked = frame.clone();
    linked.links = vec!["http://a".into()];
    linked.cells.replace(3, &Cells::new(54, &vec![link; 54]));
    both.show(lane, linked.clone());
    linked.links = vec!["http://b".into()];
    both.show(lane, linked);
    both.show(lane, frame);
}
