//! Every key and what it does, once: input, which-key strip, status line and help read these tables.

use std::fmt::Write as _;

use crate::domain::{Key, KeyCode, Modifiers};

use super::panel::Tab;

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "described in the tables")]
pub enum Deed {
    FocusNumber(u8),
    PickLane,
    NextLane,
    PreviousLane,
    NextNeedy,
    TypeIntoPane,
    ToPrompt,
    OpenTab(Tab),
    AllowTop,
    DenyTop,
    Grid,
    Zoom,
    ScrollMode,
    Search,
    Diff,
    Palette,
    NewLane,
    CloseLane,
    Detach,
    Quit,
    Help,
    NextHint,
    // In the side panel.
    Down,
    Up,
    AllowOnce,
    AllowSame,
    AllowSession,
    AllowAlways,
    Deny,
    Edit,
    View,
    Wait,
    Override,
    Cancel,
    // In scroll mode and in long texts.
    HalfPageUp,
    HalfPageDown,
    PageUp,
    PageDown,
    Top,
    Bottom,
    Copy,
    Leave,
    // In scroll mode.
    PageDownOrLeave,
    RowUp,
    RowDown,
    ViewTop,
    ViewMiddle,
    ViewBottom,
    Left,
    Right,
    LineStart,
    LineIndent,
    LineEnd,
    Word,
    WordBack,
    WordEnd,
    BigWord,
    BigWordBack,
    BigWordEnd,
    Paragraph,
    ParagraphBack,
    FindChar { forward: bool, till: bool },
    CharAgain { same: bool },
    SearchBack,
    FindNext,
    FindPrevious,
    FindWord,
    Mark,
    MarkLines,
    MarkBlock,
    OtherEnd,
    CopyLine,
    Take,
    Editor,
    Reply,
    Acknowledge,
    // In the board of issues.
    Board,
    Claim,
    Release,
    Offer,
    ClearOrLeave,
    Fold,
    TurnBack,
    TurnNext,
    CopyBlock,
    CopyWhole,
}

/// One key of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    /// The key.
    pub key: Key,
    /// What it does.
    pub deed: Deed,
    /// In a few words; empty for a second key of the same meaning.
    pub words: &'static str,
}

const fn bind(c: char, deed: Deed, words: &'static str) -> Binding {
    Binding { key: Key::char(c), deed, words }
}

const fn on(code: KeyCode, deed: Deed, words: &'static str) -> Binding {
    Binding { key: Key::plain(code), deed, words }
}

const fn ctrl(c: char, deed: Deed, words: &'static str) -> Binding {
    Binding { key: Key::ctrl(c), deed, words }
}

const fn alt(c: char, deed: Deed, words: &'static str) -> Binding {
    Binding { key: Key::alt(c), deed, words }
}

/// After the leader key.
pub const LEADER: &[Binding] = &[
    bind('1', Deed::FocusNumber(1), "focus lane 1 … 9"),
    bind('2', Deed::FocusNumber(2), ""),
    bind('3', Deed::FocusNumber(3), ""),
    bind('4', Deed::FocusNumber(4), ""),
    bind('5', Deed::FocusNumber(5), ""),
    bind('6', Deed::FocusNumber(6), ""),
    bind('7', Deed::FocusNumber(7), ""),
    bind('8', Deed::FocusNumber(8), ""),
    bind('9', Deed::FocusNumber(9), ""),
    bind('0', Deed::PickLane, "pick a lane"),
    bind('j', Deed::NextLane, "next lane"),
    bind('k', Deed::PreviousLane, "previous lane"),
    bind('w', Deed::NextNeedy, "next that needs you"),
    bind('i', Deed::TypeIntoPane, "type into the pane"),
    on(KeyCode::Esc, Deed::ToPrompt, "back to the prompt bar"),
    bind('y', Deed::AllowTop, "allow once"),
    bind('n', Deed::DenyTop, "deny"),
    bind('a', Deed::OpenTab(Tab::Approvals), "approvals"),
    bind('c', Deed::OpenTab(Tab::Conflicts), "conflicts"),
    bind('m', Deed::OpenTab(Tab::Mail), "mail"),
    bind('!', Deed::OpenTab(Tab::Problems), "problems"),
    bind('v', Deed::OpenTab(Tab::Activity), "activity"),
    bind('b', Deed::Board, "board of issues"),
    bind('g', Deed::Grid, "grid of all lanes"),
    bind('z', Deed::Zoom, "zoom"),
    bind('[', Deed::ScrollMode, "scroll back"),
    bind('/', Deed::Search, "search"),
    bind('e', Deed::Editor, "open in your editor"),
    bind('d', Deed::Diff, "diff against base"),
    bind(':', Deed::Palette, "command palette"),
    bind('N', Deed::NewLane, "new lane"),
    bind('x', Deed::CloseLane, "close lane"),
    bind('D', Deed::Detach, "detach"),
    bind('q', Deed::Quit, "quit"),
    bind('h', Deed::NextHint, "next hint"),
    bind('?', Deed::Help, "all keys"),
];

/// Without the leader, except while a pane is typed into.
pub const DIRECT: &[Binding] = &[
    alt('1', Deed::FocusNumber(1), "focus lane 1 … 9"),
    alt('2', Deed::FocusNumber(2), ""),
    alt('3', Deed::FocusNumber(3), ""),
    alt('4', Deed::FocusNumber(4), ""),
    alt('5', Deed::FocusNumber(5), ""),
    alt('6', Deed::FocusNumber(6), ""),
    alt('7', Deed::FocusNumber(7), ""),
    alt('8', Deed::FocusNumber(8), ""),
    alt('9', Deed::FocusNumber(9), ""),
    alt('y', Deed::AllowTop, "allow the oldest question once"),
    alt('n', Deed::DenyTop, "deny the oldest question"),
    ctrl('p', Deed::Palette, "command palette"),
];

/// In the approvals tab.
pub const APPROVALS: &[Binding] = &[
    bind('j', Deed::Down, "next"),
    on(KeyCode::Down, Deed::Down, ""),
    bind('k', Deed::Up, "previous"),
    on(KeyCode::Up, Deed::Up, ""),
    bind('y', Deed::AllowOnce, "once"),
    bind('Y', Deed::AllowSame, "all once"),
    bind('s', Deed::AllowSession, "session"),
    bind('a', Deed::AllowAlways, "always"),
    bind('n', Deed::Deny, "deny"),
    bind('e', Deed::Edit, "edit"),
    bind('v', Deed::View, "view"),
    on(KeyCode::Enter, Deed::View, ""),
    on(KeyCode::Esc, Deed::Leave, "back"),
];

/// In the conflicts tab.
pub const CONFLICTS: &[Binding] = &[
    bind('j', Deed::Down, "next"),
    on(KeyCode::Down, Deed::Down, ""),
    bind('k', Deed::Up, "previous"),
    on(KeyCode::Up, Deed::Up, ""),
    bind('w', Deed::Wait, "wait"),
    bind('o', Deed::Override, "override"),
    bind('e', Deed::Edit, "edit"),
    bind('c', Deed::Cancel, "cancel"),
    bind('v', Deed::View, "view"),
    on(KeyCode::Enter, Deed::View, ""),
    on(KeyCode::Esc, Deed::Leave, "back"),
];

/// In the mail tab.
pub const MAIL: &[Binding] = &[
    bind('j', Deed::Down, "next"),
    on(KeyCode::Down, Deed::Down, ""),
    bind('k', Deed::Up, "previous"),
    on(KeyCode::Up, Deed::Up, ""),
    bind('v', Deed::View, "read"),
    on(KeyCode::Enter, Deed::View, ""),
    bind('r', Deed::Reply, "reply"),
    bind('a', Deed::Acknowledge, "got it"),
    on(KeyCode::Esc, Deed::Leave, "back"),
];

/// In the problems and activity tabs.
pub const LISTS: &[Binding] = &[
    bind('j', Deed::Down, "down"),
    on(KeyCode::Down, Deed::Down, ""),
    bind('k', Deed::Up, "up"),
    on(KeyCode::Up, Deed::Up, ""),
    bind('v', Deed::View, "view"),
    on(KeyCode::Enter, Deed::View, ""),
    on(KeyCode::Esc, Deed::Leave, "back"),
];

/// In the board of issues.
pub const BOARD: &[Binding] = &[
    bind('j', Deed::Down, "next"),
    on(KeyCode::Down, Deed::Down, ""),
    bind('k', Deed::Up, "previous"),
    on(KeyCode::Up, Deed::Up, ""),
    on(KeyCode::PageDown, Deed::PageDown, ""),
    on(KeyCode::PageUp, Deed::PageUp, ""),
    bind('g', Deed::Top, ""),
    on(KeyCode::Home, Deed::Top, ""),
    bind('G', Deed::Bottom, ""),
    on(KeyCode::End, Deed::Bottom, ""),
    bind('c', Deed::Claim, "claim"),
    bind('r', Deed::Release, "release"),
    bind('o', Deed::Offer, "offer"),
    bind('v', Deed::View, "view"),
    on(KeyCode::Enter, Deed::View, ""),
    on(KeyCode::Esc, Deed::Leave, "close"),
    bind('q', Deed::Leave, ""),
];

/// In scroll-back mode. A number before a key repeats it.
pub const SCROLL: &[Binding] = &[
    bind('j', Deed::Down, "down"),
    on(KeyCode::Down, Deed::Down, ""),
    bind('k', Deed::Up, "up"),
    on(KeyCode::Up, Deed::Up, ""),
    bind('h', Deed::Left, "left"),
    on(KeyCode::Left, Deed::Left, ""),
    bind('l', Deed::Right, "right"),
    on(KeyCode::Right, Deed::Right, ""),
    ctrl('u', Deed::HalfPageUp, "half a page up"),
    ctrl('d', Deed::HalfPageDown, "half a page down"),
    ctrl('b', Deed::PageUp, "page up; PageUp too"),
    on(KeyCode::PageUp, Deed::PageUp, ""),
    ctrl('f', Deed::PageDown, "page down; PageDown too, which ends at the end"),
    on(KeyCode::PageDown, Deed::PageDownOrLeave, ""),
    ctrl('y', Deed::RowUp, "the view one row up"),
    ctrl('e', Deed::RowDown, "the view one row down"),
    bind('g', Deed::Top, "the text's start, or line n after a number"),
    on(KeyCode::Home, Deed::Top, ""),
    bind('G', Deed::Bottom, "its end"),
    on(KeyCode::End, Deed::Bottom, ""),
    bind('H', Deed::ViewTop, "top of the view"),
    bind('M', Deed::ViewMiddle, "its middle"),
    bind('L', Deed::ViewBottom, "its last row"),
    bind('0', Deed::LineStart, "start of the line"),
    bind('^', Deed::LineIndent, "its first word"),
    bind('$', Deed::LineEnd, "its end"),
    bind('w', Deed::Word, "next word; W by blanks alone"),
    bind('W', Deed::BigWord, ""),
    bind('b', Deed::WordBack, "back a word; B"),
    bind('B', Deed::BigWordBack, ""),
    bind('e', Deed::WordEnd, "end of the word; E"),
    bind('E', Deed::BigWordEnd, ""),
    bind('}', Deed::Paragraph, "next paragraph"),
    bind('{', Deed::ParagraphBack, "back a paragraph"),
    bind('f', Deed::FindChar { forward: true, till: false }, "to a character; t before it, F and T back"),
    bind('F', Deed::FindChar { forward: false, till: false }, ""),
    bind('t', Deed::FindChar { forward: true, till: true }, ""),
    bind('T', Deed::FindChar { forward: false, till: true }, ""),
    bind(';', Deed::CharAgain { same: true }, "that again; , the other way"),
    bind(',', Deed::CharAgain { same: false }, ""),
    bind('/', Deed::Search, "search; capitals count if you type one"),
    bind('?', Deed::SearchBack, "search back"),
    bind('n', Deed::FindNext, "next match"),
    bind('N', Deed::FindPrevious, "match before"),
    bind('*', Deed::FindWord, "search the word under the cursor"),
    bind('v', Deed::Mark, "select"),
    bind('V', Deed::MarkLines, "select lines"),
    ctrl('v', Deed::MarkBlock, "select a block"),
    bind('o', Deed::OtherEnd, "other end of the selection; without one: open all folds"),
    bind(' ', Deed::Fold, "open or close this fold; Enter too"),
    bind('[', Deed::TurnBack, "back to what you said before"),
    bind(']', Deed::TurnNext, "on to what you said next"),
    bind('y', Deed::Copy, "copy the selection, or the line"),
    bind('Y', Deed::CopyLine, "copy the line"),
    bind('c', Deed::CopyBlock, "copy the block: code, command, result, answer"),
    bind('C', Deed::CopyWhole, "copy the whole answer"),
    on(KeyCode::Enter, Deed::Take, "open the link or fold under the cursor, or copy"),
    bind('O', Deed::Editor, "open the text in your editor"),
    on(KeyCode::Esc, Deed::ClearOrLeave, "end the selection, then the mode"),
    bind('q', Deed::Leave, "end"),
    ctrl('c', Deed::Leave, ""),
];

/// In a long text that was opened.
pub const READER: &[Binding] = &[
    bind('j', Deed::Down, "down"),
    on(KeyCode::Down, Deed::Down, ""),
    bind('k', Deed::Up, "up"),
    on(KeyCode::Up, Deed::Up, ""),
    ctrl('u', Deed::HalfPageUp, ""),
    ctrl('d', Deed::HalfPageDown, ""),
    bind(' ', Deed::PageDown, "page down"),
    on(KeyCode::PageDown, Deed::PageDown, ""),
    on(KeyCode::PageUp, Deed::PageUp, "page up"),
    bind('g', Deed::Top, "top"),
    on(KeyCode::Home, Deed::Top, ""),
    bind('G', Deed::Bottom, "bottom"),
    on(KeyCode::End, Deed::Bottom, ""),
    bind('y', Deed::Copy, "copy all"),
    on(KeyCode::Esc, Deed::Leave, "close"),
    bind('q', Deed::Leave, ""),
];

/// Keys of the prompt bar, for help: label and words.
pub const PROMPT: &[(&str, &str)] = &[
    ("Enter", "send"),
    ("Alt-Enter, Shift-Enter, Ctrl-J", "new line"),
    ("Tab", "complete a command or a lane"),
    ("Up, Down", "browse what was sent"),
    ("PageUp, PageDown", "scroll the lane"),
    ("Ctrl-W, Ctrl-U, Ctrl-K", "delete word, to start, to end"),
    ("Ctrl-Z, Ctrl-R", "undo, redo"),
    ("Ctrl-C", "put the text aside; Up brings it back"),
    ("/command", "a command"),
    ("@lane text", "a prompt for that lane, @all for all"),
    ("!command", "a shell command in the lane's directory"),
];

/// What a key does in a table.
pub(super) fn find(table: &[Binding], key: Key) -> Option<Deed> {
    table.iter().find(|b| b.key == normal(key)).map(|b| b.deed)
}

/// Terminals differ on whether shift is reported beside a capital letter or a sign.
fn normal(key: Key) -> Key {
    match key.code {
        KeyCode::Char(_) => Key { modifiers: Modifiers { shift: false, ..key.modifiers }, ..key },
        _ => key,
    }
}

/// Whether two keys are the same for a person.
pub(super) fn same(a: Key, b: Key) -> bool {
    normal(a) == normal(b)
}

/// A key as people write it: `Ctrl-G`, `Alt-y`, `Esc`.
#[must_use]
pub fn key_label(key: Key) -> String {
    let mut label = String::new();
    if key.modifiers.ctrl {
        label.push_str("Ctrl-");
    }
    if key.modifiers.alt {
        label.push_str("Alt-");
    }
    if key.modifiers.shift {
        label.push_str("Shift-");
    }
    match key.code {
        KeyCode::Char(' ') => label.push_str("Space"),
        KeyCode::Char(c) if key.modifiers.ctrl => label.extend(c.to_uppercase()),
        KeyCode::Char(c) => label.push(c),
        KeyCode::F(n) => drop(write!(label, "F{n}")),
        other => drop(write!(label, "{other:?}")),
    }
    label
}

/// All keys as text for help, with this leader.
#[must_use]
pub fn keys_text(leader: Key) -> String {
    let mut text = String::new();
    let lead = key_label(leader);
    let mut section = |title: &str, lines: Vec<(String, &str)>| {
        let column = lines.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0);
        let _ = writeln!(text, "# {title}");
        for (key, words) in lines {
            let _ = writeln!(text, "  {key:column$}  {words}");
        }
        text.push('\n');
    };
    let lines = |table: &[Binding], prefix: &str| {
        let label = |b: &Binding| match b.deed {
            Deed::FocusNumber(_) => format!("{prefix}{}…9", key_label(b.key)),
            _ => format!("{prefix}{}", key_label(b.key)),
        };
        table.iter().filter(|b| !b.words.is_empty()).map(|b| (label(b), b.words)).collect::<Vec<_>>()
    };
    section("In the prompt bar", PROMPT.iter().map(|(key, words)| ((*key).to_owned(), *words)).collect());
    section("Anywhere but in a pane that is typed into", lines(DIRECT, ""));
    let mut leader_lines = lines(LEADER, &format!("{lead} "));
    leader_lines.push((format!("{lead} {lead}"), "send the leader key itself to the pane"));
    section("After the leader key", leader_lines);
    section("In the approvals panel", lines(APPROVALS, ""));
    section("In the conflicts panel", lines(CONFLICTS, ""));
    section("In the mail panel", lines(MAIL, ""));
    section("In the board of issues", lines(BOARD, ""));
    section("In scroll-back mode", lines(SCROLL, ""));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_stands_twice_in_a_table() {
        for table in [LEADER, DIRECT, APPROVALS, CONFLICTS, MAIL, LISTS, BOARD, SCROLL, READER] {
            for (i, a) in table.iter().enumerate() {
                assert!(table[i + 1..].iter().all(|b| b.key != a.key), "{:?}", a.key);
            }
        }
    }

    #[test]
    fn keys_are_written_as_people_say_them() {
        assert_eq!(key_label(Key::ctrl('g')), "Ctrl-G");
        assert_eq!(key_label(Key::alt('y')), "Alt-y");
        assert_eq!(key_label(Key::plain(KeyCode::Esc)), "Esc");
        assert!(keys_text(Key::ctrl('g')).contains("Ctrl-G N"));
    }

    #[test]
    fn a_capital_is_found_with_and_without_shift() {
        let shifted = Key { modifiers: Modifiers::SHIFT, ..Key::char('N') };
        assert_eq!(find(LEADER, shifted), Some(Deed::NewLane));
        assert_eq!(find(LEADER, Key::char('N')), Some(Deed::NewLane));
    }
}
