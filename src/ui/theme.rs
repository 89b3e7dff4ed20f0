//! Colours by what they mean, from the TOML files in `themes/`.

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use crate::app::window::text::Tone;
use crate::base::{Report, nearest};

/// Names of all themes.
pub const THEMES: [&str; 2] = ["paralane-dark", "paralane-light"];

/// The theme for a light terminal.
pub const LIGHT: &str = THEMES[1];

const SOURCES: [(&str, &str); 2] = [
    (THEMES[0], include_str!("../../themes/paralane-dark.toml")),
    (THEMES[1], include_str!("../../themes/paralane-light.toml")),
];

/// Red, green, blue.
pub type Rgb = (u8, u8, u8);

/// The colours of a theme, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    palette: Option<Palette>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    colours: Palette,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Palette {
    background: Hex,
    text: Hex,
    strong: Hex,
    dim: Hex,
    accent: Hex,
    good: Hex,
    warn: Hex,
    bad: Hex,
    added: Hex,
    removed: Hex,
    code: Hex,
    link: Hex,
    keyword: Hex,
    literal: Hex,
    number: Hex,
    comment: Hex,
    name: Hex,
    kind: Hex,
    selection: Hex,
    border: Hex,
}

/// `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct Hex(u8, u8, u8);

impl TryFrom<String> for Hex {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.is_ascii());
        let part = |at: usize| digits.and_then(|d| u8::from_str_radix(&d[at..at + 2], 16).ok());
        match (part(0), part(2), part(4)) {
            (Some(r), Some(g), Some(b)) => Ok(Self(r, g, b)),
            _ => Err(format!("`{text}` is not a colour: write `#rrggbb`")),
        }
    }
}

impl From<Hex> for Color {
    fn from(Hex(r, g, b): Hex) -> Self {
        Self::Rgb(r, g, b)
    }
}

impl Theme {
    /// The theme of this name.
    ///
    /// # Errors
    /// There is none of this name, or its file is broken.
    pub fn load(name: &str) -> Result<Self, Report> {
        let Some((_, source)) = SOURCES.iter().find(|(known, _)| *known == name) else {
            let report = Report::usage(format!("there is no theme `{name}`"));
            return Err(match nearest(name, THEMES) {
                Some(near) => report.hint(format!("did you mean `{near}`?")),
                None => report.hint(format!("themes: {}", THEMES.join(", "))),
            });
        };
        let file: File = toml::from_str(source)
            .map_err(|error| Report::internal(format!("the theme `{name}` is broken: {error}")))?;
        Ok(Self { palette: Some(file.colours) })
    }

    /// No colours at all: what they say is said by words and attributes.
    #[must_use]
    pub fn plain() -> Self {
        Self { palette: None }
    }

    /// The colours of text and background (red, green, blue), for programs that ask their terminal.
    pub fn ground(&self) -> Option<(Rgb, Rgb)> {
        let rgb = |Hex(r, g, b): Hex| (r, g, b);
        self.palette.as_ref().map(|palette| (rgb(palette.text), rgb(palette.background)))
    }

    /// What the whole window is drawn on.
    #[must_use]
    pub fn base(&self) -> Style {
        match &self.palette {
            Some(p) => Style::new().fg(p.text.into()).bg(p.background.into()),
            None => Style::reset(),
        }
    }

    /// How text of this tone is drawn, on whatever background it stands.
    #[must_use]
    pub fn tone(&self, tone: Tone) -> Style {
        let added = match tone {
            Tone::Strong | Tone::Accent => Modifier::BOLD,
            Tone::Emphasis => Modifier::ITALIC,
            Tone::Struck => Modifier::CROSSED_OUT,
            Tone::Link => Modifier::UNDERLINED,
            _ => Modifier::empty(),
        };
        let Some(p) = &self.palette else {
            let attribute = match tone {
                Tone::Dim | Tone::Rule | Tone::Comment => Modifier::DIM,
                Tone::Warn | Tone::Bad | Tone::Keyword => Modifier::BOLD,
                Tone::Removed => Modifier::ITALIC,
                Tone::Added => Modifier::BOLD,
                _ => added,
            };
            return Style::new().add_modifier(attribute);
        };
        let colour = match tone {
            Tone::Text | Tone::Emphasis | Tone::Struck => p.text,
            Tone::Dim => p.dim,
            Tone::Strong => p.strong,
            Tone::Accent => p.accent,
            Tone::Good => p.good,
            Tone::Warn => p.warn,
            Tone::Bad => p.bad,
            Tone::Added => p.added,
            Tone::Removed => p.removed,
            Tone::Code => p.code,
            Tone::Link => p.link,
            Tone::Rule => p.border,
            Tone::Keyword => p.keyword,
            Tone::Literal => p.literal,
            Tone::Number => p.number,
            Tone::Comment => p.comment,
            Tone::Name => p.name,
            Tone::Kind => p.kind,
        };
        Style::new().fg(colour.into()).add_modifier(added)
    }

    /// What is chosen among others.
    #[must_use]
    pub fn selection(&self) -> Style {
        match &self.palette {
            Some(p) => Style::new().bg(p.selection.into()),
            None => Style::new().add_modifier(Modifier::REVERSED),
        }
    }

    /// Where searched words stand; `here`: the place where the search is now.
    #[must_use]
    pub fn found(&self, here: bool) -> Style {
        match &self.palette {
            Some(p) => {
                let ground = if here { p.accent } else { p.dim };
                Style::new()
                    .fg(p.background.into())
                    .bg(ground.into())
                    .remove_modifier(Modifier::REVERSED | Modifier::DIM)
            }
            None if here => Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD),
            None => Style::new().add_modifier(Modifier::UNDERLINED | Modifier::BOLD),
        }
    }

    /// What stands over other things, such as a message or a list of completions.
    #[must_use]
    pub fn raised(&self) -> Style {
        match &self.palette {
            Some(p) => Style::new().fg(p.text.into()).bg(p.selection.into()),
            None => Style::reset(),
        }
    }

    /// Rules and frames.
    #[must_use]
    pub fn border(&self) -> Style {
        match &self.palette {
            Some(p) => Style::new().fg(p.border.into()),
            None => Style::new().add_modifier(Modifier::DIM),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance, WCAG 2.2.
    fn luminance(Hex(r, g, b): Hex) -> f64 {
        let part = |v: u8| {
            let v = f64::from(v) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
    }

    fn contrast(a: Hex, b: Hex) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_can_be_read_on_every_background() {
        for name in THEMES {
            let p = Theme::load(name).unwrap().palette.unwrap();
            let words = [p.text, p.strong, p.dim, p.accent, p.good, p.warn, p.bad, p.added, p.removed];
            let code = [p.code, p.link, p.keyword, p.literal, p.number, p.comment, p.name, p.kind];
            for tone in words.into_iter().chain(code) {
                for ground in [p.background, p.selection] {
                    let contrast = contrast(tone, ground);
                    assert!(contrast >= 4.5, "{name}: {tone:?} on {ground:?} has {contrast:.2}");
                }
            }
        }
    }

    #[test]
    fn a_mistyped_theme_is_answered_with_the_nearest() {
        let error = Theme::load("paralane-drak").unwrap_err();
        assert_eq!(error.hints, ["did you mean `paralane-dark`?"]);
    }

    #[test]
    fn without_colour_there_is_none() {
        let plain = Theme::plain();
        for style in [
            plain.tone(Tone::Bad),
            plain.selection(),
            plain.found(true),
            plain.found(false),
            plain.border(),
            plain.raised(),
        ] {
            assert!(matches!(style.fg, None | Some(Color::Reset)) && matches!(style.bg, None | Some(Color::Reset)));
        }
    }
}
