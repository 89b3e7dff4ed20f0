//! What is told where there is nobody to keep it up to date; what is refused before anything is made; what one answer
//! settles everywhere.

use jiff::SignedDuration;
use paralane::app::window::{self, Overlay};
use paralane::app::{Msg, Untrusted, UntrustedConfig, WindowMsg, as_stopped};
use paralane::domain::{ApprovalState as A, InputEvent, Key, LaneStage, PromptState as S, WindowId};
use pretty_assertions::assert_eq;

use crate::support::Sim;

/// The state as a shell reads it after the workstation was killed.
fn beside_nothing(sim: &mut Sim) {
    sim.kill_unseen();
    let env = paralane::app::Env { now: sim.now, zone: jiff::tz::TimeZone::UTC, fits: paralane::agent::fits };
    as_stopped(&mut sim.state, &env);
}

#[test]
fn nothing_runs_for_who_reads_beside_no_workstation() {
    let mut sim = Sim::with(&["api", "ui", "docs"]);
    sim.ok("mode full");
    sim.ok("lane new sh -- bash");
    let (cut, next) = (sim.prompt("api", "hang:x"), sim.prompt("api", "say"));
    sim.ok("mode ask --lane ui");
    let asks = sim.prompt("ui", "shell:one");
    assert_eq!((sim.is(cut), sim.is(asks), sim.lane_word("api")), (S::Running, S::Waiting, "working"));
    let kept = sim.disk.model.clone();
    beside_nothing(&mut sim);
    assert_eq!((sim.is(cut), sim.is(next), sim.is(asks)), (S::Interrupted, S::Queued, S::Waiting));
    assert_eq!((sim.lane_word("api"), sim.lane_word("ui"), sim.lane_word("sh")), ("needs you", "needs you", "ended"));
    assert_eq!(sim.approval(1), A::Pending, "it can still be answered");
    assert!(sim.state.model.open_lanes().all(|lane| !matches!(sim.state.lane_state(lane.id).word(), "working")));
    assert_eq!(sim.disk.model, kept, "nothing of it is kept");
}

#[test]
fn a_question_whose_time_is_over_is_told_as_expired_by_a_reader_too() {
    let mut sim = Sim::with(&["api"]);
    sim.state.settings.approval_expire = Some(60);
    sim.prompt("api", "shell:one");
    sim.now += SignedDuration::from_hours(1);
    beside_nothing(&mut sim);
    assert_eq!(sim.approval(1), A::Expired);
}

#[test]
fn a_lane_for_a_program_that_is_not_there_is_not_made() {
    let mut sim = Sim::with(&["api"]);
    sim.absent_programs = true;
    let before = sim.state.model.lanes.len();
    assert!(sim.refused("lane new x -- nosuch").message.contains("no such program"));
    let window = sim.window();
    for key in "/lane new y -- nosuch".chars() {
        sim.tell(Msg::Window(window, WindowMsg::Input(InputEvent::Key(Key::char(key)))));
    }
    sim.tell(Msg::Window(window, WindowMsg::Input(InputEvent::Key(Key::plain(paralane::domain::KeyCode::Enter)))));
    sim.run();
    assert_eq!(sim.state.model.lanes.len(), before);
    let told = sim.state.windows[&window].toast.as_ref().map(|toast| toast.report.message.clone());
    assert_eq!(told.as_deref(), Some("there is no such program"));
    sim.absent_programs = false;
    sim.ok("lane new x -- bash");
    assert_eq!(sim.lane("x").stage, LaneStage::Open);
}

fn asked(sim: &mut Sim) -> (WindowId, WindowId) {
    let (one, other) = (sim.window(), sim.another_window());
    sim.state.settings.untrusted = Some(UntrustedConfig {
        path: "/shop/.paralane/config.toml".into(),
        hash: "h1".into(),
        content: "[lanes]\n".into(),
        marks: vec!["h1".into()],
        what: Untrusted::Config { hooks: 0 },
    });
    for window in [one, other] {
        window::settle(&mut sim.state, window, sim.now);
        assert!(matches!(sim.state.windows[&window].overlay, Some(Overlay::Trust(_))));
    }
    (one, other)
}

#[test]
fn one_answer_about_trust_closes_the_question_everywhere() {
    for (key, words) in [('y', "is trusted"), ('n', "is not used")] {
        let mut sim = Sim::with(&["api"]);
        let (one, other) = asked(&mut sim);
        sim.tell(Msg::Window(one, WindowMsg::Input(InputEvent::Key(Key::char(key)))));
        sim.run();
        for window in [one, other] {
            window::settle(&mut sim.state, window, sim.now);
            assert!(sim.state.windows[&window].overlay.is_none(), "{key}: not asked again");
        }
        let told = sim.state.windows[&other].toast.as_ref().unwrap().report.message.clone();
        assert!(told.contains(words) && told.contains("answered by window w1"), "{told}");
        assert_eq!(sim.state.model.trusted.contains("h1"), key == 'y');
    }
    let mut sim = Sim::with(&["api"]);
    let (one, other) = asked(&mut sim);
    sim.ok("trust");
    for window in [one, other] {
        window::settle(&mut sim.state, window, sim.now);
        assert!(sim.state.windows[&window].overlay.is_none(), "a shell answers for all");
    }
}
