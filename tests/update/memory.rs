//! What is remembered: by commands and by agents, in a project and for all of a person's projects.

use paralane::domain::{ApprovalState, Author, EntryBody, FactScope};
use pretty_assertions::assert_eq;

use crate::support::Sim;

/// What the last call was told.
fn told(sim: &Sim, lane: &str) -> String {
    let last = sim.state.model.entries(sim.lane(lane).id).rev().find_map(|entry| match &entry.body {
        EntryBody::Result { outcome, .. } => Some(outcome.output.clone()),
        _ => None,
    });
    last.expect("a result")
}

fn texts(sim: &Sim) -> Vec<&str> {
    sim.disk.model.facts.values().map(|fact| fact.text.as_str()).collect()
}

#[test]
fn a_fact_is_kept_once_changed_and_forgotten() {
    let mut sim = Sim::with(&[]);
    assert_eq!(sim.ok("remember -- the gate is slow"), "m1 remembered for this project\n");
    assert_eq!(sim.ok("remember --   the gate is slow "), "m1 says so already: nothing new is kept\n");
    assert_eq!(sim.ok("remember -- other"), "m2 remembered for this project\n");
    assert!(sim.refused("memory edit m2 -- the gate is slow").message.contains("m1 says so already"));
    assert_eq!(sim.ok("memory edit m1 -- the gate is fast"), "m1 changed\n");
    let list: serde_json::Value = serde_json::from_str(&sim.ok("--json memory list")).unwrap();
    assert_eq!((&list["facts"][0]["id"], &list["facts"][0]["text"]), (&"m1".into(), &"the gate is fast".into()));
    assert_eq!((&list["facts"][0]["by"], &list["facts"][0]["lane"]), (&"person".into(), &serde_json::Value::Null));
    sim.kill(0);
    sim.run();
    assert_eq!(sim.ok("memory forget m1"), "m1 forgotten\n");
    assert!(sim.refused("memory forget m1").message.contains("no fact m1"));
    assert_eq!(texts(&sim), ["other"]);
    // A number is never given again.
    assert_eq!(sim.ok("remember -- third"), "m3 remembered for this project\n");
}

#[test]
fn what_cannot_be_a_fact_is_refused_with_what_to_do() {
    let mut sim = Sim::with(&[]);
    for (text, words) in [
        ("x".repeat(5_000), "may have 4096"),
        ("a\u{1b}[2Jb".to_owned(), "U+001B"),
        (format!("the key is gh{}", "p_Ab1".repeat(8)), "variable"),
    ] {
        for command in ["remember", "remember --user", "memory edit m1"] {
            let report = sim.refused(&format!("{command} -- {text}"));
            assert!(report.message.contains(words), "{command}: {report}");
            assert!(!report.message.contains('\u{1b}') && !report.message.contains("Ab1"), "{report}");
        }
    }
    assert_eq!((texts(&sim).len(), sim.user_facts.0.len()), (0, 0));
}

#[test]
fn facts_for_all_projects_are_answered_once_they_are_kept_there() {
    let mut sim = Sim::with(&[]);
    let asked = sim.say("remember --user -- tabs");
    assert!(sim.reply(asked).is_none(), "nothing is said before it is kept");
    sim.run();
    assert_eq!(sim.reply(asked).unwrap().output, "u1 remembered for all your projects\n");
    assert_eq!(sim.ok("remember --user -- tabs"), "u1 says so already: nothing new is kept\n");
    sim.ok("remember -- blanks");
    let ids = |sim: &mut Sim, line: &str| {
        let list: serde_json::Value = serde_json::from_str(&sim.ok(line)).unwrap();
        let facts = list["facts"].as_array().unwrap();
        facts.iter().map(|fact| fact["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&mut sim, "--json memory list"), ["m1", "u1"]);
    assert_eq!(ids(&mut sim, "--json memory list --user"), ["u1"]);
    assert_eq!(ids(&mut sim, "--json memory list --project"), ["m1"]);
    assert_eq!(sim.ok("memory edit u1 -- blanks"), "u1 changed\n");
    assert_eq!(sim.ok("memory forget u1"), "u1 forgotten\n");
    let report = sim.sh("memory forget u1").error.unwrap();
    assert!(report.message.contains("no fact u1"), "{report}");
    assert_eq!(sim.disk.model.facts.values().next().unwrap().id.scope, FactScope::Project);
}

#[test]
fn an_agents_fact_asks_in_every_mode_each_time_and_is_kept_as_its_own() {
    for mode in ["plan", "ask", "auto-edit", "full"] {
        let mut sim = Sim::with(&["api"]);
        sim.ok(&format!("mode {mode}"));
        let prompt = sim.prompt("api", "remember:slow");
        sim.run();
        assert_eq!(sim.approval(1), ApprovalState::Pending, "{mode}");
        assert_eq!(texts(&sim), [""; 0]);
        assert!(sim.refused("approve a1 --for always").message.contains("once only"));
        assert!(sim.refused("approve a1 --for session").message.contains("once only"));
        sim.ok("approve a1");
        assert_eq!(texts(&sim), ["slow"]);
        assert_eq!(told(&sim, "api"), "m1 remembered for this project");
        let fact = sim.disk.model.facts.values().next().unwrap();
        let wanted =
            Author::Agent { project: "shop".into(), lane: "api".into(), prompt: paralane::domain::PromptId(prompt) };
        assert_eq!(fact.author, wanted);
        assert!(sim.ok("memory list").contains("by the agent of api in shop, p1"));
        // The very same call asks again, and brings nothing new.
        sim.prompt("api", "remember:slow");
        sim.run();
        sim.ok("approve a2");
        assert!(told(&sim, "api").contains("m1 says so already"));
    }
}

#[test]
fn what_is_denied_is_not_kept_and_what_is_changed_is_kept_as_changed() {
    let mut sim = Sim::with(&["api"]);
    sim.prompt("api", "remember:a remember:b remember-user:c");
    sim.run();
    sim.ok("deny a1");
    sim.ok("approve a2 --edit {\"text\":\"better\"}");
    sim.ok("approve a3");
    assert_eq!(texts(&sim), ["better"]);
    assert_eq!(sim.user_facts.0.iter().map(|fact| fact.text.as_str()).collect::<Vec<_>>(), ["c"]);
    assert_eq!(told(&sim, "api"), "u1 remembered for all your projects");
}

#[test]
fn what_was_allowed_is_kept_once_over_a_crash() {
    for script in ["remember:a", "remember-user:a"] {
        for kept in 0..3 {
            let mut sim = Sim::with(&["api"]);
            sim.prompt("api", script);
            sim.run();
            let answer = sim.say("approve a1");
            sim.ack();
            assert_eq!(sim.reply(answer).map(|reply| reply.status), Some(0));
            for _ in 0..kept {
                let lane = sim.lane("api").id;
                let _moved = sim.ack() || sim.deliver() || sim.advance(lane);
            }
            sim.kill(kept);
            sim.run();
            let both = sim.disk.model.facts.len() + sim.user_facts.0.len();
            assert_eq!(both, 1, "{script} after {kept}");
        }
    }
}

#[test]
fn a_fact_that_the_store_does_not_keep_is_said_and_the_turn_goes_on() {
    let mut sim = Sim::with(&["api"]);
    sim.full = 1;
    let asked = sim.say("remember -- lost");
    sim.run();
    assert_ne!(sim.reply(asked).unwrap().status, 0);
    sim.sleep(5);
    sim.run();
    assert_eq!(texts(&sim), [""; 0]);
    assert!(sim.state.model.facts.is_empty());
    assert_eq!(sim.ok("remember -- kept"), "m1 remembered for this project\n");
}

#[test]
fn a_cancelled_turn_keeps_nothing_more() {
    let mut sim = Sim::with(&["api"]);
    let prompt = sim.prompt("api", "remember:a");
    sim.run();
    sim.ok(&format!("cancel p{prompt}"));
    assert_eq!(texts(&sim), [""; 0]);
    let report = sim.refused("approve a1");
    assert!(report.message.contains("expired"), "{report}");
}

#[test]
fn an_edit_that_cannot_be_kept_leaves_the_proposal_as_it_was() {
    let mut sim = Sim::with(&["api"]);
    sim.prompt("api", "remember:slow");
    sim.run();
    let secret = format!("gh{}", "p_Ab1".repeat(8));
    for (edit, words) in [
        (format!("{{\"text\":\"the-key-is-{secret}\"}}"), "variable"),
        ("{\"text\":\"the-password=hunter2hunter\"}".to_owned(), "variable"),
        ("{\"words\":1}".to_owned(), "has no `text`"),
        ("{\"text\":\"x\",\"scope\":\"all\"}".to_owned(), "neither `project` nor `user`"),
    ] {
        let report = sim.refused(&format!("approve a1 --edit {edit}"));
        assert!(report.to_string().contains(words), "{report}");
        assert!(!format!("{report:?}").contains(&secret), "{report}");
        assert_eq!(sim.approval(1), ApprovalState::Pending);
    }
    let kept = format!("{:?}", sim.disk.model) + &format!("{:?}", sim.disk.history);
    assert!(!kept.contains(&secret) && !kept.contains("hunter2"), "nothing of it was kept");
    sim.ok("approve a1");
    assert_eq!(texts(&sim), ["slow"]);
}
