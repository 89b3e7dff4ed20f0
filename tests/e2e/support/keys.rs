//! Keys as a terminal sends them, from a notation that reads well: `"/lane new api<Enter><C-g>c<A-y>"`.

/// The bytes of a text with keys in angle brackets. A lone `<` stands for itself.
pub fn bytes(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        out.extend(rest[..open].bytes());
        rest = &rest[open..];
        if let Some((close, key)) = rest.find('>').and_then(|close| Some((close, key(&rest[1..close])?))) {
            out.extend(key);
            rest = &rest[close + 1..];
        } else {
            out.push(b'<');
            rest = &rest[1..];
        }
    }
    out.extend(rest.bytes());
    out
}

fn key(name: &str) -> Option<Vec<u8>> {
    if let Some(rest) = name.strip_prefix("A-") {
        let inner = if rest.chars().count() == 1 { rest.as_bytes().to_vec() } else { key(rest)? };
        return Some([b"\x1b".to_vec(), inner].concat());
    }
    if let Some(letter) = name.strip_prefix("C-").filter(|rest| rest.len() == 1) {
        return Some(vec![letter.as_bytes()[0].to_ascii_lowercase() & 0x1f]);
    }
    let bytes: &[u8] = match name {
        "Enter" => b"\r",
        "Esc" => b"\x1b",
        "Tab" => b"\t",
        "BackTab" => b"\x1b[Z",
        "Backspace" => b"\x7f",
        "Delete" => b"\x1b[3~",
        "Up" => b"\x1b[A",
        "Down" => b"\x1b[B",
        "Right" => b"\x1b[C",
        "Left" => b"\x1b[D",
        "Home" => b"\x1b[H",
        "End" => b"\x1b[F",
        "PageUp" => b"\x1b[5~",
        "PageDown" => b"\x1b[6~",
        "lt" => b"<",
        _ => return None,
    };
    Some(bytes.to_vec())
}

#[test]
fn keys_read_as_they_are_written() {
    assert_eq!(bytes("a<C-g>c<A-y><Enter>"), b"a\x07c\x1by\r");
    assert_eq!(bytes("<A-Enter><Up>x < y <b>"), b"\x1b\r\x1b[Ax < y <b>");
}
