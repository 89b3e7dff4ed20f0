//! Makes the rules of the configuration ready for use.

use crate::base::Report;
use crate::config::{Origin, Rules, TWO_PERSON};
use crate::policy::{Policy, Rule, Switches, place};

/// The rules in force. An entry that cannot be read is told in `notices`, and everything but reading asks then: what
/// it would have denied is not known.
pub(super) fn policy(rules: &Rules, notices: &mut Vec<Report>) -> Policy {
    let mut ready = Vec::new();
    let mut unreadable = None;
    for problem in &rules.broken {
        unreadable.get_or_insert_with(|| format!("{}:{}", problem.file, problem.line));
        notices.push(Report::refused(problem.to_string()).hint(problem.hint.clone()).hint(ASKS));
    }
    for raw in &rules.rules {
        let rule = Rule::new(&raw.effect, &raw.tool, &raw.matches, raw.reason.clone(), raw.origin.clone());
        match rule.and_then(|rule| rule.confirmed(raw.confirm)) {
            Ok(mut rule) => {
                rule.listed = raw.key == TWO_PERSON;
                ready.push(rule);
            }
            Err((key, message, hint)) => {
                let [effect, tool, matches, confirm] = &raw.keys;
                let at = match key {
                    "effect" => effect,
                    "tool" => tool,
                    "confirm" => confirm,
                    _ => matches,
                };
                let words = format!("{}, key `{}.{key}`: {message}", line(at), raw.key);
                let report = Report::refused(words).hint(hint);
                // Without a rule that would allow something, nothing is looser.
                if raw.effect == "allow" && key == "match" {
                    notices.push(report.hint("until then it allows nothing"));
                } else {
                    unreadable.get_or_insert_with(|| place(at));
                    notices.push(report.hint(ASKS));
                }
            }
        }
    }
    let stands = |origin: &Origin| place(origin);
    let off = rules.off.iter().map(|(switch, origin)| (*switch, place(origin))).collect();
    let forgetful = rules.forgetful.as_ref().map(stands);
    let never_full = rules.never_full.as_ref().map(stands);
    Policy::new(ready, Switches { off, forgetful, never_full, unreadable })
}

const ASKS: &str = "until then everything but reading asks";

fn line(origin: &Origin) -> String {
    match origin {
        Origin::BuiltIn | Origin::Lane { .. } => origin.to_string(),
        Origin::File { file, line, .. } => format!("`{file}` line {line}"),
    }
}
