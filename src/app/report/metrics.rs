//! Measurements for a monitoring system: Prometheus' text format, and the same as JSON.
//!
//! A metric is one line in [`METRICS`].

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::json;

use crate::app::{LiveLane, problems};
use crate::domain::{GitFacts, Lane, PromptState};

use super::{Document, Read};

/// One value with its labels.
struct Sample {
    labels: Vec<(&'static str, String)>,
    value: f64,
}

/// One metric.
struct Metric {
    name: &'static str,
    help: &'static str,
    /// `gauge` or `counter`.
    kind: &'static str,
    samples: fn(&Read<'_>) -> Vec<Sample>,
}

const fn gauge(name: &'static str, help: &'static str, samples: fn(&Read<'_>) -> Vec<Sample>) -> Metric {
    Metric { name, help, kind: "gauge", samples }
}

const fn counter(name: &'static str, help: &'static str, samples: fn(&Read<'_>) -> Vec<Sample>) -> Metric {
    Metric { name, help, kind: "counter", samples }
}

const METRICS: &[Metric] = &[
    gauge("paralane_info", "The version that runs and the project", |read| {
        let settings = &read.state.settings;
        vec![Sample {
            labels: vec![("version", settings.version.clone()), ("project", settings.project.name.clone())],
            value: 1.0,
        }]
    }),
    gauge("paralane_lanes", "Open lanes by state", |read| {
        count(read.state.model.open_lanes().map(|lane| read.state.lane_state(lane.id).json_word()), "state")
    }),
    gauge("paralane_prompts", "Prompts that have not ended, by state", |read| {
        let open = read.state.model.prompts.values().filter(|prompt| !prompt.state.ended());
        count(open.map(|prompt| prompt.state.word().to_owned()), "state")
    }),
    gauge("paralane_approvals_pending", "Questions that wait for a person", |read| {
        alone(read.state.pending_approvals().count())
    }),
    gauge("paralane_conflicts_open", "Conflicts that hold something back", |read| {
        alone(read.state.model.open_conflicts().count())
    }),
    gauge("paralane_problems", "What needs a hand, by kind", |read| {
        count(problems(read.state, read.now).into_iter().map(|row| row.kind.to_owned()), "kind")
    }),
    gauge("paralane_lane_state", "1 for the state that the lane is in", |read| {
        let lanes = read.state.model.open_lanes();
        let state = |lane: &Lane| ("state", read.state.lane_state(lane.id).json_word());
        lanes.map(|lane| Sample { labels: vec![name(lane), state(lane)], value: 1.0 }).collect()
    }),
    gauge("paralane_lane_state_seconds", "Seconds since the lane's state last changed", |read| {
        lanes(read, |lane| {
            let since = read.state.model.state_since(lane.id).unwrap_or(lane.since);
            Some(read.now.duration_since(since).as_secs().max(0) as f64)
        })
    }),
    gauge("paralane_lane_session_alive", "1 while a turn or a program runs in the lane", |read| {
        let alive = |live: &LiveLane| live.pane_running || live.turn.is_some();
        lanes(read, |lane| Some(f64::from(u8::from(read.state.live(lane.id).is_some_and(alive)))))
    }),
    gauge("paralane_lane_queued", "Prompts that wait in the lane", |read| {
        lanes(read, |lane| Some(read.state.model.queue(lane.id).iter().filter(|p| !p.state.active()).count() as f64))
    }),
    gauge("paralane_lane_prompts_failed", "1 while the lane's last prompt has failed", |read| {
        lanes(read, |lane| {
            let last = read.state.model.last_ended(lane.id);
            Some(f64::from(u8::from(last.is_some_and(|prompt| prompt.state == PromptState::Failed))))
        })
    }),
    gauge("paralane_lane_approvals_pending", "Questions of the lane that wait for a person", |read| {
        lanes(read, |lane| Some(read.state.pending_approvals().filter(|asked| asked.lane == lane.id).count() as f64))
    }),
    gauge("paralane_lane_conflicts_open", "Conflicts that hold the lane back", |read| {
        lanes(read, |lane| Some(read.state.model.open_conflicts().filter(|c| c.lane == lane.id).count() as f64))
    }),
    gauge("paralane_lane_reservations", "Holds that the lane has announced", |read| {
        lanes(read, |lane| Some(read.state.model.reservations.values().filter(|r| r.lane == lane.id).count() as f64))
    }),
    gauge("paralane_lane_branch_drift", "1 when another branch is checked out than the lane's own", |read| {
        git(read, |git| Some(f64::from(u8::from(git.drifted_to.is_some()))))
    }),
    gauge("paralane_lane_commits_ahead", "Commits that the base does not have", |read| {
        git(read, |git| Some(f64::from(git.ahead)))
    }),
    gauge("paralane_lane_commits_behind", "Commits of the base that the lane does not have", |read| {
        git(read, |git| Some(f64::from(git.behind)))
    }),
    gauge("paralane_lane_changed_files", "Files with uncommitted changes", |read| {
        git(read, |git| Some(git.dirty.len() as f64))
    }),
    gauge("paralane_lane_disk_bytes", "Disk use of the lane's directory when it was last measured", |read| {
        git(read, |git| git.disk.map(|bytes| bytes as f64))
    }),
    counter("paralane_lane_model_calls_total", "Calls to models", |read| {
        lanes(read, |lane| Some(read.state.model.ledger.of_lane(lane.id).calls as f64))
    }),
    counter("paralane_lane_tokens_total", "Tokens sent and received, by direction", |read| {
        let of = |lane: &Lane| {
            let usage = read.state.model.ledger.of_lane(lane.id).usage;
            [("input", usage.input), ("cached", usage.cached), ("output", usage.output)].map(|(kind, tokens)| Sample {
                labels: vec![name(lane), ("kind", kind.to_owned())],
                value: tokens as f64,
            })
        };
        read.state.model.open_lanes().flat_map(of).collect()
    }),
    counter("paralane_lane_cost_total", "Known cost, in the unit of the configured prices", |read| {
        lanes(read, |lane| Some(read.state.model.ledger.of_lane(lane.id).cost.number()))
    }),
    gauge("paralane_budget_used_ratio", "How much of a budget is used; 1 is all of it", |read| {
        let budget = |budget: crate::app::LaneBudget| Sample {
            labels: vec![
                ("budget", budget.name.clone()),
                ("scope", budget.scope_words(read.state)),
                ("per", budget.rule.per.word().to_owned()),
            ],
            value: budget.rule.percent(&budget.standing(read.state)) as f64 / 100.0,
        };
        read.state.budgets().map(budget).collect()
    }),
];

fn name(lane: &Lane) -> (&'static str, String) {
    ("lane", lane.name.to_string())
}

fn alone(count: usize) -> Vec<Sample> {
    vec![Sample { labels: Vec::new(), value: count as f64 }]
}

/// How often each word comes.
fn count(words: impl Iterator<Item = String>, label: &'static str) -> Vec<Sample> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for word in words {
        *counts.entry(word).or_default() += 1;
    }
    counts.into_iter().map(|(word, count)| Sample { labels: vec![(label, word)], value: count as f64 }).collect()
}

/// One value for each open lane that has one.
fn lanes(read: &Read<'_>, value: impl Fn(&Lane) -> Option<f64>) -> Vec<Sample> {
    let open = read.state.model.open_lanes();
    open.filter_map(|lane| Some(Sample { labels: vec![name(lane)], value: value(lane)? })).collect()
}

/// The same of what git says; nothing is said of a lane that it was not asked about.
fn git(read: &Read<'_>, value: impl Fn(&GitFacts) -> Option<f64>) -> Vec<Sample> {
    lanes(read, |lane| value(read.state.live(lane.id)?.git.as_ref()?))
}

/// The document: the text is what Prometheus reads.
pub(super) fn document(read: &Read<'_>) -> Document {
    let mut text = String::new();
    let mut all = Vec::new();
    for metric in METRICS {
        let samples = (metric.samples)(read);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# HELP {} {}", metric.name, metric.help);
        let _ = writeln!(text, "# TYPE {} {}", metric.name, metric.kind);
        for sample in &samples {
            let _ = writeln!(text, "{}{} {}", metric.name, labels(&sample.labels), sample.value);
        }
        all.push(json!({
            "name": metric.name,
            "help": metric.help,
            "type": metric.kind,
            "samples": samples.iter().map(|sample| {
                let labels: BTreeMap<&str, &str> = sample.labels.iter().map(|(k, v)| (*k, v.as_str())).collect();
                json!({ "labels": labels, "value": sample.value })
            }).collect::<Vec<_>>(),
        }));
    }
    Document { title: "metrics".into(), json: json!({ "at": read.now, "metrics": all }), text }
}

/// `{lane="api",state="idle"}`
fn labels(labels: &[(&'static str, String)]) -> String {
    if labels.is_empty() {
        return String::new();
    }
    let one = |(name, value): &(&str, String)| format!("{name}=\"{}\"", escaped(value));
    format!("{{{}}}", labels.iter().map(one).collect::<Vec<_>>().join(","))
}

/// A label's value as the text format wants it.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped_as_the_format_wants() {
        let all = [("a", "x\"y\\z\n".to_owned()), ("b", "plain".to_owned())];
        assert_eq!(labels(&all), r#"{a="x\"y\\z\n",b="plain"}"#);
        assert_eq!(labels(&[]), "");
    }

    #[test]
    fn each_metric_has_one_name_of_the_right_form() {
        let mut names: Vec<&str> = METRICS.iter().map(|metric| metric.name).collect();
        assert!(METRICS.iter().all(|metric| (metric.kind == "counter") == metric.name.ends_with("_total")));
        assert!(names.iter().all(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), METRICS.len());
    }
}
