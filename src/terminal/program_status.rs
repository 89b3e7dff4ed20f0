//! What a program says of its work, read from its bytes: the Program Status Protocol (OSC 7501), and titles of
//! programs that do not speak it. Pure.
//!
//! A report is `OSC 7501 ; state=blocked:kind=permission:msg=BASE64 ST`; keys that are not known are passed over,
//! a report that is broken in a key that is known counts for nothing. `OSC 7501 ; ? ST` asks whether we listen.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::domain::{NeedKind, ProgramState, ProgramStatus, Saying};

/// The answer to the question.
pub(super) const ANSWER: &str =
    "\x1b]7501;?:states=idle,working,done,blocked,error:kinds=permission,question,auth\x1b\\";

/// The longest report in bytes.
const LONGEST: usize = 4096;
/// The longest decoded message in bytes.
const MESSAGE: usize = 2048;

/// What a program tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Told {
    /// It asks whether anybody listens.
    Query,
    /// What it is at.
    Status(ProgramStatus),
    /// What it told before holds no more.
    Clear,
}

/// Reads the parameter of OSC 7501; none when it is no report.
pub(super) fn parse(body: &[u8]) -> Option<Told> {
    if body.len() > LONGEST {
        return None;
    }
    let body = std::str::from_utf8(body).ok()?;
    if body == "?" {
        return Some(Told::Query);
    }
    let (mut state, mut kind, mut message) = (None, NeedKind::Unnamed, String::new());
    for pair in body.split(':') {
        let (key, value) = pair.split_once('=')?;
        match key {
            "state" => state = Some(value),
            "kind" => {
                kind = match value {
                    "permission" => NeedKind::Permission,
                    "question" => NeedKind::Question,
                    "auth" => NeedKind::Auth,
                    _ => NeedKind::Unnamed,
                }
            }
            "msg" => message = decoded(value)?,
            _ => {}
        }
    }
    let state = match state? {
        "idle" => ProgramState::Idle,
        "working" => ProgramState::Working,
        "blocked" => ProgramState::Blocked(kind),
        "done" => ProgramState::Done,
        "error" => ProgramState::Error,
        "clear" => return Some(Told::Clear),
        _ => return None,
    };
    Some(Told::Status(ProgramStatus { state, message, by: Saying::Report }))
}

fn decoded(text: &str) -> Option<String> {
    let bytes = STANDARD.decode(text).ok().filter(|bytes| bytes.len() <= MESSAGE)?;
    String::from_utf8(bytes).ok()
}

/// Titles that tell a state, by how they begin: Gemini CLI's, and Codex's where its reports do not reach us.
const TITLES: &[(&str, ProgramState)] = &[
    ("✋ Action Required", ProgramState::Blocked(NeedKind::Unnamed)),
    ("[ ! ] Action Required", ProgramState::Blocked(NeedKind::Unnamed)),
    ("[ . ] Action Required", ProgramState::Blocked(NeedKind::Unnamed)),
    ("✦ Working", ProgramState::Working),
    ("⏲ Working", ProgramState::Working),
    ("◇ Ready", ProgramState::Idle),
];

/// What a title tells of its program's work, if it is one of those that do.
pub(super) fn from_title(title: &str) -> Option<ProgramStatus> {
    // Wide signs are followed by one blank or two.
    let words = |text: &str| text.split_whitespace().take(6).collect::<Vec<_>>().join(" ");
    let title = words(title);
    let (_, state) = TITLES.iter().find(|(begin, _)| title.starts_with(begin))?;
    Some(ProgramStatus { state: *state, message: String::new(), by: Saying::Title })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn status(state: ProgramState, message: &str) -> Told {
        Told::Status(ProgramStatus { state, message: message.to_owned(), by: Saying::Report })
    }

    #[test]
    fn every_state_is_read() {
        assert_eq!(parse(b"?"), Some(Told::Query));
        assert_eq!(parse(b"state=clear"), Some(Told::Clear));
        assert_eq!(parse(b"state=idle:app=codex"), Some(status(ProgramState::Idle, "")));
        assert_eq!(parse(b"state=working"), Some(status(ProgramState::Working, "")));
        assert_eq!(parse(b"app=x:state=done"), Some(status(ProgramState::Done, "")));
        assert_eq!(parse(b"state=error:msg=bm8gcm9vbQ=="), Some(status(ProgramState::Error, "no room")));
        let permission = ProgramState::Blocked(NeedKind::Permission);
        assert_eq!(parse(b"state=blocked:kind=permission:msg=bHMgLWw="), Some(status(permission, "ls -l")));
        assert_eq!(parse(b"state=blocked:kind=auth"), Some(status(ProgramState::Blocked(NeedKind::Auth), "")));
        assert_eq!(parse(b"state=blocked:kind=new"), Some(status(ProgramState::Blocked(NeedKind::Unnamed), "")));
    }

    #[test]
    fn what_is_no_report_counts_for_nothing() {
        let long = [b"state=idle:x=".to_vec(), vec![b'y'; LONGEST]].concat();
        let big = format!("state=error:msg={}", STANDARD.encode([b'a'; MESSAGE + 1]));
        let bad: [&[u8]; 10] = [
            b"",
            b"state",
            b"state=",
            b"state=sleeping",
            b"kind=permission",
            b"state=error:msg=*",
            b"state=error:msg=gA==",
            b"state=idle:\xff=1",
            &long,
            big.as_bytes(),
        ];
        for body in bad {
            assert_eq!(parse(body), None, "{:?}", String::from_utf8_lossy(&body[..body.len().min(40)]));
        }
        let full = format!("state=error:msg={}", STANDARD.encode([b'a'; MESSAGE]));
        assert!(matches!(parse(full.as_bytes()), Some(Told::Status(s)) if s.message.len() == MESSAGE));
    }

    #[test]
    fn known_titles_tell_a_state() {
        let state = |title| from_title(title).map(|status| status.state);
        assert_eq!(state("◇  Ready (gemini)          "), Some(ProgramState::Idle));
        assert_eq!(state("✦  Working… (gemini)"), Some(ProgramState::Working));
        assert_eq!(state("✋  Action Required (shop)"), Some(ProgramState::Blocked(NeedKind::Unnamed)));
        assert_eq!(state("[ ! ] Action Required | Fake title | shop"), Some(ProgramState::Blocked(NeedKind::Unnamed)));
        for title in ["", "vim Ready", "⠦ Fake title | shop", "✳ Claude Code", "Ready"] {
            assert_eq!(state(title), None, "{title}");
        }
    }

    proptest! {
        #[test]
        fn nothing_breaks_it(body in prop::collection::vec(any::<u8>(), 0..64), title in ".{0,40}") {
            let _ = (parse(&body), from_title(&title));
        }
    }
}
