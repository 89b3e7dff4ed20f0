//! A prompt's text in the form that the program takes.

use super::machine::Reads;
use crate::terminal::paste::WithoutEscapes;

/// The kernel cuts a gathered line at 4,096 bytes, the end included, and drops the rest in silence.
const MAX_LINE: usize = 4_095;

/// The bytes to type before Enter; or why this program cannot take the text.
pub(super) fn encode(text: &str, reads: Reads) -> Result<Vec<u8>, String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.trim_end_matches('\n');
    if text.trim().is_empty() {
        return Err("the text is empty; type something".to_owned());
    }
    let printable = |byte: &u8| *byte >= 0x20 && *byte != 0x7f;
    if reads == Reads::Pastes {
        let mut out = b"\x1b[200~".to_vec();
        out.extend(text.bytes_without_escapes().filter(|byte| printable(byte) || matches!(byte, b'\n' | b'\t')));
        out.extend(b"\x1b[201~");
        return Ok(out);
    }
    if text.contains('\n') {
        return Err("the program takes single lines only (it did not ask for bracketed paste), and the text has \
                    several; send it as one line or type it into the pane"
            .to_owned());
    }
    // A tab would ask a shell to complete.
    let line: Vec<u8> = text.replace('\t', " ").bytes_without_escapes().filter(printable).collect();
    if reads == Reads::Lines && line.len() > MAX_LINE {
        return Err(format!(
            "the program reads whole lines of at most {MAX_LINE} bytes, and the text has {}; shorten it or put it \
             into a file",
            line.len()
        ));
    }
    Ok(line)
}

/// The end of the text as it can be found on a screen again, whatever the program wrapped or framed.
pub(super) fn tail(text: &str) -> String {
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    let letters: Vec<char> = letters(last).chars().collect();
    letters[letters.len().saturating_sub(24)..].iter().collect()
}

/// Whether letters stand on the screen.
pub(super) fn stands(wanted: &str, screen: &str) -> bool {
    !wanted.is_empty() && letters(screen).contains(wanted)
}

/// A text without what programs put between its letters: blanks, ends of lines, frames.
pub(super) fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !c.is_control() && !('\u{2500}'..='\u{257f}').contains(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_program_gets_its_form() {
        assert_eq!(encode("a\r\nb\tc\n\n", Reads::Pastes).unwrap(), b"\x1b[200~a\nb\tc\x1b[201~");
        assert_eq!(encode("x\x1b[201~\x03y", Reads::Pastes).unwrap(), b"\x1b[200~x[201~y\x1b[201~");
        assert_eq!(encode("ls\t-l\n", Reads::Keys).unwrap(), b"ls -l");
        assert_eq!(encode("\u{4}ls", Reads::Lines).unwrap(), b"ls");
    }

    #[test]
    fn what_a_program_cannot_take_is_refused_with_words() {
        assert!(encode("a\nb", Reads::Lines).unwrap_err().contains("single lines"));
        assert!(encode("a\nb", Reads::Keys).unwrap_err().contains("single lines"));
        assert!(encode(&"x".repeat(4096), Reads::Lines).unwrap_err().contains("4095"));
        assert!(encode(&"x".repeat(4096), Reads::Keys).is_ok());
        assert!(encode(" \n", Reads::Pastes).is_err());
    }

    #[test]
    fn the_tail_is_found_though_wrapped() {
        let tail = tail("first\nplease look at the router of the login route  ");
        assert_eq!(tail, "therouteroftheloginroute");
        assert!(stands(&tail, "> please look at the router of\n  the login route"));
        assert!(stands(&tail, "│ please look at the router of │\n│ the login route │"));
        assert!(!stands(&tail, "> "));
        assert!(!stands("", "anything"));
    }
}
