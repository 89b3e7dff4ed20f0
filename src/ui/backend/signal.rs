//! What a window tells its terminal beside the frames: bell, notifications, the clipboard.

use super::WindowBackend;

/// The longest text of a notification, in characters: desktops cut there at the latest.
const NOTIFICATION: usize = 200;

/// The largest text that is copied, in bytes: more, and terminals drop it without a word.
const CLIPBOARD: usize = 1024 * 1024;

impl WindowBackend {
    /// Rings the bell.
    pub fn bell(&mut self) {
        self.out.push(0x07);
    }

    /// Asks the terminal for every movement of the mouse, or as at first for presses and drags only.
    pub fn follow_pointer(&mut self, always: bool) {
        if self.motion != always {
            self.motion = always;
            // Taking the one back takes all of the mouse back.
            let bytes: &[u8] = if always { b"\x1b[?1003h" } else { b"\x1b[?1003l\x1b[?1000h\x1b[?1002h" };
            self.out.extend_from_slice(bytes);
        }
    }

    /// A desktop notification (OSC 9: iTerm2, ConEmu, WezTerm, Ghostty and others).
    pub fn notify(&mut self, text: &str) {
        let text = one_line(text);
        // `9;4;…` and its like are other commands of some terminals, for example a progress bar.
        let guard = if text.starts_with(|c: char| c.is_ascii_digit()) { " " } else { "" };
        self.command(&["9;", guard, &text]);
    }

    /// A desktop notification with a title (OSC 777: urxvt, foot, Ghostty and others).
    pub fn notify_with_title(&mut self, title: &str, text: &str) {
        self.command(&["777;notify;", &one_line(title).replace(';', ","), ";", &one_line(text)]);
    }

    /// Puts text on the clipboard of the person's own machine (OSC 52). False when it is too long.
    #[must_use]
    pub fn copy(&mut self, text: &str) -> bool {
        if text.len() > CLIPBOARD {
            return false;
        }
        self.command(&["52;c;", &base64(text.as_bytes())]);
        true
    }

    /// BEL ends it: every terminal knows that, ESC \ not every one.
    fn command(&mut self, parts: &[&str]) {
        self.out.extend_from_slice(b"\x1b]");
        for part in parts {
            self.out.extend_from_slice(part.as_bytes());
        }
        self.out.push(0x07);
    }
}

/// The text on one line, without control characters.
fn one_line(text: &str) -> String {
    let text: String = text.chars().take(NOTIFICATION).map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    crate::base::visible(&text).into_owned()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let value = group >> (18 - 6 * digit) & 63;
            out.push(if digit <= chunk.len() { char::from(DIGITS[value as usize]) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Size;
    use crate::ui::backend::Abilities;

    fn bytes(act: impl FnOnce(&mut WindowBackend)) -> String {
        let mut backend = WindowBackend::new(Size { columns: 10, rows: 2 }, Abilities::of("xterm", None, false));
        act(&mut backend);
        String::from_utf8(backend.take()).unwrap()
    }

    #[test]
    fn signals_have_their_forms() {
        assert_eq!(bytes(WindowBackend::bell), "\x07");
        assert_eq!(bytes(|b| b.follow_pointer(false)), "");
        assert_eq!(bytes(|b| [true, true].into_iter().for_each(|on| b.follow_pointer(on))), "\x1b[?1003h");
        let to_and_fro = bytes(|b| [true, false].into_iter().for_each(|on| b.follow_pointer(on)));
        assert_eq!(to_and_fro, "\x1b[?1003h\x1b[?1003l\x1b[?1000h\x1b[?1002h");
        assert_eq!(bytes(|b| b.notify("api needs you")), "\x1b]9;api needs you\x07");
        assert_eq!(bytes(|b| b.notify("4;1;50")), "\x1b]9; 4;1;50\x07");
        assert_eq!(bytes(|b| b.notify_with_title("a;b", "c;d")), "\x1b]777;notify;a,b;c;d\x07");
        assert_eq!(bytes(|b| assert!(b.copy("héllo"))), "\x1b]52;c;aMOpbGxv\x07");
        assert_eq!(bytes(|b| assert!(!b.copy(&"x".repeat(CLIPBOARD + 1)))), "");
    }

    #[test]
    fn no_text_ends_a_notification_early() {
        assert_eq!(bytes(|b| b.notify("a\x07\x1b]52;c;eA==\x07\nb\u{9c}")), "\x1b]9;a^G^[]52;c;eA==^G b\\u{9c}\x07");
    }

    #[test]
    fn base64_of_every_length() {
        let of = |text: &str| base64(text.as_bytes());
        assert_eq!([of(""), of("f"), of("fo"), of("foo")], ["", "Zg==", "Zm8=", "Zm9v"]);
    }
}
