//! What a shell command would do, as plain data: [`analyse`] is the one door.
//!
//! The text is parsed by tree-sitter's grammar of bash. That grammar is more forgiving than bash, so nothing of it is
//! taken on trust: `check` refuses what a shell could read otherwise (odd blanks, text that the tree does not cover,
//! comments and here-documents in doubtful places), and `word` reads every word again from the text itself. What means
//! the same to every shell is read by `plain` without the grammar. `walk`
//! goes through the tree and lists simple commands, files and changes of directory; `programs` knows which programs
//! run other commands or write files, and hands those back to be analysed as well.
//!
//! Whatever is not understood becomes a [`Mark`], and a mark asks. No file is looked at, and nothing here takes
//! longer than the limits below allow.

mod assign;
mod check;
mod heredoc;
mod model;
mod place;
mod plain;
mod programs;
mod redirect;
mod walk;
mod word;

pub use model::{Analysis, FileUse, Kind, Known, Mark, Simple, Target, Word};
pub use place::Place;

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, Parser, Tree};

/// Longer commands are not analysed: no person reads them either. Bytes.
const LONGEST: usize = 16 * 1024;
/// Simple commands that one command may come to; more are not analysed.
const MOST_COMMANDS: usize = 512;
/// How deep constructs may nest in each other, and commands within commands.
const DEEPEST: usize = 64;
/// How often the parser may report before it is stopped: garbage makes it try for very long. It reports about every
/// hundred steps; a sound command of [`LONGEST`] bytes needs some thousands of reports.
const MOST_REPORTS: usize = 40_000;

/// Analyses a command as bash would read it.
#[must_use]
pub fn analyse(command: &str) -> Analysis {
    let mut analysis = Analysis::default();
    script(command, &mut analysis, &walk::Start::default());
    analysis
}

/// Analyses one script and adds what it does.
fn script(text: &str, into: &mut Analysis, start: &walk::Start) {
    if let Err(why) = check::text(text) {
        return into.mark(why, text);
    }
    if start.depth > DEEPEST {
        return into.mark("commands within commands go too deep", text);
    }
    match plain::commands(text) {
        Some(commands) => walk::plain(text, commands, into, start),
        None => by_grammar(text, into, start),
    }
}

fn by_grammar(text: &str, into: &mut Analysis, start: &walk::Start) {
    let Some(tree) = parse(text) else {
        return into.mark("the command is too tangled to be analysed", text);
    };
    check::tree(text, &tree, into);
    walk::walk(text, &tree, into, start);
}

/// Whether more brackets are open at once than any construct needs: the parser takes the longest over such text.
fn tangled(text: &str) -> bool {
    let mut open = 0_usize;
    text.bytes().any(|byte| {
        match byte {
            b'(' | b'{' | b'[' => open += 1,
            b')' | b'}' | b']' => open = open.saturating_sub(1),
            _ => {}
        }
        open > 2 * DEEPEST
    })
}

fn parse(text: &str) -> Option<Tree> {
    if tangled(text) {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    let mut reports = 0;
    let mut progress = |_: &tree_sitter::ParseState| {
        reports += 1;
        if reports > MOST_REPORTS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bytes = text.as_bytes();
    let options = ParseOptions::new().progress_callback(&mut progress);
    parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options))
}

#[cfg(test)]
mod tests;
