//! What a program tells and asks beside its screen: its state, notifications, the clipboard, colours. One door
//! for the control strings; everything else of the emulator's callbacks stays with the host.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::colours::{Colours, OwnColours, Shown};
use super::notices::Notices;
use super::program_status::{self, Told};
use crate::base::size_words;
use crate::domain::ProgramStatus;

/// Text that one request may copy, in bytes.
const CLIPBOARD: usize = 1024 * 1024;

/// Some programs leave the padding out.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// What a program has told, as far as nobody has taken it yet.
#[derive(Debug)]
pub(super) struct Asides {
    /// What it says of its work, if it does.
    pub(super) status: Option<ProgramStatus>,
    /// How often it told or cleared its state.
    pub(super) told: u64,
    /// How often it told that it began something: anything but rest.
    pub(super) begun: u64,
    /// What it wants its person told.
    pub(super) notices: Notices,
    /// The newest text that it wants on the clipboard.
    pub(super) clipboard: Option<String>,
    theirs: Colours,
    own: OwnColours,
}

impl Asides {
    pub(super) fn new(colours: Colours) -> Self {
        Self {
            status: None,
            told: 0,
            begun: 0,
            notices: Notices::default(),
            clipboard: None,
            theirs: colours,
            own: OwnColours::default(),
        }
    }

    /// Takes a control string; the answer to it, empty when there is none. None when it is not for here.
    pub(super) fn osc(&mut self, parameters: &[&[u8]]) -> Option<String> {
        let no_answer = Some(String::new());
        match parameters {
            [b"4", pairs @ ..] => Some(self.own.palette(pairs, &self.theirs)),
            [[b'1', digit @ b'0'..=b'9'], values @ ..] => {
                Some(self.own.dynamic(10 + (digit - b'0'), values, &self.theirs))
            }
            [number @ (b"104" | b"110" | b"111" | b"112"), values @ ..] => {
                self.own.reset(number, values);
                no_answer
            }
            [b"9", parts @ ..] => {
                self.notices.nine(parts);
                no_answer
            }
            [b"99", keys, payload @ ..] => Some(self.notices.kitty(keys, payload).unwrap_or_default()),
            [b"777", b"notify", title, body @ ..] => {
                self.notices.titled(title, body);
                no_answer
            }
            [b"7501", parts @ ..] => match program_status::parse(&parts.join(&b';')) {
                Some(Told::Query) => Some(program_status::ANSWER.to_owned()),
                Some(Told::Status(status)) => {
                    self.told += 1;
                    self.begun += u64::from(!status.state.at_rest());
                    self.status = Some(status);
                    no_answer
                }
                Some(Told::Clear) => {
                    self.told += 1;
                    self.status = None;
                    no_answer
                }
                None => no_answer,
            },
            _ => None,
        }
    }

    /// What was to be copied is too large.
    pub(super) fn leave_copy_out(&mut self, size: &str) {
        let limit = size_words(CLIPBOARD as u64);
        self.notices.add(format!("a copy of {size} to the clipboard was left out: at most {limit} fit"));
    }

    /// OSC 52: text for the clipboard. Questions for what stands there are never answered.
    pub(super) fn copy(&mut self, selection: &[u8], data: &[u8]) {
        // The other selections are X11's own, and nobody sees them.
        if !selection.is_empty() && !selection.iter().any(|kind| matches!(kind, b'c' | b's')) {
            return;
        }
        let Ok(bytes) = BASE64.decode(data) else { return };
        if bytes.len() > CLIPBOARD {
            self.leave_copy_out(&size_words(bytes.len() as u64));
        } else if !bytes.is_empty() {
            self.clipboard = Some(String::from_utf8_lossy(&bytes).into_owned());
        }
    }

    /// RIS: the program's own colours are gone; what it told stays told.
    pub(super) fn reset(&mut self) {
        self.own = OwnColours::default();
    }

    /// Whether the terminal's background is dark.
    pub(super) fn dark(&self) -> bool {
        self.theirs.dark()
    }

    /// The terminal has other colours. Whether it turned from dark to light or back.
    pub(super) fn set_colours(&mut self, colours: Colours) -> bool {
        let before = std::mem::replace(&mut self.theirs, colours);
        before.dark() != self.theirs.dark()
    }

    /// What the program's own colours make of a colour that is shown.
    pub(super) fn shown(&self) -> Shown<'_> {
        self.own.shown()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ProgramState;

    fn asides() -> Asides {
        Asides::new(Colours::default())
    }

    #[test]
    fn the_state_is_kept_until_it_is_cleared() {
        let mut asides = asides();
        assert_eq!(asides.osc(&[b"7501", b"?"]).as_deref(), Some(program_status::ANSWER));
        asides.osc(&[b"7501", b"state=working"]);
        asides.osc(&[b"7501", b"state=nonsense"]);
        assert_eq!(asides.status.as_ref().map(|s| s.state), Some(ProgramState::Working));
        asides.osc(&[b"7501", b"state=done"]);
        assert_eq!((asides.told, asides.begun), (2, 1));
        asides.osc(&[b"7501", b"state=clear"]);
        assert_eq!(asides.status, None);
        assert_eq!(asides.osc(&[b"1337", b"x"]), None, "not for here");
    }

    #[test]
    fn the_newest_copy_counts_and_broken_or_huge_ones_do_not() {
        let mut asides = asides();
        asides.copy(b"c", b"b25l");
        asides.copy(b"", b"dHdv");
        assert_eq!(asides.clipboard.take().as_deref(), Some("two"));
        asides.copy(b"c", b"d");
        asides.copy(b"p", b"dHdv");
        asides.copy(b"c", b"");
        assert_eq!(asides.clipboard, None);
        asides.copy(b"c", BASE64.encode(vec![b'a'; CLIPBOARD + 1]).as_bytes());
        assert_eq!(asides.clipboard, None);
        assert!(asides.notices.texts[0].contains("was left out"), "{:?}", asides.notices.texts);
        asides.copy(b"c", BASE64.encode(vec![b'a'; CLIPBOARD]).as_bytes());
        assert_eq!(asides.clipboard.map(|text| text.len()), Some(CLIPBOARD));
    }
}
