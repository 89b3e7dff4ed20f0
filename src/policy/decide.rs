//! The decision about one call.

use super::{ServerQuestion, host_listed, server};
use crate::domain::{Mode, RuleOrigin};

/// What is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// The exact command, or the path for a write.
    pub action: &'a str,
    /// Paths it would write, relative to the worktree's root.
    pub writes: &'a [String],
    /// How freely this lane's agent may act.
    pub mode: Mode,
    /// Where the mode stands: `config.toml:14`, `set by /mode`, `built in`.
    pub mode_place: &'a str,
    /// What the person said of this exact call before, see [`super::remember_key`].
    pub remembered: Remembered,
    /// Hosts of the web that need no asking.
    pub web: &'a [String],
    /// Whose tool it is, when a tool server offers it.
    pub server: Option<ServerQuestion<'a>>,
}

/// What the person said before of the exact call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remembered {
    /// Nothing.
    No,
    /// Allowed for this lane's session.
    Session,
    /// Allowed for good.
    Always,
}

/// What follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It runs.
    Allow,
    /// The person is asked.
    Ask,
    /// It does not run.
    Deny,
}

/// A verdict, the rule it follows from, and the words for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// The rule, and where it stands.
    pub rule: RuleOrigin,
    /// Why, in words for the model. Told when it is denied.
    pub reason: String,
}

/// What a tool does, as far as policy cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Read,
    /// Touches nothing but what the agent itself has started or written down.
    Own,
    Write,
    Shell,
    Net,
    /// A question to the person.
    Ask,
    /// Something to be remembered.
    Remember,
    Unknown,
}

fn effect(tool: &str) -> Effect {
    match tool {
        "read" | "list" | "glob" | "grep" | "read_more" | "git_status" | "git_diff" | "git_log" | "skill" => {
            Effect::Read
        }
        "todo" | "jobs" | "spawn" => Effect::Own,
        "write" | "edit" | "patch" => Effect::Write,
        // A commit runs the project's own hooks.
        "shell" | "git_commit" => Effect::Shell,
        "fetch" => Effect::Net,
        "ask" => Effect::Ask,
        "remember" => Effect::Remember,
        _ => Effect::Unknown,
    }
}

/// Decides about one call: deny goes before a remembered answer, that before ask, that before allow.
pub fn decide(question: &Question<'_>) -> Decision {
    let Question { tool, mode, mode_place, .. } = *question;
    if let Some(asked) = &question.server {
        return server::decide(question, asked);
    }
    let word = mode.word();
    let by_mode = |verdict, does: &str, reason: String| Decision {
        verdict,
        rule: RuleOrigin { rule: format!("mode {word} {does} {tool}"), place: mode_place.to_owned() },
        reason,
    };
    let kind = effect(tool);
    let built_in = |verdict, rule: String, reason: String| Decision {
        verdict,
        rule: RuleOrigin { rule, place: "built in".to_owned() },
        reason,
    };
    match kind {
        Effect::Read if question.writes.is_empty() => {
            let rule = format!("{tool} in the worktree is allowed");
            return built_in(Verdict::Allow, rule, format!("`{tool}` only reads"));
        }
        Effect::Own if question.writes.is_empty() => {
            let reason = format!("`{tool}` touches only what the agent itself has made");
            return built_in(Verdict::Allow, format!("{tool} is the agent's own and allowed"), reason);
        }
        Effect::Ask => {
            return built_in(Verdict::Ask, "the agent asks you".to_owned(), "only the person can answer".to_owned());
        }
        // In plan mode too: nothing of the project changes, and the person looks at each fact.
        Effect::Remember => {
            let reason = "only the person decides what is remembered".to_owned();
            return built_in(Verdict::Ask, "what is remembered always asks".to_owned(), reason);
        }
        Effect::Net if host_listed(question.web, question.action) => {
            let rule =
                RuleOrigin { rule: "its host is on the list of the web".to_owned(), place: "web.allow".to_owned() };
            let reason = "the configuration lists its host".to_owned();
            return Decision { verdict: Verdict::Allow, rule, reason };
        }
        _ => {}
    }
    if mode == Mode::Plan && kind != Effect::Net {
        let reason = format!("plan mode only reads, so `{tool}` does not run; say what you would do instead");
        return by_mode(Verdict::Deny, "denies", reason);
    }
    if let Some(scope) = match question.remembered {
        Remembered::No => None,
        Remembered::Session => Some("for the session"),
        Remembered::Always => Some("always"),
    } {
        let rule = RuleOrigin { rule: format!("this exact call is allowed {scope}"), place: "your answer".to_owned() };
        return Decision { verdict: Verdict::Allow, rule, reason: format!("the person allowed it {scope}") };
    }
    if let Some(path) = question.writes.iter().find(|path| guarded(path)) {
        let rule = RuleOrigin { rule: format!("writes to {path} always ask"), place: "built in".to_owned() };
        return Decision { verdict: Verdict::Ask, rule, reason: format!("`{path}` decides what agents may do") };
    }
    let asks = || by_mode(Verdict::Ask, "asks before", format!("mode {word} asks the person before `{tool}`"));
    let allows = || by_mode(Verdict::Allow, "allows", format!("mode {word} allows `{tool}`"));
    match (kind, mode) {
        (Effect::Net, _) => {
            let reason = "the person is asked about each page whose host is not listed".to_owned();
            built_in(Verdict::Ask, "a host that is not listed under web.allow asks".to_owned(), reason)
        }
        (Effect::Unknown | Effect::Read | Effect::Own | Effect::Ask | Effect::Remember, _) => {
            let rule =
                RuleOrigin { rule: format!("{tool} is not a known tool, so it asks"), place: "built in".to_owned() };
            Decision { verdict: Verdict::Ask, rule, reason: format!("`{tool}` is not known to the policy") }
        }
        (_, Mode::Full) | (Effect::Write, Mode::AutoEdit) => allows(),
        (_, _) => asks(),
    }
}

/// Files that decide what agents may do: no mode lets an agent write them unasked. Compared without case,
/// since some file systems do not tell case apart.
fn guarded(path: &str) -> bool {
    path.split('/').any(|part| part.eq_ignore_ascii_case(".git") || part.eq_ignore_ascii_case(".paralane"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(tool: &str, writes: &[&str], mode: Mode, remembered: Remembered) -> Decision {
        let writes: Vec<String> = writes.iter().map(ToString::to_string).collect();
        decide(&Question {
            tool,
            action: "x",
            writes: &writes,
            mode,
            mode_place: "config.toml:14",
            remembered,
            web: &["docs.rs".to_owned()],
            server: None,
        })
    }

    #[test]
    fn each_mode_treats_each_kind_of_call_as_promised() {
        use Verdict::{Allow, Ask, Deny};
        for (tool, writes, wanted) in [
            ("read", &[][..], [Allow, Allow, Allow, Allow]),
            ("grep", &[], [Allow, Allow, Allow, Allow]),
            ("git_log", &[], [Allow, Allow, Allow, Allow]),
            ("todo", &[], [Allow, Allow, Allow, Allow]),
            ("spawn", &[], [Allow, Allow, Allow, Allow]),
            ("skill", &[], [Allow, Allow, Allow, Allow]),
            ("ask", &[], [Ask, Ask, Ask, Ask]),
            ("fetch", &[], [Ask, Ask, Ask, Ask]),
            ("remember", &[], [Ask, Ask, Ask, Ask]),
            ("patch", &["a"], [Deny, Ask, Allow, Allow]),
            ("git_commit", &[], [Deny, Ask, Ask, Allow]),
            ("write", &["src/a.rs"], [Deny, Ask, Allow, Allow]),
            ("edit", &["src/a.rs"], [Deny, Ask, Allow, Allow]),
            ("shell", &[], [Deny, Ask, Ask, Allow]),
            ("teleport", &[], [Deny, Ask, Ask, Ask]),
            ("read", &["a"], [Deny, Ask, Ask, Ask]),
            ("edit", &[".paralane/config.toml"], [Deny, Ask, Ask, Ask]),
            ("write", &["sub/.GIT/hooks/x"], [Deny, Ask, Ask, Ask]),
        ] {
            for (mode, verdict) in Mode::ALL.into_iter().zip(wanted) {
                assert_eq!(ask(tool, writes, mode, Remembered::No).verdict, verdict, "{tool} {mode:?}");
            }
        }
    }

    #[test]
    fn a_remembered_answer_goes_before_ask_and_after_deny() {
        for remembered in [Remembered::Session, Remembered::Always] {
            assert_eq!(ask("shell", &[], Mode::Ask, remembered).verdict, Verdict::Allow);
            let denied = ask("shell", &[], Mode::Plan, remembered);
            assert_eq!(denied.verdict, Verdict::Deny);
            assert!(denied.reason.contains("plan mode only reads"));
        }
    }

    #[test]
    fn a_listed_host_needs_no_asking_and_a_question_is_never_answered_by_a_rule() {
        let fetch = |action| {
            let web = ["docs.rs".to_owned()];
            let remembered = Remembered::No;
            let (mode, mode_place) = (Mode::Ask, "");
            let question =
                Question { tool: "fetch", action, writes: &[], mode, mode_place, remembered, web: &web, server: None };
            decide(&question).verdict
        };
        assert_eq!(fetch("https://docs.rs/x"), Verdict::Allow);
        assert_eq!(fetch("https://docs.rs.evil/x"), Verdict::Ask);
        assert_eq!(ask("ask", &[], Mode::Full, Remembered::Always).verdict, Verdict::Ask);
        assert_eq!(ask("remember", &[], Mode::Full, Remembered::Always).verdict, Verdict::Ask);
        assert_eq!(ask("fetch", &[], Mode::Ask, Remembered::Session).verdict, Verdict::Allow);
    }

    #[test]
    fn the_rule_says_what_asked_and_where_it_stands() {
        let decision = ask("shell", &[], Mode::Ask, Remembered::No);
        assert_eq!(decision.rule.rule, "mode ask asks before shell");
        assert_eq!(decision.rule.place, "config.toml:14");
    }
}
