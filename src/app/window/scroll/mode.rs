//! Scroll-back mode: what each key does to the view, the selection and the search.

use crate::app::window::keymap::{self, Deed};
use crate::app::window::{Draft, Keyboard, SCROLL, WindowAction};
use crate::base::Report;
use crate::domain::{Key, KeyCode, LaneId};

use super::links::{Link, link_at};
use super::motion::{self, CharSearch};
use super::page::Page;
use super::pointer::Drag;
use super::search::Search;
use super::select::{Extent, Selection};
use super::stand::Stand;
use super::text::{Place, ScrollText};

/// The largest count before a key.
const COUNT: u32 = 100_000;
/// How often a count repeats a move by words and the like at most: more than any screen holds.
const REPEAT: u32 = 10_000;

/// Scroll-back mode of one lane, in one window.
#[derive(Debug)]
pub struct ScrollMode {
    /// The lane.
    pub lane: LaneId,
    /// The frozen text.
    pub text: ScrollText,
    /// Where the view and the cursor stand.
    pub stand: Stand,
    /// Where the selection began, and how much it takes.
    pub mark: Option<(Place, Extent)>,
    /// What is searched.
    pub search: Search,
    /// The words that are being typed.
    pub typing: Option<Typing>,
    /// The count that is being typed.
    pub count: Option<u32>,
    /// A character that is searched in the line is being waited for: forward, till.
    waits: Option<(bool, bool)>,
    last_char: Option<CharSearch>,
    /// Who gets the keys when the mode ends.
    pub(super) back: Keyboard,
    /// It ends by itself once it has done what it was begun for.
    pub(super) brief: bool,
    /// What the mouse is drawing.
    pub(super) drag: Option<Drag>,
}

/// A search that is being typed.
#[derive(Debug)]
pub struct Typing {
    /// The words.
    pub draft: Draft,
    /// Towards the end.
    pub down: bool,
    /// Where it began, and the search before.
    from: Stand,
    before: Search,
}

/// Which folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfold {
    All,
    /// That of an entry.
    One(u64),
}

/// What comes of a key or of the mouse.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The mode ends.
    pub leave: bool,
    /// Folds are opened or closed.
    pub unfold: Option<Unfold>,
    pub say: Option<Report>,
    pub actions: Vec<WindowAction>,
}

impl Outcome {
    pub(super) fn leave() -> Self {
        Self { leave: true, ..Self::default() }
    }

    pub(super) fn say(report: Report) -> Self {
        Self { say: Some(report), ..Self::default() }
    }
}

impl ScrollMode {
    pub(super) fn new(lane: LaneId, text: ScrollText, stand: Stand, back: Keyboard, brief: bool) -> Self {
        Self {
            lane,
            text,
            stand,
            mark: None,
            search: Search::default(),
            typing: None,
            count: None,
            waits: None,
            last_char: None,
            back,
            brief,
            drag: None,
        }
    }

    /// What is selected.
    #[must_use]
    pub fn selection(&self, page: &Page<'_>) -> Option<Selection> {
        self.mark.map(|(mark, extent)| Selection::new(page, extent, mark, self.stand.cursor))
    }

    /// The link under the cursor.
    #[must_use]
    pub fn link(&self) -> Option<Link> {
        link_at(&self.text, self.stand.cursor)
    }

    /// How many lines the view stands back from the end.
    #[must_use]
    pub fn back(&self, page: &Page<'_>) -> u64 {
        let (top, floor) = (self.stand.top_row(page), page.floor());
        (floor.line - top.line).max(u64::from(top != floor))
    }

    /// A key, in a view of so many cells and rows.
    pub(super) fn key(&mut self, (cells, rows): (u16, u16), key: Key) -> Outcome {
        if self.typing.is_some() {
            self.typed((cells, rows), key);
            return Outcome::default();
        }
        if let Some((forward, till)) = self.waits.take() {
            if let KeyCode::Char(wanted) = key.code {
                self.find_char((cells, rows), CharSearch { wanted, forward, till });
            }
            self.count = None;
            return Outcome::default();
        }
        if let KeyCode::Char(c @ '0'..='9') = key.code
            && key == Key::char(c)
            && (c != '0' || self.count.is_some())
        {
            let digit = c as u32 - '0' as u32;
            self.count = Some((self.count.unwrap_or(0) * 10 + digit).min(COUNT));
            return Outcome::default();
        }
        let Some(deed) = keymap::find(SCROLL, key) else {
            self.count = None;
            return Outcome::default();
        };
        let outcome = self.deed((cells, rows), deed);
        if self.waits.is_none() {
            self.count = None;
        }
        outcome
    }

    fn deed(&mut self, (cells, rows): (u16, u16), deed: Deed) -> Outcome {
        let page = Page::new(&self.text, cells, rows);
        let stand = &mut self.stand;
        let times = self.count.unwrap_or(1);
        let many = i64::from(times);
        let leap = (page.height as i64 - 2).max(1);
        match deed {
            Deed::Down => stand.rows(&page, many),
            Deed::Up => stand.rows(&page, -many),
            Deed::HalfPageDown => stand.leap(&page, self.count.map_or((leap / 2).max(1), i64::from)),
            Deed::HalfPageUp => stand.leap(&page, -self.count.map_or((leap / 2).max(1), i64::from)),
            Deed::PageDown => stand.leap(&page, leap * many),
            Deed::PageDownOrLeave if stand.at_floor(&page) && self.mark.is_none() => return Outcome::leave(),
            Deed::PageDownOrLeave => stand.leap(&page, leap * many),
            Deed::PageUp => stand.leap(&page, -leap * many),
            Deed::RowDown => drop(stand.scroll(&page, many)),
            Deed::RowUp => drop(stand.scroll(&page, -many)),
            Deed::Top | Deed::Bottom if self.count.is_some() => {
                let line = page.text.numbers().start + u64::from(times.max(1)) - 1;
                stand.show(&page, motion::line_indent(page.text, Place { line, byte: 0 }));
            }
            Deed::Top => stand.go(&page, page.start_of(super::RowAt { line: page.text.numbers().start, row: 0 })),
            Deed::Bottom => {
                stand.top = page.start_of(page.floor());
                stand.go(&page, page.start_of(page.last()));
            }
            Deed::ViewTop => stand.in_view(&page, many - 1),
            Deed::ViewMiddle => stand.in_view(&page, (page.view(stand.top_row(&page)).len() as i64 - 1) / 2),
            Deed::ViewBottom => stand.in_view(&page, -many),
            Deed::Left => self.repeat((cells, rows), motion::left),
            Deed::Right => self.repeat((cells, rows), motion::right),
            Deed::LineStart => stand.go(&page, motion::line_start(stand.cursor)),
            Deed::LineIndent => stand.go(&page, motion::line_indent(page.text, stand.cursor)),
            Deed::LineEnd => {
                let line = (stand.cursor.line + u64::from(times) - 1).min(page.text.last().unwrap_or(0));
                let byte = if line == stand.cursor.line { stand.cursor.byte } else { 0 };
                stand.line_end(&page, motion::line_end(page.text, Place { line, byte }));
            }
            Deed::Word => self.repeat((cells, rows), |text, at| motion::word(text, at, false)),
            Deed::WordBack => self.repeat((cells, rows), |text, at| motion::word_back(text, at, false)),
            Deed::WordEnd => self.repeat((cells, rows), |text, at| motion::word_end(text, at, false)),
            Deed::BigWord => self.repeat((cells, rows), |text, at| motion::word(text, at, true)),
            Deed::BigWordBack => self.repeat((cells, rows), |text, at| motion::word_back(text, at, true)),
            Deed::BigWordEnd => self.repeat((cells, rows), |text, at| motion::word_end(text, at, true)),
            Deed::Paragraph => self.repeat((cells, rows), motion::paragraph),
            Deed::ParagraphBack => self.repeat((cells, rows), motion::paragraph_back),
            Deed::FindChar { forward, till } => self.waits = Some((forward, till)),
            Deed::CharAgain { same } => {
                if let Some(last) = self.last_char {
                    self.step_char((cells, rows), CharSearch { forward: last.forward == same, ..last }, true);
                }
            }
            Deed::Search | Deed::SearchBack => {
                let before = std::mem::take(&mut self.search);
                let (draft, down) = (Draft::field(""), deed == Deed::Search);
                self.typing = Some(Typing { draft, down, from: self.stand, before });
            }
            Deed::FindNext => return self.find((cells, rows), true),
            Deed::FindPrevious => return self.find((cells, rows), false),
            Deed::FindWord => {
                let at = self.stand.cursor;
                let Some(word) = motion::word_at(&self.text, at, false) else { return Outcome::default() };
                let words = self.text.line(at.line)[word].to_owned();
                self.search = Search::new(&self.text, &words, true);
                return self.find((cells, rows), true);
            }
            Deed::Mark => self.toggle(Extent::Chars),
            Deed::MarkLines => self.toggle(Extent::Lines),
            Deed::MarkBlock => self.toggle(Extent::Block),
            Deed::OtherEnd => match &mut self.mark {
                Some((mark, _)) => {
                    let other = std::mem::replace(mark, stand.cursor);
                    stand.go(&page, other);
                }
                None => return Outcome { unfold: Some(Unfold::All), ..Outcome::default() },
            },
            Deed::Fold => return Outcome { unfold: self.fold(), ..Outcome::default() },
            Deed::TurnBack | Deed::TurnNext => return self.turn((cells, rows), deed == Deed::TurnNext),
            Deed::CopyBlock => return self.copy_block(false),
            Deed::CopyWhole => return self.copy_block(true),
            Deed::Copy => return self.copy((cells, rows)),
            Deed::CopyLine => {
                self.mark = Some((self.stand.cursor, Extent::Lines));
                return self.copy((cells, rows));
            }
            Deed::Take => match self.link().filter(|_| self.mark.is_none()) {
                Some(link) => return Outcome { actions: vec![WindowAction::Open(link.target)], ..Outcome::default() },
                None => match self.fold().filter(|_| self.mark.is_none()) {
                    Some(fold) => return Outcome { unfold: Some(fold), ..Outcome::default() },
                    None => return self.copy((cells, rows)),
                },
            },
            Deed::Editor => {
                return Outcome { actions: vec![self.edit()], ..Outcome::default() };
            }
            Deed::ClearOrLeave if self.mark.is_some() => self.mark = None,
            Deed::ClearOrLeave | Deed::Leave => return Outcome::leave(),
            _ => {}
        }
        Outcome::default()
    }

    /// The fold at the cursor.
    fn fold(&self) -> Option<Unfold> {
        self.text.fold(self.stand.cursor.line).map(Unfold::One)
    }

    /// Goes to what the person said before or next; it comes to the top of the view.
    fn turn(&mut self, (cells, rows): (u16, u16), down: bool) -> Outcome {
        let mut line = self.stand.cursor.line;
        for turn in 0..self.count.unwrap_or(1).min(REPEAT) {
            let Some(next) = self.text.turn(line, down) else {
                let words = if down { "you said nothing after this" } else { "you said nothing before this" };
                if turn == 0 {
                    return Outcome::say(Report::refused(words));
                }
                break;
            };
            line = next;
        }
        let page = Page::new(&self.text, cells, rows);
        self.stand.stand_on(&page, line);
        self.stand.go(&page, Place { line, byte: 0 });
        Outcome::default()
    }

    /// Copies the block of a transcript in which the cursor stands.
    fn copy_block(&self, whole: bool) -> Outcome {
        let block = self.text.block(self.stand.cursor.line);
        let text = block.and_then(|block| if whole { block.whole() } else { block.text() });
        match text.filter(|text| !text.is_empty()) {
            Some(text) => {
                Outcome { say: Some(copied(&text)), actions: vec![WindowAction::Copy(text)], ..Outcome::default() }
            }
            None => Outcome::say(Report::refused("no block stands here").hint("`v` selects, `y` copies")),
        }
    }

    /// The text and where the cursor stands in it, for an editor.
    pub(super) fn edit(&self) -> WindowAction {
        let (text, dropped) = self.text.whole();
        let line = self.stand.cursor.line.saturating_sub(self.text.numbers().start + dropped) + 1;
        WindowAction::Edit { lane: self.lane, text, line }
    }

    /// Goes on by a move as often as the count says, or until it leads no further.
    fn repeat(&mut self, size: (u16, u16), step: impl Fn(&ScrollText, Place) -> Place) {
        let mut at = self.stand.cursor;
        for _ in 0..self.count.unwrap_or(1).min(REPEAT) {
            let next = step(&self.text, at);
            if next == at {
                break;
            }
            at = next;
        }
        self.stand.go(&Page::new(&self.text, size.0, size.1), at);
    }

    fn toggle(&mut self, extent: Extent) {
        self.mark = match self.mark {
            Some((_, same)) if same == extent => None,
            Some((mark, _)) => Some((mark, extent)),
            None => Some((self.stand.cursor, extent)),
        };
    }

    fn find_char(&mut self, size: (u16, u16), search: CharSearch) {
        self.last_char = Some(search);
        self.step_char(size, search, false);
    }

    fn step_char(&mut self, size: (u16, u16), search: CharSearch, again: bool) {
        let mut at = self.stand.cursor;
        for turn in 0..self.count.unwrap_or(1).min(REPEAT) {
            let Some(next) = motion::find_char(&self.text, at, search, again || turn > 0) else { return };
            at = next;
        }
        self.stand.go(&Page::new(&self.text, size.0, size.1), at);
    }

    /// A key while the words of a search are being typed: what is found is shown at once.
    fn typed(&mut self, (cells, rows): (u16, u16), key: Key) {
        let Some(mut typing) = self.typing.take() else { return };
        let empty = typing.draft.is_empty();
        let gone = match key.code {
            KeyCode::Esc => true,
            KeyCode::Char('c') => key.modifiers.ctrl,
            KeyCode::Backspace => empty,
            _ => false,
        };
        if gone || (key.code == KeyCode::Enter && empty) {
            // Nothing typed: the search before goes on.
            self.stand = typing.from;
            self.search = typing.before;
            if key.code == KeyCode::Enter && !self.search.is_off() {
                self.search.down = typing.down;
                let _found = self.find((cells, rows), true);
            }
            return;
        }
        if key.code == KeyCode::Enter {
            return;
        }
        typing.draft.key(key);
        self.look((cells, rows), &typing);
        self.typing = Some(typing);
    }

    /// Shows what the words typed so far find.
    fn look(&mut self, (cells, rows): (u16, u16), typing: &Typing) {
        self.stand = typing.from;
        self.search = Search::new(&self.text, &typing.draft.text(), typing.down);
        if let Some((place, down)) = self.search.nearest(self.stand.cursor, typing.down) {
            self.search.down = down;
            self.stand.show(&Page::new(&self.text, cells, rows), place);
        }
    }

    /// Text pasted into the search line. False when none is typed.
    pub(in crate::app::window) fn paste(&mut self, size: (u16, u16), text: &str, first: bool, last: bool) -> bool {
        let Some(mut typing) = self.typing.take() else { return false };
        typing.draft.paste(text, first, last);
        self.look(size, &typing);
        self.typing = Some(typing);
        true
    }

    /// Searches these words and goes to the first of them in a line.
    pub(super) fn find_in(&mut self, (cells, rows): (u16, u16), words: &str, line: u64) {
        self.search = Search::new(&self.text, words, false);
        let hit = self.search.of_line(line).first().map(super::Hit::start);
        let place = hit.unwrap_or(Place { line, byte: 0 });
        self.stand.show(&Page::new(&self.text, cells, rows), motion::settled(&self.text, place));
    }

    /// Goes to the next hit, on the way that the search went or back.
    fn find(&mut self, (cells, rows): (u16, u16), on: bool) -> Outcome {
        if self.search.is_off() {
            return Outcome::say(Report::refused("nothing is searched yet").hint("`/` searches"));
        }
        let down = self.search.down == on;
        for _ in 0..self.count.unwrap_or(1).min(REPEAT) {
            let Some(place) = self.search.next(self.stand.cursor, down) else {
                return Outcome::say(Report::refused(format!("`{}` does not stand here", self.search.words)));
            };
            self.stand.show(&Page::new(&self.text, cells, rows), place);
        }
        Outcome::default()
    }

    /// Copies what is selected, or the cursor's line.
    pub(super) fn copy(&mut self, (cells, rows): (u16, u16)) -> Outcome {
        let page = Page::new(&self.text, cells, rows);
        let selection = self
            .selection(&page)
            .unwrap_or_else(|| Selection::new(&page, Extent::Lines, self.stand.cursor, self.stand.cursor));
        let text = selection.text(&page);
        self.mark = None;
        if text.is_empty() {
            return Outcome::say(Report::refused("nothing stands here"));
        }
        Outcome { say: Some(copied(&text)), actions: vec![WindowAction::Copy(text)], ..Outcome::default() }
    }
}

/// `copied 3 lines`
fn copied(text: &str) -> Report {
    use unicode_segmentation::UnicodeSegmentation;
    let whole = text.ends_with('\n');
    let (count, what) = match text.lines().count() {
        1 if !whole => (text.graphemes(true).count(), "character"),
        lines => (lines, "line"),
    };
    let report = Report::done(format!("copied {count} {what}{}", if count == 1 { "" } else { "s" }));
    if text.len() > super::TERMINAL_CLIPBOARD {
        return report.hint("terminals take at most 1 MiB: only this machine's own clipboard has it, if there is one");
    }
    report
}
