//! The one place where state changes.
//!
//! A message is handled by the file that its subject is named after; then [`settle`] brings everything that
//! follows into line: held prompts, parked calls, the scheduler, panes, waiting commands, timers. Text that only
//! streams by settles nothing.
//!
//! What a message decides is applied to the model at once and leaves as one commit. The store answers commits in
//! order. When one fails, nothing else is handled until all under way are answered: then comes one `CommitFailed` for
//! all that were not kept, with what is kept.

mod approval_history;
mod approvals;
mod budgets;
mod bulk;
mod checkpoints;
mod clipboard;
mod clis;
mod compact;
mod conflicts;
mod contexts;
mod doctor;
mod find;
mod history;
mod issues;
mod lanes;
mod mail;
mod mail_waits;
mod memory;
mod native;
mod new_lane;
mod older;
mod panes;
mod permits;
mod prompts;
mod queue;
mod recover;
mod reservations;
mod rewind;
mod rules;
mod run;
mod servers;
mod settings;
mod settle;
mod skills;
mod spending;
mod step;
mod turns;
mod waiters;
mod windows;
mod work;

pub(in crate::app) use mail_waits::MailWait;
pub use waiters::Waiter;

use super::{Asker, Client, Effect, Env, LaneOrder, Msg, NotKept, State, TurnMsg};
use crate::domain::BaseRef;
pub(in crate::app) use older::let_go;
pub(in crate::app) use run::Origin;
use step::Step;

/// Handles one message.
pub fn update(state: &mut State, msg: Msg, env: &Env) -> Vec<Effect> {
    state.today = spending::today(env);
    state.now = env.now;
    state.ready_policies();
    let mut step = Step::new(state, env);
    let streams = matches!(
        &msg,
        Msg::Turn(_, TurnMsg::Answer(_) | TurnMsg::Output(..) | TurnMsg::Phase(_)) | Msg::Coloured(_) | Msg::Older(..)
    );
    match msg {
        // What a closed lane's actor still had to say concerns nobody.
        Msg::Lane(lane, _) | Msg::Pane(lane, _) if !step.is_open(lane) => {}
        Msg::Came(client, answerer) => {
            step.state.answerers.insert(client, answerer);
        }
        Msg::Window(window, msg) => windows::handle(&mut step, window, msg),
        Msg::Request { id, invocation, json } => run::request(&mut step, id, invocation, json),
        Msg::RequestGone(id) => {
            step.state.waiting.remove(&id);
            step.state.mail_waits.remove(&id);
            step.state.answerers.remove(&Client::Request(id));
            native::gone(&mut step, id);
        }
        Msg::Hook(lane, id, call) => native::hook(&mut step, lane, id, *call),
        Msg::Lane(lane, msg) => lanes::handle(&mut step, lane, msg),
        Msg::Turn(lane, msg) => turns::handle(&mut step, lane, msg),
        Msg::Pane(lane, msg) => panes::handle(&mut step, lane, msg),
        Msg::Committed(then) => recover::committed(&mut step, then),
        Msg::CommitFailed { report, snapshot, then } => recover::commit_failed(&mut step, report, *snapshot, then),
        Msg::Started => recover::started(&mut step),
        Msg::TrustWanted => step.now.push(Effect::ReadConfig),
        Msg::RulesEdited(asker, result) => rules::edited(&mut step, asker, result),
        Msg::ClisEdited(asker, edit, file) => clis::edited(&mut step, asker, &edit, file),
        Msg::ConfigTouched => step.now.push(Effect::ReadConfig),
        Msg::Configured(new) => settings::configured(&mut step, *new),
        Msg::Walls { lacks, lines, door } => settings::walls_known(&mut step, lacks, lines, door),
        Msg::Trouble(report) => step.problem(None, report),
        Msg::StoreOpen => step.state.looking_through = false,
        Msg::Misconfigured(report) => settings::misconfigured(&mut step, report),
        Msg::Timer => timer(&mut step),
        Msg::Terminate => step.end("the workstation was asked to end"),
        Msg::Transcript(lane, entries) => lanes::transcript(&mut step, lane, entries),
        Msg::Older(lane, before, entries) => older::arrived(&mut step, lane, before, entries),
        Msg::Skills(order, found) => skills::found(&mut step, *order, found),
        Msg::Context(asker, lane, view) => contexts::found(&mut step, asker, lane, view),
        Msg::Doctor(asker, found) => doctor::found(&mut step, asker, &found),
        Msg::History(asker, query, found) => history::found(&mut step, asker, &query, found),
        Msg::Facts(asker, query, found) => memory::found(&mut step, asker, &query, found),
        Msg::LaneNeeds(asker, wanted, found) => run::lane_needs(&mut step, asker, *wanted, found),
        Msg::ApprovalHistory(asker, query, found) => approval_history::found(&mut step, asker, &query, found),
        Msg::UserFact(asker, done) => memory::settled(&mut step, asker, done),
        Msg::Errand(errand, found) => work::found(&mut step, *errand, found),
        Msg::Lapsed(reservation, lease) => reservations::lapsed(&mut step, reservation, lease),
        Msg::BaseEdited(files) => reservations::base_edited(&mut step, files),
        Msg::Coloured(colours) => step.state.memo.coloured(colours),
        Msg::Touched(lane, paths) => {
            if step.is_open(lane) {
                step.now.push(Effect::Lane(lane, LaneOrder::Look(paths)));
            }
        }
        Msg::BaseTouched => step.now.push(Effect::LookAtBase),
        Msg::BaseMoved(base) => base_moved(&mut step, base),
    }
    if streams {
        settle::wake(&mut step);
    } else {
        settle::settle(&mut step);
    }
    step.finish()
}

/// Brings a state that was read beside no workstation to what is true then, by the rule that the next start goes by:
/// nothing runs, and what was cut is told so. Nothing of it is kept. What a cut call comes to is settled by that start:
/// until then it is told as reserved.
pub fn as_stopped(state: &mut State, env: &Env) {
    state.today = spending::today(env);
    let ledger = state.model.ledger.clone();
    {
        let mut step = Step::new(state, env);
        recover::started(&mut step);
        recover::at_rest(&mut step);
        approvals::expire(&mut step);
    }
    state.model.ledger = ledger;
    // What it would do now, it does at its start.
    state.live.clear();
}

/// The base checkout stands elsewhere: every lane is compared with it anew.
fn base_moved(step: &mut Step<'_>, base: BaseRef) {
    if step.state.settings.project.base == base {
        return;
    }
    step.state.settings.project.base = base;
    let all: Vec<_> = step.state.model.open_lanes().map(|l| l.id).collect();
    step.now.extend(all.into_iter().map(|lane| Effect::Lane(lane, LaneOrder::Look(Vec::new()))));
}

/// A deadline has come: what could not be kept is told again.
fn timer(step: &mut Step<'_>) {
    if step.state.retry_at.is_none_or(|at| at > step.env.now) {
        return;
    }
    step.state.retry_at = None;
    for told in std::mem::take(&mut step.state.unsaved) {
        match told {
            // Told when the commit failed.
            NotKept::GiveBack(..) | NotKept::RefuseHeld(..) | NotKept::HoldAgain(..) => {}
            NotKept::Start => recover::started(step),
            NotKept::Turn(lane, msg) => turns::handle(step, lane, msg),
            NotKept::Pane(lane, msg) => panes::handle(step, lane, msg),
            NotKept::Lane(lane, msg) => lanes::handle(step, lane, msg),
            NotKept::Lapse(reservation, lease) => reservations::lapsed(step, reservation, lease),
        }
    }
}
