//! What a program wants its person told: notifications (OSC 9, OSC 777, kitty's OSC 99) and its progress
//! (OSC 9;4). Pure; the texts are untrusted.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Characters of one notification.
const LONGEST: usize = 1024;
/// Notifications between two looks of the worker.
const MOST: usize = 4;
/// Characters of the name that a program gives a notification.
const LONGEST_ID: usize = 64;

/// What came since the last look.
#[derive(Debug, Default)]
pub(super) struct Notices {
    /// Texts to notify the person with.
    pub(super) texts: Vec<String>,
    /// How far the program says it is, in percent.
    pub(super) progress: Option<u8>,
    /// A notification of which more parts are to come.
    part: Part,
}

/// What has come of a notification in parts.
#[derive(Debug, Default)]
struct Part {
    id: String,
    title: String,
    body: String,
}

impl Notices {
    /// Notes a text.
    pub(super) fn add(&mut self, text: String) {
        if !text.is_empty() && self.texts.len() < MOST {
            self.texts.push(text);
        }
    }

    /// OSC 9: a text, or one of ConEmu's commands, of which progress alone is known.
    pub(super) fn nine(&mut self, parts: &[&[u8]]) {
        match parts {
            [b"4", state, percent @ ..] => {
                let percent = percent.first().and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
                self.progress = match *state {
                    b"1" | b"2" | b"4" => percent.map(|percent: u8| percent.min(100)),
                    _ => None,
                };
            }
            parts => self.add(text(parts)),
        }
    }

    /// OSC 777: title and body.
    pub(super) fn titled(&mut self, title: &[u8], body: &[&[u8]]) {
        self.add(both(&text(&[title]), &text(body)));
    }

    /// OSC 99: what a key says comes first, then a part of a notification; or a question, which is answered.
    pub(super) fn kitty(&mut self, keys: &[u8], payload: &[&[u8]]) -> Option<String> {
        let keys = std::str::from_utf8(keys).ok()?;
        let key = |name: &str| keys.split(':').filter_map(|pair| pair.split_once('=')).find(|(k, _)| *k == name);
        let value = |name: &str| key(name).map_or("", |(_, value)| value);
        let named = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '.');
        let id: String = value("i").chars().filter(named).take(LONGEST_ID).collect();
        if value("p") == "?" {
            return Some(format!("\x1b]99;i={id}:p=?;p=title,body,?:o=always\x1b\\"));
        }
        let mut payload = payload.join(&b';');
        if value("e") == "1" {
            payload = STANDARD.decode(&payload).ok()?;
        }
        if self.part.id != id {
            self.part = Part { id, ..Part::default() };
        }
        let into = match value("p") {
            "" | "title" => Some(&mut self.part.title),
            "body" => Some(&mut self.part.body),
            _ => None,
        };
        if let Some(into) = into {
            let room = LONGEST.saturating_sub(into.chars().count());
            into.extend(String::from_utf8_lossy(&payload).chars().take(room));
        }
        if value("d") != "0" {
            let Part { title, body, .. } = std::mem::take(&mut self.part);
            self.add(both(&title, &body));
        }
        None
    }
}

fn both(title: &str, body: &str) -> String {
    match (title.is_empty(), body.is_empty()) {
        (_, true) => title.to_owned(),
        (true, false) => body.to_owned(),
        (false, false) => format!("{title}: {body}"),
    }
}

/// The parts of an OSC put together again: `;` in a text splits it.
pub(super) fn text(parts: &[&[u8]]) -> String {
    String::from_utf8_lossy(&parts.join(&b';')).chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_forms_come_to_texts() {
        let mut notices = Notices::default();
        notices.nine(&[b"a", b" b"]);
        notices.titled(b"Build", &[b"it; broke"]);
        notices.titled(b"Build", &[]);
        assert_eq!(notices.kitty(b"i=1:d=0:p=title", &[b"Hel"]), None);
        assert_eq!(notices.kitty(b"i=1:d=0", &[b"lo"]), None);
        assert_eq!(notices.kitty(b"i=1:p=body:e=1", &[b"d29ybGQ="]), None);
        assert_eq!(notices.texts, ["a; b", "Build: it; broke", "Build", "Hello: world"]);
        notices.nine(&[b"one too many between two looks"]);
        assert_eq!(notices.texts.len(), MOST);
    }

    #[test]
    fn kittys_question_is_answered_with_its_name_and_nothing_else() {
        let mut notices = Notices::default();
        let answer = notices.kitty(b"i=probe-1\x1b[c:p=?", &[b""]).unwrap();
        assert_eq!(answer, "\x1b]99;i=probe-1c:p=?;p=title,body,?:o=always\x1b\\");
        assert!(notices.texts.is_empty());
    }

    #[test]
    fn progress_is_no_text() {
        let mut notices = Notices::default();
        let mut progress = |parts: &[&[u8]]| {
            notices.nine(parts);
            notices.progress
        };
        assert_eq!(progress(&[b"4", b"1", b"40"]), Some(40));
        assert_eq!(progress(&[b"4", b"2", b"250"]), Some(100));
        assert_eq!(progress(&[b"4", b"3"]), None);
        assert_eq!(progress(&[b"4", b"1", b"x"]), None);
        assert_eq!(progress(&[b"4", b"0", b"40"]), None);
        assert!(notices.texts.is_empty());
    }

    #[test]
    fn parts_without_end_are_bounded() {
        let mut notices = Notices::default();
        for _ in 0..100 {
            notices.kitty(b"d=0", &[&[b'x'; 100]]);
        }
        notices.kitty(b"", &[b""]);
        assert_eq!(notices.texts[0].len(), LONGEST);
    }
}
