//! State to frame: views, widgets, themes, and the backend that turns frames into bytes.

pub mod backend;
pub struct Theme;
impl Theme {
    pub fn load(_: &str) -> Result<Self, crate::base::Report> { Ok(Theme) }
    pub fn terminal_colours(&self) -> crate::terminal::Colours { crate::terminal::Colours::default() }
}
pub struct PaneCursor { pub shape: crate::domain::CursorShape, pub rest: Option<(u16,u16)> }
pub fn pane_cursor(_: &crate::app::State, _: crate::domain::WindowId, _: &std::collections::BTreeMap<crate::domain::LaneId, std::sync::Arc<crate::domain::PaneFrame>>) -> PaneCursor { PaneCursor { shape: Default::default(), rest: None } }
pub fn view(_: &crate::app::State, _: crate::domain::WindowId, _: &std::collections::BTreeMap<crate::domain::LaneId, std::sync::Arc<crate::domain::PaneFrame>>, _: jiff::Timestamp, _: &Theme, _f: &mut ratatui::Frame) {}
