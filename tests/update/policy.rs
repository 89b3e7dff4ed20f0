//! Rules of the configuration: what they deny, ask and allow, and that nothing gets around a denial.

use std::sync::Arc;

use paralane::app::{Msg, Settings};
use paralane::base::Report;
use paralane::config::{Layer, Origin};
use paralane::domain::{ApprovalState as A, PromptState as S, RuleText};
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
fn a_broken_configuration_asks_until_it_is_mended() {
    let rules = [("allow", "shell", "one"), ("deny", "shell", "three")];
    let mut sim = sim(&rules, Switches::default());
    sim.ok("mode full");
    sim.tell(Msg::Misconfigured(Report::refused("`/c.toml` line 9, key `rule[2].foo`: there is no such key")));
    sim.run();
    sim.prompt("api", "shell:three shell:one");
    assert_eq!((sim.commands(), sim.is(1)), (Vec::<&str>::new(), S::Waiting), "what is denied stays denied");
    assert_eq!(sim.state.model.approvals.values().next().unwrap().rule.rule, "rules that cannot be read ask");
    configure(&mut sim, policy(&rules, Switches::default()));
    assert_eq!((sim.commands(), sim.is(1)), (vec!["one"], S::Done), "mended, it goes on by itself");
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
    let added = sim.ok("policy add deny shell rm --reason no");
    assert!(added.contains("deny shell rm: added to"), "{added}");
    assert!(sim.ok("policy remove 1").contains("ask shell two: removed from"));
    assert!(sim.ok("policy explain shell two").starts_with("ask "));
    assert!(sim.ok("policy explain git push").starts_with("ask "));
}

#[test]
fn a_lanes_own_rules_tighten_in_it_alone_and_outlive_a_crash() {
    let mut sim = Sim::with(&["api", "ui"]);
    configure(&mut sim, policy(&[("allow", "shell", "one"), ("allow", "shell", "two")], Switches::default()));
    let words = sim.refused("policy add allow shell three --lane api").to_string();
    assert!(words.contains("may tighten") && words.contains("without `--lane`"), "{words}");
    assert!(sim.refused("policy add deny shel x --lane api").to_string().contains("no tool `shel`"));
    assert!(sim.ok("policy add deny shell one --reason frozen --lane api").contains("added to lane api"));
    sim.ok("policy add ask shell two --two --lane api");
    assert!(sim.refused("policy add deny shell one --reason frozen --lane api").message.contains("already"));
    sim.kill(0);
    sim.run();
    sim.prompt("api", "shell:one shell:two");
    assert!(told(&sim).contains("deny shell one (frozen)"), "{}", told(&sim));
    let approval = sim.state.model.approvals.values().next().unwrap();
    assert_eq!((approval.rule.place.as_str(), approval.needs), ("lane api, its rule 2", 2));
    let other = sim.prompt("ui", "shell:one shell:two");
    assert_eq!((sim.is(other), sim.commands()), (S::Done, vec!["one", "two"]));
    let shown: serde_json::Value = serde_json::from_str(&sim.ok("--json policy show --lane api")).unwrap();
    let layers: Vec<&str> = shown["rules"].as_array().unwrap().iter().filter_map(|r| r["layer"].as_str()).collect();
    assert_eq!(layers, ["lane", "lane", "user", "user"]);
    assert!(sim.ok("policy show --lane api").contains("deny shell one (frozen)  — lane api, its rule 1"));
    assert!(!sim.ok("policy show").contains("frozen"));
    assert!(sim.ok("policy explain shell one --lane api").starts_with("deny "));
    assert!(sim.ok("policy explain shell one").starts_with("allow "));
    assert!(sim.ok("policy remove 1 --lane api").contains("deny shell one (frozen): removed from lane api"));
    assert!(sim.ok("policy explain shell one --lane api").starts_with("allow "));
    assert!(sim.ok("policy explain shell two --lane api").starts_with("ask "), "the other stays");
}

#[test]
fn of_rules_that_say_the_same_the_chosen_one_goes() {
    let mut sim = sim(&[("ask", "shell", "two"), ("deny", "shell", "x"), ("ask", "shell", "two")], Switches::default());
    assert!(sim.ok("policy remove 2").contains("ask shell two: removed from config.toml:1"));
    assert!(sim.ok("policy remove 3").contains("ask shell two: removed from config.toml:3"));
    assert_eq!(sim.removed, [(1, 0), (3, 1)], "the line, and which of those that say the same");
}

#[test]
fn a_lane_is_made_with_its_rules_or_not_at_all() {
    let mut sim = Sim::with(&["api"]);
    let rule = |effect: &str| RuleText {
        effect: effect.into(),
        tool: "shell".into(),
        matches: "one".into(),
        reason: None,
        two: false,
    };
    sim.rules_file = vec![rule("deny"), rule("allow")];
    let before = sim.state.model.lanes.len();
    let words = sim.refused("lane new x --kind agent --rules rules.toml").to_string();
    assert!(words.contains("rule 2 of the new lane") && words.contains("never loosen"), "{words}");
    assert_eq!(sim.state.model.lanes.len(), before);
    sim.rules_file = vec![rule("deny")];
    sim.ok("lane new x --kind agent --rules rules.toml");
    assert!(sim.ok("policy explain shell one --lane x").starts_with("deny "));
    assert!(sim.ok("policy explain shell one --lane api").starts_with("ask "));
    sim.prompt("x", "say");
    sim.ok("lane fork x y");
    assert!(sim.ok("policy explain shell one --lane y").starts_with("deny "), "a fork is bound as its lane is");
}
