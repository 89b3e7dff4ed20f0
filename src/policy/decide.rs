//! The decision about one call.

use super::rule::{Rule, RuleEffect};
use super::server::{self, ServerQuestion};
use super::shell::{self, Word};
use super::table::{self, Policy};
use super::words::Fit;
use super::{command, host_listed};
use crate::config::Switch;
use crate::domain::{LANE_TOOLS, Mode, RuleOrigin};

/// What is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// The exact command, or the path for a write.
    pub action: &'a str,
    /// The command's own text, for the tool `shell`, where `action` says more than that.
    pub command: Option<&'a str>,
    /// Paths it would write, relative to the worktree's root.
    pub writes: &'a [String],
    /// Paths it would look at, the same way; one that ends in `/` with all that is below it.
    pub reads: &'a [String],
    /// The worktree's absolute path, in which a command begins.
    pub directory: &'a str,
    /// The rules in force.
    pub policy: &'a Policy,
    /// How freely this lane's agent may act.
    pub mode: Mode,
    /// Where the mode stands: `config.toml:14`, `set by /mode`, `built in`.
    pub mode_place: &'a str,
    /// What the person said of this exact call before, see [`super::remember_key`].
    pub remembered: Remembered,
    /// Hosts of the web that need no asking.
    pub web: &'a [String],
    /// The tool, if a tool server offers it.
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
    /// How many have to say yes, where it asks.
    pub needs: u8,
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
    /// A tool of a server.
    Server,
    Unknown,
}

fn effect(tool: &str) -> Effect {
    match tool {
        "read" | "list" | "glob" | "grep" | "read_more" | "git_status" | "git_diff" | "git_log" | "skill" => {
            Effect::Read
        }
        "todo" | "jobs" | "spawn" => Effect::Own,
        // What a lane says of itself changes no file.
        tool if LANE_TOOLS.contains(&tool) => Effect::Own,
        "write" | "edit" | "patch" => Effect::Write,
        // A commit runs the project's own hooks.
        "shell" | "git_commit" => Effect::Shell,
        "fetch" => Effect::Net,
        "ask" => Effect::Ask,
        "remember" => Effect::Remember,
        _ => Effect::Unknown,
    }
}

/// Decides about one call: deny goes before a remembered answer, that before ask, that before allow, and that before
/// what the mode says.
pub fn decide(question: &Question<'_>) -> Decision {
    let Some(asked) = &question.server else { return judge(question, effect(question.tool)) };
    // Rules are about its own name, not about the one that the model knows it by.
    let tool = format!("mcp__{}__{}", asked.tool.server, asked.tool.tool);
    judge(&Question { tool: &tool, ..*question }, Effect::Server)
}

fn judge(question: &Question<'_>, kind: Effect) -> Decision {
    let Question { tool, policy, .. } = *question;
    if kind == Effect::Ask {
        return built_in(Verdict::Ask, "the agent asks you".to_owned(), "only the person can answer".to_owned());
    }
    let (mode, mode_place) = bounded(question);
    if let Some((switch, place)) = switched_off(question, kind) {
        let rule = RuleOrigin { rule: format!("policy.{} is off", switch.word()), place: place.to_owned() };
        let reason = format!("`{tool}` is switched off here; do it without, or say what you would do instead");
        return Decision { verdict: Verdict::Deny, rule, reason, needs: 1 };
    }
    let ruled = rules(question, kind, mode);
    if ruled.verdict == Some(Verdict::Deny) {
        return ruled.decision(tool, "denies");
    }
    if kind == Effect::Remember {
        // In plan mode too: nothing of the project changes, and the person looks at each fact.
        let reason = "only the person decides what is remembered".to_owned();
        return built_in(Verdict::Ask, "what is remembered always asks".to_owned(), reason);
    }
    if let Some(denied) = question.server.as_ref().and_then(|asked| server::denied(asked, mode, mode_place)) {
        return denied;
    }
    let harmless = matches!(kind, Effect::Read | Effect::Own) && question.writes.is_empty();
    if mode == Mode::Plan && !matches!(kind, Effect::Net | Effect::Server) && !harmless {
        let reason = format!("plan mode only reads, so `{tool}` does not run; say what you would do instead");
        return by_mode(Verdict::Deny, mode, "denies", tool, mode_place, reason);
    }
    if let Some(twice) = by_two(question, kind, mode) {
        return Decision { needs: 2, ..twice.decision(tool, "asks before") };
    }
    if let Some(place) = policy.unreadable().filter(|_| !harmless) {
        let rule = RuleOrigin { rule: "rules that cannot be read ask".to_owned(), place: place.to_owned() };
        let reason = "a rule that cannot be read may deny it".to_owned();
        return Decision { verdict: Verdict::Ask, rule, reason, needs: 1 };
    }
    if let Some(scope) = match question.remembered {
        _ if policy.forgetful().is_some() => None,
        Remembered::No => None,
        Remembered::Session => Some("for the session"),
        Remembered::Always => Some("always"),
    } {
        let rule = RuleOrigin { rule: format!("this exact call is allowed {scope}"), place: "your answer".to_owned() };
        let reason = format!("the person allowed it {scope}");
        return Decision { verdict: Verdict::Allow, rule, reason, needs: 1 };
    }
    if ruled.verdict == Some(Verdict::Ask) {
        return ruled.decision(tool, "asks before");
    }
    if let Some(path) = question.writes.iter().find(|path| guarded(path)) {
        let reason = format!("`{path}` decides what agents may do");
        return built_in(Verdict::Ask, format!("writes to {path} always ask"), reason);
    }
    if ruled.verdict == Some(Verdict::Allow) && ruled.rule.is_some() {
        return ruled.decision(tool, "allows");
    }
    if let Some(asked) = &question.server {
        return server::by_default(asked, mode, mode_place);
    }
    by_default(question, kind, mode, mode_place, &ruled.part)
}

fn built_in(verdict: Verdict, rule: String, reason: String) -> Decision {
    Decision { verdict, rule: RuleOrigin { rule, place: "built in".to_owned() }, reason, needs: 1 }
}

fn by_mode(verdict: Verdict, mode: Mode, does: &str, what: &str, place: &str, reason: String) -> Decision {
    let rule = RuleOrigin { rule: format!("mode {} {does} {what}", mode.word()), place: place.to_owned() };
    Decision { verdict, rule, reason, needs: 1 }
}

/// The mode, where a policy may forbid the freest.
fn bounded<'a>(question: &Question<'a>) -> (Mode, &'a str) {
    match question.policy.never_full() {
        Some(place) if question.mode == Mode::Full => (Mode::AutoEdit, place),
        _ => (question.mode, question.mode_place),
    }
}

fn switched_off<'a>(question: &Question<'a>, kind: Effect) -> Option<(Switch, &'a str)> {
    let tool = question.tool;
    let off = |switch: Switch| question.policy.off(switch).map(|place| (switch, place));
    if tool.starts_with("mcp__") {
        return off(Switch::Mcp);
    }
    let by_kind = match kind {
        Effect::Read | Effect::Write if !tool.starts_with("git_") => off(Switch::Files),
        Effect::Shell if tool == "shell" => off(Switch::Shell),
        Effect::Net => off(Switch::Network),
        _ if tool == "spawn" => off(Switch::Spawn),
        _ => None,
    };
    by_kind.or_else(|| if tool.starts_with("git_") { off(Switch::Git) } else { None })
}

/// The rule by which two have to say yes, if one fits any part of the call. It goes before what one person has said, and
/// before rules that one person's yes would do for.
fn by_two(question: &Question<'_>, kind: Effect, mode: Mode) -> Option<Ruled> {
    let twos = question.policy.twos()?;
    let ruled = rules(&Question { policy: twos, ..*question }, kind, mode);
    let fits =
        ruled.verdict == Some(Verdict::Ask) && ruled.rule.as_ref().is_some_and(|rule| twos.named(rule).is_some());
    fits.then_some(ruled)
}

/// What the rules of the configuration say.
struct Ruled {
    /// None when no rule speaks of it.
    verdict: Option<Verdict>,
    rule: Option<RuleOrigin>,
    part: String,
    reason: String,
}

impl Ruled {
    fn decision(self, tool: &str, does: &str) -> Decision {
        let mut rule = self.rule.unwrap_or(RuleOrigin { rule: String::new(), place: String::new() });
        let why = if self.reason.is_empty() { String::new() } else { format!(": {}", self.reason) };
        let part = if self.part.is_empty() { String::new() } else { format!(", for `{}`", self.part) };
        let reason = format!("the rule `{}` ({}) {does} `{tool}`{part}{why}", rule.rule, rule.place);
        if !self.part.is_empty() {
            rule.rule = format!("{} — for `{}`", rule.rule, self.part);
        }
        Decision { verdict: self.verdict.unwrap_or(Verdict::Ask), rule, reason, needs: 1 }
    }
}

fn rules(question: &Question<'_>, kind: Effect, mode: Mode) -> Ruled {
    let Question { tool, policy, .. } = *question;
    if tool == "shell" {
        let analysis = shell::analyse(question.command.unwrap_or(question.action));
        let ruling = command::judge(policy, &analysis, question.directory, mode);
        // A mode's default that lets it run or asks is told as such.
        let verdict = ruling.rule.is_some().then_some(ruling.verdict);
        return Ruled { verdict, rule: ruling.rule, part: ruling.part, reason: ruling.reason };
    }
    let mut found = Ruled { verdict: None, rule: None, part: String::new(), reason: String::new() };
    for effect in RuleEffect::ALL {
        let rule = match kind {
            Effect::Net => policy.host(effect, question.action),
            Effect::Read | Effect::Write if judged_by_path(tool) => by_path(question, kind, effect),
            // It shows what stands in files.
            Effect::Read if tool == "git_diff" && effect != RuleEffect::Allow => {
                by_words(question, effect).or_else(|| by_path(&Question { tool: "read", ..*question }, kind, effect))
            }
            _ => by_words(question, effect),
        };
        if let Some(rule) = rule {
            found.verdict = Some(match effect {
                RuleEffect::Deny => Verdict::Deny,
                RuleEffect::Ask => Verdict::Ask,
                RuleEffect::Allow => Verdict::Allow,
            });
            found.rule = Some(table::shown(rule));
            break;
        }
    }
    found
}

fn judged_by_path(tool: &str) -> bool {
    matches!(tool, "read" | "list" | "glob" | "grep" | "write" | "edit" | "patch")
}

/// A rule that denies or asks holds for any of the paths; one that allows must hold for all.
fn by_path<'a>(question: &Question<'a>, kind: Effect, effect: RuleEffect) -> Option<&'a Rule> {
    let paths = if kind == Effect::Write { question.writes } else { question.reads };
    let one = |path: &String| {
        let (path, below) = match path.strip_suffix('/') {
            Some(directory) => (directory, table::Below::All),
            None => (path.as_str(), table::Below::Nothing),
        };
        let place = command::place_of(path, question.directory);
        let ruling = || question.policy.path(question.tool, &place, below, question.directory);
        match effect {
            RuleEffect::Deny => ruling().deny,
            RuleEffect::Ask => {
                let ruling = ruling();
                ruling.ask.or(ruling.maybe)
            }
            RuleEffect::Allow => question.policy.allowed(question.tool, &place),
        }
    };
    if effect == RuleEffect::Allow {
        let all: Option<Vec<&Rule>> = paths.iter().map(one).collect();
        return all.and_then(|all| all.first().copied());
    }
    paths.iter().find_map(one)
}

/// Rules on what is not a path, a host or a command: by the words that the person sees.
fn by_words<'a>(question: &Question<'a>, effect: RuleEffect) -> Option<&'a Rule> {
    let git = question.tool.strip_prefix("git_");
    let words: Vec<Word> = git.into_iter().chain(question.action.split_whitespace()).map(Word::literal).collect();
    let own = |rule: &Rule| git.is_some() && rule.tool == question.tool;
    question.policy.of(effect, question.tool).find(|rule| {
        let words = if own(rule) { words.get(1..).unwrap_or_default() } else { words.as_slice() };
        table::plain_fit(&rule.matcher, question.tool, words) == Fit::Yes
    })
}

/// What the mode and what is built in say of what no rule speaks of.
fn by_default(question: &Question<'_>, kind: Effect, mode: Mode, mode_place: &str, part: &str) -> Decision {
    let Question { tool, .. } = *question;
    let word = mode.word();
    let of_part =
        if part.is_empty() || !question.policy.has_rules() { String::new() } else { format!(" — for `{part}`") };
    let what = format!("{tool}{of_part}");
    let asks = || {
        by_mode(
            Verdict::Ask,
            mode,
            "asks before",
            &what,
            mode_place,
            format!("mode {word} asks the person before `{tool}`"),
        )
    };
    let allows = || by_mode(Verdict::Allow, mode, "allows", &what, mode_place, format!("mode {word} allows `{tool}`"));
    match (kind, mode) {
        (Effect::Read, _) if question.writes.is_empty() => {
            built_in(Verdict::Allow, format!("{tool} in the worktree is allowed"), format!("`{tool}` only reads"))
        }
        (Effect::Own, _) if question.writes.is_empty() => {
            let reason = format!("`{tool}` touches only what the agent itself has made");
            built_in(Verdict::Allow, format!("{tool} is the agent's own and allowed"), reason)
        }
        (Effect::Net, _) if host_listed(question.web, question.action) => {
            let rule =
                RuleOrigin { rule: "its host is on the list of the web".to_owned(), place: "web.allow".to_owned() };
            let reason = "the configuration lists its host".to_owned();
            Decision { verdict: Verdict::Allow, rule, reason, needs: 1 }
        }
        (Effect::Net, _) => {
            let reason = "the person is asked about each page whose host is not listed".to_owned();
            built_in(Verdict::Ask, "a host that is not listed under web.allow asks".to_owned(), reason)
        }
        (Effect::Unknown | Effect::Read | Effect::Own | Effect::Ask | Effect::Remember | Effect::Server, _) => {
            let reason = format!("`{tool}` is not known to the policy");
            built_in(Verdict::Ask, format!("{tool} is not a known tool, so it asks"), reason)
        }
        (_, Mode::Full) | (Effect::Write, Mode::AutoEdit) => allows(),
        (_, _) => asks(),
    }
}

/// Files that decide what agents may do: no mode lets an agent write them unasked. Compared without case,
/// since some file systems do not tell case apart.
pub(super) fn guarded(path: &str) -> bool {
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
            command: None,
            writes: &writes,
            reads: &[],
            directory: "/srv",
            policy: &Policy::default(),
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
            ("remember", &[], [Ask, Ask, Ask, Ask]),
            ("fetch", &[], [Ask, Ask, Ask, Ask]),
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
    fn what_shows_files_is_judged_by_where_its_paths_lead() {
        use Verdict::{Allow, Ask, Deny};
        let rule = Rule::new("deny", "read", "secrets/**", None, crate::config::Origin::BuiltIn).unwrap();
        let policy = Policy::new(vec![rule], super::super::Switches::default());
        for (tool, path, wanted) in [
            ("git_diff", "/", Ask),
            ("git_diff", "src/", Allow),
            ("git_diff", "secrets/", Ask),
            ("git_diff", "secrets/key/", Deny),
            ("git_diff", "src/../secrets/key/", Deny),
            ("git_diff", "/srv/secrets/key/", Deny),
            ("grep", "/", Ask),
            ("grep", "src/a.rs", Allow),
            ("grep", "src/../secrets/", Ask),
            ("grep", "./secrets//key", Deny),
            ("list", "src/../secrets/key", Deny),
            ("glob", "secrets/sub", Deny),
            ("read", "/srv/secrets/key", Deny),
        ] {
            let question = Question {
                tool,
                action: path,
                command: None,
                writes: &[],
                reads: &[path.to_owned()],
                directory: "/srv",
                policy: &policy,
                mode: Mode::Full,
                mode_place: "",
                remembered: Remembered::No,
                web: &[],
                server: None,
            };
            assert_eq!(decide(&question).verdict, wanted, "{tool} {path}");
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
            let question = Question {
                tool: "fetch",
                action,
                command: None,
                writes: &[],
                reads: &[],
                directory: "/srv",
                policy: &Policy::default(),
                mode: Mode::Ask,
                mode_place: "",
                remembered,
                web: &web,
                server: None,
            };
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
