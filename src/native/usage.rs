//! What a native CLI has used, read from the record that it keeps of the conversation: only what was added since the last
//! look, and nothing but counts.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::domain::{Cli, Money, NativeUsage, Sum, Usage};

/// Bytes that one look takes in; the rest comes with the next.
const MOST: u64 = 8 * 1024 * 1024;

/// Counts one conversation after the other.
#[derive(Debug, Default)]
pub struct Meter {
    file: PathBuf,
    at: u64,
    /// A line whose end is not written yet.
    rest: Vec<u8>,
    seen: HashSet<String>,
    used: NativeUsage,
}

impl Meter {
    /// What was used in this conversation by now; none when nothing has been counted.
    pub fn look(&mut self, cli: Cli, file: &Path) -> Option<NativeUsage> {
        if self.file != file {
            *self = Self { file: file.to_owned(), ..Self::default() };
        }
        // A record that cannot be read now may be there later.
        let _unread = self.take_in(cli);
        (self.used != NativeUsage::default()).then_some(self.used)
    }

    fn take_in(&mut self, cli: Cli) -> std::io::Result<()> {
        let mut file = File::open(&self.file)?;
        if file.metadata()?.len() < self.at {
            // It was written anew.
            *self = Self { file: std::mem::take(&mut self.file), ..Self::default() };
        }
        file.seek(SeekFrom::Start(self.at))?;
        let mut bytes = std::mem::take(&mut self.rest);
        self.at += file.take(MOST).read_to_end(&mut bytes)? as u64;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        self.rest = bytes.split_off(whole);
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| counts(line)) {
            if let Ok(row) = serde_json::from_slice(line) {
                self.row(cli, &row);
            }
        }
        Ok(())
    }

    fn row(&mut self, cli: Cli, row: &Value) {
        match cli {
            Cli::Claude if row["type"] == "cost-state" => {
                // It stands for all calls before it, those of a conversation that was resumed too.
                if let Some(cost) = row["totalCostUSD"].as_f64().and_then(|cost| Money::of_number(cost).ok()) {
                    self.used.sum.cost = cost;
                    self.used.sum.unpriced = u64::from(row["hasUnknownModelCost"] == Value::Bool(true));
                }
            }
            Cli::Claude => {
                let message = &row["message"];
                // One answer stands in several rows, with the same counts.
                if message["usage"].is_object() && self.first(&message["id"]) {
                    let number = |name: &str| message["usage"][name].as_u64().unwrap_or_default();
                    let (read, written) = (number("cache_read_input_tokens"), number("cache_creation_input_tokens"));
                    let input = number("input_tokens") + read + written;
                    self.add(Usage {
                        input,
                        cached: read,
                        cache_write: written,
                        output: number("output_tokens"),
                        reasoning: 0,
                    });
                }
            }
            Cli::Codex => {
                let info = &row["payload"]["info"];
                let of = |kind: &str, name: &str| info[kind][name].as_u64().unwrap_or_default();
                if row["payload"]["type"] == "token_count" && info["total_token_usage"].is_object() {
                    let whole = |name| of("total_token_usage", name);
                    self.used.sum.calls += 1;
                    self.used.sum.unpriced += 1;
                    self.used.sum.usage = Usage {
                        input: whole("input_tokens"),
                        cached: whole("cached_input_tokens"),
                        cache_write: 0,
                        output: whole("output_tokens"),
                        reasoning: whole("reasoning_output_tokens"),
                    };
                    self.used.context = of("last_token_usage", "total_tokens");
                    self.used.window = info["model_context_window"].as_u64();
                }
            }
            Cli::Gemini => {
                let tokens = &row["tokens"];
                let number = |name: &str| tokens[name].as_u64().unwrap_or_default();
                if tokens.is_object() && self.first(&row["id"]) {
                    let (output, thoughts) = (number("output") + number("thoughts"), number("thoughts"));
                    let input = number("input") + number("tool");
                    self.add(Usage { input, cached: number("cached"), cache_write: 0, output, reasoning: thoughts });
                }
            }
            Cli::Copilot => {
                let usage = &row["data"]["usage"];
                let number = |name: &str| usage[name].as_u64().unwrap_or_default();
                if row["type"] == "session.usage_record" {
                    self.add(Usage {
                        input: number("inputTokens"),
                        cached: number("cacheReadTokens"),
                        cache_write: number("cacheWriteTokens"),
                        output: number("outputTokens"),
                        reasoning: 0,
                    });
                    self.used.window = usage["maxPromptTokens"].as_u64();
                }
            }
            Cli::Opencode | Cli::Amp => {}
        }
    }

    /// Whether it is the first with this id; without one, each counts.
    fn first(&mut self, id: &Value) -> bool {
        id.as_str().is_none_or(|id| self.seen.insert(id.to_owned()))
    }

    fn add(&mut self, usage: Usage) {
        let one = Sum { calls: 1, usage, unpriced: 1, ..Sum::default() };
        self.used.sum = self.used.sum.plus(&one);
        self.used.context = usage.total();
    }
}

/// Whether a line may have counts: most have none and are long.
fn counts(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line);
    ["\"usage\"", "\"token_count\"", "\"tokens\"", "\"cost-state\""].iter().any(|word| line.contains(word))
}

/// The counts that a hook's payload has of its own.
pub(super) fn told(usage: &Value) -> Option<NativeUsage> {
    let number = |name: &str| usage[name].as_u64().unwrap_or_default();
    let (input, cached, output) = (number("input") + number("cached"), number("cached"), number("output"));
    let usage_ = Usage { input, cached, cache_write: 0, output, reasoning: 0 };
    // No price stands for an unknown one.
    let cost = usage["cost"].as_f64().filter(|cost| *cost > 0.0).and_then(|cost| Money::of_number(cost).ok());
    let calls = number("calls").max(1);
    let unpriced = if cost.is_none() { calls } else { 0 };
    let sum = Sum { calls, usage: usage_, cost: cost.unwrap_or_default(), unpriced, ..Sum::default() };
    let used = NativeUsage { sum, context: number("context"), window: None };
    (usage.is_object() && usage_ != Usage::default()).then_some(used)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use serde_json::json;

    use super::*;

    fn counted(cli: Cli, rows: &[Value]) -> (u64, u64, u64, u64, Option<u64>) {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut meter = Meter::default();
        let mut last = None;
        for row in rows {
            // A row comes in two pieces; what is not a row counts for nothing.
            let text = format!("{row}\nno row\n");
            let (one, two) = text.split_at(text.len() / 3);
            for piece in [one, two] {
                file.as_file().write_all(piece.as_bytes()).unwrap();
                last = meter.look(cli, file.path());
            }
        }
        let used = last.unwrap();
        let usage = used.sum.usage;
        (usage.input, usage.cached, usage.output, used.context, used.window)
    }

    #[test]
    fn each_clis_record_is_counted_once() {
        let claude = json!({"type": "assistant", "message": {"id": "m1", "usage": {
            "input_tokens": 10, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 1, "output_tokens": 7}}});
        let mut second = claude.clone();
        second["message"]["id"] = "m2".into();
        assert_eq!(counted(Cli::Claude, &[claude.clone(), claude, second]), (32, 10, 14, 23, None));
        let codex = |total: u64| {
            json!({"type": "event_msg", "payload": {"type": "token_count", "info": {
                "total_token_usage": {"input_tokens": total, "cached_input_tokens": 2, "output_tokens": 3},
                "last_token_usage": {"total_tokens": 9}, "model_context_window": 1000}}})
        };
        assert_eq!(counted(Cli::Codex, &[codex(5), codex(8)]), (8, 2, 3, 9, Some(1000)));
        let gemini = json!({"id": "a", "type": "gemini", "tokens": {
            "input": 1200, "output": 40, "cached": 200, "thoughts": 2, "tool": 0, "total": 1242}});
        assert_eq!(counted(Cli::Gemini, &[gemini.clone(), gemini]), (1200, 200, 42, 1242, None));
        let copilot = json!({"type": "session.usage_record", "data": {"usage": {
            "inputTokens": 1200, "outputTokens": 42, "cacheReadTokens": 200, "maxPromptTokens": 128_000}}});
        assert_eq!(counted(Cli::Copilot, &[copilot.clone(), copilot]), (2400, 400, 84, 1242, Some(128_000)));
        let used = told(&json!({"input": 1, "cached": 2, "output": 3, "cost": 0.5, "context": 6})).unwrap();
        assert_eq!((used.sum.usage.total(), used.sum.cost.to_string().as_str(), used.context), (6, "$0.50", 6));
        assert_eq!(told(&Value::Null), None);
    }

    #[test]
    fn what_the_cli_states_of_its_cost_stands_for_all_before_it() {
        let stated = |cost: f64| json!({"type": "cost-state", "totalCostUSD": cost, "hasUnknownModelCost": false});
        let row = |id: &str| json!({"type": "assistant", "message": {"id": id, "usage": {"input_tokens": 10}}});
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut meter = Meter::default();
        let mut told = |rows: &[Value]| {
            for row in rows {
                writeln!(file.as_file(), "{row}").unwrap();
            }
            let sum = meter.look(Cli::Claude, file.path()).unwrap().sum;
            (sum.calls, sum.cost.to_string(), sum.unpriced)
        };
        assert_eq!(told(&[row("m1")]), (1, "$0.00".into(), 1));
        assert_eq!(told(&[stated(0.5), row("m2")]), (2, "$0.50".into(), 1), "the last is not priced yet");
        assert_eq!(told(&[stated(0.75)]), (2, "$0.75".into(), 0));
    }

    #[test]
    fn another_conversation_is_counted_from_its_beginning() {
        let row = |id: &str| format!("{}\n", json!({"message": {"id": id, "usage": {"input_tokens": 1}}}));
        let (one, two) = (tempfile::NamedTempFile::new().unwrap(), tempfile::NamedTempFile::new().unwrap());
        std::fs::write(one.path(), row("a") + &row("b")).unwrap();
        std::fs::write(two.path(), row("a")).unwrap();
        let mut meter = Meter::default();
        let input = |used: Option<NativeUsage>| used.map(|used| used.sum.usage.input);
        assert_eq!(input(meter.look(Cli::Claude, one.path())), Some(2));
        assert_eq!(input(meter.look(Cli::Claude, two.path())), Some(1));
        std::fs::write(two.path(), "").unwrap();
        assert_eq!(input(meter.look(Cli::Claude, two.path())), None);
        assert_eq!(input(meter.look(Cli::Claude, Path::new("/nowhere"))), None);
    }
}
