//! Small helpers every room may use: text width, escaping, bounded buffers, error reports, terminals.

mod bounded;
mod escape;
mod fd_pass;
mod report;
pub mod terminal_restore;
mod width;

pub use bounded::{HeadTail, one_line};
pub use escape::visible;
pub use fd_pass::{recv_with_fd, send_with_fd};
pub use report::{Kind, Report};
pub use terminal_restore::TerminalSettings;
pub use width::{clip, width};
