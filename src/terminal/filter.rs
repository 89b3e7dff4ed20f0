//! What stands between a program's bytes and the emulator.
//!
//! It rewrites the colour and underline forms that vt100 misreads or does not know (`38:2::r:g:b`,
//! `58;…`, `4:3`, `21`), bounds an OSC string that never ends, and stops behind the end of a
//! synchronized update so that the finished picture can be shown before the next one begins.
//! Bytes pass unchanged and uncopied otherwise; a sequence cut by a read is kept until the rest comes.

/// An OSC longer than this is cut: the longest known useful ones (titles, states) stay below 4 KiB.
const MAX_OSC: usize = 64 * 1024;

/// A control sequence longer than this is no SGR we know; it passes as it is.
const MAX_SEQUENCE: usize = 256;

/// What stands at the start of some bytes that begin with ESC.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    /// The rest has not come yet.
    Part,
    /// So many bytes that pass as they are.
    Plain(usize),
    /// A whole `CSI … m` of so many bytes.
    Sgr(usize),
    /// A whole `CSI ? 2026 l` of so many bytes.
    SyncEnd(usize),
    /// The two bytes that begin an OSC.
    Osc,
}

/// The filter's memory between reads.
#[derive(Debug, Default)]
pub(super) struct Filter {
    /// The beginning of a sequence whose rest has not come yet.
    part: Vec<u8>,
    /// Length so far of the OSC we are in.
    osc: Option<usize>,
}

impl Filter {
    /// Passes bytes on to `emit` and returns how many were used: all, or up to the end of a
    /// synchronized update.
    pub(super) fn run(&mut self, bytes: &[u8], mut emit: impl FnMut(&[u8])) -> usize {
        let mut at = 0;
        while !self.part.is_empty() && at < bytes.len() {
            self.part.push(bytes[at]);
            at += 1;
            let found = scan(&self.part);
            if found == Found::Part {
                continue;
            }
            let part = std::mem::take(&mut self.part);
            let used = self.pass(&part, &found, &mut emit);
            // A byte that ended the sequence without belonging to it stands for itself.
            at -= part.len() - used;
            if matches!(found, Found::SyncEnd(_)) {
                return at;
            }
        }
        let mut raw = at;
        while at < bytes.len() {
            if let Some(length) = self.osc {
                let end = bytes[at..].iter().position(|b| matches!(b, 0x07 | 0x18 | 0x1a | 0x1b));
                let stop = end.map_or(bytes.len(), |end| at + end);
                let keep = (stop - at).min(MAX_OSC.saturating_sub(length));
                emit(&bytes[raw..at + keep]);
                self.osc = if end.is_some() { None } else { Some(length + keep) };
                (raw, at) = (stop, stop);
                continue;
            }
            let Some(escape) = bytes[at..].iter().position(|&b| b == 0x1b) else { break };
            at += escape;
            let found = scan(&bytes[at..]);
            match found {
                Found::Part => {
                    emit(&bytes[raw..at]);
                    self.part.extend_from_slice(&bytes[at..]);
                    return bytes.len();
                }
                Found::Plain(used) => at += used,
                Found::Osc | Found::Sgr(_) | Found::SyncEnd(_) => {
                    emit(&bytes[raw..at]);
                    at += self.pass(&bytes[at..], &found, &mut emit);
                    raw = at;
                    if matches!(found, Found::SyncEnd(_)) {
                        return at;
                    }
                }
            }
        }
        emit(&bytes[raw..]);
        bytes.len()
    }

    /// Emits what was found at the start of `bytes`; returns how many of them that was.
    fn pass(&mut self, bytes: &[u8], found: &Found, emit: &mut impl FnMut(&[u8])) -> usize {
        let used = match *found {
            Found::Part => return 0,
            Found::Osc => {
                self.osc = Some(0);
                2
            }
            Found::Plain(used) | Found::SyncEnd(used) => used,
            Found::Sgr(used) => {
                if let Some(other) = rewritten(&bytes[2..used - 1]) {
                    emit(&other);
                    return used;
                }
                used
            }
        };
        emit(&bytes[..used]);
        used
    }
}

fn scan(bytes: &[u8]) -> Found {
    match bytes.get(1) {
        None => return Found::Part,
        Some(b'[') => {}
        Some(b']') => return Found::Osc,
        Some(0x1b) => return Found::Plain(1),
        Some(_) => return Found::Plain(2),
    }
    let Some(end) = bytes[2..].iter().take(MAX_SEQUENCE).position(|b| !(0x20..=0x3f).contains(b)) else {
        return if bytes.len() > MAX_SEQUENCE { Found::Plain(bytes.len().min(MAX_SEQUENCE)) } else { Found::Part };
    };
    let end = end + 2;
    match bytes[end] {
        b'm' if bytes[2..end].iter().all(|b| b.is_ascii_digit() || matches!(b, b';' | b':')) => Found::Sgr(end + 1),
        b'l' if &bytes[2..end] == b"?2026" => Found::SyncEnd(end + 1),
        0x40..=0x7e => Found::Plain(end + 1),
        _ => Found::Plain(end),
    }
}

/// The sequence with what vt100 misreads put in forms it knows; none when it can stay.
fn rewritten(parameters: &[u8]) -> Option<Vec<u8>> {
    if !parameters.contains(&b':') && !parameters.windows(2).any(|pair| pair == b"58" || pair == b"21") {
        return None;
    }
    let items: Vec<&[u8]> = parameters.split(|&b| b == b';').collect();
    let mut out: Vec<Vec<u8>> = Vec::with_capacity(items.len());
    let mut at = 0;
    while let Some(&item) = items.get(at) {
        let colour = matches!(item, b"38" | b"48" | b"58");
        // `38;5;n` and `38;2;r;g;b` stay together, so that no component is taken for an attribute.
        let length = match items.get(at + 1).copied() {
            Some(b"5") if colour => 3,
            Some(b"2") if colour => 5,
            _ => 1,
        };
        match item {
            b"58" => {}
            b"21" => out.push(b"4".to_vec()),
            item if item.contains(&b':') => out.extend(from_colons(item)),
            _ => out.extend(items[at..].iter().take(length).map(|item| item.to_vec())),
        }
        at += length;
    }
    if out.is_empty() {
        // Not `CSI m`: that would reset everything.
        return Some(Vec::new());
    }
    let mut sequence = b"\x1b[".to_vec();
    sequence.extend(out.join(&b';'));
    sequence.push(b'm');
    Some(sequence)
}

/// One parameter with sub-parameters in a form with semicolons; none when it has no such form.
fn from_colons(item: &[u8]) -> Option<Vec<u8>> {
    let parts: Vec<&[u8]> = item.split(|&b| b == b':').collect();
    let number = |at: usize| parts.get(at).copied().filter(|part| !part.is_empty()).unwrap_or(b"0");
    match (number(0), number(1)) {
        (b"4", b"0") => Some(b"24".to_vec()),
        (b"4", _) => Some(b"4".to_vec()),
        (layer @ (b"38" | b"48"), b"5") => Some([layer, b"5", number(2)].join(&b';')),
        (layer @ (b"38" | b"48"), b"2") => {
            // ISO 8613-6 has a colour space before red; many programs leave it out.
            let red = if parts.len() >= 6 { 3 } else { 2 };
            Some([layer, b"2", number(red), number(red + 1), number(red + 2)].join(&b';'))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn through(pieces: &[&[u8]]) -> Vec<u8> {
        let mut filter = Filter::default();
        let mut out = Vec::new();
        for piece in pieces {
            let mut at = 0;
            while at < piece.len() {
                at += filter.run(&piece[at..], |bytes| out.extend_from_slice(bytes));
            }
        }
        out
    }

    #[test]
    fn misread_colours_are_rewritten() {
        for (from, to) in [
            ("\x1b[38:2::102:4:7mX", "\x1b[38;2;102;4;7mX"),
            ("\x1b[48:2:1:2:3m", "\x1b[48;2;1;2;3m"),
            ("\x1b[38:5:21m", "\x1b[38;5;21m"),
            ("\x1b[1;58;2;9;0;9;3m", "\x1b[1;3m"),
            ("\x1b[58:2::1:2:3m", ""),
            ("\x1b[58;5;2m", ""),
            ("\x1b[4:3m", "\x1b[4m"),
            ("\x1b[4:0m", "\x1b[24m"),
            ("\x1b[21m", "\x1b[4m"),
            ("\x1b[38;5;21m", "\x1b[38;5;21m"),
            ("\x1b[38;2;58;21;58m", "\x1b[38;2;58;21;58m"),
            ("\x1b[m\x1b[0m\x1b[>4;2m\x1b[?4m", "\x1b[m\x1b[0m\x1b[>4;2m\x1b[?4m"),
        ] {
            assert_eq!(through(&[from.as_bytes()]), to.as_bytes(), "{from:?}");
        }
    }

    #[test]
    fn it_stops_behind_a_finished_update() {
        let bytes = b"\x1b[?2026ha\x1b[?2026lb";
        let mut filter = Filter::default();
        assert_eq!(filter.run(bytes, |_| ()), bytes.len() - 1);
    }

    #[test]
    fn an_endless_osc_is_cut_and_what_follows_is_not() {
        let mut bytes = b"\x1b]0;".to_vec();
        bytes.extend(vec![b'x'; 3 * MAX_OSC]);
        bytes.extend(b"\x07after");
        let out = through(&[&bytes]);
        assert_eq!(out.len(), 2 + MAX_OSC + 6);
        assert!(out.ends_with(b"x\x07after"));
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(bytes in prop::collection::vec(
            prop::sample::select(b"\x1b\x1b[[]m;:?2026lh58138\x07a\xc3".to_vec()), 0..200)) {
            let whole = through(&[&bytes]);
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            prop_assert_eq!(through(&single), whole);
        }

        #[test]
        fn text_without_sgr_passes_unchanged(mut bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            bytes.retain(|byte| *byte != b'm');
            let mut expected = bytes.clone();
            // What is still held back is the beginning of a sequence at the end.
            let out = through(&[&bytes]);
            expected.truncate(out.len());
            prop_assert_eq!(&out, &expected);
            prop_assert!(bytes.len() - out.len() <= MAX_SEQUENCE);
        }
    }
}
