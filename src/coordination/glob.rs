//! Globs of one path component and of whole paths, as automata that can be intersected.

/// One piece of a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// Any number of any characters.
    Many,
    /// One character out of these ranges, ends included, sorted.
    One(Vec<(char, char)>),
}

/// One component of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// `**`: any number of components.
    Any,
    /// Exactly this name.
    Name(String),
    /// A name of this form.
    Glob(Vec<Token>),
}

impl Part {
    /// Reads one component. A `[` without its `]` is an ordinary character.
    pub fn read(text: &str) -> Self {
        if text == "**" {
            return Self::Any;
        }
        let chars: Vec<char> = text.chars().collect();
        let mut tokens = Vec::new();
        let mut name = Some(String::new());
        let mut at = 0;
        while at < chars.len() {
            let c = chars[at];
            at += 1;
            match c {
                '*' => {
                    name = None;
                    if tokens.last() != Some(&Token::Many) {
                        tokens.push(Token::Many);
                    }
                }
                '?' => {
                    name = None;
                    tokens.push(Token::One(vec![('\0', char::MAX)]));
                }
                '[' if let Some((ranges, end)) = class(&chars, at) => {
                    name = None;
                    tokens.push(Token::One(ranges));
                    at = end;
                }
                _ => {
                    let c = if c == '\\' && at < chars.len() {
                        at += 1;
                        chars[at - 1]
                    } else {
                        c
                    };
                    tokens.push(Token::One(vec![(c, c)]));
                    if let Some(name) = &mut name {
                        name.push(c);
                    }
                }
            }
        }
        name.map_or(Self::Glob(tokens), Self::Name)
    }

    /// Whether some name fits both.
    fn meets(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Any, _) | (_, Self::Any) => true,
            (Self::Name(a), Self::Name(b)) => a == b,
            (Self::Name(name), Self::Glob(tokens)) | (Self::Glob(tokens), Self::Name(name)) => {
                let exact: Vec<Token> = name.chars().map(|c| Token::One(vec![(c, c)])).collect();
                tokens_meet(&exact, tokens)
            }
            (Self::Glob(a), Self::Glob(b)) => tokens_meet(a, b),
        }
    }
}

/// The ranges of a class whose `[` was just read, and where the class ends. `!` or `^` negates.
fn class(chars: &[char], start: usize) -> Option<(Vec<(char, char)>, usize)> {
    let mut at = start;
    let negated = matches!(chars.get(at), Some('!' | '^'));
    at += usize::from(negated);
    let first = at;
    let mut ranges = Vec::new();
    loop {
        let c = *chars.get(at)?;
        if c == ']' && at > first {
            break;
        }
        match (chars.get(at + 1), chars.get(at + 2)) {
            (Some('-'), Some(&end)) if end != ']' => {
                if c <= end {
                    ranges.push((c, end));
                }
                at += 3;
            }
            _ => {
                ranges.push((c, c));
                at += 1;
            }
        }
    }
    ranges.sort_unstable();
    Some((if negated { complement(&ranges) } else { ranges }, at + 1))
}

fn complement(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let mut gaps = Vec::new();
    let mut next = Some('\0');
    for &(low, high) in ranges {
        let Some(from) = next else { break };
        if from < low
            && let Some(before) = (from..low).next_back()
        {
            gaps.push((from, before));
        }
        if high >= from {
            next = (high..=char::MAX).nth(1);
        }
    }
    gaps.extend(next.map(|from| (from, char::MAX)));
    gaps
}

/// Whether some text fits both token lists. `reach[j]` says that both can stand at (i, j).
fn tokens_meet(a: &[Token], b: &[Token]) -> bool {
    grid(a.len(), b.len(), |i, j| {
        let (x, y) = (a.get(i), b.get(j));
        let both = match (x, y) {
            (Some(Token::One(p)), Some(Token::One(q))) => ranges_meet(p, q),
            _ => false,
        };
        let skip_a = x == Some(&Token::Many) || (x.is_some() && y == Some(&Token::Many));
        let skip_b = y == Some(&Token::Many) || (y.is_some() && x == Some(&Token::Many));
        Moves { both, skip_a, skip_b }
    })
}

fn ranges_meet(a: &[(char, char)], b: &[(char, char)]) -> bool {
    a.iter().any(|&(low, high)| b.iter().any(|&(from, to)| low <= to && from <= high))
}

/// Whether some path fits both component lists.
pub(super) fn parts_meet(a: &[Part], b: &[Part]) -> bool {
    grid(a.len(), b.len(), |i, j| {
        let (x, y) = (a.get(i), b.get(j));
        let both = matches!((x, y), (Some(p), Some(q)) if p.meets(q));
        let skip_a = x == Some(&Part::Any) || (x.is_some() && y == Some(&Part::Any));
        let skip_b = y == Some(&Part::Any) || (y.is_some() && x == Some(&Part::Any));
        Moves { both, skip_a, skip_b }
    })
}

/// The steps that two lists allow from one pair of places.
struct Moves {
    /// One item of each is used up by the same thing.
    both: bool,
    /// An item of the first is used up alone: a wildcard that ends, or a thing that the other's wildcard takes.
    skip_a: bool,
    /// The same of the second.
    skip_b: bool,
}

/// Whether both ends are reached together, row by row: memory and time are bounded by the two lengths.
fn grid(rows: usize, columns: usize, moves: impl Fn(usize, usize) -> Moves) -> bool {
    let mut row = vec![false; columns + 1];
    row[0] = true;
    for i in 0..=rows {
        let mut below = vec![false; columns + 1];
        for j in 0..=columns {
            if !row[j] {
                continue;
            }
            if i == rows && j == columns {
                return true;
            }
            let step = moves(i, j);
            if step.skip_b && j < columns {
                row[j + 1] = true;
            }
            if step.skip_a {
                below[j] = true;
            }
            if step.both {
                below[j + 1] = true;
            }
        }
        row = below;
    }
    false
}
