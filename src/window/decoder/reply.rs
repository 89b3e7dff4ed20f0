//! A reply that ends in a string terminator: swallowed, and read where it tells of the terminal's colours.

use crate::domain::TerminalReport;

/// A reply holds no more than this; what goes on longer is none that we asked for.
const LONGEST: usize = 4 * 1024;

/// A reply whose end has not come.
#[derive(Debug, Default)]
pub(super) struct Reply {
    /// Whether it is an operating system command: the others tell nothing of use.
    colours: bool,
    text: Vec<u8>,
}

impl Reply {
    /// A reply that begins with ESC and this byte.
    pub(super) const fn new(introducer: u8) -> Self {
        Self { colours: introducer == b']', text: Vec::new() }
    }

    /// Takes bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        let room = LONGEST.saturating_sub(self.text.len());
        if self.colours {
            self.text.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
    }

    /// What it said, now that it is whole.
    pub(super) fn reports(&self) -> Vec<TerminalReport> {
        let text = std::str::from_utf8(&self.text).unwrap_or_default();
        let mut fields = text.split(';');
        let mut reports = Vec::new();
        match fields.next() {
            Some("4") => {
                while let (Some(index), Some(value)) = (fields.next(), fields.next()) {
                    if let (Ok(index), Some((r, g, b))) = (index.parse(), colour(value)) {
                        reports.push(TerminalReport::Palette(index, r, g, b));
                    }
                }
            }
            Some(number @ ("10" | "11" | "12")) => {
                if let Some((r, g, b)) = fields.next().and_then(colour) {
                    reports.push(match number {
                        "10" => TerminalReport::Foreground(r, g, b),
                        "11" => TerminalReport::Background(r, g, b),
                        _ => TerminalReport::Cursor(r, g, b),
                    });
                }
            }
            _ => {}
        }
        reports
    }
}

/// A colour as X11 writes it: `rgb:1e1e/1e1e/2e2e` with one to four digits each, `rgba:` with one part more, `#1e1e2e`.
fn colour(text: &str) -> Option<(u8, u8, u8)> {
    if let Some(digits) = text.strip_prefix('#') {
        let width = digits.len() / 3;
        if digits.len() != width * 3 || !digits.is_ascii() || width == 0 {
            return None;
        }
        let part = |n: usize| scaled(&digits[n * width..(n + 1) * width]);
        return Some((part(0)?, part(1)?, part(2)?));
    }
    let parts = text.strip_prefix("rgb:").or_else(|| text.strip_prefix("rgba:"))?;
    let mut parts = parts.split('/').map(scaled);
    Some((parts.next()??, parts.next()??, parts.next()??))
}

/// One to four hexadecimal digits, scaled to a byte.
fn scaled(digits: &str) -> Option<u8> {
    let most = match digits.len() {
        1 => 0xf,
        2 => 0xff,
        3 => 0xfff,
        4 => 0xffff,
        _ => return None,
    };
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    u8::try_from((value * 255 + most / 2) / most).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_in_every_notation() {
        for (text, rgb) in [
            ("rgb:1e1e/1e1e/2e2e", Some((0x1e, 0x1e, 0x2e))),
            ("rgb:ff/80/00", Some((255, 128, 0))),
            ("rgb:f/0/f", Some((255, 0, 255))),
            ("rgba:ffff/0000/8080/ffff", Some((255, 0, 128))),
            ("#1e1e2e", Some((0x1e, 0x1e, 0x2e))),
            ("#fff000fff", Some((255, 0, 255))),
            ("rgb:ffff/0000", None),
            ("#12345", None),
            ("#äää", None),
            ("?", None),
            ("rgb:+f/0/0", None),
        ] {
            assert_eq!(colour(text), rgb, "{text}");
        }
    }
}
