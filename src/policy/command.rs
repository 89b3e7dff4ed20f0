//! The verdict on a shell command: each simple command and each file is judged by itself, and the strictest stands.

use super::decide::Verdict;
use super::rule::{Matcher, Rule, RuleEffect};
use super::shell::{Analysis, FileUse, Kind, Known, Place, Simple, Target, Word};
use super::table::{Policy, shown};
use super::words::{Fit, Words};
use crate::config::Switch;
use crate::domain::{Mode, RuleOrigin};

/// What came of one command, before answers of the person are looked at.
#[derive(Debug)]
pub(super) struct Ruling {
    /// The strictest verdict of any part.
    pub verdict: Verdict,
    /// What decided; none for the mode's default.
    pub rule: Option<RuleOrigin>,
    /// The part that decided, in one line; empty for the whole.
    pub part: String,
    /// Why, for the model.
    pub reason: String,
}

/// The words of a simple command in the ways a rule that denies or asks is held against it, each with the most that
/// a fit can come to.
struct Readings(Vec<(Vec<Word>, Fit)>);

/// Options before a subcommand that are skipped to see what it may be.
const SKIPPED: usize = 6;

impl Readings {
    fn of(simple: &Simple) -> Self {
        let mut all = vec![(simple.words.clone(), Fit::Yes)];
        all.extend(simple.plain.clone().map(|words| (words, Fit::Yes)));
        let option = |word: &Word| word.text.starts_with(['-', '+']);
        if simple.plain.is_none() && simple.words.get(1).is_some_and(option) {
            // `npm -s publish`: whether an option takes the next word is not known.
            for at in 2..simple.words.len().min(SKIPPED + 2) {
                let rest = simple.words.get(at..).unwrap_or_default();
                all.push((simple.words.first().into_iter().chain(rest).cloned().collect(), Fit::Maybe));
            }
        }
        Self(all)
    }

    fn fit(&self, wanted: &Words) -> Fit {
        let one = |(words, most): &(Vec<Word>, Fit)| {
            let name =
                words.first().filter(|name| name.known == Known::All).and_then(|name| name.text.rsplit('/').next());
            let base = name.map_or(Fit::No, |name| wanted.fit_named(words, name));
            wanted.fit(words).max(base).min(*most)
        };
        self.0.iter().map(one).max().unwrap_or(Fit::No)
    }

    /// The same for rules on git, whose words begin after `git`.
    fn fit_git(&self, wanted: &Words) -> Fit {
        let one = |(words, most): &(Vec<Word>, Fit)| wanted.fit(words.get(1..).unwrap_or_default()).min(*most);
        self.0.iter().filter(|(words, _)| is_git(words)).map(one).max().unwrap_or(Fit::No)
    }
}

/// Judges a command that is already analysed. `root` is the worktree's absolute path.
pub(super) fn judge(policy: &Policy, analysis: &Analysis, root: &str, mode: Mode) -> Ruling {
    let mut strictest = Strictest { stands: None };
    let default = if mode == Mode::Full { Verdict::Allow } else { Verdict::Ask };
    let whole = analysis.commands.len() + analysis.files.iter().filter(|f| f.how == FileUse::Write).count() <= 1;
    // Commands that are covered by an exact rule for the command that runs them.
    let mut covered = vec![false; analysis.commands.len()];
    for (at, simple) in analysis.commands.iter().enumerate() {
        let within = simple.within.and_then(|at| covered.get(at)).copied().unwrap_or(false);
        let part = if whole { String::new() } else { simple.shown() };
        let readings = Readings::of(simple);
        if is_git(&simple.words) && simple.kind != Kind::Guess {
            off(policy, Switch::Git, &part, &mut strictest);
        }
        if let Some((verdict, rule, why)) = strict(policy, simple, &readings) {
            strictest.add(verdict, Some(shown(rule)), &part, why);
            if verdict == Verdict::Deny {
                continue;
            }
        } else if simple.kind == Kind::Guess {
            continue;
        }
        match allowing(policy, simple) {
            Some(rule) => {
                if let Some(covered) = covered.get_mut(at) {
                    *covered = matches!(&rule.matcher, Matcher::Words(words) if words.is_exact());
                }
                strictest.add(Verdict::Allow, Some(shown(rule)), &part, "");
            }
            None if within => {
                if let Some(covered) = covered.get_mut(at) {
                    *covered = true;
                }
            }
            None if matches!(simple.kind, Kind::Carrier | Kind::Guess) => {}
            None => strictest.add(default, None, &part, runner_words(simple)),
        }
    }
    if analysis.commands.is_empty() && !analysis.files.iter().any(|file| file.how == FileUse::Write) {
        strictest.add(default, None, "", "");
    }
    for target in &analysis.files {
        file(policy, target, root, mode, &mut strictest);
    }
    // With nothing to get around, `full` means what it says.
    if let Some(mark) = analysis.marks.first().filter(|_| mode != Mode::Full || policy.restricts()) {
        let rule = RuleOrigin { rule: format!("{}, so it asks", mark.why), place: "built in".to_owned() };
        // Without rules the mode asks about every command anyway.
        strictest.add(
            Verdict::Ask,
            Some(rule).filter(|_| policy.has_rules() || mode == Mode::Full),
            &mark.part,
            &mark.why,
        );
    }
    strictest.stands.unwrap_or(Ruling { verdict: default, rule: None, part: String::new(), reason: String::new() })
}

fn is_git(words: &[Word]) -> bool {
    words.first().is_some_and(|name| name.text.rsplit('/').next() == Some("git"))
}

/// What is switched off is denied, whoever does it.
fn off(policy: &Policy, switch: Switch, part: &str, strictest: &mut Strictest) {
    if let Some(place) = policy.off(switch) {
        let rule = RuleOrigin { rule: format!("policy.{} is off", switch.word()), place: place.to_owned() };
        strictest.add(Verdict::Deny, Some(rule), part, "");
    }
}

fn runner_words(simple: &Simple) -> &str {
    if let Kind::Runner(why) = &simple.kind { why } else { "" }
}

/// The strictest verdict so far.
struct Strictest {
    stands: Option<Ruling>,
}

const fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Allow => 0,
        Verdict::Ask => 1,
        Verdict::Deny => 2,
    }
}

impl Strictest {
    /// Of two that are equally strict, a rule of the configuration says more than what is built in, and that more
    /// than a mode.
    fn add(&mut self, verdict: Verdict, rule: Option<RuleOrigin>, part: &str, reason: &str) {
        let weight = |verdict, rule: &Option<RuleOrigin>| {
            let told = rule.as_ref().map_or(0, |rule| if rule.place == "built in" { 1 } else { 2 });
            (rank(verdict), told)
        };
        if self.stands.as_ref().is_none_or(|old| weight(verdict, &rule) > weight(old.verdict, &old.rule)) {
            self.stands = Some(Ruling { verdict, rule, part: part.to_owned(), reason: reason.to_owned() });
        }
    }
}

/// The rule that denies or asks.
fn strict<'a>(policy: &'a Policy, simple: &Simple, readings: &Readings) -> Option<(Verdict, &'a Rule, &'static str)> {
    let mut maybe = None;
    for effect in [RuleEffect::Deny, RuleEffect::Ask] {
        for rule in policy.rules().iter().filter(|rule| rule.effect == effect) {
            let fit = match &rule.matcher {
                Matcher::Words(words) if rule.tool == "shell" => readings.fit(words),
                Matcher::Words(words) if rule.tool == "git" => readings.fit_git(words),
                _ => Fit::No,
            };
            match fit {
                Fit::Yes if effect == RuleEffect::Deny && simple.kind != Kind::Guess => {
                    return Some((Verdict::Deny, rule, ""));
                }
                Fit::Yes if effect == RuleEffect::Ask => return Some((Verdict::Ask, rule, "")),
                Fit::Maybe | Fit::Yes => maybe = maybe.or(Some(rule)),
                Fit::No => {}
            }
        }
        for address in simple.words.iter().filter(|word| word.text.contains("://")) {
            let text = address.text.find("http").and_then(|at| address.text.get(at..)).unwrap_or(&address.text);
            if let Some(rule) = policy.host(effect, text) {
                let sure = effect == RuleEffect::Deny && address.known == Known::All && simple.kind != Kind::Guess;
                return Some((if sure { Verdict::Deny } else { Verdict::Ask }, rule, "it names this host"));
            }
        }
    }
    maybe.map(|rule| (Verdict::Ask, rule, "whether this rule fits is only known when it runs"))
}

/// The rule that allows.
fn allowing<'a>(policy: &'a Policy, simple: &Simple) -> Option<&'a Rule> {
    let name = simple.words.first().and_then(Word::exact)?;
    policy.of(RuleEffect::Allow, "shell").find(|rule| {
        let Matcher::Words(words) = &rule.matcher else { return false };
        let fits = words.first().is_none_or(|first| first == name) && words.fit(&simple.words) == Fit::Yes;
        fits && match simple.kind {
            Kind::Plain | Kind::Carrier => true,
            Kind::Runner(_) => words.is_exact() && simple.words.iter().all(|word| word.exact().is_some()),
            Kind::Guess => false,
        }
    })
}

/// Judges one file.
fn file(policy: &Policy, target: &Target, root: &str, mode: Mode, strictest: &mut Strictest) {
    let (tool, below) = match target.how {
        FileUse::Write | FileUse::WriteByProgram => ("write", false),
        FileUse::ReadBelow => ("read", true),
        FileUse::Read | FileUse::Named => ("read", false),
    };
    let writes = tool == "write";
    let verb = if writes { "writes" } else { "reads" };
    let part = format!("{verb} {}", crate::base::one_line(&target.part));
    let mut allowed = None;
    let mut all_allowed = true;
    let mut outside = false;
    // After a change of directory it may be one place or another.
    let sure = target.places.len() == 1;
    for place in &target.places {
        let place = beneath(place, root);
        if target.how == FileUse::Named && place == Place::Unknown {
            continue;
        }
        let ruling = policy.path(tool, &place, below);
        if let Some(rule) = ruling.deny {
            strictest.add(if sure { Verdict::Deny } else { Verdict::Ask }, Some(shown(rule)), &part, "");
        }
        if let Some(rule) = ruling.ask {
            strictest.add(Verdict::Ask, Some(shown(rule)), &part, "");
        }
        if let Some(rule) = ruling.maybe {
            strictest.add(Verdict::Ask, Some(shown(rule)), &part, "whether this rule fits is only known when it runs");
        }
        if let Place::Inside(path) = &place
            && writes
            && super::decide::guarded(path)
        {
            let rule = RuleOrigin { rule: format!("writes to {path} always ask"), place: "built in".to_owned() };
            strictest.add(Verdict::Ask, Some(rule), &part, "that file decides what agents may do");
        }
        outside |= !matches!(place, Place::Inside(_));
        all_allowed &= ruling.allow.is_some();
        allowed = allowed.or(ruling.allow);
    }
    if target.how != FileUse::Write {
        return;
    }
    off(policy, Switch::Files, &part, strictest);
    match (allowed.filter(|_| all_allowed), mode) {
        (Some(rule), _) => strictest.add(Verdict::Allow, Some(shown(rule)), &part, ""),
        (None, Mode::Full) => {}
        (None, Mode::AutoEdit) if !outside => {}
        (None, Mode::AutoEdit) => {
            let rule =
                RuleOrigin { rule: "writes that may leave the worktree ask".to_owned(), place: "built in".to_owned() };
            strictest.add(Verdict::Ask, Some(rule), &part, "");
        }
        (None, Mode::Ask | Mode::Plan) => strictest.add(Verdict::Ask, None, &part, ""),
    }
}

/// An absolute path below the worktree is a path of the worktree.
fn beneath(place: &Place, root: &str) -> Place {
    if let Place::Absolute(path) = place
        && root.len() > 1
        && let Some(rest) = path.strip_prefix(root.trim_end_matches('/'))
        && (rest.is_empty() || rest.starts_with('/'))
    {
        return Place::Inside(rest.trim_start_matches('/').to_owned());
    }
    place.clone()
}
