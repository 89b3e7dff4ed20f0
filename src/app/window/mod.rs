//! One window's own state (focus, draft, scroll, panel, overlays) and what its input means.
//!
//! [`input`] takes one event, changes the window's state and returns [`WindowAction`]s; what an action
//! does to lanes and prompts is decided in `update`, so that a key, a slash command and a shell command
//! do the same. [`settle`] is called before a frame is drawn: it keeps what stands on the screen (an
//! approval that has just taken another's place is not answered by a key meant for the first) and
//! opens what has to be shown. Geometry ([`layout`]) and transcript rows ([`transcript`]) live here
//! and not in `ui`, because the mouse and scrolling need them too. Input costs what is visible, never
//! what has been said.

mod action;
mod age;
mod ask;
mod board;
mod commands;
mod dialog;
mod draft;
mod focus;
mod found;
mod geometry;
mod grab;
mod guard;
mod hints;
mod input;
mod keymap;
mod leader;
mod line;
mod mouse;
mod names;
mod outer;
mod palette;
mod panel;
mod points;
mod popup;
mod reader;
mod scroll;
mod send;
mod settle;
mod setup;
mod small;
mod state;
pub mod text;
mod timing;
mod toast;
pub mod transcript;
mod waits;

pub use action::WindowAction;
pub use age::{age, coarse_age};
pub use ask::{Ask, Purpose};
pub use board::Board;
pub use dialog::{Confirm, LaneForm, LanePicker, Overlay, TRUST_ROWS, TrustDialog};
pub use draft::{Draft, DraftRow, DraftView};
pub use focus::{pane_in_focus, pane_under_pointer};
pub use found::{Found, FoundPlace};
pub use geometry::{
    Areas, Breadth, LANE_HEADER, LaneRow, Rect, Tile, failed_last, lane_rows, layout, pane_area, pane_to_come,
    queue_rows, scroll_area, target, target_width, tiles, transcript_area, visible_panes,
};
pub use guard::Guard;
pub use hints::{hint, hint_count, hint_lines};
pub use input::{input, older_entries, pane_text, pane_texts, unwanted_mouse};
pub use keymap::{
    APPROVALS, BOARD, Binding, CONFLICTS, DIRECT, Deed, LEADER, LISTS, MAIL, PROMPT, READER, SCROLL, key_label,
    keys_text,
};
pub use mouse::tab_labels;
pub use outer::OuterTerminal;
pub use palette::{Choice, Palette, PaletteRow};
pub use panel::{Panel, Tab};
pub(in crate::app) use points::show as checkpoints;
pub use points::{Point, Points};
pub use popup::Popup;
pub use reader::{Reader, ReaderKind, rows_of};
use scroll::addresses;
pub use scroll::{
    Extent, Glyph, Hit, Link, Page as ScrollPage, Paint, Place as ScrollPlace, RowAt, ScrollMode, ScrollText, Search,
    Selection, Stand, Typing,
};
pub use settle::settle;
pub use setup::{Setup, SetupStep};
pub use small::{Taker, taker};
pub use state::{Keyboard, WindowState};
pub use timing::next_deadline;
pub use toast::Toast;
pub use waits::{approval_left, approval_two, once_only};
