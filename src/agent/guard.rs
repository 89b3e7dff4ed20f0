//! Where a turn meets its hooks: when it begins, around each call, and before it ends. What hooks say is kept in the
//! transcript before anything follows from it.

use super::hooks::{HookReply, HookWords, Hooks, told};
use super::machine::Event;
use super::tools::{self, LaneTools};
use super::transcript::{Rebuilt, push_user};
use super::turn::Shared;
use crate::base::lock;
use crate::domain::{
    Entry, EntryBody, HookEvent, NoticeLevel, PromptId, ToolCall, ToolOutcome, TurnOutcome, TurnPort, TurnRecord,
};
use tokio_util::sync::CancellationToken;

/// What cannot be kept is not acted upon.
fn unkept(error: &str) -> String {
    format!("what a hook said could not be stored: {error}")
}

/// Keeps what hooks said for the person.
async fn say(port: &dyn TurnPort, event: HookEvent, reply: &HookReply) -> Result<(), String> {
    for (level, text) in reply.notices(event) {
        port.record(TurnRecord::Notice { level, text }).await?;
    }
    Ok(())
}

/// Asks hooks before a prompt's turn begins, once: a turn that goes on is not asked about again.
///
/// # Errors
/// How the turn ends instead.
pub(super) async fn open(
    hooks: &Hooks,
    port: &dyn TurnPort,
    begin: &mut Rebuilt,
    (transcript, prompt): (&[Entry], PromptId),
    tools: &LaneTools,
    stop: &CancellationToken,
) -> Result<(), TurnOutcome> {
    if begin.steps > 0 || begin.open.is_some() || begin.answered.is_some() || begin.told {
        return Ok(());
    }
    // A session begins also where nobody looks on: its end is told to hooks that may come later.
    if tools.begin_session() && hooks.any(HookEvent::SessionStart, None) {
        port.phase("asking hooks");
        let reply = hooks.session_start(stop).await;
        heed(HookEvent::SessionStart, &reply, port, begin).await?;
    }
    if !hooks.any(HookEvent::Prompt, None) {
        return Ok(());
    }
    let text = transcript.iter().rev().find_map(|entry| match &entry.body {
        EntryBody::Prompt { text } if entry.prompt == Some(prompt) => Some(text.as_str()),
        _ => None,
    });
    port.phase("asking hooks");
    let reply = hooks.prompt(text.unwrap_or_default(), stop).await;
    heed(HookEvent::Prompt, &reply, port, begin).await?;
    match reply.block {
        Some(HookWords { by, text }) => {
            let error = format!("{by} blocks this prompt: {text}");
            // Later prompts of the lane must not bring it along.
            if let Err(fault) = port.record(TurnRecord::Withheld).await {
                return Err(TurnOutcome::Failed { error: format!("{error}; {}", unkept(&fault)) });
            }
            Err(TurnOutcome::Failed { error })
        }
        None => Ok(()),
    }
}

/// Keeps what hooks said at a turn's beginning, and tells the model.
async fn heed(
    event: HookEvent,
    reply: &HookReply,
    port: &dyn TurnPort,
    begin: &mut Rebuilt,
) -> Result<(), TurnOutcome> {
    if reply.cancelled {
        return Err(TurnOutcome::Cancelled);
    }
    let failed = |error: String| TurnOutcome::Failed { error: unkept(&error) };
    // What the model is told has an entry of its own, and why a prompt does not run is told by its end.
    let block = reply.block.clone().filter(|_| event != HookEvent::Prompt);
    let shown = HookReply { inject: Vec::new(), block, ..reply.clone() };
    say(port, event, &shown).await.map_err(failed)?;
    for HookWords { by, text } in &reply.inject {
        let record = TurnRecord::Told { event, by: by.clone(), text: text.clone() };
        port.record(record).await.map_err(failed)?;
        push_user(&mut begin.messages, &told(event, by, text));
    }
    Ok(())
}

/// Asks hooks about a call. What comes back is why it does not run.
pub(super) async fn before(shared: &Shared, call: &ToolCall, action: &str) -> Option<ToolOutcome> {
    if !shared.hooks.any(HookEvent::BeforeTool, Some(&call.tool)) {
        return None;
    }
    let reply = shared.hooks.before_tool(call, action, &shared.stop).await;
    if reply.cancelled {
        return Some(tools::failed("not run: the person cancelled the turn", "cancelled"));
    }
    if let Err(error) = say(&*shared.port, HookEvent::BeforeTool, &reply).await {
        return Some(tools::failed(&format!("not run: {}", unkept(&error)), "not run"));
    }
    let known = reply.for_result(HookEvent::BeforeTool);
    if !known.is_empty() {
        lock(&shared.hooked).insert(call.id.clone(), known);
    }
    reply.block.map(|HookWords { by, text }| {
        let words = format!("This call was blocked by {by} and did not run. Reason: {text}");
        tools::failed(&words, "blocked by a hook")
    })
}

/// Asks hooks about what came of a call.
pub(super) async fn after(shared: &Shared, call: &ToolCall, action: &str, outcome: &mut ToolOutcome) {
    if !shared.hooks.any(HookEvent::AfterTool, Some(&call.tool)) {
        return;
    }
    let reply = shared.hooks.after_tool(call, action, outcome, &shared.stop).await;
    if reply.cancelled {
        return;
    }
    outcome.output.push_str(&reply.for_result(HookEvent::AfterTool));
    if let Some(HookWords { by, text }) = &reply.block {
        outcome.ok = false;
        let words = format!("\n\n[{by} objects to this; what the call did stands. Reason: {text}]");
        outcome.output.push_str(&words);
        outcome.summary.push_str(if outcome.summary.is_empty() { "a hook objects" } else { " · a hook objects" });
    }
    if let Err(error) = say(&*shared.port, HookEvent::AfterTool, &reply).await {
        let words = format!("\n\n[{}]", unkept(&error));
        outcome.output.push_str(&words);
    }
}

/// Asks hooks whether the turn may end with this answer.
pub(super) async fn stop(shared: &Shared, answer: &str, again: u32) -> Event {
    let mut reply = shared.hooks.stop(answer, again, &shared.stop).await;
    // The turn is over: there is nobody to be told but the person. Why it goes on has an entry of its own.
    let block = reply.block.take();
    if !reply.cancelled && say(&*shared.port, HookEvent::Stop, &reply).await.is_err() {
        return Event::Stopping(None);
    }
    Event::Stopping(block)
}

/// Says once in a lane's session that the repository brings hooks that do not run.
pub(super) async fn say_unused(port: &dyn TurnPort, tools: &LaneTools, count: usize) {
    if count == 0 {
        return;
    }
    let are =
        if count == 1 { "hook of the project's configuration does" } else { "hooks of the project's configuration do" };
    let text = format!("{count} {are} not run: it is not trusted. `/trust` shows it in full and asks");
    if tools.first_time(&text) {
        // A store that takes nothing stops the turn at its own next record.
        let _ = port.record(TurnRecord::Notice { level: NoticeLevel::Warning, text }).await;
    }
}
