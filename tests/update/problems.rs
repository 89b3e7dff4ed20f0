//! What needs the person's hand: one row for each cause, oldest first, and the command that clears it does.

use paralane::app::{Msg, PaneMsg};
use paralane::domain::{IssueId, LaneId, Party};
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

#[test]
fn what_is_late_is_as_old_as_its_deadline_is_told_once_and_moves_nothing() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("issue claim 7 --lane api --within 10m");
    assert_eq!(causes(&mut sim), []);
    sim.sleep(601);
    let told = |sim: &Sim| sim.state.activity.iter().filter(|line| line.text.contains("overdue")).count();
    for hours in 0..3 {
        // Whatever else changes meanwhile.
        sim.ok("say ui hello");
        let all = rows(&mut sim);
        assert!(all.len() == 1 && all[0]["message"].as_str().unwrap().contains("still owned by `api`"), "{all:?}");
        assert!(all[0]["age"].as_i64().unwrap() >= hours * 3_600, "{all:?}");
        assert_eq!(told(&sim), 1);
        sim.sleep(3_600);
    }
    assert_eq!(sim.state.model.shared.owner(IssueId(7)), Some(LaneId(1)));
    clear(&mut sim, 0);
    assert_eq!(causes(&mut sim), []);
}

#[test]
fn each_late_thing_is_cleared_by_its_own_command() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("deadlines set --attempts 1");
    sim.ok("issue claim 7 --lane api");
    for _ in 0..2 {
        sim.ok("report --lane api --state blocked --remaining tests");
    }
    sim.ok("issue offer 7 --lane api --to ui --summary half --within 1m");
    sim.ok("issue claim 8 --lane ui --within 1m");
    sim.ok("issue request 8 --lane api --summary please --within 1m");
    sim.ok("say ui,operator --lane api look --ack --within 1m");
    sim.sleep(61);
    let words: Vec<String> = rows(&mut sim).iter().map(|row| row["message"].as_str().unwrap().to_owned()).collect();
    assert_eq!(words.len(), 5, "{words:?}");
    assert!(words[0].contains("blocked 2 times, and 1 is the limit"), "{words:?}");
    assert!(words[4].contains("not acknowledged by `operator`, `ui`"), "{words:?}");
    // What was made under a claim lapses with it, and two acknowledgements are missing.
    for _ in 0..4 {
        clear(&mut sim, 0);
    }
    assert_eq!(causes(&mut sim), []);
}

#[test]
fn nobody_waits_for_what_a_closed_lane_would_acknowledge() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("say ui --lane api look --ack --within 1m");
    sim.sleep(61);
    assert_eq!(causes(&mut sim), [("late".to_owned(), "paralane mail ack msg1 --lane ui".to_owned())]);
    sim.ok("lane close ui");
    assert_eq!(causes(&mut sim), []);
    let mail = &sim.state.model.shared.mail;
    assert_eq!(mail.unread(Party::Lane(LaneId(1))), 1, "who asked is told");
    assert_eq!(mail.unread(Party::Lane(LaneId(2))), 1, "it is there unread when the lane comes back");
}

#[test]
fn the_person_acknowledges_by_its_own_name_too() {
    let mut sim = Sim::with(&["api"]);
    sim.ok("say operator --lane api look --ack --within 1m");
    sim.sleep(61);
    assert_eq!(causes(&mut sim), [("late".to_owned(), "paralane mail ack msg1".to_owned())]);
    sim.ok("mail ack msg1 --lane operator");
    assert_eq!(causes(&mut sim), []);
}

#[test]
fn a_dead_program_stands_beside_another_problem_of_its_lane() {
    let mut sim = Sim::with(&[]);
    sim.ok("lane new sh -- bash");
    sim.tell(Msg::Pane(LaneId(1), PaneMsg::Fault("the screen is lost".into())));
    sim.exit("sh", "killed by SIGKILL");
    let kinds: Vec<String> = causes(&mut sim).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["fault", "lane"]);
}
