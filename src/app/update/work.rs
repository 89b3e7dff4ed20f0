//! Commands of coordination: who acts is found, the rules are asked, and what they decide is kept as one step.

use crate::app::errand::{Errand, Finding, Goal, Keying, Quest};
use crate::app::report::{self, Document};
use crate::app::window::Overlay;
use crate::app::{Effect, State};
use crate::base::{Report, sha256_hex};
use crate::command::{DeadlinesArgs, PlanCommand, ReportArgs, WorkCommand};
use crate::coordination::{Decision, next_late, overdue, plans};
use crate::domain::{Change, Deadlines, Keyed, LaneId, Party, WindowId};

use super::contexts;
use super::run::{Done, Origin, answer_later};
use super::step::Step;
use super::{find, issues, mail, reservations};

/// Runs one command that writes.
pub(super) fn run(
    step: &mut Step<'_>,
    origin: Origin,
    command: WorkCommand,
    key: Option<String>,
) -> Result<Done, Report> {
    let keying = match key {
        None => None,
        Some(key) => {
            let party = party_of(step, origin, &command)?;
            let keying = Keying { party, key, digest: sha256_hex(format!("{command:?}").as_bytes()) };
            if let Some(first) = replay(step, origin, &keying)? {
                return Ok(first);
            }
            Some(keying)
        }
    };
    match command {
        WorkCommand::Issue(command) => issues::run(step, origin, command, keying),
        WorkCommand::Mail(command) => mail::run(step, origin, command, keying),
        WorkCommand::Plan(command) => plan(step, origin, command, keying),
        WorkCommand::Reserve(args) => reservations::reserve(step, origin, args, keying),
        WorkCommand::Release { lane, paths } => reservations::release(step, origin, lane.as_deref(), &paths, keying),
        WorkCommand::Report(args) => reported(step, origin, args, keying),
        WorkCommand::DeadlinesSet(args) => Ok(set_deadlines(step, args)),
        WorkCommand::Reservations { .. } | WorkCommand::DeadlinesShow => {
            Err(Report::internal("the command only reads"))
        }
    }
}

/// Reads for one command: from memory at once, from the store or a file as an errand.
pub(super) fn read(step: &mut Step<'_>, origin: Origin, command: &WorkCommand) -> Result<Done, Report> {
    match command {
        WorkCommand::Mail(command) => mail::read(step, origin, command),
        WorkCommand::Plan(PlanCommand::Diff { file }) => {
            let quest = Quest::Letter { reply: None, files: vec![path(step.state, file)], most: plans::FILE };
            go(step, origin, quest, Goal::PlanDiff);
            Ok(Done::Later)
        }
        WorkCommand::Issue(_) | WorkCommand::Plan(PlanCommand::Show)
            if step.state.forge.due(step.state.settings.forge, step.env.now) =>
        {
            let (kind, root) = (step.state.settings.forge, step.state.settings.project.root.clone());
            go(step, origin, Quest::Titles { kind, root }, Goal::Issues(Box::new(command.clone())));
            Ok(Done::Later)
        }
        other => report::work_document(step.state, step.env.now, origin.surface(), other).map(Done::Document),
    }
}

/// Where a file stands that somebody named: a shell says the whole path, in a window it is the repository's.
pub(super) fn path(state: &State, file: &str) -> std::path::PathBuf {
    state.settings.project.root.join(file)
}

/// Sends somebody to read something.
pub(super) fn go(step: &mut Step<'_>, origin: Origin, quest: Quest, goal: Goal) {
    step.now.push(Effect::Errand(Box::new(Errand { asker: origin.asker(), quest, goal })));
}

/// The window that a command came from.
pub(super) const fn window(origin: Origin) -> Option<WindowId> {
    match origin {
        Origin::Window(window) => Some(window),
        Origin::Request(..) => None,
    }
}

/// The lane that acts: the one that is named, or the one in focus.
pub(super) fn acting(step: &Step<'_>, origin: Origin, typed: Option<&str>) -> Result<LaneId, Report> {
    find::lane(step.state, window(origin), typed)
}

/// The lane that is named, or the person.
pub(super) fn party(step: &Step<'_>, origin: Origin, typed: Option<&str>) -> Result<Party, Report> {
    match typed {
        None | Some(Party::OPERATOR) => Ok(Party::Operator),
        typed => acting(step, origin, typed).map(Party::Lane),
    }
}

/// Whose key it is: that of the lane that is named, or the person's.
fn party_of(step: &Step<'_>, origin: Origin, command: &WorkCommand) -> Result<Party, Report> {
    let lane = match command {
        WorkCommand::Issue(command) => issues::lane_of(command),
        WorkCommand::Mail(command) => mail::lane_of(command),
        WorkCommand::Reserve(args) => args.lane.as_deref(),
        WorkCommand::Release { lane, .. } | WorkCommand::Reservations { lane } => lane.as_deref(),
        WorkCommand::Report(args) => args.lane.as_deref(),
        WorkCommand::Plan(_) | WorkCommand::DeadlinesShow | WorkCommand::DeadlinesSet(_) => None,
    };
    party(step, origin, lane)
}

/// The first answer, if something was done under the key already.
///
/// # Errors
/// When something else was done under it.
fn replay(step: &mut Step<'_>, origin: Origin, keying: &Keying) -> Result<Option<Done>, Report> {
    let shared = &step.state.model.shared;
    let Some(first) = shared.keys.get(keying.party, &keying.key) else { return Ok(None) };
    if first.digest != keying.digest {
        return Err(Report::refused(format!("the key `{}` was used for something else: {}", keying.key, first.words))
            .hint("use a new key for a new command"));
    }
    let mut json = first.json.clone();
    json["replayed"] = true.into();
    // What the first answer says may be over.
    if let Some(issue) = json["issue"].as_i64() {
        let owner = shared.owner(crate::domain::IssueId(issue)).map(|lane| step.state.model.name(lane));
        json["owner_now"] = owner.into();
    }
    let words = format!("{} (done already under this key)", first.words);
    // The first may not be kept yet.
    step.in_order = true;
    Ok(Some(done(origin, words, json)))
}

fn done(origin: Origin, words: String, json: serde_json::Value) -> Done {
    match origin {
        Origin::Window(_) => Done::Words(words),
        Origin::Request(..) => Done::Document(Document { title: "done".into(), json, text: words }),
    }
}

/// Keeps what was decided, with the key that it was decided under.
pub(super) fn decide(step: &mut Step<'_>, origin: Origin, decision: Decision, keying: Option<Keying>) -> Done {
    let Decision { changes, words, json } = decision;
    if changes.is_empty() {
        // It was so already; what made it so may not be kept yet.
        step.in_order = true;
    } else {
        step.activity(None, words.clone());
    }
    keep(step, changes);
    if let Some(Keying { party, key, digest }) = keying {
        let keyed = Keyed { party, key, digest, words: words.clone(), json: json.clone() };
        step.change(Change::Keyed { keyed: Box::new(keyed) });
    }
    done(origin, words, json)
}

/// Keeps changes, and sees to what they start: leases.
pub(super) fn keep(step: &mut Step<'_>, changes: Vec<Change>) {
    for change in changes {
        reservations::time(step, &change);
        step.change(change);
    }
}

/// The answer to an errand's command.
fn answer(step: &mut Step<'_>, origin: Origin, result: Result<Done, Report>) {
    match result {
        Ok(Done::Words(words)) => answer_later(step, Some(origin), Ok(words)),
        Ok(Done::Document(document)) => contexts::tell(step, origin.asker(), Ok(document)),
        Ok(Done::Quietly | Done::Later) => {}
        Err(report) => answer_later(step, Some(origin), Err(report)),
    }
}

/// What was to be read is there, or could not be read.
pub(super) fn found(step: &mut Step<'_>, errand: Errand, finding: Result<Finding, Report>) {
    let Errand { asker, goal, .. } = errand;
    let origin = Origin::of(asker);
    let result = finding.and_then(|finding| settle(step, origin, goal, finding));
    answer(step, origin, result);
}

fn settle(step: &mut Step<'_>, origin: Origin, goal: Goal, finding: Finding) -> Result<Done, Report> {
    // Another command with the same key may have been quicker.
    if let Goal::Say(_, Some(keying))
    | Goal::PlanApply(Some(keying))
    | Goal::Issue(_, Some(keying))
    | Goal::Ack(_, _, Some(keying)) = &goal
        && let Some(first) = replay(step, origin, keying)?
    {
        return Ok(first);
    }
    match (goal, finding) {
        (Goal::PlanApply(keying), Finding::Letter(_, files)) => {
            let (file, text) = plan_text(files)?;
            let ledger = step.state.ledger(step.env.now);
            let decision = plans::apply(&ledger, plans::read(&file, &text)?)?;
            Ok(decide(step, origin, decision, keying))
        }
        (Goal::Issue(command, keying), Finding::Head(head)) => issues::settle(step, origin, command, head, keying),
        (Goal::Issues(command), Finding::Titles(titles)) => {
            step.state.forge.told(titles, step.env.now);
            report::work_document(step.state, step.env.now, origin.surface(), &command).map(Done::Document)
        }
        (Goal::Titles, Finding::Titles(titles)) => {
            step.state.forge.told(titles, step.env.now);
            Ok(Done::Quietly)
        }
        (Goal::PlanDiff, Finding::Letter(_, files)) => {
            let (file, text) = plan_text(files)?;
            let plan = plans::read(&file, &text)?;
            Ok(Done::Document(report::plan_diff(step.state, &plan)))
        }
        (Goal::Forecast { lane, words, json }, Finding::CoChanges(files)) => {
            let (words, json) = reservations::forecast(step, lane, words, json, &files);
            Ok(done(origin, words, json))
        }
        (goal, finding) => mail::settle(step, origin, goal, finding),
    }
}

fn plan_text(files: Vec<(String, Vec<u8>)>) -> Result<(String, String), Report> {
    let (name, content) = files.into_iter().next().ok_or_else(|| Report::internal("the plan was not read"))?;
    let text = String::from_utf8(content)
        .map_err(|_| Report::refused(format!("{name}: it is no UTF-8 text")).hint("a plan is a TOML file"))?;
    Ok((name, text))
}

fn plan(step: &mut Step<'_>, origin: Origin, command: PlanCommand, keying: Option<Keying>) -> Result<Done, Report> {
    let PlanCommand::Apply { file } = command else { return Err(Report::internal("the command only reads")) };
    let quest = Quest::Letter { reply: None, files: vec![path(step.state, &file)], most: plans::FILE };
    go(step, origin, quest, Goal::PlanApply(keying));
    Ok(Done::Later)
}

fn reported(step: &mut Step<'_>, origin: Origin, args: ReportArgs, keying: Option<Keying>) -> Result<Done, Report> {
    let Some(state) = args.state else { return Err(Report::internal("the command only reads")) };
    let lane = acting(step, origin, args.lane.as_deref())?;
    let account = crate::coordination::reports::Account {
        state,
        issue: args.issue,
        summary: args.summary.unwrap_or_default(),
        evidence: args.evidence,
        remaining: args.remaining,
        until: args.until,
        commit: None,
    };
    let decision = crate::coordination::reports::report(&step.state.ledger(step.env.now), lane, account)?;
    Ok(decide(step, origin, decision, keying))
}

fn set_deadlines(step: &mut Step<'_>, args: DeadlinesArgs) -> Done {
    let old = step.state.model.shared.deadlines;
    let deadlines = Deadlines {
        claim: args.claim.unwrap_or(old.claim),
        offer: args.offer.unwrap_or(old.offer),
        request: args.request.unwrap_or(old.request),
        ack: args.ack.unwrap_or(old.ack),
        attempts: args.attempts.unwrap_or(old.attempts),
    };
    step.change(Change::DeadlinesSet { deadlines });
    Done::Words(format!("deadlines from now on: {}", report::deadline_words(&deadlines)))
}

/// After every message: messages for later that are due, prompts whose issue is released, what has become late.
pub(super) fn tend(step: &mut Step<'_>) {
    let changes = crate::coordination::mail::due(&step.state.ledger(step.env.now));
    keep(step, changes);
    release_prompts(step);
    look_up_titles(step);
    let held = !step.state.model.reservations.is_empty();
    if std::mem::replace(&mut step.state.watches_edits, held) != held {
        step.now.push(Effect::WatchEdits(held));
    }
    let due = step.state.next_late.is_some_and(|at| at <= step.env.now);
    if !step.shared_changed() && !due {
        return;
    }
    let now = step.env.now;
    let ledger = step.state.ledger(now);
    let (late, next) = (overdue(&ledger), next_late(&ledger));
    let sends = crate::coordination::mail::next_due(&ledger);
    step.state.next_late = next.into_iter().chain(sends).min();
    // `problems` lists what is late; that it has become so is told once.
    let known = std::mem::replace(&mut step.state.late, late.iter().map(|one| one.what).collect());
    for one in late.into_iter().filter(|one| !known.contains(&one.what)) {
        step.activity(one.lane, format!("late: {}", one.words));
    }
}

/// Whoever has the board open sees what the forge calls issues.
fn look_up_titles(step: &mut Step<'_>) {
    let (kind, now) = (step.state.settings.forge, step.env.now);
    let open = |window: &crate::app::window::WindowState| matches!(window.overlay, Some(Overlay::Board(_)));
    let looks = step.state.windows.iter().find(|(_, window)| open(window)).map(|(id, _)| *id);
    if let Some(window) = looks.filter(|_| step.state.forge.due(kind, now)) {
        step.state.forge.asked(now);
        let quest = Quest::Titles { kind, root: step.state.settings.project.root.clone() };
        go(step, Origin::Window(window), quest, Goal::Titles);
    }
}

/// Prompts that wait for an issue which nobody owns any more wait no longer.
fn release_prompts(step: &mut Step<'_>) {
    let shared = &step.state.model.shared;
    let free = |prompt: &&crate::domain::Prompt| {
        let issue = prompt.hold.and_then(crate::domain::Hold::issue);
        issue.is_some_and(|issue| shared.owner(issue).is_none())
    };
    let due: Vec<_> = step.state.model.prompts.values().filter(free).map(|prompt| prompt.id).collect();
    for prompt in due {
        step.change(Change::PromptHeld { prompt, hold: None });
    }
}
