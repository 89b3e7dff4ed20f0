//! Strings: OSC for the host, the two queries among the DCS, and what nobody reads.

use std::fmt::Write;

use super::engine::Engine;
use super::window::Window;
use super::{Filter, MAX_DCS, MAX_OSC, State};
use crate::terminal::host::Host;

/// Parameters of an OSC that are told apart; the last keeps the rest. The palette has 256 pairs.
const MAX_PARAMETERS: usize = 1024;

impl Filter {
    /// The next piece of a string.
    pub(super) fn string(&mut self, bytes: &[u8], at: usize, out: &mut Window<'_, impl Engine>) -> usize {
        let ends = |byte: &u8| matches!(byte, 0x07 | 0x18 | 0x1a | 0x1b);
        let end = bytes[at..].iter().position(|byte| ends(byte) && (*byte != 0x07 || self.state == State::Osc));
        let stop = end.map_or(bytes.len(), |end| at + end);
        let most = match self.state {
            State::Osc => MAX_OSC,
            State::Dcs => MAX_DCS,
            _ => 0,
        };
        // One byte over the limit makes it void.
        let room = (most + 1).saturating_sub(self.part.len());
        self.part.extend_from_slice(&bytes[at..stop.min(at + room)]);
        out.skip(stop);
        if end.is_none() {
            return stop;
        }
        out.skip(stop + 1);
        let string = std::mem::take(&mut self.part);
        let state = std::mem::take(&mut self.state);
        let byte = bytes[stop];
        if string.len() <= most && matches!(byte, 0x07 | 0x1b) {
            match state {
                State::Osc => self.osc(&string, byte == 0x07, out),
                State::Dcs => self.dcs(&string, out),
                _ => {}
            }
        }
        if string.len() > most && state == State::Osc && string.starts_with(b"52;") {
            out.engine().parts().1.asides.leave_copy_out("more");
        }
        if byte == 0x1b {
            // The rest of the terminator, or the next sequence.
            self.state = State::Sequence;
            self.part.push(byte);
        }
        stop + 1
    }

    fn osc(&mut self, string: &[u8], bell: bool, out: &mut Window<'_, impl Engine>) {
        let clean: Vec<u8> = string.iter().copied().filter(|byte| !(0x00..0x20).contains(byte)).collect();
        let parameters: Vec<&[u8]> = clean.splitn(MAX_PARAMETERS, |&byte| byte == b';').collect();
        if let [b"8", _, target @ ..] = &parameters[..] {
            self.pen.link = None;
            let target = target.join(&b';');
            if let Ok(target) = std::str::from_utf8(&target) {
                self.pen.link = self.tags.add_link(target, out.engine());
            }
            self.tags.pen_link = self.pen.link;
            self.retag(out);
            return;
        }
        out.engine().parts().1.osc(&parameters, bell);
    }

    fn dcs(&mut self, string: &[u8], out: &mut Window<'_, impl Engine>) {
        if let Some(names) = string.strip_prefix(b"+q") {
            let host = out.engine().parts().1;
            for name in names.split(|&byte| byte == b';') {
                capability(host, name);
            }
        } else if let Some(setting) = string.strip_prefix(b"$q") {
            let (screen, host) = out.engine().parts();
            let value = match setting {
                b"m" => Some(format!("{}m", self.pen.report())),
                b"r" => {
                    let (top, bottom) = self.region.unwrap_or((0, screen.size().0.get() - 1));
                    Some(format!("{};{}r", top + 1, bottom + 1))
                }
                b" q" => Some(format!("{} q", screen.cursor_style() as u8)),
                b"\"p" => Some("62;1\"p".to_owned()),
                b"\"q" => Some("0\"q".to_owned()),
                _ => None,
            };
            match value {
                Some(value) => host.reply(&format!("\x1bP1$r{value}\x1b\\")),
                None => host.reply("\x1bP0$r\x1b\\"),
            }
        }
    }
}

/// XTGETTCAP: one capability of terminfo, its name in hexadecimal digits.
fn capability(host: &mut Host, name: &[u8]) {
    if name.is_empty() || !name.iter().all(u8::is_ascii_hexdigit) {
        host.reply("\x1bP0+r\x1b\\");
        return;
    }
    let hex = String::from_utf8_lossy(name);
    let bytes: Vec<u8> = name.chunks_exact(2).map(|pair| nibble(pair[0]) << 4 | nibble(pair[1])).collect();
    let value = match &bytes[..] {
        b"TN" | b"name" => "xterm-256color",
        b"Co" | b"colors" => "256",
        b"RGB" => "8/8/8",
        b"Tc" | b"Su" | b"AX" | b"XT" | b"bce" => "",
        b"Ms" => "\x1b]52;%p1%s;%p2%s\x1b\\",
        b"Smulx" => "\x1b[4:%p1%dm",
        b"Setulc" => "\x1b[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%dm",
        b"Ss" => "\x1b[%p1%d q",
        b"Se" => "\x1b[0 q",
        b"smxx" => "\x1b[9m",
        b"rmxx" => "\x1b[29m",
        b"setrgbf" => "\x1b[38:2::%p1%d:%p2%d:%p3%dm",
        b"setrgbb" => "\x1b[48:2::%p1%d:%p2%d:%p3%dm",
        _ => {
            host.reply(&format!("\x1bP0+r{hex}\x1b\\"));
            return;
        }
    };
    let mut reply = format!("\x1bP1+r{hex}");
    for (at, byte) in value.bytes().enumerate() {
        // Writing to memory does not fail.
        let _ = write!(reply, "{}{byte:02X}", if at == 0 { "=" } else { "" });
    }
    reply.push_str("\x1b\\");
    host.reply(&reply);
}

fn nibble(digit: u8) -> u8 {
    (char::from(digit).to_digit(16)).unwrap_or(0) as u8
}
