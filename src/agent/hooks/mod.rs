//! Hooks: programs of the person that look at what an own agent does, and may stop it or tell it something.
//!
//! A hook gets one JSON object on its standard input (`facts` beside what every event has) and answers with one
//! (`answer`); `process` runs it, `files` finds out what of the repository it runs. What it says never loosens
//! anything: rules and person judge a call whatever hooks say of it. A hook that fails, or whose files are not trusted
//! as they stand, stops what it guards; at the other events that is only said.

mod answer;
mod files;
mod process;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

pub use files::{HookCommand, HookFile, hook_command, hook_file_mark};

use answer::Answer;
use process::{NoAnswer, Start};

use crate::agent::tools::walls;
use crate::base::HeadTail;
use crate::config::Hook;
use crate::domain::{HookEvent, HookTrust, NoticeLevel, PromptId, Sandbox, Tenant, ToolCall, ToolOutcome};

/// Hooks of one lane that run at once.
const AT_ONCE: usize = 4;
/// Bytes of a result that a hook is told.
const OUTPUT_CAP: usize = 32 * 1024;
/// Bytes that the hooks of one event may tell the model together.
const INJECT_CAP: usize = 32 * 1024;
/// How often hooks may keep a turn from ending.
pub(super) const STOPS: u32 = 3;

/// The hooks of a lane.
#[derive(Clone)]
pub struct LaneHooks {
    /// In the order in which they run.
    pub hooks: Vec<Hook>,
    /// The lane's name.
    pub lane: String,
    /// The base checkout's root.
    pub project: PathBuf,
    /// What holds those that the configuration has confined, and ends all with what they started.
    pub sandbox: Option<Arc<dyn Sandbox>>,
    /// Whether files of the repository are trusted.
    pub trust: Arc<dyn HookTrust>,
}

/// What hooks are run with.
pub struct Hooks {
    of: LaneHooks,
    worktree: PathBuf,
    environment: Vec<(String, String)>,
    secret: Option<String>,
    prompt: Option<PromptId>,
    slots: Semaphore,
}

/// Words of a hook, and which one it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookWords {
    /// The hook, and where it stands.
    pub by: String,
    /// What it says.
    pub text: String,
}

/// What the hooks of one event say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HookReply {
    /// Why it does not go on. No hook after this one was asked.
    pub block: Option<HookWords>,
    /// For the person.
    pub warnings: Vec<HookWords>,
    /// Of hooks that failed where that stops nothing.
    pub failures: Vec<HookWords>,
    /// For the model.
    pub inject: Vec<HookWords>,
    /// The turn was cancelled meanwhile; nothing else is meant then.
    pub cancelled: bool,
}

impl HookReply {
    /// What is said in the transcript.
    #[must_use]
    pub fn notices(&self, event: HookEvent) -> Vec<(NoticeLevel, String)> {
        let line = |words: &HookWords, does: &str| format!("{} at {}{does}: {}", words.by, event.word(), words.text);
        let (blocks, tells) = match event {
            // Nothing is left that could be kept back, or nobody to be told.
            HookEvent::SessionStart => (" objects", " tells the model"),
            HookEvent::SessionEnd => (" objects", " says"),
            HookEvent::Stop => (" blocks", " says"),
            _ => (" blocks", " tells the model"),
        };
        let of = |all: &[HookWords], level, does: &str| -> Vec<_> {
            all.iter().map(|words| (level, line(words, does))).collect()
        };
        let mut notices = of(&self.failures, NoticeLevel::Warning, " failed");
        notices.extend(of(&self.warnings, NoticeLevel::Warning, ""));
        notices.extend(of(&self.inject, NoticeLevel::Info, tells));
        notices.extend(of(self.block.as_slice(), NoticeLevel::Warning, blocks));
        notices
    }

    /// What the model is told with a call's result.
    pub(super) fn for_result(&self, event: HookEvent) -> String {
        let told: Vec<String> = self.inject.iter().map(|words| told(event, &words.by, &words.text)).collect();
        if told.is_empty() { String::new() } else { format!("\n\n{}", told.join("\n\n")) }
    }
}

/// A hook's words as the model is told them.
pub(super) fn told(event: HookEvent, by: &str, text: &str) -> String {
    let does = match event {
        HookEvent::Stop => "does not let you stop yet",
        _ => "says",
    };
    format!("[{by}, a program that the person has set up to run at `{}`, {does}]\n{text}", event.word())
}

impl Hooks {
    /// Hooks as they run in a lane's worktree.
    #[must_use]
    pub fn new(
        of: LaneHooks,
        worktree: PathBuf,
        environment: Vec<(String, String)>,
        secret: Option<String>,
        prompt: Option<PromptId>,
    ) -> Self {
        Self { of, worktree, environment, secret, prompt, slots: Semaphore::new(AT_ONCE) }
    }

    /// Whether any hook is for this.
    #[must_use]
    pub fn any(&self, event: HookEvent, tool: Option<&str>) -> bool {
        self.at(event, tool).next().is_some()
    }

    fn at<'a>(&'a self, event: HookEvent, tool: Option<&'a str>) -> impl Iterator<Item = &'a Hook> {
        self.of.hooks.iter().filter(move |hook| {
            hook.event == event
                && hook.lane.as_ref().is_none_or(|lane| *lane == self.of.lane)
                && tool.is_none_or(|tool| hook.tools.is_empty() || hook.tools.iter().any(|of| fits(of, tool)))
        })
    }

    /// A session begins.
    pub async fn session_start(&self, stop: &CancellationToken) -> HookReply {
        self.ask(HookEvent::SessionStart, None, Map::new(), stop).await
    }

    /// A session is over. `limit` is the most that a hook gets.
    pub async fn session_end(&self, reason: &str, limit: Duration, stop: &CancellationToken) -> HookReply {
        let facts = facts(json!({"reason": reason}));
        self.ask_within(HookEvent::SessionEnd, None, facts, limit, stop).await
    }

    /// A prompt begins.
    pub async fn prompt(&self, text: &str, stop: &CancellationToken) -> HookReply {
        self.ask(HookEvent::Prompt, None, facts(json!({"text": text})), stop).await
    }

    /// A call is asked for.
    pub(super) async fn before_tool(&self, call: &ToolCall, action: &str, stop: &CancellationToken) -> HookReply {
        self.ask(HookEvent::BeforeTool, Some(&call.tool), of_call(call, action), stop).await
    }

    /// A call has run.
    pub(super) async fn after_tool(
        &self,
        call: &ToolCall,
        action: &str,
        outcome: &ToolOutcome,
        stop: &CancellationToken,
    ) -> HookReply {
        let mut output = HeadTail::new(OUTPUT_CAP);
        output.push(outcome.output.as_bytes());
        let mut all = of_call(call, action);
        all.insert(
            "outcome".to_owned(),
            json!({
                "ok": outcome.ok,
                "summary": outcome.summary,
                "output": output.text(),
                "written": outcome.written,
            }),
        );
        self.ask(HookEvent::AfterTool, Some(&call.tool), all, stop).await
    }

    /// Older turns are about to be replaced by notes. `trigger` is `auto`, `manual` or `idle`, `tokens` what the
    /// conversation weighs. When it is blocked nothing is replaced; what is injected belongs into the notes' making.
    pub async fn before_compaction(&self, trigger: &str, tokens: u64, stop: &CancellationToken) -> HookReply {
        let facts = facts(json!({"trigger": trigger, "tokens": tokens}));
        self.ask(HookEvent::BeforeCompaction, None, facts, stop).await
    }

    /// The model has given its last answer. `again`: how often hooks have kept this turn from ending.
    pub async fn stop(&self, answer: &str, again: u32, stop: &CancellationToken) -> HookReply {
        self.ask(HookEvent::Stop, None, facts(json!({"answer": answer, "again": again})), stop).await
    }

    async fn ask(
        &self,
        event: HookEvent,
        tool: Option<&str>,
        facts: Map<String, Value>,
        stop: &CancellationToken,
    ) -> HookReply {
        self.ask_within(event, tool, facts, Duration::MAX, stop).await
    }

    async fn ask_within(
        &self,
        event: HookEvent,
        tool: Option<&str>,
        facts: Map<String, Value>,
        limit: Duration,
        stop: &CancellationToken,
    ) -> HookReply {
        let mut reply = HookReply::default();
        let mut room = INJECT_CAP;
        let mut input = self.common(event);
        input.extend(facts);
        let input = Value::Object(input).to_string().into_bytes();
        for hook in self.at(event, tool) {
            let words = |text| HookWords { by: hook.label(), text };
            match self.one(hook, &input, limit, stop).await {
                Err(NoAnswer::Cancelled) => return HookReply { cancelled: true, ..HookReply::default() },
                Err(NoAnswer::Failed(why)) if event.gates() => {
                    let text = format!("it {why}; what it guards does not go on without it");
                    reply.block = Some(words(text));
                }
                Err(NoAnswer::Failed(why)) => reply.failures.push(words(format!("it {why}"))),
                Ok(Answer { warning, block, inject }) => {
                    reply.warnings.extend(warning.map(words));
                    reply.block = block.map(words);
                    if let Some(text) = inject {
                        if text.len() <= room {
                            room -= text.len();
                            reply.inject.push(words(text));
                        } else {
                            reply.failures.push(words("what hooks tell the model is too long together".to_owned()));
                        }
                    }
                }
            }
            if reply.block.is_some() {
                break;
            }
        }
        reply
    }

    async fn one(
        &self,
        hook: &Hook,
        input: &[u8],
        limit: Duration,
        stop: &CancellationToken,
    ) -> Result<Answer, NoAnswer> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let Ok(_slot) = self.slots.acquire().await else { return Err(NoAnswer::Cancelled) };
        let command = self.trusted(hook).await?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let mark = format!("hook-{number}@{}", self.worktree.display());
        let start = Start {
            command: &command,
            directory: &self.worktree,
            environment: &self.environment,
            secret: self.secret.as_deref(),
            mark: &mark,
            input,
            limit: Duration::from_secs(hook.timeout).min(limit),
        };
        let walls = walls(self.of.sandbox.clone(), Tenant::program(hook.sandbox)).await;
        let walls = walls.map_err(|words| NoAnswer::Failed(format!("cannot be started: {words}")))?;
        let bytes = process::run(&start, walls, stop).await?;
        answer::parse(&bytes).map_err(NoAnswer::Failed)
    }

    /// The words to run, once every file of the repository among them is as the person trusted it.
    async fn trusted(&self, hook: &Hook) -> Result<Vec<String>, NoAnswer> {
        let (of, root, worktree) = (hook.clone(), self.of.project.clone(), self.worktree.clone());
        let look = move || {
            let command = hook_command(&of, &root)?;
            match files::only_in_lane(&of, &root, &worktree) {
                Some(word) => Err(format!("is not run: `{word}` is a file that only the lane has")),
                None => Ok(command),
            }
        };
        let looked = tokio::task::spawn_blocking(look).await;
        let command = looked.unwrap_or_else(|_| Err("could not be looked at".to_owned())).map_err(NoAnswer::Failed)?;
        if let Some(file) = command.files.iter().find(|file| !self.of.trust.trusts(&file.mark)) {
            self.of.trust.ask().await;
            let words = format!("is not run: `{}` is not trusted as it stands; `/trust` shows it and asks", file.path);
            return Err(NoAnswer::Failed(words));
        }
        Ok(command.words)
    }

    fn common(&self, event: HookEvent) -> Map<String, Value> {
        facts(json!({
            "version": 1,
            "event": event.word(),
            "lane": self.of.lane,
            "project": self.of.project.display().to_string(),
            "worktree": self.worktree.display().to_string(),
            "prompt": self.prompt.map(|prompt| prompt.to_string()),
        }))
    }
}

fn facts(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn of_call(call: &ToolCall, action: &str) -> Map<String, Value> {
    facts(json!({"call": call.id.0, "tool": call.tool, "action": action, "arguments": call.arguments}))
}

/// Whether a tool's name fits a pattern, in which `*` stands for any part.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}
