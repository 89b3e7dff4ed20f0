//! What git and the forge keep carries the person's name alone: no credit of an assistant in messages, trailers, author
//! or committer, in titles and bodies of pull requests.

use std::sync::LazyLock;

use regex::Regex;

use super::Git;
use crate::policy::shell::{Analysis, Simple};

/// What assistants are called.
const WHO: &str = r"(claude|anthropic|codex|openai|chatgpt|gpt-?\d|gemini|copilot|opencode|sourcegraph|\bamp\b|\bai\b|llm|an? assistant)";

/// An assistant's name.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!("(?i){WHO}")).ok());

/// How an assistant is credited.
static CREDIT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let who = WHO;
    let patterns = [
        format!(r"co-?authored-?by:[^\n]{{0,120}}{who}"),
        format!(
            r"(signed-off|assisted|generated|written|created|made|authored)[ -]?(by|with|using|via)\b[^\n]{{0,60}}{who}"
        ),
        format!(r"--author[ =]?['\x22]?[^\n]{{0,60}}{who}"),
        format!(r"git_(author|committer)_(name|email)=['\x22]?[^\n ]{{0,60}}{who}"),
        format!(r"user\.(name|email)[= ]['\x22]?[^\n]{{0,60}}{who}"),
        r"(claude\.com/claude-code|claude\.ai/code|noreply@anthropic\.com|noreply@openai\.com)".to_owned(),
        "\u{1f916}".to_owned(),
    ];
    Regex::new(&format!("(?i){}", patterns.join("|"))).ok()
});

/// Why a command that makes something lasting is refused, if it credits an assistant.
pub(super) fn look(command: &str, analysis: &Analysis) -> Option<String> {
    if !analysis.commands.iter().any(keeps) {
        return None;
    }
    let found = CREDIT.as_ref()?.find(command)?;
    let text: String = crate::base::one_line(found.as_str()).chars().take(80).collect();
    Some(format!(
        "the message credits an assistant (`{text}`). Commits, tags and pull requests here bear the person's name \
         alone: leave that line out and run it again"
    ))
}

/// The words of a commit that credit an assistant: in its message, or as who made it.
#[must_use]
pub fn credit(message: &str, people: &[String]) -> Option<String> {
    let found = CREDIT.as_ref()?.find(message).map(|found| found.as_str());
    let named = || people.iter().find(|who| NAMED.as_ref().is_some_and(|named| named.is_match(who)));
    let found = found.or_else(|| named().map(String::as_str))?;
    Some(crate::base::one_line(found).chars().take(80).collect())
}

/// Whether a command keeps a message.
fn keeps(simple: &Simple) -> bool {
    if let Ok(Some(git)) = Git::of(simple) {
        return matches!(
            git.sub,
            "commit"
                | "tag"
                | "notes"
                | "merge"
                | "commit-tree"
                | "revert"
                | "cherry-pick"
                | "am"
                | "rebase"
                | "config"
        );
    }
    let name = simple.words.first().and_then(|word| word.exact()).unwrap_or_default();
    name.rsplit('/').next() == Some("gh")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::shell::analyse;

    fn refused(command: &str) -> bool {
        look(command, &analyse(command)).is_some()
    }

    #[test]
    fn credits_are_found_wherever_they_stand() {
        for command in [
            "git commit -m 'Fix it\n\nCo-Authored-By: Claude <noreply@anthropic.com>'",
            "git commit -m \"$(cat <<'EOF'\nFix it\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)\nEOF\n)\"",
            "git commit -m x --trailer 'Co-authored-by: Codex <codex@openai.com>'",
            "git commit -m x --author='Claude <a@b>'",
            "git -c user.name=Claude commit -m x",
            "git config user.name 'Claude Code'",
            "GIT_AUTHOR_NAME=Claude git commit -m x",
            "cd src && git commit -m 'Written by Gemini'",
            "gh pr create --title x --body 'Generated with Claude Code'",
            "bash -c \"git tag -a v1 -m 'made with ChatGPT'\"",
        ] {
            assert!(refused(command), "{command}");
        }
        let of = |message: &str, who: &str| credit(message, &[who.to_owned()]);
        assert!(of("Fix it", "Claude <noreply@anthropic.com>").is_some());
        assert!(of("Fix it\n\nCo-Authored-By: Claude <x@y>", "Ann <ann@example.com>").is_some());
        assert_eq!(of("Teach the gemini adapter to resume", "Ann <ann@example.com>"), None);
        for command in [
            "git commit -m 'Teach the gemini adapter to resume'",
            "git commit -m 'Fix it\n\nCo-authored-by: Ann <ann@example.com>'",
            "echo 'Co-Authored-By: Claude'",
            "git log --grep 'Co-Authored-By: Claude'",
            "git commit -m 'Generated files are ignored'",
        ] {
            assert!(!refused(command), "{command}");
        }
    }
}
