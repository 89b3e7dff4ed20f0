//! State to frame: views, widgets, themes, and the backend that turns frames into bytes.
//!
//! [`view`] draws a window: pure, from the state, the newest picture of each pane and the moment. It does
//! no I/O, reads no clock and takes no lock, and costs what the screen shows, not what has been said.
//! Every untrusted text goes through `canvas`, which makes control characters visible and cuts in cells.

pub mod backend;
mod canvas;
mod grid;
mod header;
mod lanes;
mod link;
mod main_area;
mod overlay;
mod pane;
mod panel;
mod prompt_bar;
mod scroll;
mod small;
mod status;
mod surface;
mod theme;
mod toast;
mod view;
mod welcome;
mod window_terminal;

pub use link::Link;
pub use surface::{Extra, Surface};
pub use theme::{LIGHT, Rgb, THEMES, Theme};
pub use view::{Caret, view};
pub use window_terminal::WindowTerminal;
