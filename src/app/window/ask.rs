//! A dialog that asks for one text: a reason, changed arguments, a changed prompt.

use crate::base::one_line;
use crate::command::Invocation;
use crate::domain::{AnswerScope, Approval, ApprovalId, Key, KeyCode, Prompt, PromptId};

use super::{Draft, WindowAction, commands};

/// What the text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Why a call is denied.
    Deny(ApprovalId),
    /// The arguments that a call runs with instead.
    EditCall(ApprovalId),
    /// The answer to an agent's question.
    Answer(ApprovalId),
    /// The text of a prompt that has not begun.
    EditPrompt(PromptId),
}

/// The dialog.
#[derive(Debug)]
pub struct Ask {
    /// What the text is for.
    pub purpose: Purpose,
    /// The text.
    pub draft: Draft,
    /// Why the text cannot be taken as it stands.
    pub error: Option<String>,
    /// What is asked, line by line, where the text answers a question.
    pub question: Vec<String>,
}

impl Ask {
    /// Asks why a call is denied.
    #[must_use]
    pub fn deny(approval: ApprovalId) -> Self {
        Self { purpose: Purpose::Deny(approval), draft: Draft::default(), error: None, question: Vec::new() }
    }

    /// Asks for other arguments of a call.
    #[must_use]
    pub fn edit_call(approval: &Approval) -> Self {
        let text = serde_json::to_string_pretty(&approval.arguments).unwrap_or_default();
        Self { purpose: Purpose::EditCall(approval.id), draft: Draft::new(&text), error: None, question: Vec::new() }
    }

    /// The same again, where the tool does not take what was typed.
    #[must_use]
    pub(super) fn edit_again(approval: ApprovalId, typed: &serde_json::Value, why: &str) -> Self {
        let draft = Draft::new(&serde_json::to_string_pretty(typed).unwrap_or_default());
        let faults: Vec<&str> = why.lines().filter_map(|line| line.strip_prefix("- ")).collect();
        let error = Some(if faults.is_empty() { one_line(why) } else { one_line(&faults.join("; ")) });
        Self { purpose: Purpose::EditCall(approval), draft, error, question: Vec::new() }
    }

    /// Asks for the answer to an agent's question.
    #[must_use]
    pub fn answer(approval: &Approval) -> Self {
        let choices = approval.choices().enumerate().map(|(at, choice)| format!("  {}  {}", at + 1, one_line(choice)));
        let question = approval.action.lines().map(str::to_owned).chain(choices).collect();
        Self { purpose: Purpose::Answer(approval.id), draft: Draft::default(), error: None, question }
    }

    /// Asks for another text of a prompt.
    #[must_use]
    pub fn edit_prompt(prompt: &Prompt) -> Self {
        Self {
            purpose: Purpose::EditPrompt(prompt.id),
            draft: Draft::new(&prompt.text),
            error: None,
            question: Vec::new(),
        }
    }

    /// Its title.
    #[must_use]
    pub fn title(&self) -> String {
        match self.purpose {
            Purpose::Deny(id) => format!("deny {id}: why? (the model is told; may be empty)"),
            Purpose::EditCall(id) => format!("edit {id}: the call runs once with these arguments"),
            Purpose::Answer(id) if self.question.last().is_some_and(|line| line.starts_with("  ")) => {
                format!("answer {id}: a number, or your own words")
            }
            Purpose::Answer(id) => format!("answer {id}"),
            Purpose::EditPrompt(id) => format!("edit {id}"),
        }
    }

    /// What Enter does.
    #[must_use]
    pub const fn verb(&self) -> &'static str {
        match self.purpose {
            Purpose::Deny(_) => "deny",
            Purpose::EditCall(_) => "allow once",
            Purpose::Answer(_) => "answer",
            Purpose::EditPrompt(_) => "keep",
        }
    }

    /// A key while it is open; `None` closes it.
    pub(super) fn key(mut self, key: Key) -> (Option<Self>, Vec<WindowAction>) {
        match key.code {
            KeyCode::Esc => return (None, Vec::new()),
            KeyCode::Enter if key == Key::plain(KeyCode::Enter) => {
                return match self.action() {
                    Ok(action) => (None, vec![action]),
                    Err(error) => {
                        self.error = Some(error);
                        (Some(self), Vec::new())
                    }
                };
            }
            _ => {
                self.draft.key(key);
                self.error = None;
            }
        }
        (Some(self), Vec::new())
    }

    fn action(&self) -> Result<WindowAction, String> {
        let text = self.draft.text();
        match self.purpose {
            Purpose::Deny(id) => Ok(commands::deny(id, text.trim().to_owned())),
            Purpose::Answer(_) if text.trim().is_empty() => {
                Err("type an answer; Esc leaves the question open".to_owned())
            }
            Purpose::Answer(id) => Ok(commands::answer(id, text)),
            Purpose::EditPrompt(_) if text.trim().is_empty() => {
                Err("a prompt needs some text; Esc leaves it as it was".to_owned())
            }
            Purpose::EditPrompt(prompt) => Ok(commands::run(Invocation::QueueEdit { prompt, text })),
            Purpose::EditCall(approval) => match serde_json::from_str::<serde_json::Value>(&text) {
                Ok(edit @ serde_json::Value::Object(_)) => Ok(commands::run(Invocation::Approve {
                    approval,
                    scope: AnswerScope::Once,
                    edit: Some(edit),
                    answer: None,
                })),
                Ok(_) => Err("the arguments must be a JSON object: `{ … }`".to_owned()),
                Err(error) => Err(format!("this is not JSON: {error}")),
            },
        }
    }
}
