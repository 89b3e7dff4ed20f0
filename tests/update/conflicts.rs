//! Prompts and writes that meet another lane's hold.

use paralane::domain::{ConflictState as C, PromptState as S};

use crate::support::Sim;

/// `api` holds `src/login.rs`; `ui` is sent a prompt that names it.
fn blocked() -> Sim {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("mode full");
    sim.ok("reserve --lane api src/login.rs");
    sim.prompt("ui", "change src/login.rs");
    assert_eq!((sim.is(1), sim.conflict(1), sim.lane_word("ui")), (S::Blocked, C::Pending, "needs you"));
    assert_eq!(sim.rings.len(), 1);
    sim
}

#[test]
fn a_blocked_prompt_starts_by_itself_when_the_hold_ends() {
    let mut sim = blocked();
    sim.ok("release --lane api");
    assert_eq!((sim.is(1), sim.conflict(1)), (S::Done, C::Resolved));
}

#[test]
fn one_that_the_person_lets_wait_needs_nobody_and_starts_too() {
    let mut sim = blocked();
    sim.ok("wait c1");
    assert_eq!((sim.lane_word("ui"), sim.conflict(1)), ("waiting", C::Waiting));
    sim.refused("wait c1");
    sim.kill(0);
    sim.run();
    assert_eq!((sim.is(1), sim.conflict(1), sim.rings.len()), (S::Blocked, C::Waiting, 1));
    sim.ok("release --lane api");
    assert_eq!((sim.is(1), sim.conflict(1)), (S::Done, C::Resolved));
}

#[test]
fn waits_that_would_never_end_are_refused() {
    let mut sim = Sim::with(&["api", "ui", "web"]);
    sim.ok("mode full");
    for (lane, path) in [("api", "a"), ("ui", "b"), ("web", "c")] {
        sim.ok(&format!("reserve --lane {lane} src/{path}.rs"));
    }
    sim.prompt("api", "change src/b.rs");
    sim.prompt("ui", "change src/c.rs");
    sim.prompt("web", "change src/a.rs");
    sim.ok("wait c1");
    sim.ok("wait c2");
    let refused = sim.refused("wait c3");
    assert!(
        refused.message.ends_with("`web` waits for `api`, which waits for `ui`, which waits for `web`"),
        "{}",
        refused.message
    );
    assert_eq!(sim.conflict(3), C::Pending);
    sim.ok("override c2");
    sim.ok("wait c3");
}

#[test]
fn an_override_holds_once_for_this_prompt() {
    let mut sim = blocked();
    sim.ok("override c1");
    assert_eq!((sim.is(1), sim.conflict(1)), (S::Done, C::Overridden));
    let next = sim.prompt("ui", "change src/login.rs");
    assert_eq!(sim.is(next), S::Blocked);
}

#[test]
fn an_edited_prompt_is_looked_at_anew() {
    let mut sim = blocked();
    sim.ok("queue edit p1 change src/other.rs");
    assert_eq!((sim.is(1), sim.conflict(1)), (S::Done, C::Resolved));
    let mut sim = blocked();
    sim.ok("queue edit p1 really change src/login.rs");
    assert_eq!((sim.is(1), sim.conflict(1), sim.conflict(2)), (S::Blocked, C::Resolved, C::Pending));
}

#[test]
fn a_prompt_moved_to_the_holding_lane_runs_there() {
    let mut sim = blocked();
    sim.ok("queue move p1 --lane api");
    assert_eq!((sim.is(1), sim.conflict(1)), (S::Done, C::Resolved));
}

#[test]
fn cancelling_ends_the_conflict() {
    let mut sim = blocked();
    sim.ok("cancel p1");
    assert_eq!((sim.is(1), sim.conflict(1), sim.lane_word("ui")), (S::Cancelled, C::Cancelled, "idle"));
    sim.refused("override c1");
}

#[test]
fn a_glob_stays_blocked_without_asking_again() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("reserve --lane api src/login.rs");
    sim.prompt("ui", "change all of src/*.rs and docs/");
    for _ in 0..3 {
        sim.git("api", &[]);
    }
    assert_eq!((sim.is(1), sim.state.model.conflicts.len(), sim.rings.len()), (S::Blocked, 1, 1));
    sim.ok("release --lane api");
    assert_eq!(sim.is(1), S::Done);
}

/// `api` has written `a.rs` in a turn that still runs; `ui` wants to write it too.
fn write_meets_write() -> Sim {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("mode full");
    sim.prompt("api", "write:a.rs hang:x");
    sim.prompt("ui", "write:a.rs");
    assert_eq!((sim.is(2), sim.conflict(1), sim.commands()), (S::Waiting, C::Pending, vec!["a.rs", "hang x"]));
    sim
}

#[test]
fn a_write_waits_until_the_other_turn_is_over() {
    let mut sim = write_meets_write();
    sim.ok("wait c1");
    assert_eq!(sim.lane_word("ui"), "waiting");
    sim.ok("cancel api");
    assert_eq!((sim.is(2), sim.conflict(1), sim.commands()), (S::Done, C::Resolved, vec!["a.rs", "hang x", "a.rs"]));
    assert!(sim.state.model.written.is_empty());
}

#[test]
fn a_write_can_be_overridden_or_cancelled() {
    let mut sim = write_meets_write();
    sim.ok("override c1");
    assert_eq!((sim.is(2), sim.commands()), (S::Done, vec!["a.rs", "hang x", "a.rs"]));
    let mut sim = write_meets_write();
    sim.ok("cancel p2");
    assert_eq!((sim.is(2), sim.conflict(1), sim.commands()), (S::Cancelled, C::Cancelled, vec!["a.rs", "hang x"]));
}

#[test]
fn a_write_that_waits_survives_a_restart() {
    let mut sim = write_meets_write();
    sim.kill(0);
    sim.run();
    // The other turn was cut: its hold is gone, and what waited for it goes on by itself.
    assert_eq!((sim.is(1), sim.is(2), sim.conflict(1)), (S::Interrupted, S::Done, C::Resolved));
    assert_eq!(sim.commands(), ["a.rs", "hang x", "a.rs"]);
}

#[test]
fn an_approved_write_still_waits_for_the_hold() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.prompt("ui", "write:a.rs");
    sim.ok("reserve --lane api a.rs");
    sim.ok("approve a1");
    assert_eq!((sim.is(1), sim.conflict(1), sim.commands()), (S::Waiting, C::Pending, Vec::<&str>::new()));
    sim.ok("release --lane api");
    assert_eq!((sim.is(1), sim.commands()), (S::Done, vec!["a.rs"]));
}

#[test]
fn changes_at_rest_warn_and_hold_nothing_back() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.git("api", &["a.rs"]);
    sim.prompt("ui", "look at a.rs shell:x");
    assert_eq!((sim.is(1), sim.conflict(1), sim.lane_word("ui")), (S::Waiting, C::Pending, "needs you"));
    sim.ok("approve a1");
    assert_eq!((sim.is(1), sim.conflict(1)), (S::Done, C::Resolved));
    let mut sim = Sim::with(&["api", "ui"]);
    sim.state.settings.block_on_unmerged = true;
    sim.git("api", &["a.rs"]);
    sim.prompt("ui", "look at a.rs");
    assert_eq!(sim.is(1), S::Blocked);
    sim.git("api", &[]);
    assert_eq!(sim.is(1), S::Done);
}

#[test]
fn reservations_clash_are_shared_and_released() {
    let mut sim = Sim::with(&["api", "ui", "doc"]);
    sim.ok("reserve --lane api src/ docs/*.md");
    assert!(sim.refused("reserve --lane ui src/a.rs").message.contains("reserved by lane `api`"));
    sim.refused("reserve --lane ui lib/x.rs src/a.rs");
    assert_eq!(sim.state.model.reservations.len(), 2, "all of them or none");
    sim.ok("reserve --lane api src/");
    assert_eq!(sim.state.model.reservations.len(), 2, "twice is once");
    sim.ok("release --lane api src/");
    sim.ok("reserve --lane ui --shared src/a.rs");
    sim.ok("reserve --lane doc --shared src/a.rs");
    let shares = sim.prompt("ui", "change src/a.rs");
    assert_eq!(sim.is(shares), S::Done);
    let other = sim.prompt("api", "change src/a.rs");
    assert_eq!((sim.is(other), sim.state.model.conflicts.len()), (S::Blocked, 2), "one with each lane");
    sim.ok("override c1");
    assert_eq!(sim.is(other), S::Blocked);
    sim.ok("override c2");
    assert_eq!(sim.is(other), S::Done);
    sim.refused("release --lane doc nothing/");
    sim.ok("lane close doc");
    assert!(!sim.state.model.reservations.values().any(|r| r.pattern == "src/a.rs" && r.lane.0 == 3));
}
