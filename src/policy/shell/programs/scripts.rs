//! `awk`: a small language that can run commands and write files. Only what surely does neither is plain.

use super::super::model::Word;
use super::Look;

const HIDES: &str = "`awk` can run commands and write files";

/// Looks at a call of awk.
pub(super) fn awk(args: &[Word], look: &mut Look) {
    let mut rest = args.iter();
    let mut program = false;
    while let Some(word) = rest.next() {
        let Some(text) = word.exact() else { return look.hides(HIDES) };
        match text {
            "-F" | "-v" | "--assign" | "--field-separator" => {
                rest.next();
            }
            "-f" | "--file" => {
                look.runs_file("`awk -f` runs a file", rest.next());
                program = true;
            }
            _ if text.starts_with("-F") || text.starts_with("-v") => {}
            _ if text.starts_with('-') => return look.hides(HIDES),
            _ if program => break,
            text => {
                if !harmless(text) {
                    look.hides(HIDES);
                }
                break;
            }
        }
    }
    // Assignments among the files change variables only; a file called `-f…` would be an option.
    if rest.any(Word::may_be_option) {
        look.hides(HIDES);
    }
}

/// Whether a program surely neither runs commands nor writes files. A `>` that comes before any `print`
/// compares.
fn harmless(program: &str) -> bool {
    // With `ARGV` it would read files that its words do not name.
    if ["system", "getline", "close", "@", "fflush", "ARGV"].iter().any(|word| program.contains(word)) {
        return false;
    }
    if program.replace("||", "").contains('|') {
        return false;
    }
    program.find("print").is_none_or(|at| !program.get(at..).unwrap_or_default().contains('>'))
}
