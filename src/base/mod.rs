//! Small helpers every room may use: text width, escaping, bounded buffers, error reports.

mod bounded;
mod escape;
mod report;
mod width;

pub use bounded::{HeadTail, one_line};
pub use escape::{path_text, visible};
pub use report::{Kind, Report};
pub use width::{clip, width};
