//! What the terminal around a window can show, by what its environment tells.

use super::ColourDepth;

/// What a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Abilities {
    /// Its colours.
    pub colours: ColourDepth,
    /// Whether it knows kinds and colours of underlines, and links. Others get a plain underline.
    pub rich: bool,
}

impl Abilities {
    /// What TERM, COLORTERM and NO_COLOR tell.
    #[must_use]
    pub fn of(term: &str, colorterm: Option<&str>, no_color: bool) -> Self {
        /// Terminals that know both, whatever else is set.
        const RICH: [&str; 10] =
            ["kitty", "alacritty", "foot", "wezterm", "ghostty", "contour", "mintty", "vte", "konsole", "tmux"];
        /// Those that take `4:3` for something else or show the text of a link's command, although a variable
        /// from outside says that there are colours.
        const POOR: [&str; 6] = ["linux", "screen", "vt", "dumb", "ansi", "cons"];
        let named = RICH.iter().any(|name| term.contains(name));
        let poor = POOR.iter().any(|name| term.starts_with(name)) && !named;
        let modern = matches!(colorterm, Some("truecolor" | "24bit"));
        Self { colours: ColourDepth::of(term, colorterm, no_color), rich: named || modern && !poor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_tells_what_can_be_shown() {
        let rich = |term, colorterm| Abilities::of(term, colorterm, false).rich;
        assert!(rich("xterm-256color", Some("truecolor")));
        assert!(rich("xterm-kitty", None));
        assert!(rich("tmux-256color", None));
        assert!(!rich("xterm-256color", None));
        assert!(!rich("screen-256color", Some("truecolor")));
        assert!(!rich("linux", Some("truecolor")));
        assert!(!rich("vt220", None));
        let plain = Abilities::of("xterm-kitty", None, true);
        assert_eq!((plain.colours, plain.rich), (ColourDepth::None, true));
    }
}
