//! Commands: a slash line, a key and a shell command end here and do the same.

use jiff::SignedDuration;

use crate::app::report::{self, Document};
use crate::app::{Asker, Client, Effect, FactQuery, LaneWanted, RequestId, State, Waiter};
use crate::base::Report;
use crate::command::{Interval, Invocation, PromptTarget, Surface, When};
use crate::domain::{
    Answerer, Author, Budget, BudgetScope, Change, FactAsk, Hold, LaneId, LaneKind, PromptId, RuleText, WindowId,
};
use crate::protocol::{EndReason, Reply};

use super::step::Step;
use super::{
    approval_history, approvals, budgets, bulk, clis, compact, conflicts, contexts, find, history, lanes, memory,
    new_lane, prompts, queue, rewind, rules, servers, settings, skills, work,
};

/// Who gave a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum Origin {
    /// A window.
    Window(WindowId),
    /// A shell.
    Request(RequestId, Json),
}

impl Origin {
    /// The same as whoever does the work is told it.
    pub(super) const fn asker(self) -> Asker {
        match self {
            Self::Window(window) => Asker::Window(window),
            Self::Request(id, json) => Asker::Shell { id, json: matches!(json, Json::Yes) },
        }
    }

    /// How commands are typed there.
    pub(super) const fn surface(self) -> Surface {
        match self {
            Self::Window(_) => Surface::Window,
            Self::Request(..) => Surface::Shell,
        }
    }

    /// Who it is, for what is kept of answers.
    pub(super) fn answerer(self, state: &State) -> Answerer {
        let (client, words) = match self {
            Self::Window(id) => (Client::Window(id), format!("window {id}")),
            Self::Request(id, _) => (Client::Request(id), "a shell".to_owned()),
        };
        state.answerers.get(&client).cloned().unwrap_or_else(|| Answerer::unknown(words))
    }

    /// Whom to answer.
    pub(super) const fn of(asker: Asker) -> Self {
        match asker {
            Asker::Window(window) => Self::Window(window),
            Asker::Shell { id, json } => Self::Request(id, if json { Json::Yes } else { Json::No }),
        }
    }
}

/// Whether a shell wants JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum Json {
    Yes,
    No,
}

/// What came of a command.
pub(super) enum Done {
    /// It was done; a line says so.
    Words(String),
    /// It was done, and the screen shows it.
    Quietly,
    /// It only read.
    Document(Document),
    /// The answer comes later.
    Later,
}

/// A command from a shell: its reply goes out once everything it did is kept.
pub(super) fn request(step: &mut Step<'_>, id: RequestId, invocation: Invocation, json: bool) {
    let origin = Origin::Request(id, if json { Json::Yes } else { Json::No });
    let asked = invocation.clone();
    let done = run(step, origin, invocation);
    step.state.answerers.remove(&Client::Request(id));
    let reply = match done {
        Ok(Done::Words(words)) => {
            let document = Document { title: "done".into(), json: serde_json::json!({ "done": words }), text: words };
            Reply::done(report::render(&document, json))
        }
        Ok(Done::Quietly) => Reply::done(""),
        Ok(Done::Document(document)) => {
            Reply { status: report::status(&asked, &document), ..Reply::done(report::render(&document, json)) }
        }
        Ok(Done::Later) => return,
        Err(report) => Reply::failed(report),
    };
    step.then.push(Effect::Reply(id, reply));
}

/// Runs one command. A refused one changes nothing.
pub(super) fn run(step: &mut Step<'_>, origin: Origin, invocation: Invocation) -> Result<Done, Report> {
    let window = match origin {
        Origin::Window(id) => Some(id),
        Origin::Request(..) => None,
    };
    let lane = |step: &Step<'_>, typed: &Option<String>| find::lane(step.state, window, typed.as_deref());
    if let Invocation::Context { lane: typed, switch } = &invocation {
        let lane = lane(step, typed)?;
        return contexts::run(step, origin, lane, *switch);
    }
    let facts = match &invocation {
        Invocation::MemoryList { scope } => Some(FactQuery::All(*scope)),
        Invocation::MemorySearch { words } => Some(FactQuery::Fitting(words.clone())),
        _ => None,
    };
    if let Some(query) = facts {
        step.now.push(Effect::Facts(origin.asker(), query));
        return Ok(Done::Later);
    }
    if invocation == Invocation::Doctor {
        step.now.push(Effect::Doctor(origin.asker()));
        return Ok(Done::Later);
    }
    if let Invocation::History { of, kind, since, limit } = invocation {
        return history::ask(step, origin, window, of, (kind, since, limit));
    }
    if let Invocation::Skill { name, text, lane } = invocation {
        return skills::run(step, origin, lane, name, text);
    }
    if let Invocation::Work { command, key } = invocation {
        return if command.reads() {
            work::read(step, origin, &command)
        } else {
            work::run(step, origin, *command, key)
        };
    }
    if let Invocation::HistoryApprovals { lane: typed, last } = invocation {
        return approval_history::ask(step, origin, typed.as_deref(), last);
    }
    if invocation.reads() {
        let named = match &invocation {
            Invocation::LaneShow { lane: typed, .. } | Invocation::Rewind { lane: typed, .. } => {
                Some(lane(step, typed)?)
            }
            Invocation::ServersShow { lane: typed @ Some(_), .. } => Some(lane(step, typed)?),
            _ => None,
        };
        let read = report::Read { state: step.state, now: step.env.now, focused: named, surface: origin.surface() };
        return report::document(&read, &invocation).map(Done::Document);
    }
    match invocation {
        Invocation::LaneNew { name, kind, base, here, prompt, rules } => {
            let wanted = LaneWanted { name, kind, base, here, prompt, rules };
            if matches!(wanted.kind, LaneKind::Agent { .. }) && wanted.rules.is_none() {
                return make_lane(step, window, wanted, Vec::new());
            }
            if let Some(name) = &wanted.name {
                new_lane::check_name(step, name)?;
            }
            step.now.push(Effect::LaneNeeds(origin.asker(), Box::new(wanted)));
            Ok(Done::Later)
        }
        Invocation::LaneFocus { lane: typed } => {
            let id = find::lane(step.state, window, Some(&typed))?;
            focus(step, window, id)
        }
        Invocation::LaneRename { lane: typed, name } => {
            let id = find::lane(step.state, window, Some(&typed))?;
            lanes::rename(step, id, name).map(Done::Words)
        }
        Invocation::LanePause { lane: typed } => {
            lane(step, &typed).and_then(|l| lanes::pause(step, l)).map(Done::Words)
        }
        Invocation::LaneResume { lane: typed } => {
            lane(step, &typed).and_then(|l| lanes::resume(step, l)).map(Done::Words)
        }
        Invocation::LaneStop { lane: typed } => lane(step, &typed).and_then(|l| lanes::stop(step, l)).map(Done::Words),
        Invocation::LaneRestart { lane: typed, fresh } => {
            lane(step, &typed).and_then(|l| lanes::restart(step, l, fresh)).map(Done::Words)
        }
        Invocation::LaneClose { lane: typed, keep_branch } => {
            let id = lane(step, &typed)?;
            lanes::close(step, id, keep_branch, origin)?;
            Ok(Done::Later)
        }
        Invocation::LaneRestore { lane: typed } => {
            find::closed_lane(step.state, &typed).and_then(|l| lanes::restore(step, l)).map(Done::Words)
        }
        Invocation::LaneFork { lane: typed, name, at } => {
            let id = find::lane(step.state, window, Some(&typed))?;
            rewind::fork(step, id, name, at, origin)
        }
        Invocation::Compact { lane: typed, focus } => {
            let (id, focus) = compact_of(step, window, typed, focus)?;
            compact::ask(step, id, focus, origin)?;
            Ok(Done::Later)
        }
        Invocation::Rewind { lane: typed, number: Some(number), what } => {
            let id = lane(step, &typed)?;
            rewind::rewind(step, id, number, what, origin)?;
            Ok(Done::Later)
        }
        Invocation::Prompt {
            lane: typed,
            text,
            wait,
            timeout,
            fail_on_approval,
            priority,
            key,
            after,
            at,
            every,
            when_released,
        } => {
            let id = find::lane(step.state, window, Some(&typed))?;
            let hold =
                when_released.map(Hold::Released).map_or_else(|| hold(step, after, at, every), |h| Ok(Some(h)))?;
            let prompt = prompts::add(step, id, text, prompts::Options { priority, key, hold })?;
            match origin {
                Origin::Window(_) => Ok(Done::Quietly),
                Origin::Request(request, json) if wait => {
                    let until = timeout.and_then(|s| {
                        step.env.now.checked_add(SignedDuration::from_secs(i64::try_from(s).unwrap_or(i64::MAX))).ok()
                    });
                    let waiter = Waiter { prompt, json: json == Json::Yes, until, fail_on_approval };
                    step.state.waiting.insert(request, waiter);
                    Ok(Done::Later)
                }
                Origin::Request(..) => Ok(prompt_document(step, prompt)),
            }
        }
        Invocation::QueueEdit { prompt, text } => queue::edit(step, prompt, text).map(Done::Words),
        Invocation::QueueMove { prompt, to, lane: typed, priority } => {
            let lane = typed.map(|t| find::lane(step.state, window, Some(&t))).transpose()?;
            queue::place(step, prompt, to, lane, priority).map(Done::Words)
        }
        Invocation::QueueCancel { prompt } | Invocation::Cancel { target: PromptTarget::Prompt(prompt) } => {
            prompts::cancel(step, prompt).map(Done::Words)
        }
        Invocation::Cancel { target } => {
            let of = lane(step, &target.lane())?;
            cancel_running(step, of)
        }
        Invocation::Retry { target: PromptTarget::Prompt(prompt) } => prompts::retry(step, prompt).map(Done::Words),
        Invocation::Retry { target } => {
            let of = lane(step, &target.lane())?;
            prompts::retry_last(step, of).map(Done::Words)
        }
        Invocation::Broadcast { text } => broadcast(step, &text),
        Invocation::Bulk { select, deed, yes } => bulk::run(step, origin, &select, deed, yes),
        Invocation::Approve { approval, answer: Some(answer), .. } => {
            approvals::answer(step, origin.answerer(step.state), approval, &answer).map(Done::Words)
        }
        Invocation::Approve { approval, scope, edit, answer: None } => {
            approvals::approve(step, origin.answerer(step.state), approval, scope, edit).map(Done::Words)
        }
        Invocation::Deny { approval, reason } => {
            approvals::deny(step, origin.answerer(step.state), approval, reason).map(Done::Words)
        }
        Invocation::Override { conflict } => conflicts::override_once(step, conflict).map(Done::Words),
        Invocation::Wait { conflict } => conflicts::wait(step, conflict).map(Done::Words),
        Invocation::Mode { set: Some(mode), lane: typed } => {
            let lane = typed.map(|t| find::lane(step.state, window, Some(&t))).transpose()?;
            settings::set_mode(step, mode, lane).map(Done::Words)
        }
        Invocation::Model { set: Some(text), lane: typed } => {
            let lane = typed.map(|t| find::lane(step.state, window, Some(&t))).transpose()?;
            settings::set_model(step, &text, lane).map(Done::Words)
        }
        Invocation::Theme { set: Some(name) } => settings::set_theme(step, &name).map(Done::Words),
        Invocation::Find { text } => {
            if let Some(window) = window {
                let panes = step.state.model.open_lanes().filter(|l| matches!(l.kind, LaneKind::Pane { .. }));
                let panes = panes.map(|l| l.id).collect();
                step.now.push(Effect::PaneTexts { window, words: text.trim().to_owned(), panes });
            }
            Ok(Done::Quietly)
        }
        Invocation::Trust => settings::trust(step, origin),
        Invocation::PolicyAdd { effect, tool, matches, reason, two, project, lane: typed } => {
            let rule = RuleText { effect, tool, matches, reason, two };
            match typed {
                Some(typed) => {
                    let lane = find::lane(step.state, window, Some(&typed))?;
                    rules::add_to_lane(step, lane, rule).map(Done::Words)
                }
                None => rules::add(step, origin, rule, project),
            }
        }
        Invocation::ProviderAdd(new) => clis::add(step, origin, new),
        Invocation::ProviderShadow(new) => clis::shadow(step, origin, new),
        Invocation::ProviderRemove { name } => clis::remove(step, origin, name),
        Invocation::PolicyRemove { number, lane: typed } => {
            let lane = typed.map(|t| find::lane(step.state, window, Some(&t))).transpose()?;
            rules::remove(step, origin, number, lane)
        }
        Invocation::BudgetSet { limit, per, lane: typed, provider, warn, stop } => {
            let scope = match (typed, provider) {
                (Some(typed), _) => BudgetScope::Lane(find::lane(step.state, window, Some(&typed))?),
                (None, Some(provider)) => BudgetScope::Provider(provider),
                (None, None) => BudgetScope::Project,
            };
            budgets::set(step, Budget { scope, per, limit, warn, stop }).map(Done::Words)
        }
        Invocation::BudgetRemove { budget } => budgets::remove(step, budget).map(Done::Words),
        Invocation::Remember { scope, text } => {
            memory::change(step, origin, |text| FactAsk::Keep { scope, text, author: Author::Person }, Some(&text))
        }
        Invocation::MemoryEdit { fact, text } => {
            memory::change(step, origin, |text| FactAsk::Edit { id: fact, text }, Some(&text))
        }
        Invocation::MemoryForget { fact } => memory::change(step, origin, |_| FactAsk::Forget { id: fact }, None),
        Invocation::ServersRestart { server, lane: typed } => {
            let lane = typed.map(|t| find::lane(step.state, window, Some(&t))).transpose()?;
            servers::restart(step, &server, lane).map(Done::Words)
        }
        Invocation::Detach => detach(step, origin),
        Invocation::Quit | Invocation::Down => {
            step.end("the workstation ended; lanes, queues and transcripts are kept");
            Ok(Done::Words("the workstation ends".into()))
        }
        Invocation::Up => Ok(Done::Words("the workstation runs".into())),
        Invocation::Demo | Invocation::Completion { .. } => {
            Err(Report::usage("this command runs in a shell, not in the window")
                .hint("leave the window with `/detach` first"))
        }
        _ => Err(Report::internal("the command has no action")),
    }
}

/// Which lane is to be compacted. In a window a first word that names no lane belongs to the focus.
fn compact_of(
    step: &Step<'_>,
    window: Option<WindowId>,
    typed: Option<String>,
    focus: Option<String>,
) -> Result<(LaneId, Option<String>), Report> {
    match (find::lane(step.state, window, typed.as_deref()), typed, window) {
        (Ok(lane), ..) => Ok((lane, focus)),
        (Err(_), Some(first), Some(_)) => {
            let lane = find::lane(step.state, window, None)?;
            Ok((lane, Some(focus.map_or_else(|| first.clone(), |rest| format!("{first} {rest}")))))
        }
        (Err(report), ..) => Err(report),
    }
}

/// What a new lane needs is there; or not, and then no lane is made.
pub(super) fn lane_needs(step: &mut Step<'_>, asker: Asker, wanted: LaneWanted, found: Result<Vec<RuleText>, Report>) {
    let origin = Origin::of(asker);
    let window = if let Origin::Window(window) = origin { Some(window) } else { None };
    match (origin, found.and_then(|rules| make_lane(step, window, wanted, rules))) {
        (Origin::Request(id, json), Ok(Done::Document(document))) => {
            let shown = report::render(&document, json == Json::Yes);
            step.then.push(Effect::Reply(id, Reply::done(shown)));
        }
        (origin, Err(report)) => answer_later(step, Some(origin), Err(report)),
        // The window shows it.
        (_, Ok(_)) => {}
    }
}

fn make_lane(
    step: &mut Step<'_>,
    window: Option<WindowId>,
    new: LaneWanted,
    own: Vec<RuleText>,
) -> Result<Done, Report> {
    rules::check_own(&own)?;
    let id = new_lane::make(step, new)?;
    if !own.is_empty() {
        step.change(Change::LaneRulesSet { lane: id, rules: own });
    }
    let shown = window.or(step.state.last_window).and_then(|w| step.state.windows.get_mut(&w));
    // What somebody types in a window must not end in a lane that a shell has made meanwhile.
    if let Some(shown) = shown.filter(|shown| window.is_some() || !shown.at_work()) {
        shown.focus_on(id);
    }
    if window.is_some() {
        return Ok(Done::Quietly);
    }
    let read = report::Read { state: step.state, now: step.env.now, focused: Some(id), surface: Surface::Shell };
    report::document(&read, &Invocation::LaneShow { lane: None, why: false }).map(Done::Document)
}

fn focus(step: &mut Step<'_>, window: Option<WindowId>, id: LaneId) -> Result<Done, Report> {
    let window = window.or(step.state.last_window).and_then(|w| step.state.windows.get_mut(&w));
    let window = window.ok_or_else(|| Report::refused("no window is attached").hint("`paralane` attaches one"))?;
    window.focus_on(id);
    super::windows::looked(step, id);
    Ok(Done::Quietly)
}

/// What a new prompt waits for, if anything.
fn hold(
    step: &Step<'_>,
    after: Option<PromptId>,
    at: Option<When>,
    every: Option<Interval>,
) -> Result<Option<Hold>, Report> {
    if after.is_some() && (at.is_some() || every.is_some()) {
        return Err(Report::usage("`--after` goes with neither `--at` nor `--every`").hint("give one of them"));
    }
    let now = jiff::ZonedDateTime::new(step.env.now, step.env.zone.clone());
    let at = at.map(|when| when.resolve(&now));
    Ok(match every {
        Some(Interval(seconds)) => Some(Hold::Every { next: at.unwrap_or(step.env.now), seconds, last: None }),
        None => after.map(Hold::After).or_else(|| at.map(Hold::At)),
    })
}

fn detach(step: &mut Step<'_>, origin: Origin) -> Result<Done, Report> {
    match origin {
        Origin::Window(id) => {
            let words = "detached; everything runs on. `paralane` attaches again".to_owned();
            step.now.push(Effect::EndWindow(id, EndReason::Detached, words));
            Ok(Done::Quietly)
        }
        Origin::Request(..) => {
            let Some(id) = step.state.last_window else { return Err(Report::refused("no window is attached")) };
            step.now.push(Effect::EndWindow(id, EndReason::Detached, "detached by a command".into()));
            Ok(Done::Words("the window used last is detached".into()))
        }
    }
}

fn prompt_document(step: &Step<'_>, id: PromptId) -> Done {
    match step.state.model.prompts.get(&id) {
        Some(prompt) => Done::Document(report::prompt_document(&step.state.model, prompt)),
        None => Done::Quietly,
    }
}

/// The answer to a close that git has looked at.
pub(super) fn answer_close(step: &mut Step<'_>, lane: LaneId, result: Result<String, Report>) {
    let origin = step.state.closing.remove(&lane);
    answer_later(step, origin, result);
}

/// The answer to what took a while.
pub(super) fn answer_later(step: &mut Step<'_>, origin: Option<Origin>, result: Result<String, Report>) {
    match origin {
        Some(Origin::Window(window)) => {
            let report = result.map_or_else(|r| r, Report::done);
            step.toast(window, report);
        }
        Some(Origin::Request(id, json)) => {
            let reply = match result {
                Ok(words) if json == Json::Yes => Reply::done(format!("{}\n", serde_json::json!({ "done": words }))),
                Ok(words) => Reply::done(format!("{words}\n")),
                Err(report) => Reply::failed(report),
            };
            step.then.push(Effect::Reply(id, reply));
        }
        None => {}
    }
}

fn cancel_running(step: &mut Step<'_>, lane: LaneId) -> Result<Done, Report> {
    let name = step.state.model.name(lane);
    if compact::cancel(step, lane) {
        return Ok(Done::Words(format!("the compaction of {name} is cancelled")));
    }
    let running = step
        .state
        .model
        .queue(lane)
        .into_iter()
        .find(|p| p.state.active() || p.state == crate::domain::PromptState::Paused);
    let Some(id) = running.map(|p| p.id) else {
        return Err(Report::refused(format!("nothing runs in lane `{name}`"))
            .hint("`queue cancel ID` takes a waiting prompt out"));
    };
    prompts::cancel(step, id).map(Done::Words)
}

fn broadcast(step: &mut Step<'_>, text: &str) -> Result<Done, Report> {
    prompts::check_text(text)?;
    let open = step.state.model.open_lanes().map(|l| l.id);
    let all: Vec<LaneId> = open.filter(|lane| !lanes::closing(step.state, *lane)).collect();
    // To all or to none.
    for lane in &all {
        prompts::check_room(step, *lane)?;
    }
    if all.is_empty() {
        return Err(Report::refused("there is no lane to send to").hint("`/lane new NAME` makes one"));
    }
    let count = all.len();
    for lane in all {
        prompts::add(step, lane, text.to_owned(), prompts::Options::default())?;
    }
    Ok(Done::Words(format!("sent to {count} lanes")))
}
