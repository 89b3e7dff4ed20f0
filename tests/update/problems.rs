//! What needs the person's hand: one row for each cause, oldest first, and the command that clears it does.

use serde_json::Value;

use crate::support::Sim;

fn rows(sim: &mut Sim) -> Vec<Value> {
    let reply = sim.sh("--json problems");
    let document: Value = serde_json::from_str(&reply.output).unwrap();
    let rows = document["problems"].as_array().unwrap().clone();
    assert_eq!(reply.status, u8::from(!rows.is_empty()), "the status says whether there is any");
    rows
}

fn causes(sim: &mut Sim) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    rows(sim).iter().map(|row| (text(&row["kind"]), text(&row["clear"]))).collect()
}

/// Runs the command that a row names.
fn clear(sim: &mut Sim, row: usize) {
    let (_, command) = causes(sim)[row].clone();
    sim.ok(command.strip_prefix("paralane ").unwrap());
}

#[test]
fn nothing_is_wrong_with_lanes_at_rest() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.prompt("api", "say");
    assert_eq!(causes(&mut sim), []);
    assert!(sim.ok("problems").contains("no problem"));
}

#[test]
fn a_failed_prompt_stands_until_it_is_tried_again_also_after_a_restart() {
    let mut sim = Sim::with(&["api"]);
    let failed = sim.prompt("api", "fail");
    let wanted = [("prompt".to_owned(), format!("paralane retry p{failed}"))];
    assert_eq!(causes(&mut sim), wanted);
    sim.kill(0);
    sim.run();
    assert_eq!(causes(&mut sim), wanted, "it is found out from what is kept");
    sim.prompt("api", "say");
    assert_eq!(causes(&mut sim), []);
}

#[test]
fn questions_come_oldest_first_and_their_commands_answer_them() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.prompt("ui", "shell:make");
    sim.sleep(60);
    sim.prompt("api", "shell:build");
    let all = rows(&mut sim);
    assert_eq!(all.iter().map(|row| row["lane"].as_str().unwrap()).collect::<Vec<_>>(), ["ui", "api"]);
    assert!(all[0]["age"].as_i64().unwrap() >= 60, "{all:?}");
    clear(&mut sim, 0);
    clear(&mut sim, 0);
    assert_eq!(causes(&mut sim), []);
}

#[test]
fn a_dead_program_is_one_and_one_that_was_stopped_is_not() {
    let mut sim = Sim::with(&[]);
    sim.ok("lane new sh -- bash");
    sim.ok("lane new vi -- vi");
    sim.exit("sh", "killed by SIGKILL");
    sim.ok("lane stop vi");
    assert_eq!(causes(&mut sim), [("lane".to_owned(), "paralane lane restart sh".to_owned())]);
    clear(&mut sim, 0);
    assert_eq!(causes(&mut sim), []);
}
