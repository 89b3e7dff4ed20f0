//! Which theme a window is drawn in, and which colours the programs in its panes are told: those that are seen.

use crate::app::State;
use crate::app::window::{OuterTerminal, WindowState};
use crate::base::Report;
use crate::domain::WindowId;
use crate::terminal::Colours;
use crate::ui::{LIGHT, Theme};

/// The theme in force for a terminal that says whether it is light.
pub(super) fn theme(state: &State, light: Option<bool>) -> Result<Theme, Report> {
    if light == Some(true) && !state.settings.theme_chosen {
        return Theme::load(LIGHT);
    }
    Theme::load(&state.settings.theme)
}

/// Whether a window's terminal is light, as far as it said: a colour that it told counts more than its environment.
pub(super) fn light(window: &WindowState) -> Option<bool> {
    window.terminal.light.or(window.hello.light)
}

/// What programs are told of the colours in this window; of the default theme's without one.
pub(super) fn of_window(state: &State, window: Option<WindowId>) -> Colours {
    let window = window.and_then(|id| state.windows.get(&id));
    let plain = window.is_some_and(|window| window.hello.no_color);
    let theme = if plain { Ok(Theme::plain()) } else { theme(state, window.and_then(light)) };
    seen(&theme.unwrap_or_else(|_| Theme::plain()), window.map(|window| &window.terminal))
}

/// A theme draws its own ground; the sixteen colours and the cursor are the terminal's in any case.
fn seen(theme: &Theme, terminal: Option<&OuterTerminal>) -> Colours {
    let standard = Colours::default();
    let nothing = OuterTerminal::default();
    let terminal = terminal.unwrap_or(&nothing);
    let (foreground, background) = theme.ground().unwrap_or((
        terminal.foreground.unwrap_or(standard.foreground),
        terminal.background.unwrap_or(standard.background),
    ));
    let mut palette = standard.palette;
    for (index, colour) in palette.iter_mut().enumerate() {
        if let Some(told) = u8::try_from(index).ok().and_then(|index| terminal.palette.get(&index)) {
            *colour = *told;
        }
    }
    Colours { foreground, background, cursor: terminal.cursor.unwrap_or(foreground), palette }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::TerminalReport;

    #[test]
    fn what_a_theme_draws_is_told_and_the_rest_is_the_terminals() {
        let mut terminal = OuterTerminal::default();
        terminal.hear(TerminalReport::Background(255, 255, 255));
        terminal.hear(TerminalReport::Foreground(1, 2, 3));
        terminal.hear(TerminalReport::Cursor(9, 9, 9));
        terminal.hear(TerminalReport::Palette(1, 200, 0, 0));
        let theme = Theme::load("paralane-dark").unwrap();
        let colours = seen(&theme, Some(&terminal));
        assert_eq!(Some((colours.foreground, colours.background)), theme.ground());
        assert_eq!((colours.cursor, colours.palette[1]), ((9, 9, 9), (200, 0, 0)));
        assert_eq!(colours.palette[2], Colours::default().palette[2]);
        let plain = seen(&Theme::plain(), Some(&terminal));
        assert_eq!((plain.foreground, plain.background), ((1, 2, 3), (255, 255, 255)));
        assert_eq!(seen(&Theme::plain(), None), Colours::default());
    }
}
