//! A turn that plays its prompt's text. `shell:WORDS` and `write:PATH` are calls, in this order; `hang:X` is a shell
//! call that never ends by itself; `remember:WORD` and `remember-user:WORD` propose a fact; `spend:TOKENS` is a model call that is counted; `told:WORDS` is a hook's word for the model; `fail` ends the turn with an error, anything else with an answer. A turn goes on
//! from its transcript as the real one does.

use paralane::app::{Msg, TurnMsg, TurnStart, TurnToken};
use paralane::domain::{
    CallId, CallRequest, EntryBody, FactScope, HookEvent, LaneId, PromptId, SpendAsk, SpendEnd, SpendId, ToolCall,
    ToolOutcome, TurnOutcome, TurnRecord, Usage, Verdict,
};
use serde_json::json;

#[derive(Debug, Clone)]
enum After {
    Ask(ToolCall),
    Work(ToolCall),
    Settle(SpendId, u64),
    Next,
    End(TurnOutcome),
}

#[derive(Debug, Clone)]
enum Phase {
    Ready(After),
    Recording(TurnToken, After),
    Asking(TurnToken, ToolCall),
    Reserving(TurnToken, u64),
    Working(ToolCall),
    /// Waits for a fact to be kept.
    Keeping(TurnToken, ToolCall),
    Over,
}

#[derive(Debug)]
pub struct Turn {
    pub prompt: PromptId,
    lane: LaneId,
    script: Vec<String>,
    /// Calls made so far, steps recorded so far.
    made: usize,
    steps: usize,
    phase: Phase,
    cancelled: bool,
}

/// What a step of a turn comes to.
pub enum Told {
    Nothing,
    Msg(Msg),
    /// A call has begun and may have had its effect.
    Ran(ToolCall),
}

fn outcome(ok: bool, output: &str) -> ToolOutcome {
    ToolOutcome { ok, output: output.into(), summary: output.into(), ..ToolOutcome::default() }
}

impl Turn {
    pub fn new(lane: LaneId, start: &TurnStart) -> Self {
        let own = || start.entries.iter().filter(|e| e.prompt == Some(start.prompt));
        let text = start.entries.iter().rev().find_map(|e| match &e.body {
            EntryBody::Prompt { text } => Some((e.prompt, text.clone())),
            _ => None,
        });
        let (said_by, text) = text.expect("a turn starts with its prompt");
        assert_eq!(said_by, Some(start.prompt), "the person's last words are those of the prompt");
        let script = text.split_whitespace().filter(|w| w.contains(':') || *w == "fail").map(str::to_owned).collect();
        let calls: Vec<ToolCall> = own()
            .filter_map(|e| match &e.body {
                EntryBody::Call { call, .. } => Some(call.clone()),
                _ => None,
            })
            .collect();
        let answered = |id: &CallId| own().any(|e| matches!(&e.body, EntryBody::Result { call, .. } if call == id));
        let open = calls.last().filter(|c| !answered(&c.id)).cloned();
        let steps = own().filter(|e| matches!(e.body, EntryBody::Answer { .. })).count();
        let last =
            start.entries.iter().rev().find(|e| !matches!(e.body, EntryBody::Notice { .. } | EntryBody::Notes(_)));
        let ended = matches!(last.map(|e| &e.body), Some(EntryBody::Answer { cut: false, .. }));
        let after = match open {
            Some(call) if start.interrupted.contains(&call.id) => After::Work(call),
            Some(call) => After::Ask(call),
            None if ended => After::End(TurnOutcome::Done { answer: "done".into() }),
            None => After::Next,
        };
        let mut turn = Self {
            prompt: start.prompt,
            lane,
            script,
            made: calls.len(),
            steps,
            phase: Phase::Ready(after.clone()),
            cancelled: false,
        };
        if let After::Work(call) = after {
            // It had begun when the last workstation died.
            turn.phase = Phase::Working(ToolCall { tool: "interrupted".into(), ..call });
        }
        turn
    }

    fn say(&self, msg: TurnMsg) -> Told {
        Told::Msg(Msg::Turn(self.lane, msg))
    }

    fn record(&mut self, token: TurnToken, record: TurnRecord, after: After) -> Told {
        self.phase = Phase::Recording(token, after);
        self.say(TurnMsg::Record(token, record))
    }

    fn finish(&mut self, token: TurnToken, call: CallId, outcome: ToolOutcome) -> Told {
        let after = if self.cancelled { After::End(TurnOutcome::Cancelled) } else { After::Next };
        self.record(token, TurnRecord::CallFinished { call, outcome }, after)
    }

    /// Goes on by one thing, if it does not wait.
    pub fn advance(&mut self, token: TurnToken) -> Told {
        match self.phase.clone() {
            Phase::Over | Phase::Recording(..) | Phase::Reserving(..) | Phase::Keeping(..) => Told::Nothing,
            Phase::Asking(_, call) if self.cancelled => self.finish(token, call.id, outcome(false, "not run")),
            Phase::Asking(..) => Told::Nothing,
            Phase::Working(call) if call.tool == "interrupted" => {
                self.finish(token, call.id, outcome(false, "interrupted"))
            }
            Phase::Working(call) if self.cancelled => self.finish(token, call.id, outcome(false, "killed")),
            Phase::Working(call) if call.arguments["command"].as_str().is_some_and(|c| c.starts_with("hang")) => {
                Told::Nothing
            }
            Phase::Working(call) => {
                let written = call.arguments["path"].as_str().map(str::to_owned).into_iter().collect();
                self.finish(token, call.id, ToolOutcome { written, ..outcome(true, "ok") })
            }
            Phase::Ready(After::End(outcome)) => {
                self.phase = Phase::Over;
                self.say(TurnMsg::Ended(self.prompt, outcome))
            }
            Phase::Ready(_) if self.cancelled => {
                self.phase = Phase::Over;
                self.say(TurnMsg::Ended(self.prompt, TurnOutcome::Cancelled))
            }
            Phase::Ready(After::Ask(call)) => {
                let action = call.arguments.as_object().and_then(|o| o.values().next()?.as_str()).unwrap_or_default();
                let writes = if call.tool == "write" { vec![action.to_owned()] } else { Vec::new() };
                let request = CallRequest {
                    action: action.to_owned(),
                    writes,
                    reads: Vec::new(),
                    diff: None,
                    directory: "/w".into(),
                    server: None,
                    schema: None,
                    call: call.clone(),
                };
                self.phase = Phase::Asking(token, call);
                self.say(TurnMsg::Permit(token, request))
            }
            Phase::Ready(After::Work(call)) => {
                self.phase = Phase::Working(call.clone());
                Told::Ran(call)
            }
            Phase::Ready(After::Settle(spend, input)) => {
                self.phase = Phase::Ready(After::Next);
                self.say(TurnMsg::Settle(spend, SpendEnd::Used(Usage { input, ..Usage::default() })))
            }
            Phase::Ready(After::Next) => self.next(token),
        }
    }

    fn next(&mut self, token: TurnToken) -> Told {
        self.steps += 1;
        let step = |calls| TurnRecord::Step {
            text: String::new(),
            cut: false,
            calls,
            usage: None,
            reasoning: paralane::domain::Reasoning::default(),
        };
        let Some(word) = self.script.get(self.made).cloned() else {
            let told = self.record(token, step(Vec::new()), After::End(TurnOutcome::Done { answer: "done".into() }));
            // Turns end with their last record; those that hooks are asked about end after it.
            return match told {
                Told::Msg(Msg::Turn(lane, TurnMsg::Record(token, record))) if self.prompt.0 % 4 != 1 => {
                    Told::Msg(Msg::Turn(lane, TurnMsg::Last(token, record, "done".into())))
                }
                told => told,
            };
        };
        let Some((tool, what)) = word.split_once(':') else {
            self.phase = Phase::Over;
            return self.say(TurnMsg::Ended(self.prompt, TurnOutcome::Failed { error: "it failed".into() }));
        };
        self.made += 1;
        if tool == "told" {
            // It is no answer, and calls are numbered by answers.
            self.steps -= 1;
            let (event, by, text) = (HookEvent::Stop, "hook".to_owned(), what.to_owned());
            return self.record(token, TurnRecord::Told { event, by, text }, After::Next);
        }
        if tool == "spend" {
            let tokens = what.parse().expect("a number");
            self.phase = Phase::Reserving(token, tokens);
            let ask = SpendAsk { provider: "local".into(), model: "m".into(), input: 2 * tokens, output: 0 };
            return self.say(TurnMsg::Reserve(token, ask));
        }
        let (tool, arguments) = match tool {
            "write" => ("write", json!({ "path": what })),
            "remember" => ("remember", json!({ "text": what })),
            "remember-user" => ("remember", json!({ "text": what, "scope": "user" })),
            "hang" => ("shell", json!({ "command": format!("hang {what}") })),
            _ => ("shell", json!({ "command": what })),
        };
        let id = CallId(format!("{}.{}.1", self.prompt, self.steps));
        let call = ToolCall { id, model_id: "m".into(), tool: tool.into(), arguments };
        self.record(token, step(vec![(call.clone(), what.to_owned())]), After::Ask(call))
    }

    /// Its record was kept, or not.
    pub fn recorded(&mut self, token: TurnToken, result: &Result<(), String>) -> bool {
        let Phase::Recording(waits, after) = self.phase.clone() else { return false };
        if waits != token {
            return false;
        }
        self.phase = Phase::Ready(match (result, after) {
            (Err(error), _) => After::End(TurnOutcome::Failed { error: error.clone() }),
            (Ok(()), after) => after,
        });
        true
    }

    /// Whether it has nothing left but to say that it is over.
    pub fn ends(&self) -> bool {
        matches!(self.phase, Phase::Ready(After::End(TurnOutcome::Done { .. })))
    }

    /// Its call may be made, or not.
    pub fn reserved(&mut self, token: TurnToken, result: &Result<SpendId, String>) -> bool {
        let Phase::Reserving(waits, tokens) = self.phase.clone() else { return false };
        if waits != token {
            return false;
        }
        self.phase = Phase::Ready(match result {
            Ok(spend) => After::Settle(*spend, tokens),
            Err(error) => After::End(TurnOutcome::Failed { error: error.clone() }),
        });
        true
    }

    /// The fact was kept, or not. What happens then.
    pub fn remembered(&mut self, token: TurnToken, result: &Result<String, String>, next: TurnToken) -> Option<Told> {
        let Phase::Keeping(waits, call) = self.phase.clone() else { return None };
        if waits != token {
            return None;
        }
        let words = result.clone().unwrap_or_else(|words| words);
        Some(self.finish(next, call.id, outcome(result.is_ok(), &words)))
    }

    /// Its question is answered. What then happens, if anything at once.
    pub fn permitted(&mut self, token: TurnToken, verdict: Verdict, next: TurnToken) -> Option<Told> {
        let Phase::Asking(waits, call) = self.phase.clone() else { return None };
        if waits != token || self.cancelled {
            return None;
        }
        Some(match verdict {
            Verdict::Deny { reason } => self.finish(next, call.id, outcome(false, &reason)),
            // Its start is not kept: to say the same again is harmless.
            Verdict::Run(run) if run.tool == "remember" => {
                self.phase = Phase::Keeping(next, call);
                let scope = if run.arguments.get("scope").is_some() { FactScope::User } else { FactScope::Project };
                let text = run.arguments["text"].as_str().unwrap_or("edited").to_owned();
                self.say(TurnMsg::Remember(next, scope, text))
            }
            Verdict::Run(run) => {
                assert_eq!(run.id, call.id);
                self.record(next, TurnRecord::CallStarted(call.id), After::Work(run))
            }
        })
    }

    pub fn cancel(&mut self) {
        self.cancelled = true;
    }
}
