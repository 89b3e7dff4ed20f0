//! Anything in any order: commands, answers, slow stores, full disks and deaths. What was acknowledged is never lost,
//! nothing runs twice, and everything comes to an end once everything is answered.

use std::collections::BTreeSet;

use paralane::app::{LaneMsg, Msg};
use paralane::domain::{LaneStage, PromptId, PromptState};
use proptest::prelude::*;

use crate::support::Sim;

const LANES: [&str; 4] = ["a", "b", "c", "sh"];
const SCRIPTS: [&str; 12] = [
    "say",
    "shell:x",
    "write:one.rs shell:y",
    "change one.rs write:one.rs",
    "shell:z fail",
    "write:two.rs write:one.rs",
    "look at *.rs",
    "shell:x spend:9",
    "spend:5 spend:20",
    "remember:a shell:x",
    "remember-user:b remember:c",
    "told:mind shell:x",
];
const VERBS: [&str; 10] = [
    "lane pause",
    "lane resume",
    "lane stop",
    "lane restart",
    "lane close",
    "lane restore",
    "cancel",
    "release --lane",
    "lane rename",
    "compact",
];

#[derive(Debug, Clone)]
enum Op {
    Prompt(usize, usize, Option<i64>),
    Wait(usize, usize),
    Skill(usize),
    Verb(usize, usize),
    OnPrompt(usize, i64, usize),
    OnApproval(usize, i64),
    OnConflict(usize, i64),
    Reserve(usize, usize),
    Mode(usize),
    Remember(usize),
    Servers(usize),
    Ack(usize),
    Deliver(usize),
    Advance(usize),
    Run,
    Sleep,
    Full(usize),
    Kill(usize),
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => (0..4usize, 0..12usize, prop::option::weighted(0.2, 1..9i64)).prop_map(|(l, s, a)| Op::Prompt(l, s, a)),
        1 => (0..4usize, 0..12usize).prop_map(|(l, s)| Op::Wait(l, s)),
        3 => (0..10usize, 0..4usize).prop_map(|(v, l)| Op::Verb(v, l)),
        1 => (0..4usize).prop_map(Op::Skill),
        3 => (0..5usize, 1..9i64, 0..4usize).prop_map(|(v, p, l)| Op::OnPrompt(v, p, l)),
        5 => (0..4usize, 0..4i64).prop_map(|(v, a)| Op::OnApproval(v, a)),
        3 => (0..2usize, 0..4i64).prop_map(|(v, c)| Op::OnConflict(v, c)),
        1 => (0..4usize, 0..2usize).prop_map(|(l, p)| Op::Reserve(l, p)),
        1 => (0..4usize).prop_map(Op::Mode),
        2 => (0..9usize).prop_map(Op::Remember),
        1 => (0..4usize).prop_map(Op::Servers),
        8 => (1..4usize).prop_map(Op::Ack),
        8 => (1..4usize).prop_map(Op::Deliver),
        8 => (0..4usize).prop_map(Op::Advance),
        3 => Just(Op::Run),
        1 => Just(Op::Sleep),
        1 => (1..3usize).prop_map(Op::Full),
        1 => (0..4usize).prop_map(Op::Kill),
    ]
}

struct Chaos {
    sim: Sim,
    /// Commands that make prompts, until their reply is read.
    asked: BTreeSet<u64>,
    acknowledged: BTreeSet<PromptId>,
    /// Commands that keep facts, until their reply is read.
    proposed: BTreeSet<u64>,
    /// Facts that were acknowledged, and those that somebody wanted to change or forget.
    facts: BTreeSet<String>,
    touched: BTreeSet<String>,
    names: usize,
}

impl Chaos {
    fn lane(&self, index: usize) -> String {
        let id = paralane::domain::LaneId(index as i64 + 1);
        self.sim.state.model.lanes.get(&id).map_or_else(|| "gone".into(), |l| l.name.to_string())
    }

    fn apply(&mut self, op: &Op) {
        let sim = &mut self.sim;
        match *op {
            Op::Prompt(lane, script, after) => {
                let name = self.lane(lane);
                let after = after.map(|id| format!(" --after p{id}")).unwrap_or_default();
                let id = self.sim.say(&format!("--json prompt {name}{after} -- {}", SCRIPTS[script]));
                self.asked.insert(id);
            }
            Op::Wait(lane, script) => {
                let name = self.lane(lane);
                self.sim.say(&format!("prompt {name} --wait --timeout 5 -- {}", SCRIPTS[script]));
            }
            Op::Skill(lane) => {
                let name = self.lane(lane);
                let id = self.sim.say(&format!("--json skill tidy --lane {name} -- shell:x"));
                self.asked.insert(id);
            }
            Op::Verb(8, lane) => {
                self.names += 1;
                let (name, new) = (self.lane(lane), self.names);
                self.sim.say(&format!("lane rename {name} n{new}"));
            }
            Op::Verb(verb, lane) => {
                let name = self.lane(lane);
                self.sim.say(&format!("{} {name}", VERBS[verb]));
            }
            Op::OnPrompt(verb, id, lane) => {
                let name = self.lane(lane);
                self.sim.say(&match verb {
                    0 => format!("cancel p{id}"),
                    1 => format!("retry p{id}"),
                    2 => format!("queue edit p{id} {}", SCRIPTS[lane]),
                    3 => format!("queue move p{id} --lane {name}"),
                    _ => format!("queue move p{id} first --priority high"),
                });
            }
            Op::OnApproval(verb, back) => {
                let id = (sim.state.model.last_ids.approval - back).max(1);
                sim.say(&match verb {
                    0 => format!("approve a{id}"),
                    1 => format!("approve a{id} --for session"),
                    2 => format!("approve a{id} --edit {{\"command\":\"edited\"}}"),
                    _ => format!("deny a{id}"),
                });
            }
            Op::OnConflict(verb, back) => {
                let id = (sim.state.model.last_ids.conflict - back).max(1);
                sim.say(&format!("{} c{id}", ["override", "wait"][verb]));
            }
            Op::Reserve(lane, path) => {
                let name = self.lane(lane);
                self.sim.say(&format!("reserve --lane {name} {}", ["one.rs", "*.rs"][path]));
            }
            Op::Mode(mode) => {
                sim.say(&format!("mode {}", ["plan", "ask", "auto-edit", "full"][mode]));
            }
            Op::Remember(which) => {
                self.names += 1;
                let (new, last) = (self.names, sim.state.model.last_ids.fact);
                let id = match which {
                    0 => sim.say("remember a"),
                    1 => sim.say(&format!("remember new {new}")),
                    2 => sim.say(&format!("remember --user new {new}")),
                    _ => {
                        let fact = [format!("m{last}"), "m1".into(), "u1".into()][which % 3].clone();
                        // From now on it may say something else, or be gone.
                        self.touched.insert(fact.clone());
                        sim.say(&if which < 6 {
                            format!("memory edit {fact} e{new}")
                        } else {
                            format!("memory forget {fact}")
                        })
                    }
                };
                if which < 3 {
                    self.proposed.insert(id);
                }
            }
            Op::Servers(lane) => {
                let lane = paralane::domain::LaneId(lane as i64 + 1);
                let news = vec!["tool server `t` ended: it ended with status 7".to_owned()];
                sim.tell(Msg::Lane(lane, LaneMsg::ServerNews(news)));
            }
            Op::Ack(times) => {
                for _ in 0..times {
                    sim.ack();
                }
            }
            Op::Deliver(times) => {
                for _ in 0..times {
                    sim.deliver();
                }
            }
            Op::Advance(nth) => {
                if let Some(lane) = sim.lanes().get(nth) {
                    sim.advance(*lane);
                }
            }
            Op::Run => sim.run(),
            Op::Sleep => sim.sleep(3),
            Op::Full(times) => sim.full = times,
            Op::Kill(kept) => {
                self.hear();
                self.asked.clear();
                self.proposed.clear();
                self.sim.kill(kept);
            }
        }
        self.hear();
        self.nothing_is_lost();
    }

    /// Reads the replies that have come.
    fn hear(&mut self) {
        for id in self.asked.clone() {
            let Some(reply) = self.sim.reply(id) else { continue };
            if reply.status == 0 {
                let document: serde_json::Value = serde_json::from_str(&reply.output).unwrap();
                self.acknowledged.insert(document["id"].as_str().unwrap().parse().unwrap());
            }
            self.asked.remove(&id);
        }
        for id in self.proposed.clone() {
            let Some(reply) = self.sim.reply(id) else { continue };
            if reply.status == 0 {
                self.facts.insert(reply.output.split(' ').next().unwrap().to_owned());
            }
            self.proposed.remove(&id);
        }
    }

    fn nothing_is_lost(&self) {
        for id in &self.acknowledged {
            assert!(self.sim.disk.model.prompts.contains_key(id), "{id} was acknowledged and is lost");
        }
        let kept = self.sim.disk.model.facts.values().chain(&self.sim.user_facts.0);
        let kept: BTreeSet<String> = kept.map(|fact| fact.id.to_string()).collect();
        for id in self.facts.difference(&self.touched) {
            assert!(kept.contains(id), "{id} was acknowledged and is lost");
        }
    }

    /// The person comes back and answers everything.
    fn answer_everything(&mut self) {
        self.sim.full = 0;
        for _ in 0..60 {
            self.sim.run();
            self.sim.sleep(10);
            let model = &self.sim.state.model;
            let open = |p: &&paralane::domain::Prompt| !p.state.ended();
            if !model.prompts.values().any(|p| open(&p)) {
                return;
            }
            let mut lines = Vec::new();
            for lane in model.open_lanes() {
                lines.push(match lane.stage {
                    LaneStage::Paused => format!("lane resume {}", lane.name),
                    LaneStage::Ended | LaneStage::Failed => format!("lane restart {}", lane.name),
                    _ => continue,
                });
            }
            lines.extend(model.pending_approvals().map(|a| format!("approve {}", a.id)));
            lines.extend(model.open_conflicts().map(|c| format!("override {}", c.id)));
            lines.extend(model.prompts.values().filter_map(|p| match p.state {
                PromptState::Interrupted | PromptState::Unconfirmed => Some(format!("retry {}", p.id)),
                _ => None,
            }));
            for line in lines {
                self.sim.say(&line);
                self.sim.run();
            }
        }
        let open: Vec<_> = self.sim.state.model.prompts.values().filter(|p| !p.state.ended()).collect();
        panic!("these never end: {open:#?}\nlanes: {:#?}", self.sim.state.model.lanes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, max_shrink_iters: 4_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn nothing_acknowledged_is_lost_nothing_runs_twice_and_everything_ends(
        ops in prop::collection::vec(op(), 1..90), limit in 1usize..4,
    ) {
        let mut sim = Sim::limited(limit, &LANES[..3]);
        sim.ok("lane new sh -- bash");
        let mut chaos = Chaos {
            sim, asked: BTreeSet::new(), acknowledged: BTreeSet::new(), proposed: BTreeSet::new(),
            facts: BTreeSet::new(), touched: BTreeSet::new(), names: 0,
        };
        for op in &ops {
            chaos.apply(op);
        }
        chaos.answer_everything();
        chaos.nothing_is_lost();
        let model = &chaos.sim.state.model;
        prop_assert!(model.calls.is_empty() && model.written.is_empty(), "{:?} {:?}", model.calls, model.written);
        prop_assert_eq!(model.ledger.all_open().count(), 0, "every call that was counted is settled");
        prop_assert_eq!(model.pending_approvals().count() + model.open_conflicts().count(), 0);
    }
}
