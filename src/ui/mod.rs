//! State to frame: views, widgets, themes, and the backend that turns frames into bytes.

pub mod backend;
