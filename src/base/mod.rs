//! Small helpers every room may use: text width, escaping, bounded buffers, nearest words, error
//! reports, failpoints, descriptors on sockets, and giving a terminal back.

mod bounded;
mod escape;
mod failpoint;
mod fd_pass;
mod nearest;
mod report;
mod size;
pub mod terminal_restore;
mod width;

pub use bounded::{HeadTail, one_line};
pub use escape::{hidden, path_text, visible};
pub use failpoint::failpoint;
pub use fd_pass::{recv_with_fd, send_with_fd};
pub use nearest::nearest;
pub use report::{Kind, Report};
pub use size::size_words;
pub use terminal_restore::TerminalSettings;
pub use width::{clip, width};
