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

/// Whether a file's path fits a list of components. The same as [`parts_meet`] with the path's own components, without
/// making them: this is asked of many thousands.
pub(super) fn path_fits(parts: &[Part], path: &str) -> bool {
    let names = path.split('/').filter(|name| !name.is_empty());
    fits(
        parts,
        names,
        |part| *part == Part::Any,
        |part, name| match part {
            Part::Any => true,
            Part::Name(wanted) => wanted == name,
            Part::Glob(tokens) => fits(
                tokens,
                name.chars(),
                |token| *token == Token::Many,
                |token, c| match token {
                    Token::Many => true,
                    Token::One(ranges) => ranges.iter().any(|(low, high)| (low..=high).contains(&&c)),
                },
            ),
        },
    )
}

/// Whether a sequence fits a list in which wildcards stand for any number of its items, and everything else for one.
/// When something does not fit, only the last wildcard may take one more: those before it have what they need.
fn fits<T, I: Iterator + Clone>(
    list: &[T],
    mut items: I,
    wild: impl Fn(&T) -> bool,
    one: impl Fn(&T, I::Item) -> bool,
) -> bool
where
    I::Item: Copy,
{
    let (mut at, mut back) = (0, None::<(usize, I)>);
    loop {
        let here = items.clone();
        match (list.get(at), items.next()) {
            (None, None) => return true,
            (Some(entry), _) if wild(entry) => {
                at += 1;
                items = here.clone();
                back = Some((at, here));
            }
            (Some(entry), Some(item)) if one(entry, item) => at += 1,
            _ => {
                let Some((from, mut rest)) = back.take() else { return false };
                if rest.next().is_none() {
                    return false;
                }
                (at, items) = (from, rest.clone());
                back = Some((from, rest));
            }
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

/// Whether some text fits both token lists.
fn tokens_meet(a: &[Token], b: &[Token]) -> bool {
    walk(a, b, &Token::Many, |x, y| match (x, y) {
        (Token::One(x), Token::One(y)) => ranges_meet(x, y),
        _ => false,
    })
}

fn ranges_meet(a: &[(char, char)], b: &[(char, char)]) -> bool {
    a.iter().any(|&(low, high)| b.iter().any(|&(from, to)| low <= to && from <= high))
}

/// Whether some path fits both component lists.
pub(super) fn parts_meet(a: &[Part], b: &[Part]) -> bool {
    walk(a, b, &Part::Any, |x, y| x != &Part::Any && y != &Part::Any && x.meets(y))
}

/// Whether the ends of both lists are reached together. From a pair of places one item of each is used up
/// by the same thing; or a wildcard ends; or a wildcard takes what the other list's item stands for. Row by
/// row, so that time and memory are bounded by the two lengths.
fn walk<T: PartialEq>(first: &[T], second: &[T], wild: &T, meet: impl Fn(&T, &T) -> bool) -> bool {
    let mut row = vec![false; second.len() + 1];
    row[0] = true;
    for left in (0..=first.len()).map(|at| first.get(at)) {
        let mut below = vec![false; second.len() + 1];
        for at in 0..=second.len() {
            if !row[at] {
                continue;
            }
            let right = second.get(at);
            if left.is_none() && right.is_none() {
                return true;
            }
            let wild_left = left == Some(wild);
            let wild_right = right == Some(wild);
            if wild_right || (wild_left && right.is_some()) {
                row[at + 1] = true;
            }
            if wild_left || (wild_right && left.is_some()) {
                below[at] = true;
            }
            if let (Some(left), Some(right)) = (left, right)
                && meet(left, right)
            {
                below[at + 1] = true;
            }
        }
        row = below;
    }
    false
}
