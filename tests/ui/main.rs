//! What a window shows and what its input means: whole frames from state literals, and actions from events.

mod hostile;
mod input;
mod overlays;
mod panels;
mod panes;
mod screens;
mod scrolling;
mod support;
