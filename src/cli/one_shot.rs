//! One-shot commands: on the running workstation, from the store when none runs, or after starting one.

use std::io::{IsTerminal, Write};

use jiff::Timestamp;

use super::client::{self, Wait};
use super::process::Birth;
use super::site::Site;
use super::{environment, start};
use crate::app::{Effect, Env, FactQuery, Model, Msg, ProjectInfo, RequestId, State, as_stopped, update};
use crate::base::{Report, zone};
use crate::command::{Globals, Invocation, MailCommand, WorkCommand};
use crate::domain::Snapshot;
use crate::git::BaseHistory;
use crate::protocol::Reply;
use crate::store::Store;
use crate::workstation::lock::Identity;
use crate::workstation::{approval_history, configuration, contexts, doctor, errands, memories, skills};

/// Runs a command and gives its reply.
///
/// # Errors
/// When it cannot be asked for at all.
pub(super) fn run(
    site: &Site,
    globals: &Globals,
    invocation: &Invocation,
    arguments: Vec<String>,
) -> Result<Reply, Report> {
    restart_stranger(site)?;
    ask(site, globals, invocation, arguments)
}

/// The same, where it is known that a running workstation is of this version.
///
/// # Errors
/// As [`run`].
pub(super) fn ask(
    site: &Site,
    globals: &Globals,
    invocation: &Invocation,
    arguments: Vec<String>,
) -> Result<Reply, Report> {
    if *invocation == Invocation::Doctor {
        // Also of a workstation that hangs, and of this very terminal.
        return from_store(site, globals, invocation);
    }
    match client::connect(site.place.socket())? {
        Some(stream) => client::command(stream, arguments, environment::of(site), wait(invocation)),
        None if invocation.reads() => from_store(site, globals, invocation),
        None => {
            let (link, environment) = (start::reach(site, Birth::Anew)?, environment::of(site));
            client::command(link.stream(site, |_| Ok(()))?, arguments, environment, wait(invocation))
        }
    }
}

/// `up`: starts the workstation without a window.
///
/// # Errors
/// When it cannot be started.
pub(super) fn up(site: &Site) -> Result<Reply, Report> {
    restart_stranger(site)?;
    drop(start::reach(site, Birth::Anew)?.stream(site, |_| Ok(()))?);
    let process = site.running()?.map_or_else(String::new, |identity| format!(" (process {})", identity.pid));
    Ok(Reply::done(format!("the workstation of `{}` runs{process}", site.place.name())))
}

/// `down`: ends the workstation in order and waits until it is gone. None running is fine: that is what was wanted.
///
/// # Errors
/// When it does not end.
pub(super) fn down(site: &Site) -> Result<Reply, Report> {
    let Some(identity) = site.running()? else {
        return Ok(Reply::done(format!("no workstation runs for `{}`", site.place.name())));
    };
    // The signal works whatever protocol it speaks, and is the same order as the command.
    start::stop(site, &identity)?;
    Ok(Reply::done(format!("the workstation of `{}` has ended; its lanes and queues are kept", site.place.name())))
}

/// Ends a workstation that speaks another protocol, if the person at the terminal agrees.
///
/// # Errors
/// When it stays: both versions and the way out.
pub(super) fn restart_stranger(site: &Site) -> Result<(), Report> {
    let Some(identity) = site.stranger()? else { return Ok(()) };
    let report = Report::refused(format!(
        "the running workstation is version {}, and this program is version {}: they do not understand each other",
        identity.version,
        env!("CARGO_PKG_VERSION")
    ));
    if agreed(&report, &identity) {
        return start::stop(site, &identity);
    }
    Err(report.hint("end it with `paralane down`, then start again; its lanes and queues are kept"))
}

fn agreed(report: &Report, identity: &Identity) -> bool {
    let (input, mut error) = (std::io::stdin(), std::io::stderr());
    if !input.is_terminal() || !error.is_terminal() {
        return false;
    }
    super::output::note(&report.message);
    // A question that cannot be shown is not answered.
    let asked = write!(error, "restart it (process {})? its sessions are ended and resumed [y/N] ", identity.pid);
    let mut answer = String::new();
    asked.is_ok()
        && error.flush().is_ok()
        && input.read_line(&mut answer).is_ok()
        && matches!(answer.trim(), "y" | "Y" | "yes")
}

/// Answers a reading command from the store, by the same rules as a running workstation: the command is handled
/// by a state of what is kept, and of all that would follow only the reply is taken.
fn from_store(site: &Site, globals: &Globals, invocation: &Invocation) -> Result<Reply, Report> {
    let snapshot = match Store::read(&site.place.store()) {
        // That is what it is there to tell.
        Err(_) if *invocation == Invocation::Doctor => Snapshot::default(),
        read => read.map_err(|error| Report::refused(error.to_string()))?,
    };
    let model = Model::from_snapshot(snapshot);
    let project = ProjectInfo {
        name: site.place.name().to_owned(),
        root: site.project.root().to_owned(),
        base: site.base.clone(),
    };
    // Only these tell of walls, and looking at what the machine has takes a process.
    let walls = matches!(invocation, Invocation::Doctor | Invocation::Problems | Invocation::Metrics { .. });
    let read = if walls { configuration::read } else { configuration::read_files };
    let read = read(&site.home, &project, &model.trusted)?;
    let asked = Msg::Request { id: RequestId(0), invocation: invocation.clone(), json: globals.json };
    let env = Env { now: Timestamp::now(), zone: zone::local(), fits: crate::agent::fits };
    let mut state = State::new(model, read.settings);
    as_stopped(&mut state, &env);
    let mut effects = update(&mut state, asked, &env);
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::Context(ask) => Some((**ask).clone()),
        _ => None,
    });
    if let Some(mut ask) = asked {
        // No snapshot that is only read has transcripts.
        ask.entries = Store::conversation(&site.place.store(), ask.lane, Model::ENTRIES)
            .map_err(|error| Report::refused(error.to_string()))?;
        let query = FactQuery::Fitting(memories::prompt_of(&ask.entries, ask.prompt).to_owned());
        let recall = memories::look(&site.place.store(), &site.home.user_memory(), &query);
        let provider = ask.provider.as_ref().and_then(|name| read.access.get(name)).map(|access| &access.settings);
        let view = contexts::look(&ask, recall, provider);
        effects = update(&mut state, Msg::Context(ask.asker, ask.lane, view), &env);
    }
    let asker = effects.iter().find_map(|effect| match effect {
        Effect::Doctor(asker) => Some(*asker),
        _ => None,
    });
    if let Some(asker) = asker {
        let found = doctor::look(&site.home, &site.place, site.project.root(), state.settings.forge);
        effects = update(&mut state, Msg::Doctor(asker, found), &env);
    }
    let history = effects.iter().find_map(|effect| match effect {
        Effect::History(asker, query) => Some((*asker, query.clone())),
        _ => None,
    });
    if let Some((asker, query)) = history {
        let found = Store::history(&site.place.store(), &query).map_err(|error| Report::refused(error.to_string()))?;
        effects = update(&mut state, Msg::History(asker, query, Ok(found)), &env);
    }
    let approvals = effects.iter().find_map(|effect| match effect {
        Effect::ApprovalHistory(asker, query) => Some((*asker, *query)),
        _ => None,
    });
    if let Some((asker, query)) = approvals {
        let found = approval_history::look(&site.place.store(), query);
        effects = update(&mut state, Msg::ApprovalHistory(asker, query, found), &env);
    }
    let facts = effects.iter().find_map(|effect| match effect {
        Effect::Facts(asker, query) => Some((*asker, query.clone())),
        _ => None,
    });
    if let Some((asker, query)) = facts {
        let found = memories::look(&site.place.store(), &site.home.user_memory(), &query);
        effects = update(&mut state, Msg::Facts(asker, query, Ok(found)), &env);
    }
    let errand = effects.iter().find_map(|effect| match effect {
        Effect::Errand(errand) => Some(errand.clone()),
        _ => None,
    });
    if let Some(errand) = errand {
        let history = BaseHistory::new(site.project.root().to_owned());
        let found = errands::look(&site.place.store(), &history, &errand.quest);
        effects = update(&mut state, Msg::Errand(errand, found), &env);
    }
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::Skills(order) => Some(order.clone()),
        _ => None,
    });
    if let Some(order) = asked {
        let found = skills::look(&order.ask);
        effects = update(&mut state, Msg::Skills(order, found), &env);
    }
    reply_in(effects).ok_or_else(|| Report::internal("the command gave no answer"))
}

fn reply_in(effects: Vec<Effect>) -> Option<Reply> {
    effects.into_iter().find_map(|effect| match effect {
        Effect::Reply(_, reply) => Some(reply),
        Effect::Commit { then, .. } => reply_in(then),
        _ => None,
    })
}

fn wait(invocation: &Invocation) -> Wait {
    match invocation {
        Invocation::Prompt { wait: true, .. } => Wait::Open,
        Invocation::Work { command, .. } => match **command {
            WorkCommand::Mail(MailCommand::Wait { .. }) => Wait::Open,
            _ => Wait::Short,
        },
        _ => Wait::Short,
    }
}
