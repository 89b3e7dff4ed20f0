//! `patch`: reads a patch and applies it to texts. Pure.
//!
//! Two ways to write one are taken: a unified diff, and the marked form (`*** Begin Patch`). A hunk is found by its
//! lines; a stated line number only decides between equal places. Context that fits nowhere, or in several places, is
//! refused with words.

use crate::base::clip;
use crate::preflight::header_path;

/// What a patch does to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FilePatch {
    pub path: String,
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    Add(String),
    Delete,
    Update { to: Option<String>, hunks: Vec<Hunk> },
}

/// Lines that stand together in a file, and what they become.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Hunk {
    /// The first old line's number, from 1, if stated; with no old lines, the line to insert after.
    at: Option<usize>,
    /// A line somewhere before, as the marked form gives it.
    below: Option<String>,
    lines: Vec<Line>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    kind: Kind,
    text: String,
    /// Whether the file ends here without a line end.
    bare: bool,
    /// Whether it has not even a mark: perhaps a kept blank line, perhaps a gap in the patch.
    blank: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Keep,
    Remove,
    Insert,
}

/// Reads a patch.
pub(super) fn parse(text: &str) -> Result<Vec<FilePatch>, String> {
    let lines: Vec<&str> = text.lines().collect();
    let marked = lines.iter().any(|line| line.trim() == "*** Begin Patch" || file_mark(line).is_some());
    let files = if marked { parse_marked(&lines)? } else { parse_unified(&lines)? };
    if files.is_empty() {
        return Err(
            "The patch names no file. Begin it with `--- a/PATH` and `+++ b/PATH`, or with `*** Begin Patch` and \
                    `*** Update File: PATH`."
                .to_owned(),
        );
    }
    for (number, file) in files.iter().enumerate() {
        if files[..number].iter().any(|before| before.path == file.path) {
            return Err(format!("`{}` comes twice in the patch; put all its hunks together.", clip(&file.path, 200)));
        }
    }
    Ok(files)
}

fn file_mark(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim().strip_prefix("*** ")?;
    let (word, path) = rest.split_once(" File: ")?;
    matches!(word, "Add" | "Update" | "Delete").then_some((word, path.trim()))
}

fn parse_marked(lines: &[&str]) -> Result<Vec<FilePatch>, String> {
    let mut files: Vec<FilePatch> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let number = number + 1;
        match line.trim() {
            "*** Begin Patch" | "*** End Patch" | "*** End of File" => continue,
            trimmed if trimmed.starts_with("```") && files.is_empty() => continue,
            _ => {}
        }
        if let Some((word, path)) = file_mark(line) {
            if path.is_empty() {
                return Err(format!("Line {number} of the patch names no file."));
            }
            let what = match word {
                "Add" => What::Add(String::new()),
                "Delete" => What::Delete,
                _ => What::Update { to: None, hunks: Vec::new() },
            };
            files.push(FilePatch { path: path.to_owned(), what });
            continue;
        }
        let Some(file) = files.last_mut() else {
            if line.trim().is_empty() {
                continue;
            }
            return Err(format!("Line {number} of the patch stands before any `*** … File: PATH`."));
        };
        match &mut file.what {
            What::Add(content) => match line.strip_prefix('+') {
                Some(added) => {
                    content.push_str(added);
                    content.push('\n');
                }
                None if line.trim().is_empty() || line.trim() == "```" => {}
                None => return Err(format!("Line {number} of the patch must begin with `+`: the file is new.")),
            },
            What::Delete if line.trim().is_empty() || line.trim() == "```" => {}
            What::Delete => return Err(format!("Line {number} of the patch stands below a file that is deleted.")),
            What::Update { to, hunks } => {
                if let Some(path) = line.trim().strip_prefix("*** Move to: ") {
                    *to = Some(path.trim().to_owned());
                } else if line.trim() != "```" {
                    hunk_line(line, number, hunks)?;
                }
            }
        }
    }
    Ok(files)
}

/// Lines between the files of a unified diff.
const BETWEEN: [&str; 11] = [
    "diff ",
    "index ",
    "new file mode",
    "deleted file mode",
    "old mode",
    "new mode",
    "similarity ",
    "dissimilarity ",
    "Binary ",
    "Only in ",
    "```",
];

/// One file of a unified diff on its way.
#[derive(Default)]
struct Raw {
    from: Option<String>,
    to: Option<String>,
    hunks: Vec<Hunk>,
}

fn parse_unified(lines: &[&str]) -> Result<Vec<FilePatch>, String> {
    let mut files: Vec<Raw> = Vec::new();
    // Lines that the head of the running hunk still promises, old and new.
    let mut left = (0, 0);
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let next = |ahead: usize, mark: &str| lines.get(at + ahead).is_some_and(|line| line.starts_with(mark));
        // Content may look like a head; a model's numbers may be wrong.
        let head = line.starts_with("--- ") && next(0, "+++ ") && (left == (0, 0) || next(1, "@@"));
        if head {
            let path = |line: &str| line.get(4..).and_then(header_path).map(str::to_owned);
            let (from, to) = (path(line), path(lines[at]));
            at += 1;
            left = (0, 0);
            if from.is_none() && to.is_none() {
                return Err(format!("Line {at} of the patch names no file."));
            }
            let renamed = files.last().is_some_and(|last| last.hunks.is_empty() && last.from == from && last.to == to);
            if !renamed {
                files.push(Raw { from, to, hunks: Vec::new() });
            }
        } else if left == (0, 0)
            && let Some(from) = line.strip_prefix("rename from ")
        {
            files.push(Raw { from: Some(from.trim().to_owned()), ..Raw::default() });
        } else if left == (0, 0)
            && let Some(to) = line.strip_prefix("rename to ")
        {
            if let Some(last) = files.last_mut().filter(|last| last.to.is_none() && last.hunks.is_empty()) {
                last.to = Some(to.trim().to_owned());
            }
        } else if left == (0, 0) && BETWEEN.iter().any(|mark| line.starts_with(mark)) {
            // Says nothing that counts here.
        } else if let Some(file) = files.last_mut() {
            if line.starts_with("@@") {
                left = counts(line).unwrap_or((0, 0));
            } else if !line.starts_with('\\') {
                let (old, new) = (!line.starts_with('+'), !line.starts_with('-'));
                left = (left.0 - usize::from(old).min(left.0), left.1 - usize::from(new).min(left.1));
            }
            hunk_line(line, at, &mut file.hunks)?;
        }
    }
    Ok(files.into_iter().filter_map(Raw::made).collect())
}

impl Raw {
    fn made(self) -> Option<FilePatch> {
        Some(match (self.from, self.to) {
            (None, None) => return None,
            (None, Some(path)) => FilePatch { path, what: What::Add(inserted(&self.hunks)) },
            (Some(path), None) => FilePatch { path, what: What::Delete },
            (Some(path), Some(to)) => {
                let to = (to != path).then_some(to);
                FilePatch { path, what: What::Update { to, hunks: self.hunks } }
            }
        })
    }
}

fn inserted(hunks: &[Hunk]) -> String {
    let mut content = String::new();
    for line in hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.kind == Kind::Insert) {
        content.push_str(&line.text);
        if !line.bare {
            content.push('\n');
        }
    }
    content
}

/// How many old and new lines `@@ -a,b +c,d @@` promises.
fn counts(head: &str) -> Option<(usize, usize)> {
    let mut parts = head.strip_prefix("@@ -")?.split_whitespace();
    let count = |part: &str| match part.split_once(',') {
        Some((_, count)) => count.parse().ok(),
        None => Some(1),
    };
    Some((count(parts.next()?)?, count(parts.next()?.strip_prefix('+')?)?))
}

/// The old line number of `@@ -a,b +c,d @@`.
fn stated(head: &str) -> Option<usize> {
    let old = head.strip_prefix("@@ -")?.split_whitespace().next()?;
    old.split(',').next()?.parse().ok()
}

/// Takes one line of a hunk, or of the head of one.
fn hunk_line(line: &str, number: usize, hunks: &mut Vec<Hunk>) -> Result<(), String> {
    if let Some(rest) = line.strip_prefix("@@") {
        let at = stated(line);
        let below = rest.trim().trim_end_matches("@@").trim();
        let below = (at.is_none() && !below.is_empty()).then(|| below.to_owned());
        hunks.push(Hunk { at, below, lines: Vec::new() });
        return Ok(());
    }
    if hunks.is_empty() {
        hunks.push(Hunk::default());
    }
    let Some(hunk) = hunks.last_mut() else { return Ok(()) };
    let (kind, text) = match line.as_bytes().first() {
        None => (Kind::Keep, line),
        Some(b' ') => (Kind::Keep, &line[1..]),
        Some(b'-') => (Kind::Remove, &line[1..]),
        Some(b'+') => (Kind::Insert, &line[1..]),
        Some(b'\\') => {
            if let Some(last) = hunk.lines.last_mut() {
                last.bare = true;
            }
            return Ok(());
        }
        Some(_) => {
            let shown = clip(line, 60);
            return Err(format!("Line {number} of the patch must begin with ` `, `+`, `-` or `@@`; it is `{shown}`."));
        }
    };
    hunk.lines.push(Line { kind, text: text.to_owned(), bare: false, blank: line.is_empty() });
    Ok(())
}

/// The text after the hunks.
pub(super) fn apply(path: &str, text: &str, hunks: &[Hunk]) -> Result<String, String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut out = String::with_capacity(text.len());
    let mut cursor = 0;
    for (number, hunk) in hunks.iter().enumerate() {
        let mut hunk = hunk.clone();
        // Blank lines between hunks and files are no context, unless there is no other.
        let old = |hunk: &Hunk| hunk.lines.iter().filter(|line| line.kind != Kind::Insert).count();
        while old(&hunk) > 1 && hunk.lines.last().is_some_and(|line| line.blank) {
            hunk.lines.pop();
        }
        let place = find(&lines, cursor, &hunk).map_err(|why| {
            let which = if hunks.len() == 1 { "The hunk".to_owned() } else { format!("Hunk {}", number + 1) };
            format!("{which} for `{path}` {why} Nothing was changed.")
        })?;
        out.extend(lines[cursor..place].iter().copied());
        cursor = place;
        for line in &hunk.lines {
            if line.kind == Kind::Insert {
                if !out.is_empty() && !out.ends_with('\n') {
                    out.push_str(end);
                }
                out.push_str(&line.text);
                out.push_str(if line.bare { "" } else { end });
            } else {
                let old = lines.get(cursor).copied().unwrap_or_default();
                out.push_str(if line.kind == Kind::Keep { old } else { "" });
                cursor += 1;
            }
        }
    }
    out.extend(lines[cursor..].iter().copied());
    Ok(out)
}

fn bare(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

/// Where a hunk's old lines stand, at or behind `from`.
fn find(lines: &[&str], from: usize, hunk: &Hunk) -> Result<usize, String> {
    let old: Vec<&str> = hunk.lines.iter().filter(|l| l.kind != Kind::Insert).map(|l| bare(&l.text)).collect();
    let mut start = from;
    if let Some(below) = &hunk.below {
        let meets =
            |line: &&str| bare(line).trim() == below.trim() || bare(line).trim_start().starts_with(below.trim());
        let Some(at) = lines[from..].iter().position(meets) else {
            return Err(format!("is to stand below `{}`, which is not there. Read the file again.", clip(below, 100)));
        };
        start = from + at;
    }
    if old.is_empty() {
        return Ok(match (hunk.at, &hunk.below) {
            (Some(at), _) => at.clamp(from, lines.len()),
            (None, Some(_)) => (start + 1).min(lines.len()),
            (None, None) => lines.len(),
        });
    }
    let last = lines.len().checked_sub(old.len());
    let places = |same: fn(&str, &str) -> bool| -> Vec<usize> {
        let fits = |at: &usize| old.iter().zip(&lines[*at..]).all(|(old, line)| same(old, bare(line)));
        last.map(|last| (start..=last).filter(fits).collect()).unwrap_or_default()
    };
    let mut found = places(|old, line| old == line);
    if found.is_empty() {
        // Blanks at line ends are invisible, and nothing is lost with them.
        found = places(|old, line| old.trim_end() == line.trim_end());
    }
    match (found.as_slice(), hunk.at) {
        ([], _) => Err(differs(lines, start, &old)),
        ([only], _) => Ok(*only),
        (several, Some(at)) => {
            let wanted = at.saturating_sub(1);
            Ok(several.iter().copied().min_by_key(|place| place.abs_diff(wanted)).unwrap_or(from))
        }
        (several, None) if hunk.below.is_some() => Ok(several[0]),
        (several, None) => {
            let all: Vec<String> = several.iter().take(10).map(|place| (place + 1).to_string()).collect();
            Err(format!("fits at lines {}. Give more lines around it, or its line in `@@`.", all.join(", ")))
        }
    }
}

/// Words on the place that comes nearest, and where it differs.
fn differs(lines: &[&str], from: usize, old: &[&str]) -> String {
    let same =
        |at: usize, number: usize| lines.get(at + number).is_some_and(|line| bare(line).trim() == old[number].trim());
    let score = |at: usize| (0..old.len()).filter(|number| same(at, *number)).count();
    let most = 20_000;
    let best = (from..lines.len().min(from + most))
        .map(|at| (score(at), at))
        .max_by_key(|(score, at)| (*score, usize::MAX - at));
    let Some((1.., at)) = best else {
        return "does not fit: none of its lines to keep or remove are there. Read the file again.".to_owned();
    };
    let exact = |number: &usize| lines.get(at + number).is_none_or(|line| bare(line) != old[*number]);
    let number = (0..old.len()).find(exact).unwrap_or(0);
    let wanted = clip(old[number], 120);
    match lines.get(at + number) {
        Some(line) => format!(
            "does not fit. Nearest is line {}, where the file has\n`{}`\nand the patch expects\n`{wanted}`\nRead the file \
             again and copy from it.",
            at + number + 1,
            clip(bare(line), 120)
        ),
        None => format!("does not fit: the file ends before the line `{wanted}`. Read the file again."),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use similar::TextDiff;

    use super::*;

    fn patched(text: &str, patch: &str) -> Result<String, String> {
        match parse(patch)?.remove(0).what {
            What::Update { hunks, .. } => apply("f", text, &hunks),
            other => Ok(format!("{other:?}")),
        }
    }

    const TEXT: &str = "one\ntwo\nthree\nfour\ntwo\nfive\n";

    #[test]
    fn both_forms_change_the_same() {
        let unified = "--- a/f\n+++ b/f\n@@ -2,2 +2,2 @@\n two\n-three\n+3\n@@ -6 +6,2 @@\n five\n+six\n";
        let marked = "*** Begin Patch\n*** Update File: f\n@@\n two\n-three\n+3\n@@ four\n five\n+six\n*** End Patch\n";
        for patch in [unified, marked] {
            assert_eq!(patched(TEXT, patch).unwrap(), "one\ntwo\n3\nfour\ntwo\nfive\nsix\n", "{patch}");
        }
        let crlf = TEXT.replace('\n', "\r\n");
        assert_eq!(patched(&crlf, unified).unwrap(), "one\r\ntwo\r\n3\r\nfour\r\ntwo\r\nfive\r\nsix\r\n");
    }

    #[test]
    fn several_files_are_added_moved_and_deleted() {
        let marked = "```\n*** Begin Patch\n*** Add File: n\n+a\n+\n+b\n*** Delete File: d\n*** Update File: u\n\
                      *** Move to: v\n*** End Patch\n```";
        let wanted = [
            FilePatch { path: "n".into(), what: What::Add("a\n\nb\n".into()) },
            FilePatch { path: "d".into(), what: What::Delete },
            FilePatch { path: "u".into(), what: What::Update { to: Some("v".into()), hunks: vec![] } },
        ];
        assert_eq!(parse(marked).unwrap(), wanted);
        let unified = "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,3 @@\n+a\n+\n+b\n\
                       diff --git a/d b/d\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\ndiff --git a/u b/v\n\
                       similarity index 100%\nrename from u\nrename to v\n";
        assert_eq!(parse(unified).unwrap(), wanted);
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_place() {
        let words = patched(TEXT, "*** Update File: f\n@@\n two\n-thre\n+3\n").unwrap_err();
        assert!(words.contains("line 3") && words.contains("`three`") && words.contains("`thre`"), "{words}");
        let words = patched(TEXT, "*** Update File: f\n-two\n+2\n").unwrap_err();
        assert!(words.contains("fits at lines 2, 5"), "{words}");
        let words = patched(TEXT, "*** Update File: f\n-zzz\n").unwrap_err();
        assert!(words.contains("none of its lines"), "{words}");
        assert!(patched(TEXT, "--- a/f\n+++ b/f\n@@ -5 +5 @@\n-two\n+2\n").unwrap().contains("four\n2\n"));
        assert!(parse("hello").unwrap_err().contains("names no file"));
        assert!(parse("*** Update File: f\n@@\nx\n").unwrap_err().contains("Line 3"));
        assert!(parse("*** Delete File: f\n*** Delete File: f\n").unwrap_err().contains("twice"));
    }

    #[test]
    fn content_that_looks_like_a_head_is_content() {
        let (old, new) = ("-- x\n++ y\nend\n", "-- z\n++ y\nend\n");
        let diff = TextDiff::from_lines(old, new).unified_diff().header("a/f", "b/f").to_string();
        assert_eq!(patched(old, &diff).unwrap(), new);
    }

    fn text() -> impl Strategy<Value = String> {
        (proptest::collection::vec("[ab+ @\\-]{0,3}", 0..25), any::<bool>())
            .prop_map(|(lines, end)| lines.join("\n") + if end && !lines.is_empty() { "\n" } else { "" })
    }

    proptest! {
        /// A diff of any two texts turns the one into the other.
        #[test]
        fn a_diff_applies(old in text(), new in text(), radius in 0usize..4) {
            prop_assume!(old != new);
            let diff = TextDiff::from_lines(&old, &new).unified_diff().context_radius(radius).header("a/f", "b/f").to_string();
            prop_assert_eq!(patched(&old, &diff).map_err(|e| format!("{e}\n{diff}")), Ok(new));
        }

        /// No patch breaks it, and one that is refused says why.
        #[test]
        fn nothing_breaks_it(file in text(), lines in proptest::collection::vec("(@@|@@ -[0-9]{1,3},[0-9] \\+[0-9],9 @@|--- a/f|\\+\\+\\+ b/f|\\*\\*\\* Update File: f|[ +\\-\\\\]?[ab]{0,2}|\\PC{0,6})", 0..20)) {
            for file_patch in parse(&lines.join("\n")).unwrap_or_default() {
                if let What::Update { hunks, .. } = file_patch.what {
                    prop_assert!(apply("f", &file, &hunks).map_or_else(|words| words.len() > 20, |_| true));
                }
            }
        }
    }
}
