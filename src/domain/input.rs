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
    /// F1 to F24.
    F(u8),
}

/// One key press.
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

/// Which mouse button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after the buttons")]
pub enum MouseButton {
    Left,
    Middle,
    Right,
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

/// One thing a window's terminal sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum InputEvent {
    /// A key.
    Key(Key),
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
}
