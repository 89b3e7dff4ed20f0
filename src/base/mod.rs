//! Small helpers every room may use: text width, escaping, bounded buffers, error reports, failpoints.

mod bounded;
mod escape;
mod failpoint;
mod report;
mod width;

pub use bounded::{HeadTail, one_line};
pub use escape::visible;
pub use failpoint::failpoint;
pub use report::{Kind, Report};
pub use width::{clip, width};
