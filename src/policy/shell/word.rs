//! One word, read from the text as bash reads it: quotes, escapes, what is not known before it runs.
//!
//! The tree says where a word begins and ends and where its substitutions stand; everything else is read here again.
//! Where both do not agree, the word is refused.

use tree_sitter::Node;

use super::model::{Known, Word};

/// Parts of a word that only running tells.
const EXPANSIONS: &[&str] =
    &["command_substitution", "process_substitution", "expansion", "simple_expansion", "arithmetic_expansion"];

/// Why a word cannot be read.
pub(super) type Refused = &'static str;

const TANGLED: Refused = "a word is too tangled to be analysed";

/// The word that a node is.
///
/// # Errors
/// When the grammar and bash could read it differently.
pub(super) fn word(text: &str, node: Node<'_>) -> Result<Word, Refused> {
    let mut skips = Vec::new();
    outermost(node, &mut skips);
    read(text, node.start_byte(), node.end_byte(), &skips)
}

/// The ranges of the outermost expansions below a node, in order.
fn outermost(node: Node<'_>, into: &mut Vec<(usize, usize)>) {
    if EXPANSIONS.contains(&node.kind()) {
        return into.push((node.start_byte(), node.end_byte()));
    }
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        outermost(child, into);
    }
}

/// A word on its way.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
    out: Vec<u8>,
    /// Nothing after it is known.
    open: bool,
    pattern: bool,
    many: bool,
}

/// Reads the word that is the text from `at` to `end`; `skips` are its expansions.
pub(super) fn read(text: &str, at: usize, end: usize, skips: &[(usize, usize)]) -> Result<Word, Refused> {
    let mut reader =
        Reader { bytes: text.as_bytes(), at, end, out: Vec::new(), open: false, pattern: false, many: false };
    reader.word(skips)?;
    let known = match (reader.open, reader.pattern) {
        (true, _) => Known::Start,
        (false, true) => Known::Pattern,
        (false, false) => Known::All,
    };
    let text = String::from_utf8(reader.out).map_err(|_| TANGLED)?;
    Ok(Word { text, known, many: reader.many })
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        let at = self.at + ahead;
        (at < self.end).then(|| self.bytes.get(at).copied()).flatten()
    }

    fn put(&mut self, byte: u8) {
        if !self.open {
            self.out.push(byte);
        }
    }

    fn word(&mut self, skips: &[(usize, usize)]) -> Result<(), Refused> {
        let begin = self.at;
        let mut quoted = false;
        // A brace with a comma or `..` in it makes several words.
        let mut braces = Vec::new();
        while let Some(byte) = self.peek(0) {
            if let Some((_, end)) = skips.iter().find(|(start, _)| *start == self.at) {
                if *end > self.end || *end <= self.at {
                    return Err(TANGLED);
                }
                self.open = true;
                self.many |= !quoted;
                self.at = *end;
                continue;
            }
            self.at += 1;
            match byte {
                b'"' => quoted = !quoted,
                b'\\' if quoted => match self.peek(0) {
                    Some(b'\n') => self.at += 1,
                    Some(next @ (b'$' | b'`' | b'"' | b'\\')) => {
                        self.at += 1;
                        self.put(next);
                    }
                    _ => self.put(byte),
                },
                b'\\' => match self.peek(0) {
                    Some(b'\n') => self.at += 1,
                    Some(next) => {
                        self.at += 1;
                        self.put(next);
                    }
                    None => return Err(TANGLED),
                },
                b'`' => return Err(TANGLED),
                b'$' => self.dollar(quoted)?,
                _ if quoted => self.put(byte),
                b'\'' => self.single()?,
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => return Err(TANGLED),
                b'*' | b'?' | b'[' => {
                    self.pattern = true;
                    self.put(byte);
                }
                b'~' if self.at == begin + 1 => {
                    self.pattern = true;
                    self.put(byte);
                }
                b'{' => {
                    braces.push(self.at);
                    self.put(byte);
                }
                b',' => {
                    if !braces.is_empty() {
                        self.alternatives();
                    }
                    self.put(byte);
                }
                b'.' => {
                    if !braces.is_empty() && self.peek(0) == Some(b'.') {
                        self.alternatives();
                    }
                    self.put(byte);
                }
                b'}' => {
                    braces.pop();
                    self.put(byte);
                }
                _ => self.put(byte),
            }
        }
        if quoted || self.at != self.end {
            return Err(TANGLED);
        }
        Ok(())
    }

    /// Braces that make several words: what stands before them may be in none of them.
    fn alternatives(&mut self) {
        self.out.clear();
        self.open = true;
        self.many = true;
    }

    /// After a `$` at which no expansion of the tree begins.
    fn dollar(&mut self, quoted: bool) -> Result<(), Refused> {
        match self.peek(0) {
            Some(b'\'') if !quoted => {
                self.at += 1;
                self.ansi_c()
            }
            // Translated by the locale's tables.
            Some(b'"') if !quoted => {
                self.open = true;
                Ok(())
            }
            Some(next) if next.is_ascii_alphanumeric() || b"_({[@*#?$!-`".contains(&next) => Err(TANGLED),
            _ => {
                self.put(b'$');
                Ok(())
            }
        }
    }

    fn single(&mut self) -> Result<(), Refused> {
        while let Some(byte) = self.peek(0) {
            self.at += 1;
            if byte == b'\'' {
                return Ok(());
            }
            self.put(byte);
        }
        Err(TANGLED)
    }

    /// The inside of `$'…'`.
    fn ansi_c(&mut self) -> Result<(), Refused> {
        while let Some(byte) = self.peek(0) {
            self.at += 1;
            match byte {
                b'\'' => return Ok(()),
                b'\\' => {
                    let Some(escape) = self.peek(0) else { return Err(TANGLED) };
                    self.at += 1;
                    match escape {
                        b'n' => self.put(b'\n'),
                        b't' => self.put(b'\t'),
                        b'\\' | b'\'' | b'"' | b'?' => self.put(escape),
                        b'x' => self.number(16, 2)?,
                        b'u' => self.number(16, 4)?,
                        b'U' => self.number(16, 8)?,
                        b'0'..=b'7' => {
                            self.at -= 1;
                            self.number(8, 3)?;
                        }
                        // Control characters have no place in what people judge.
                        _ => return Err("a word holds control characters"),
                    }
                }
                _ => self.put(byte),
            }
        }
        Err(TANGLED)
    }

    fn number(&mut self, base: u32, most: usize) -> Result<(), Refused> {
        let mut value = 0_u32;
        let mut digits = 0;
        while digits < most {
            let Some(digit) = self.peek(0).and_then(|b| char::from(b).to_digit(base)) else { break };
            value = value * base + digit;
            self.at += 1;
            digits += 1;
        }
        let odd = "a word holds control characters";
        // Beyond ASCII, `\x` makes bytes and not characters.
        let c = char::from_u32(value).filter(|c| !c.is_control() || "\n\t".contains(*c)).ok_or(odd)?;
        if digits == 0 || (most < 4 && !c.is_ascii()) {
            return Err(odd);
        }
        for byte in c.to_string().bytes() {
            self.put(byte);
        }
        Ok(())
    }
}
