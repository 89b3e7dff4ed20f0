//! Rules of the configuration: what they deny, ask and allow, and that nothing gets around a denial.

use std::sync::Arc;

use paralane::app::{Msg, Settings};
use paralane::config::{Layer, Origin};
use paralane::domain::{ApprovalState as A, PromptState as S};
use paralane::policy::{Policy, Rule, Switches};

use crate::support::{Sim, settings};

fn policy(rules: &[(&str, &str, &str)], switches: Switches) -> Settings {
    let origin = |line| Origin::File { layer: Layer::User, file: "/c.toml".into(), line };
    let rules = rules.iter().enumerate().map(|(at, (effect, tool, matches))| {
        Rule::new(effect, tool, matches, Some("house rule".into()), origin(at + 1)).unwrap()
    });
    Settings { policy: Arc::new(Policy::new(rules.collect(), switches)), ..settings() }
}

fn configure(sim: &mut Sim, settings: Settings) {
    sim.tell(Msg::Configured(Box::new(settings)));
    sim.run();
}

fn sim(rules: &[(&str, &str, &str)], switches: Switches) -> Sim {
    let mut sim = Sim::with(&["api"]);
    configure(&mut sim, policy(rules, switches));
    sim
}

fn told(sim: &Sim) -> String {
    let lane = sim.lane("api").id;
    sim.state.model.entries(lane).map(|e| format!("{:?}", e.body)).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_rule_allows_asks_and_denies_and_says_where_it_stands() {
    let rules = [("allow", "shell", "one"), ("ask", "shell", "two"), ("deny", "shell", "three")];
    let mut sim = sim(&rules, Switches::default());
    sim.prompt("api", "shell:one shell:two shell:three");
    assert_eq!(sim.commands(), ["one"], "allowed without asking");
    let approval = sim.state.model.approvals.values().next().unwrap();
    assert_eq!(approval.rule.rule, "ask shell two (house rule)");
    assert_eq!(approval.rule.place, "user config.toml:2");
    sim.ok("approve a1");
    assert_eq!((sim.commands(), sim.is(1)), (vec!["one", "two"], S::Done));
    assert!(told(&sim).contains("deny shell three (house rule)"), "{}", told(&sim));
}

#[test]
fn a_denial_beats_a_remembered_answer_and_a_freer_mode() {
    let mut sim = sim(&[], Switches::default());
    sim.prompt("api", "shell:three");
    sim.ok("approve a1 --for always");
    assert_eq!(sim.commands(), ["three"]);
    sim.ok("mode full");
    configure(&mut sim, policy(&[("deny", "shell", "three *")], Switches::default()));
    sim.prompt("api", "shell:three");
    assert_eq!((sim.commands(), sim.is(2)), (vec!["three"], S::Done));
}

#[test]
fn a_new_rule_answers_a_question_that_waits() {
    let mut sim = sim(&[], Switches::default());
    sim.prompt("api", "shell:one");
    assert_eq!(sim.approval(1), A::Pending);
    configure(&mut sim, policy(&[("deny", "shell", "one")], Switches::default()));
    assert_eq!((sim.approval(1), sim.is(1)), (A::Denied, S::Done));
    assert!(sim.commands().is_empty());
}

#[test]
fn a_policy_may_forbid_remembering_and_the_freest_mode() {
    let switches = Switches {
        forgetful: Some("managed config.toml:2".into()),
        never_full: Some("managed config.toml:3".into()),
        ..Switches::default()
    };
    let mut sim = sim(&[], switches);
    sim.prompt("api", "shell:one");
    let words = sim.refused("approve a1 --for session").to_string();
    assert!(words.contains("policy.remember") && words.contains("managed config.toml:2"), "{words}");
    assert!(sim.refused("mode full").to_string().contains("policy.full"));
    sim.ok("approve a1");
    assert_eq!(sim.commands(), ["one"]);
}

#[test]
fn rules_that_cannot_be_read_ask() {
    let switches = Switches { unreadable: Some("project config.toml:9".into()), ..Switches::default() };
    let mut sim = sim(&[("allow", "shell", "one")], switches);
    sim.prompt("api", "shell:one");
    assert_eq!(sim.approval(1), A::Pending);
    assert_eq!(sim.state.model.approvals.values().next().unwrap().rule.place, "project config.toml:9");
}

#[test]
fn a_rule_is_checked_before_it_is_written() {
    let mut sim = sim(&[("ask", "shell", "two")], Switches::default());
    assert!(sim.refused("policy add ask shel x").to_string().contains("no tool `shel`"));
    assert!(sim.refused("policy add ask read ../x").to_string().contains("no path of the worktree"));
    assert!(sim.refused("policy remove 2").to_string().contains("no rule 2"));
    // The simulated files take everything.
    let added = sim.ok("policy add deny shell rm* --reason no");
    assert!(added.contains("deny shell rm*: added to"), "{added}");
    assert!(sim.ok("policy remove 1").contains("ask shell two: removed from"));
    assert!(sim.ok("policy explain shell two").starts_with("ask "));
    assert!(sim.ok("policy explain git push").starts_with("ask "));
}
