//! What programs in panes say and ask: the lane's state, rings, the clipboard, colours.

use paralane::app::{Effect, Msg, PaneMsg, PaneOrder, WindowMsg, update};
use paralane::domain::{
    InputEvent, Key, LaneId, LaneStage, NeedKind, PaneStatus, ProgramState, ProgramStatus, PromptState, Saying,
    TerminalReport, WindowId,
};
use pretty_assertions::assert_eq;

use crate::support::Sim;

fn says(state: ProgramState, message: &str) -> PaneStatus {
    let program = Some(ProgramStatus { state, message: message.into(), by: Saying::Report });
    PaneStatus { program, ..PaneStatus::default() }
}

/// A workstation with a pane `ui`, and its lane.
fn pane() -> (Sim, LaneId) {
    let mut sim = Sim::with(&[]);
    sim.ok("lane new ui -- agent");
    let lane = sim.lane("ui").id;
    (sim, lane)
}

impl Sim {
    fn status(&mut self, lane: LaneId, status: PaneStatus) {
        self.tell(Msg::Pane(lane, PaneMsg::Status(status)));
        self.run();
    }

    fn word(&mut self, lane: LaneId, state: ProgramState) -> &'static str {
        self.status(lane, says(state, ""));
        self.state.lane_state(lane).word()
    }

    fn copied(&mut self, lane: LaneId, text: &str) {
        self.tell(Msg::Pane(lane, PaneMsg::Copied(text.into())));
        self.run();
    }

    fn input(&mut self, window: WindowId, event: InputEvent) {
        self.tell(Msg::Window(window, WindowMsg::Input(event)));
        self.run();
    }

    /// The effects of one message, beside being carried out.
    fn effects(&mut self, msg: Msg) -> Vec<Effect> {
        let env = paralane::app::Env { now: self.now, zone: jiff::tz::TimeZone::UTC, fits: paralane::agent::fits };
        update(&mut self.state, msg, &env)
    }

    fn pending(&self) -> Vec<String> {
        self.state.pending_approvals().map(|a| a.id.to_string()).collect()
    }
}

const ASKS: ProgramState = ProgramState::Blocked(NeedKind::Permission);

#[test]
fn a_programs_own_word_is_the_lanes_state() {
    let (mut sim, lane) = pane();
    assert_eq!(sim.lane_word("ui"), "working", "it has not been quiet yet");
    assert_eq!(sim.word(lane, ProgramState::Idle), "idle");
    assert_eq!(sim.word(lane, ProgramState::Working), "working");
    assert_eq!(sim.word(lane, ASKS), "needs you");
    assert_eq!(sim.word(lane, ProgramState::Working), "working");
    assert_eq!(sim.word(lane, ProgramState::Done), "done");
    assert_eq!(sim.word(lane, ProgramState::Idle), "idle", "the person used it");
    assert_eq!(sim.word(lane, ProgramState::Error), "failed");
    sim.status(lane, PaneStatus { ready: true, ..PaneStatus::default() });
    assert_eq!(sim.lane_word("ui"), "idle");
    assert_eq!(sim.rings, ["ui needs you: permission", "ui is done", "ui reports an error"][..1], "one in two seconds");
}

#[test]
fn what_it_asks_rings_once_and_is_not_given_up_by_other_news() {
    let (mut sim, lane) = pane();
    sim.status(lane, says(ASKS, "approve Bash:\nls"));
    sim.sleep(60);
    sim.status(lane, PaneStatus { bells: 0, title: "another title".into(), ..says(ASKS, "approve Bash:\nls") });
    assert_eq!(sim.rings, ["ui needs you: approve Bash: ls"]);
    sim.status(lane, says(ProgramState::Working, ""));
    sim.status(lane, says(ASKS, "approve Bash: rm"));
    assert_eq!(sim.rings.len(), 2);
    assert!(sim.ok("lane show ui").contains("asks: permission: approve Bash: rm"));
}

#[test]
fn what_is_done_stays_done_until_somebody_looks() {
    let (mut sim, lane) = pane();
    let window = sim.window();
    sim.ok("lane new other");
    sim.ok("lane focus other");
    assert_eq!(sim.word(lane, ProgramState::Done), "done");
    sim.ok("lane focus ui");
    assert_eq!(sim.lane_word("ui"), "idle");
    // Before the person's eyes nothing is left to be looked at, nor rung for.
    let rang = sim.rings.len();
    assert_eq!(sim.word(lane, ProgramState::Working), "working");
    assert_eq!(sim.word(lane, ProgramState::Done), "idle");
    assert_eq!(sim.rings.len(), rang);
    // A window that nobody uses shows nobody anything.
    sim.sleep(60);
    sim.input(window, InputEvent::Focus(false));
    sim.word(lane, ProgramState::Working);
    assert_eq!(sim.word(lane, ProgramState::Done), "done");
    assert_eq!(sim.rings.len(), rang + 1);
    sim.input(window, InputEvent::Focus(true));
    assert_eq!(sim.lane_word("ui"), "idle");
}

#[test]
fn a_program_that_ends_takes_its_word_with_it() {
    for (state, message, words, stage, error) in [
        (ProgramState::Working, "", "exit 0", LaneStage::Ended, "exit 0"),
        (ASKS, "", "exit 1", LaneStage::Ended, "exit 1"),
        (ProgramState::Done, "", "exit 0", LaneStage::Ended, "exit 0"),
        (ProgramState::Error, "no room", "exit 1", LaneStage::Failed, "exit 1: no room"),
        (ProgramState::Error, "", "exit 1", LaneStage::Failed, "exit 1"),
    ] {
        let (mut sim, lane) = pane();
        sim.status(lane, says(state, message));
        sim.exit("ui", words);
        assert_eq!((sim.lane("ui").stage, sim.lane("ui").error.as_deref()), (stage, Some(error)));
        sim.ok("lane restart ui");
        assert_eq!(sim.lane_word("ui"), "working");
        assert!(sim.state.problems.is_empty());
    }
}

#[test]
fn a_stopped_program_has_ended_whatever_it_said() {
    let (mut sim, lane) = pane();
    sim.status(lane, says(ProgramState::Error, "no room"));
    sim.ok("lane stop ui");
    assert_eq!(sim.lane("ui").stage, LaneStage::Ended);
}

#[test]
fn an_error_is_a_problem_until_the_program_goes_on() {
    let (mut sim, lane) = pane();
    sim.status(lane, says(ProgramState::Error, "no\u{1b}[31m room"));
    assert!(sim.sh("problems").output.contains("the program reports an error: no^[[31m room"));
    assert_eq!(sim.state.lane_state(lane).word(), "failed");
    sim.status(lane, says(ProgramState::Working, ""));
    assert!(sim.state.problems.is_empty());
}

#[test]
fn a_prompt_that_runs_while_its_program_asks_needs_the_person() {
    let (mut sim, lane) = pane();
    sim.prompt("ui", "long");
    assert_eq!(sim.word(lane, ASKS), "needs you");
    assert_eq!(sim.is(1), PromptState::Running);
    assert_eq!(sim.word(lane, ProgramState::Working), "working");
}

#[test]
fn rings_of_one_program_are_few() {
    let (mut sim, lane) = pane();
    for n in 1..=50 {
        sim.status(lane, PaneStatus { bells: n, ..PaneStatus::default() });
        sim.tell(Msg::Pane(lane, PaneMsg::Notified(format!("note {n}"))));
    }
    assert_eq!(sim.rings, ["ui rings"]);
    // What tells more is not kept back by what tells less.
    sim.status(lane, says(ASKS, "now?"));
    assert_eq!(sim.rings, ["ui rings", "ui needs you: now?"]);
    sim.sleep(2);
    sim.tell(Msg::Pane(lane, PaneMsg::Notified("later".into())));
    sim.run();
    assert_eq!(sim.rings[2..], ["ui: later"]);
}

#[test]
fn a_copy_is_asked_and_goes_to_the_window_used_last() {
    let (mut sim, lane) = pane();
    sim.copied(lane, "secret");
    assert_eq!((sim.pending(), sim.lane_word("ui")), (vec!["a1".to_owned()], "needs you"));
    assert_eq!(sim.rings, ["ui needs you: copy 6 bytes to the clipboard?"]);
    let listed = sim.ok("--json approvals");
    assert!(listed.contains("\"clipboard\"") && listed.contains("copy 6 bytes: secret"), "{listed}");
    assert!(sim.refused("approve a1").message.contains("no window"));
    let window = sim.window();
    assert!(sim.refused("approve a1 --for always").message.contains("for good"));
    let id = sim.say("approve a1");
    sim.run();
    assert_eq!(sim.reply(id).unwrap().status, 0);
    assert_eq!(sim.copies, [(window, "secret".to_owned())]);
    assert_eq!((sim.pending().len(), sim.lane_word("ui")), (0, "working"));
    assert!(sim.refused("approve a1").message.contains("no approval `a1`"));
}

#[test]
fn the_newest_copy_takes_the_place_of_the_one_before_under_a_new_id() {
    let (mut sim, lane) = pane();
    sim.window();
    sim.copied(lane, "one");
    sim.copied(lane, "two");
    assert_eq!((sim.pending(), sim.rings.len()), (vec!["a2".to_owned()], 0), "seen");
    sim.ok("deny a2");
    assert_eq!(sim.copies, []);
    sim.copied(lane, "three");
    assert_eq!(sim.pending(), ["a3"]);
    sim.ok("approve a3 --for session");
    sim.copied(lane, "four");
    let texts: Vec<&str> = sim.copies.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!((texts, sim.pending().len()), (vec!["three", "four"], 0));
    // The leave ends with the program.
    sim.copied(lane, "five");
    sim.exit("ui", "exit 0");
    sim.ok("lane restart ui");
    sim.copied(lane, "six");
    assert_eq!(sim.pending(), ["a4"]);
    sim.exit("ui", "exit 0");
    assert_eq!((sim.pending().len(), sim.lane_word("ui")), (0, "ended"));
}

#[test]
fn a_question_of_an_agent_never_gets_the_id_of_a_copy() {
    let mut sim = Sim::with(&["api"]);
    sim.ok("lane new ui -- agent");
    let lane = sim.lane("ui").id;
    sim.copied(lane, "one");
    sim.ok("deny a1");
    sim.prompt("api", "shell:ls");
    assert_eq!(sim.pending(), ["a2"]);
}

#[test]
fn alt_y_answers_a_copy_too() {
    let (mut sim, lane) = pane();
    let window = sim.window();
    sim.copied(lane, "secret");
    let now = sim.now;
    paralane::app::window::settle(&mut sim.state, window, now);
    sim.input(window, InputEvent::Key(Key::alt('y')));
    assert_eq!(sim.copies, [(window, "secret".to_owned())]);
}

fn told(effects: &[Effect]) -> Vec<WindowId> {
    let window = |effect: &Effect| match effect {
        Effect::Pane(_, PaneOrder::Colours(window)) => Some(*window),
        _ => None,
    };
    effects.iter().filter_map(window).collect()
}

#[test]
fn a_pane_is_told_the_colours_of_the_window_that_shows_it_once() {
    let (mut sim, lane) = pane();
    let window = sim.window();
    assert_eq!(sim.state.pane_windows.get(&lane), Some(&window));
    let report = |report| Msg::Window(window, WindowMsg::Input(InputEvent::Report(report)));
    assert_eq!(told(&sim.effects(report(TerminalReport::Background(255, 255, 255)))), [window]);
    assert_eq!(told(&sim.effects(report(TerminalReport::Background(255, 255, 255)))), [], "no news");
    assert_eq!(told(&sim.effects(report(TerminalReport::Dark(true)))), [window]);
    assert_eq!(told(&sim.effects(Msg::Timer)), []);
    let settings = Box::new(crate::support::settings());
    assert_eq!(told(&sim.effects(Msg::Configured(settings))), [window]);
    assert_eq!(told(&sim.effects(Msg::Pane(lane, PaneMsg::Started))), [window], "a new program");
}

#[test]
fn a_report_of_a_terminal_does_not_make_its_window_the_one_used_last() {
    let (mut sim, _) = pane();
    let first = sim.window();
    let second = sim.another_window();
    assert_eq!(sim.state.last_window, Some(second));
    sim.input(first, InputEvent::Report(TerminalReport::Dark(true)));
    sim.input(first, InputEvent::Focus(false));
    assert_eq!(sim.state.last_window, Some(second));
    sim.input(first, InputEvent::Focus(true));
    assert_eq!(sim.state.last_window, Some(first));
}
