//! What a window's terminal sends, as typed values: keys, mouse, paste, focus.

use serde::{Deserialize, Serialize};

/// Which modifiers were down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after the keys")]
pub struct Modifiers {
    pub shift: bool,
    pub alt: bool,
    pub ctrl: bool,
}

impl Modifiers {
    /// None at all.
    pub const NONE: Self = Self { shift: false, alt: false, ctrl: false };
    /// Ctrl alone.
    pub const CTRL: Self = Self { shift: false, alt: false, ctrl: true };
    /// Alt alone.
    pub const ALT: Self = Self { shift: false, alt: true, ctrl: false };
    /// Shift alone.
    pub const SHIFT: Self = Self { shift: true, alt: false, ctrl: false };
}

/// Which key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after the keys")]
pub enum KeyCode {
    /// A character as typed, shift already applied: `A`, `?`. With ctrl: the lower-case letter.
    Char(char),
    Enter,
    Tab,
    BackTab,
    Backspace,
    Esc,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    Insert,
    Delete,
    /// F1 to F35.
    F(u8),
    /// A key that means nothing here, by its number in the kitty keyboard protocol: locks, media keys, modifiers alone.
    Other(u16),
}

/// A key as keymaps know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Key {
    /// Which key.
    pub code: KeyCode,
    /// With which modifiers.
    pub modifiers: Modifiers,
}

impl Key {
    /// A key without modifiers.
    #[must_use]
    pub const fn plain(code: KeyCode) -> Self {
        Self { code, modifiers: Modifiers::NONE }
    }

    /// A character without modifiers.
    #[must_use]
    pub const fn char(c: char) -> Self {
        Self::plain(KeyCode::Char(c))
    }

    /// Ctrl and a lower-case letter.
    #[must_use]
    pub const fn ctrl(c: char) -> Self {
        Self { code: KeyCode::Char(c), modifiers: Modifiers::CTRL }
    }

    /// Alt and a character.
    #[must_use]
    pub const fn alt(c: char) -> Self {
        Self { code: KeyCode::Char(c), modifiers: Modifiers::ALT }
    }
}

/// What happened to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after the events")]
pub enum KeyKind {
    #[default]
    Press,
    Repeat,
    Release,
}

/// Modifiers beyond Shift, Alt and Ctrl: a set of bits, those of the kitty keyboard protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct MoreModifiers(pub u8);

impl MoreModifiers {
    /// Super.
    pub const SUPER: u8 = 8;
    /// Hyper.
    pub const HYPER: u8 = 16;
    /// Meta.
    pub const META: u8 = 32;
    /// Caps lock is on.
    pub const CAPS_LOCK: u8 = 64;
    /// Num lock is on.
    pub const NUM_LOCK: u8 = 128;
    /// The two locks: a key is the same key with them.
    pub const LOCKS: u8 = Self::CAPS_LOCK | Self::NUM_LOCK;

    /// Whether one of these bits is set.
    #[must_use]
    pub const fn any(self, bits: u8) -> bool {
        self.0 & bits != 0
    }
}

/// All that a terminal can say of a key. Programs in panes may ask for any of it; what is not known is guessed from
/// the key when the event is made of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct KeyEvent {
    /// The key as keymaps know it.
    pub key: Key,
    /// Pressed, held down or let go.
    #[serde(default)]
    pub kind: KeyKind,
    /// Modifiers that keymaps do not know.
    #[serde(default)]
    pub more: MoreModifiers,
    /// Whether it stands on the keypad.
    #[serde(default)]
    pub keypad: bool,
    /// Whether Shift was down, also where it is applied to the character.
    #[serde(default)]
    pub shift: bool,
    /// The character that the key alone gives.
    #[serde(default)]
    pub unshifted: Option<char>,
    /// The character that Shift makes of it.
    #[serde(default)]
    pub shifted: Option<char>,
    /// The character in the same place of the standard (US) layout, where that is another one.
    #[serde(default)]
    pub base: Option<char>,
    /// The text it gives.
    #[serde(default)]
    pub text: Option<char>,
}

impl KeyEvent {
    /// The key for our own keymaps: none when it was let go, or is not one that they could know.
    #[must_use]
    pub fn ours(&self) -> Option<Key> {
        let foreign = self.more.any(MoreModifiers::SUPER | MoreModifiers::HYPER);
        if self.kind == KeyKind::Release || foreign || matches!(self.key.code, KeyCode::Other(_)) {
            return None;
        }
        let alt = self.key.modifiers.alt || self.more.any(MoreModifiers::META);
        Some(Key { modifiers: Modifiers { alt, ..self.key.modifiers }, ..self.key })
    }
}

impl From<Key> for KeyEvent {
    fn from(key: Key) -> Self {
        let Modifiers { shift, alt, ctrl } = key.modifiers;
        let mut event = Self {
            key,
            kind: KeyKind::Press,
            more: MoreModifiers(0),
            keypad: false,
            shift: shift || key.code == KeyCode::BackTab,
            unshifted: None,
            shifted: None,
            base: None,
            text: None,
        };
        if let KeyCode::Char(c) = key.code {
            let lower = one(c.to_lowercase()).unwrap_or(c);
            event.unshifted = Some(lower);
            event.shift |= lower != c;
            event.shifted = one(lower.to_uppercase()).filter(|upper| event.shift && *upper != lower);
            event.text = (!alt && !ctrl).then_some(c);
        }
        event
    }
}

/// The character that an iterator of one gives.
fn one(mut chars: impl Iterator<Item = char>) -> Option<char> {
    chars.next().filter(|_| chars.next().is_none())
}

/// Which mouse button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after the buttons")]
pub enum MouseButton {
    Left,
    Middle,
    Right,
    /// Buttons 8 to 11: back, forward and two more.
    Extra(u8),
}

/// What the mouse did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after the movements")]
pub enum MouseKind {
    Down(MouseButton),
    Up(MouseButton),
    Drag(MouseButton),
    Moved,
    WheelUp,
    WheelDown,
    WheelLeft,
    WheelRight,
}

/// One mouse event in the window, cells from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MouseEvent {
    /// What it did.
    pub kind: MouseKind,
    /// Column, from 0.
    pub column: u16,
    /// Row, from 0.
    pub row: u16,
    /// With which modifiers.
    pub modifiers: Modifiers,
}

/// What a window's terminal said of itself, asked or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TerminalReport {
    /// The colour of text (OSC 10).
    Foreground(u8, u8, u8),
    /// The colour behind text (OSC 11).
    Background(u8, u8, u8),
    /// The cursor's colour (OSC 12).
    Cursor(u8, u8, u8),
    /// One of the 256 colours (OSC 4): its number, then red, green, blue.
    Palette(u8, u8, u8, u8),
    /// Whether it is dark (DSR 996, mode 2031).
    Dark(bool),
}

/// One thing a window's terminal sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum InputEvent {
    /// A key was pressed, and there is no more to say of it than its name.
    Key(Key),
    /// A key, with all that the terminal said of it.
    RichKey(KeyEvent),
    /// A piece of pasted text; a paste is streamed in pieces of at most 64 KiB.
    Paste {
        /// The piece, end markers removed.
        text: String,
        /// Whether this is the first piece.
        first: bool,
        /// Whether this is the last piece.
        last: bool,
    },
    /// The mouse.
    Mouse(MouseEvent),
    /// The terminal got or lost the focus.
    Focus(bool),
    /// The terminal said something of itself.
    Report(TerminalReport),
}
