//! The rules of a delivery, step by step, with the time as a value.

use super::*;

/// A delivery at work: the last look, changed step by step.
struct Case {
    machine: Machine,
    look: Look,
}

impl Case {
    fn new(reads: Reads) -> Self {
        let look = Look {
            at: Instant::now(),
            alive: true,
            ready: false,
            reads,
            foreground: Some(7),
            output: 100,
            typed: 3,
            unread: Some(0),
            begun: 0,
            reports: false,
            asks: false,
            hides: false,
        };
        Self { machine: Machine::new(), look }
    }

    fn after(&mut self, ms: u64, change: impl FnOnce(&mut Look)) -> Vec<Effect> {
        self.look.at += Duration::from_millis(ms);
        change(&mut self.look);
        self.machine.step(Event::Looked(self.look))
    }

    /// Brought to the moment behind Enter.
    fn entered(reads: Reads) -> Self {
        let mut case = Self::new(reads);
        assert_eq!(case.after(0, |look| look.ready = true), [Effect::TypeText(reads)]);
        assert_eq!(case.after(25, |look| look.output += 10), []);
        assert_eq!(case.after(25, |_| ()), []);
        assert_eq!(case.after(300, |_| ()), [Effect::PressEnter]);
        case
    }
}

fn reason(effects: &[Effect]) -> &str {
    match effects {
        [Effect::End(Delivery::Unconfirmed(reason))] => reason,
        other => panic!("not an end in doubt: {other:?}"),
    }
}

const DELIVERED: [Effect; 1] = [Effect::End(Delivery::Delivered)];

#[test]
fn nothing_is_typed_before_the_program_is_ready() {
    let mut case = Case::new(Reads::Pastes);
    for _ in 0..100 {
        assert_eq!(case.after(1_000, |_| ()), []);
    }
    assert!(case.machine.waiting());
}

#[test]
fn enter_waits_for_a_hidden_cursor_and_never_answers_a_dialog() {
    let typed = || {
        let mut case = Case::new(Reads::Pastes);
        assert_eq!(case.after(0, |look| look.ready = true), [Effect::TypeText(Reads::Pastes)]);
        assert_eq!(case.after(25, |look| look.hides = true), []);
        assert_eq!(case.after(25, |_| ()), []);
        assert_eq!(case.after(400, |_| ()), []);
        case
    };
    // It was a frame being drawn.
    assert_eq!(typed().after(25, |look| look.hides = false), [Effect::PressEnter]);
    // It was a dialog, and stays.
    let mut case = typed();
    assert!(reason(&case.after(5_000, |_| ())).contains("hid its cursor"));
    // One that opens behind Enter is not pressed either, though the text stands in the transcript.
    let mut case = Case::entered(Reads::Keys);
    assert_eq!(case.after(25, |look| look.hides = true), []);
    assert!(reason(&case.after(5_000, |_| ())).contains("no sign"));
}

#[test]
fn enter_comes_alone_and_after_the_text_was_read_and_a_pause() {
    let mut case = Case::new(Reads::Pastes);
    assert_eq!(case.after(0, |look| look.ready = true), [Effect::TypeText(Reads::Pastes)]);
    // A slow reader: 1 KiB per look.
    for unread in [3000, 2000, 1000] {
        assert_eq!(case.after(400, |look| look.unread = Some(unread)), []);
    }
    assert_eq!(case.after(25, |look| look.unread = Some(0)), []);
    // The next portion from the kernel: it was not all.
    assert_eq!(case.after(25, |look| look.unread = Some(500)), []);
    assert_eq!(case.after(25, |look| look.unread = Some(0)), []);
    assert_eq!(case.after(25, |_| ()), []);
    assert_eq!(case.after(299, |_| ()), []);
    assert_eq!(case.after(1, |_| ()), [Effect::PressEnter]);
}

#[test]
fn evidence_is_input_read_and_a_sign_since_enter() {
    let mut case = Case::entered(Reads::Keys);
    assert_eq!(case.after(25, |look| look.unread = Some(1)), []);
    assert_eq!(case.after(25, |look| look.output += 1), []);
    assert_eq!(case.after(25, |look| look.unread = Some(0)), []);
    assert_eq!(case.after(25, |_| ()), DELIVERED);
    assert_eq!(case.after(25, |_| ()), []);

    let mut case = Case::entered(Reads::Pastes);
    case.after(25, |look| look.foreground = Some(99));
    assert_eq!(case.after(25, |_| ()), DELIVERED);
}

#[test]
fn output_before_enter_is_no_evidence() {
    let mut case = Case::entered(Reads::Pastes);
    for _ in 0..100 {
        assert_eq!(case.after(25, |_| ()), []);
    }
}

#[test]
fn a_line_reader_gets_text_and_enter_together() {
    let mut case = Case::new(Reads::Lines);
    assert_eq!(case.after(0, |look| look.ready = true), [Effect::TypeText(Reads::Lines), Effect::PressEnter]);
    // The echo of the kernel alone proves nothing.
    for _ in 0..100 {
        assert_eq!(case.after(25, |look| (look.output, look.unread) = (120, Some(20))), []);
    }
    case.after(25, |look| look.unread = Some(0));
    assert_eq!(case.after(25, |_| ()), DELIVERED);
}

#[test]
fn a_program_that_does_not_read_leaves_the_prompt_unconfirmed() {
    let mut case = Case::new(Reads::Pastes);
    case.after(0, |look| look.ready = true);
    assert!(reason(&case.after(5_000, |look| look.unread = Some(9))).contains("does not read"));

    let mut case = Case::new(Reads::Lines);
    case.after(0, |look| look.ready = true);
    assert!(reason(&case.after(5_000, |look| look.unread = Some(9))).contains("not read"));

    // Where the kernel does not tell, nothing is proved either.
    let mut case = Case::new(Reads::Lines);
    case.after(0, |look| look.ready = true);
    assert!(reason(&case.after(5_000, |look| (look.unread, look.output) = (None, 900))).contains("not read"));
}

#[test]
fn enter_is_pressed_once_more_only_if_the_text_still_stands() {
    let mut case = Case::entered(Reads::Pastes);
    case.after(25, |_| ());
    assert_eq!(case.after(5_000, |_| ()), [Effect::ReadScreen]);
    assert_eq!(case.machine.step(Event::Screen { stands: true }), [Effect::PressEnter]);
    case.after(25, |_| ());
    assert!(reason(&case.after(5_000, |_| ())).contains("no sign"));

    let mut case = Case::entered(Reads::Pastes);
    case.after(25, |_| ());
    case.after(5_000, |_| ());
    assert!(reason(&case.machine.step(Event::Screen { stands: false })).contains("no sign"));
}

#[test]
fn a_second_enter_can_bring_the_evidence() {
    let mut case = Case::entered(Reads::Pastes);
    case.after(25, |_| ());
    case.after(5_000, |_| ());
    case.machine.step(Event::Screen { stands: true });
    case.after(25, |look| look.output += 5);
    assert_eq!(case.after(25, |_| ()), DELIVERED);
}

#[test]
fn what_the_person_types_meanwhile_is_never_submitted() {
    let mut case = Case::new(Reads::Pastes);
    case.after(0, |look| look.ready = true);
    assert!(reason(&case.after(100, |look| look.typed += 1)).contains("keys were typed"));
}

#[test]
fn another_program_in_front_never_gets_our_enter() {
    let mut case = Case::new(Reads::Pastes);
    case.after(0, |look| look.ready = true);
    assert!(reason(&case.after(100, |look| look.foreground = Some(8))).contains("another program"));
}

#[test]
fn a_program_that_starts_to_take_pastes_meanwhile_may_have_lost_the_line() {
    let mut case = Case::new(Reads::Lines);
    case.after(0, |look| look.ready = true);
    assert!(reason(&case.after(25, |look| look.reads = Reads::Pastes)).contains("changed how it reads"));
}

#[test]
fn an_end_or_a_refusal_is_told() {
    let mut case = Case::entered(Reads::Pastes);
    assert!(reason(&case.after(25, |look| look.alive = false)).contains("ended"));
    let mut case = Case::entered(Reads::Pastes);
    assert_eq!(reason(&case.machine.step(Event::Refused("full".into()))), "full");
}

#[test]
fn a_program_that_reports_has_taken_a_line_when_it_says_so() {
    let mut case = Case::entered(Reads::Pastes);
    for _ in 0..10 {
        assert_eq!(case.after(25, |look| (look.output, look.reports) = (look.output + 9, true)), []);
    }
    assert_eq!(case.after(25, |look| look.begun += 1), DELIVERED);

    // What it writes without a word may be the text that came back.
    let mut case = Case::entered(Reads::Pastes);
    case.after(25, |look| (look.output, look.reports) = (900, true));
    assert_eq!(case.after(5_000, |_| ()), [Effect::ReadScreen]);
    assert_eq!(case.machine.step(Event::Screen { stands: true }), [Effect::PressEnter]);
}

#[test]
fn a_question_that_opens_meanwhile_gets_no_enter() {
    let mut case = Case::new(Reads::Pastes);
    case.after(0, |look| look.ready = true);
    assert!(reason(&case.after(100, |look| look.asks = true)).contains("asked something"));

    let mut case = Case::entered(Reads::Pastes);
    case.after(25, |look| (look.reports, look.asks) = (true, true));
    assert!(reason(&case.after(5_000, |_| ())).contains("no sign"));
}
