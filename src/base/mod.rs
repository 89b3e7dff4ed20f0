//! Small helpers every room may use: text width, escaping, bounded buffers, digests, nearest words, public addresses,
//! error reports, lengths of time, failpoints, descriptors on sockets, the list of processes, this one's children, locks, the time zone, how long
//! threads run at a stretch, and giving a terminal back.

mod address;
mod bounded;
mod children;
mod digest;
mod escape;
mod failpoint;
mod fd_pass;
mod length;
mod lock;
mod nearest;
mod processes;
mod quote;
mod report;
mod size;
pub mod terminal_restore;
mod turns;
mod width;
pub mod zone;

pub use address::is_public;
pub use bounded::{HeadTail, one_line};
pub use children::{Adopted, adopt_orphans, started};
pub use digest::sha256_hex;
pub use escape::{hidden, path_text, visible};
pub use failpoint::failpoint;
pub use fd_pass::{recv_with_fd, send_with_fd};
pub use length::{length_words, read_length};
pub use lock::lock;
pub use nearest::nearest;
pub use processes::{Process, families, processes};
pub use quote::shell_word;
pub use report::{Kind, Report};
pub use size::size_words;
pub use terminal_restore::TerminalSettings;
pub use turns::take_short_turns;
pub use width::{clip, clip_start, width};
