//! The verdict on a shell command: each simple command and each file is judged by itself, and the strictest stands.

use super::decide::Verdict;
use super::rule::{Matcher, Rule, RuleEffect};
use super::shell::{Analysis, FileUse, Kind, Place, Simple, Target, Word};
use super::table::{Below, Policy, shown};
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
/// a fit can come to: all of them, without the options before a subcommand, and, where it is not known which those
/// are, with each number of them left out.
struct Readings<'a> {
    words: &'a [Word],
    plain: Option<&'a [Word]>,
    /// How many words after the first may be left out.
    skips: usize,
}

/// Options before a subcommand that are skipped to see what it may be.
const SKIPPED: usize = 6;

impl<'a> Readings<'a> {
    fn of(simple: &'a Simple) -> Self {
        let option = |word: &Word| word.text.starts_with(['-', '+']);
        // `npm -s publish`: whether an option takes the next word is not known.
        let skips = simple.plain.is_none() && simple.words.get(1).is_some_and(option);
        let skips = if skips { SKIPPED.min(simple.words.len().saturating_sub(2)) } else { 0 };
        Self { words: &simple.words, plain: simple.plain.as_deref(), skips }
    }

    /// The strongest fit of any reading, where `fit` holds words against a rule: all, and with so many left out.
    fn strongest(&self, fit: impl Fn(&[Word], usize) -> Fit) -> Fit {
        let whole = [Some(self.words), self.plain].into_iter().flatten().map(|words| fit(words, 0)).max();
        let whole = whole.unwrap_or(Fit::No);
        if whole != Fit::No {
            return whole;
        }
        (1..=self.skips).map(|left_out| fit(self.words, left_out).min(Fit::Maybe)).max().unwrap_or(Fit::No)
    }

    fn fit(&self, wanted: &Words) -> Fit {
        self.strongest(|words, left_out| wanted.fit_program(words, left_out))
    }

    /// The same for rules on git, whose words begin after `git`.
    fn fit_git(&self, wanted: &Words) -> Fit {
        self.strongest(
            |words, left_out| {
                if is_git(words) { wanted.fit(words.get(1 + left_out..).unwrap_or_default()) } else { Fit::No }
            },
        )
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
            // With nothing to get around, `full` means what it says.
            None if mode == Mode::Full && policy.restricts() && matches!(simple.kind, Kind::Unseen(_)) => {
                let why = runner_words(simple);
                let rule = RuleOrigin { rule: format!("{why}, so it asks"), place: "built in".to_owned() };
                strictest.add(Verdict::Ask, Some(rule), &part, why);
            }
            None => strictest.add(default, None, &part, runner_words(simple)),
        }
    }
    if analysis.commands.is_empty() && !analysis.files.iter().any(|file| file.how == FileUse::Write) {
        strictest.add(default, None, "", "");
    }
    for host in &analysis.hosts {
        connection(policy, host, &mut strictest);
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
    if let Kind::Runner(why) | Kind::Unseen(why) = &simple.kind { why } else { "" }
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
fn strict<'a>(
    policy: &'a Policy,
    simple: &Simple,
    readings: &Readings<'_>,
) -> Option<(Verdict, &'a Rule, &'static str)> {
    let mut maybe = None;
    let mut asks = None;
    let name = simple.words.first().and_then(Word::exact);
    let git = if is_git(&simple.words) { Some(policy.strict_git()) } else { None };
    let rules = policy.strict(name).map(|rule| (rule, false));
    for (rule, of_git) in rules.chain(git.into_iter().flatten().map(|rule| (rule, true))) {
        let Matcher::Words(words) = &rule.matcher else { continue };
        let fit = if of_git { readings.fit_git(words) } else { readings.fit(words) };
        match fit {
            Fit::Yes if rule.effect == RuleEffect::Deny && simple.kind != Kind::Guess => {
                return Some((Verdict::Deny, rule, ""));
            }
            Fit::Yes if rule.effect == RuleEffect::Ask => asks = asks.or(Some((Verdict::Ask, rule, ""))),
            Fit::Maybe | Fit::Yes => maybe = maybe.or(Some(rule)),
            Fit::No => {}
        }
    }
    if let Some((rule, sure)) = policy.named_host(simple) {
        let why = if sure { "it names this host" } else { "it may reach this host" };
        if sure && rule.effect == RuleEffect::Deny && simple.kind != Kind::Guess {
            return Some((Verdict::Deny, rule, why));
        }
        asks = asks.or(Some((Verdict::Ask, rule, why)));
    }
    if asks.is_some() {
        return asks;
    }
    maybe.map(|rule| (Verdict::Ask, rule, "whether this rule fits is only known when it runs"))
}

/// The rule that allows.
fn allowing<'a>(policy: &'a Policy, simple: &Simple) -> Option<&'a Rule> {
    let name = simple.words.first().and_then(Word::exact)?;
    policy.allowing(name).find(|rule| {
        let Matcher::Words(words) = &rule.matcher else { return false };
        let fits = words.first().is_none_or(|first| first == name) && words.fit(&simple.words) == Fit::Yes;
        fits && match simple.kind {
            Kind::Plain | Kind::Carrier => true,
            Kind::Runner(_) | Kind::Unseen(_) => {
                words.is_exact() && simple.words.iter().all(|word| word.exact().is_some())
            }
            Kind::Guess => false,
        }
    })
}

/// Judges a connection of the shell's own.
fn connection(policy: &Policy, host: &Word, strictest: &mut Strictest) {
    let (name, port) = host.text.rsplit_once(':').unwrap_or((&host.text, ""));
    let name = host.exact().and_then(|_| super::net::canonical(name));
    let part = format!("connects to {}", crate::base::one_line(&host.text));
    if let Some((rule, sure)) = policy.connects(name.as_deref(), port.parse().ok()) {
        let denies = sure && rule.effect == RuleEffect::Deny;
        strictest.add(if denies { Verdict::Deny } else { Verdict::Ask }, Some(shown(rule)), &part, "");
    }
}

/// The tools by which a use of a file is judged, each with what is meant beside it and whether a rule that fits is surely
/// meant.
const fn judged(how: FileUse) -> &'static [(&'static str, Below, bool)] {
    use Below::{All, Itself, Nothing, Shown};
    match how {
        FileUse::Write | FileUse::WriteByProgram => &[("write", Nothing, true)],
        FileUse::WriteBelow => &[("write", All, true)],
        FileUse::ReadBelow => &[("read", All, true)],
        FileUse::ReadShown => &[("read", Shown, true)],
        FileUse::Read | FileUse::Named => &[("read", Nothing, true)],
        FileUse::Handed => &[("read", Itself, true)],
        FileUse::Used => &[("read", Itself, true), ("write", Itself, false)],
        FileUse::Perhaps => &[("read", Itself, false), ("write", Itself, false)],
    }
}

/// Judges one file.
fn file(policy: &Policy, target: &Target, root: &str, mode: Mode, strictest: &mut Strictest) {
    const WHEN_IT_RUNS: &str = "whether this rule fits is only known when it runs";
    let shown_part = crate::base::one_line(&target.part);
    let written = format!("writes {shown_part}");
    let named_only = matches!(target.how, FileUse::Named | FileUse::Handed | FileUse::Used | FileUse::Perhaps);
    let mut allowed = None;
    let mut all_allowed = true;
    let mut outside = false;
    // After a change of directory it may be one place or another.
    let one = target.places.len() == 1;
    for place in &target.places {
        let (place, perhaps) = beneath(place, root);
        if named_only && place == Place::Unknown {
            continue;
        }
        for (tool, below, sure) in judged(target.how) {
            let (place, perhaps) = (&place, perhaps.iter().map(|place| (place, false)));
            for (place, is_it) in std::iter::once((place, true)).chain(perhaps) {
                let ruling = policy.path(tool, place, *below, root);
                let sure = *sure && one && is_it;
                let part = || if *tool == "write" { written.clone() } else { format!("reads {shown_part}") };
                if let Some(rule) = ruling.deny {
                    let (verdict, why) = if sure { (Verdict::Deny, "") } else { (Verdict::Ask, WHEN_IT_RUNS) };
                    strictest.add(verdict, Some(shown(rule)), &part(), why);
                }
                if let Some(rule) = ruling.ask {
                    strictest.add(Verdict::Ask, Some(shown(rule)), &part(), "");
                }
                if let Some(rule) = ruling.maybe {
                    strictest.add(Verdict::Ask, Some(shown(rule)), &part(), WHEN_IT_RUNS);
                }
                if is_it && *tool == "write" && !named_only {
                    let by = policy.allowed(tool, place);
                    all_allowed &= by.is_some();
                    allowed = allowed.or(by);
                }
            }
        }
        let guarded = match &place {
            Place::Inside(path) => super::decide::guarded(path).then_some(path),
            Place::Matching(path) => super::table::may_be_guarded(path).then_some(path),
            _ => None,
        };
        if let Some(path) = guarded.filter(|_| !named_only)
            && judged(target.how).iter().any(|(tool, ..)| *tool == "write")
        {
            let rule = RuleOrigin { rule: format!("writes to {path} always ask"), place: "built in".to_owned() };
            strictest.add(Verdict::Ask, Some(rule), &written, "that file decides what agents may do");
        }
        outside |= !matches!(place, Place::Inside(_));
    }
    if target.how != FileUse::Write {
        return;
    }
    let part = written;
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

/// Where a path of the worktree `root` leads, by its text.
pub(super) fn place_of(path: &str, root: &str) -> Place {
    beneath(&Place::of(path), root).0
}

/// A place as the rules name it: what leads into the worktree, by whatever way, is a path of the worktree. With it come
/// the places that it may be as well.
fn beneath(place: &Place, root: &str) -> (Place, Vec<Place>) {
    let root = root.trim_end_matches('/');
    if !root.starts_with('/') {
        return (place.clone(), Vec::new());
    }
    let within = |path: &str| {
        let rest = path.strip_prefix(root)?;
        (rest.is_empty() || rest.starts_with('/')).then(|| rest.trim_start_matches('/').to_owned())
    };
    match place {
        Place::Above(path) => {
            let up = path.split('/').take_while(|part| *part == "..").count();
            let rest = path.split('/').skip(up).collect::<Vec<_>>().join("/");
            let base = root.rmatch_indices('/').nth(up - 1).and_then(|(at, _)| root.get(..at)).unwrap_or_default();
            let whole = format!("{base}/{rest}");
            let whole = if whole.len() > 1 { whole.trim_end_matches('/').to_owned() } else { whole };
            (within(&whole).map_or(Place::Absolute(whole), Place::Inside), Vec::new())
        }
        Place::Absolute(path) => match within(path) {
            Some(inside) => (Place::Inside(inside), Vec::new()),
            None => (place.clone(), Vec::new()),
        },
        Place::Matching(pattern) => match within(pattern) {
            Some(inside) => (Place::Matching(inside), Vec::new()),
            None => (place.clone(), Vec::new()),
        },
        // Where the home directory is nobody has told, but the worktree may lie below it.
        Place::Home(path) => {
            let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
            let inside = ends.filter_map(|at| {
                let (parent, rest) = path.split_at_checked(at)?;
                let of = !parent.is_empty() && root.ends_with(&format!("/{parent}"));
                of.then(|| Place::Inside(rest.trim_start_matches('/').to_owned()))
            });
            (place.clone(), inside.collect())
        }
        Place::Inside(_) | Place::Unknown => (place.clone(), Vec::new()),
    }
}
