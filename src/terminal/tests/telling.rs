//! What real programs tell and ask beside their screen.

use super::*;
use crate::domain::{NeedKind, PaneStatus, ProgramState};

/// A program that reads keys, hides its cursor as agents do, and says what it is at by `say STATE`.
fn agent(script: &str) -> Vec<String> {
    let begin = r#"stty -icanon -echo; say() { printf '\033]7501;state=%s\033\\' "$1"; }; printf '\033[?25l';"#;
    ["sh".to_owned(), "-c".to_owned(), format!("{begin} {script}")].to_vec()
}

fn with(script: &str) -> House {
    let command = agent(script);
    House::with(&command.iter().map(String::as_str).collect::<Vec<_>>())
}

/// What comes of it, within the time that anything may take.
fn within<T>(what: impl Future<Output = Result<T, TerminalError>>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async { tokio::time::timeout(PATIENCE, what).await }).expect("it came to an end").unwrap()
}

impl House {
    fn until_status(&self, what: &str, fits: impl Fn(&PaneStatus) -> bool) {
        self.until(what, |events| {
            let last = events.iter().rev().find_map(|event| match event {
                PaneEvent::Status(_, status) => Some(status.clone()),
                _ => None,
            });
            last.filter(|status| fits(status)).map(|_| ())
        });
    }

    fn until_says(&self, state: Option<ProgramState>) {
        self.until_status(&format!("{state:?}"), |status| status.program.as_ref().map(|p| p.state) == state);
    }
}

#[test]
fn a_program_that_says_it_is_idle_gets_a_prompt_and_is_finished_when_it_says_so() {
    let house = with("say idle; while read line; do say working; echo \"got $line\"; read go; say done; done");
    let given = within(house.panes.deliver(LANE, "the prompt"));
    assert_eq!(given, Delivery::Delivered);
    house.until_says(Some(ProgramState::Working));
    house.until_shows(LANE, "got the prompt");
    let panes = house.panes.clone();
    let finished = std::thread::spawn(move || within(panes.finished(LANE)));
    house.type_line(LANE, "go");
    house.until_says(Some(ProgramState::Done));
    finished.join().unwrap();
}

#[test]
fn nothing_is_typed_while_a_program_asks() {
    let house = with(
        "say blocked:kind=question:msg=cmVhbGx5Pw==; read answer; echo \"answer $answer\"; say idle; \
         read line; say working; echo \"line $line\"; read rest",
    );
    house.until_status("blocked", |status| {
        status.program.as_ref().is_some_and(|program| {
            program.state == ProgramState::Blocked(NeedKind::Question) && program.message == "really?"
        })
    });
    let panes = house.panes.clone();
    let given = std::thread::spawn(move || within(panes.deliver(LANE, "the prompt")));
    house.type_line(LANE, "yes");
    assert_eq!(given.join().unwrap(), Delivery::Delivered);
    house.until_shows(LANE, "answer yes");
    house.until_shows(LANE, "line the prompt");
}

#[test]
fn an_answer_without_enter_leaves_no_draft() {
    let house = with(
        "say idle; read line; say working; say blocked; head -c 1 >/dev/null; say working; say done; \
         read line; say working; echo \"line $line\"; read rest",
    );
    assert_eq!(within(house.panes.deliver(LANE, "first")), Delivery::Delivered);
    house.until_says(Some(ProgramState::Blocked(NeedKind::Unnamed)));
    house.panes.key(LANE, Key::char('y')).unwrap();
    within(house.panes.finished(LANE));
    assert_eq!(within(house.panes.deliver(LANE, "second")), Delivery::Delivered);
    house.until_shows(LANE, "line second");
}

#[test]
fn what_is_said_at_once_to_enter_leaves_no_draft_either() {
    // The question is heard while the delivery has hardly pressed Enter.
    for _ in 0..10 {
        let house = with("say idle; read line; say working; say blocked; head -c 1 >/dev/null; say done; read rest");
        assert_eq!(within(house.panes.deliver(LANE, "first")), Delivery::Delivered);
        house.until_says(Some(ProgramState::Blocked(NeedKind::Unnamed)));
        house.panes.key(LANE, Key::char('y')).unwrap();
        house.until_says(Some(ProgramState::Done));
        assert!(!lock(&house.panes.pane_of(LANE).mail).draft);
    }
}

#[test]
fn what_a_killed_program_said_is_forgotten() {
    let house = House::with(BASH);
    house.until_shows(LANE, "ready>");
    house.type_line(LANE, r#"sh -c 'printf "\033]7501;state=working\033\\"; read x; kill -9 $$'"#);
    house.until_says(Some(ProgramState::Working));
    house.type_line(LANE, "");
    house.until_says(None);
    house.until_ready(LANE);
}

#[test]
fn a_title_tells_where_nothing_else_does() {
    let house = with(r"printf '\033]0;✋  Action Required (shop)\007'; read x; printf '\033]0;◇  Ready\007'; read x");
    house.until_says(Some(ProgramState::Blocked(NeedKind::Unnamed)));
    house.type_line(LANE, "");
    house.until_says(Some(ProgramState::Idle));
    house.until_ready(LANE);
}

#[test]
fn the_question_for_reports_is_answered_before_the_one_that_ends_the_batch() {
    let house = with(r"printf '\033]7501;?\033\\\033[c'; head -c 89 | od -c -An | tr -d ' \n'; read x");
    house.until_shows(LANE, "033]7501;?:states=idle,working,done,blocked,error:kinds=perm");
    house.until_shows(LANE, "ission,question,auth033\\033[?");
}

#[test]
fn a_copy_is_passed_on_and_progress_is_shown() {
    let house = with(r"printf '\033]52;c;aGVsbG8=\007\033]52;c;?\007\033]9;4;1;40\007\033]99;;note\033\\'; read x");
    let copied = house.until("a copy", |events| {
        events.iter().find_map(|event| match event {
            PaneEvent::Copied { text, .. } => Some(text.clone()),
            _ => None,
        })
    });
    assert_eq!(copied, "hello");
    house.until("a note", |events| {
        events.iter().any(|event| matches!(event, PaneEvent::Notified { text, .. } if text == "note")).then_some(())
    });
    house.until_status("progress", |status| status.progress == Some(40));
}

#[test]
fn a_program_hears_that_the_background_turned_light() {
    let house =
        with(r"printf '\033[?2031h\033]11;?\033\\'; head -c 25 >/dev/null; echo up; head -c 9 | od -c -An; read x");
    house.until_shows(LANE, "up");
    let light = Colours { background: (0xff, 0xff, 0xff), ..Colours::default() };
    house.panes.set_colours(LANE, Colours { foreground: (1, 1, 1), ..Colours::default() }).unwrap();
    house.panes.set_colours(LANE, light).unwrap();
    house.until_shows(LANE, "9   7   ;   2   n");
}

#[test]
fn a_dialog_on_the_screen_of_a_silent_program_is_its_question() {
    let dialog = "printf '\\033[H\\033[2J Would you?\\r\\n ↑/↓ to navigate · enter to select · esc to cancel\\r\\n'";
    let house = with(&format!("{dialog}; read answer; printf '\\033[H\\033[2Jworking\\r\\n'; read rest"));
    house.until_says(Some(ProgramState::Blocked(NeedKind::Unnamed)));
    house.type_line(LANE, "yes");
    house.until_says(None);
}
