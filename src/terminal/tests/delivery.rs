//! Prompts given to real programs.

use super::*;

/// Delivers on a runtime of its own and waits.
fn deliver(house: &House, text: &str) -> Result<Delivery, TerminalError> {
    runtime().block_on(house.panes.deliver(LANE, text))
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

#[test]
fn the_programs_side_tells_what_is_unread() {
    let house = House::with(&["sh", "-c", "stty raw -echo; echo up; read x; echo got; exec sleep 9999"]);
    house.until_shows(LANE, "up");
    let pane = house.panes.pane_of(LANE);
    assert_eq!(pane.unread().unwrap(), 0);
    house.panes.key(LANE, Key::ctrl('j')).unwrap();
    house.until_shows(LANE, "got");
    house.panes.paste(LANE, "abc", true, true).unwrap();
    runtime().block_on(async {
        let unread = async {
            while pane.unread().unwrap() != 3 {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, unread).await.unwrap();
    });
}

#[test]
fn bash_runs_a_delivered_line_and_is_finished_with_its_prompt() {
    let house = House::with(BASH);
    house.until_shows(LANE, "ready>");
    assert_eq!(deliver(&house, "sleep 1; echo $((40+2))done").unwrap(), Delivery::Delivered);
    runtime().block_on(house.panes.finished(LANE)).unwrap();
    house.until_shows(LANE, "42done");
}

#[test]
fn bash_takes_several_lines_as_one_paste() {
    let house = House::with(BASH);
    house.until_shows(LANE, "ready>");
    assert_eq!(deliver(&house, "for i in a b; do\n  echo $i-$i\ndone").unwrap(), Delivery::Delivered);
    house.until_shows(LANE, "b-b");
}

#[test]
fn a_line_reader_takes_a_line() {
    let house = House::with(&["cat"]);
    assert_eq!(deliver(&house, "hello there").unwrap(), Delivery::Delivered);
    house.until("echo and copy", |_| {
        (house.screen(LANE).iter().filter(|row| *row == "hello there").count() == 2).then_some(())
    });
}

#[test]
fn several_lines_for_a_line_reader_are_refused_and_nothing_is_typed() {
    let house = House::with(&["cat"]);
    let refused = deliver(&house, "a\nb").unwrap_err().to_string();
    assert!(refused.contains("takes single lines only"), "{refused}");
    assert_eq!(deliver(&house, "next").unwrap(), Delivery::Delivered);
    house.until_shows(LANE, "next");
    assert!(!house.screen(LANE).contains(&"a".to_owned()));
}

#[test]
fn a_program_that_never_reads_leaves_the_prompt_unconfirmed() {
    let house = House::with(&["sh", "-c", "echo up; exec sleep 9999"]);
    house.until_shows(LANE, "up");
    let Delivery::Unconfirmed(reason) = deliver(&house, "hello").unwrap() else { panic!("sleep reads nothing") };
    assert!(reason.contains("not read"), "{reason}");
}

#[test]
fn a_prompt_waits_for_a_command_and_for_a_draft() {
    let house = House::with(BASH);
    house.until_shows(LANE, "ready>");
    // A draft that the person typed: nothing may come on top of it.
    house.panes.key(LANE, Key::char('#')).unwrap();
    house.until_shows(LANE, "ready> #");
    let delivery = runtime();
    let panes = house.panes.clone();
    let given = std::thread::spawn(move || delivery.block_on(panes.deliver(LANE, "echo given")));
    house.panes.key(LANE, Key::char('d')).unwrap();
    house.until_shows(LANE, "ready> #d");
    house.panes.key(LANE, Key::plain(KeyCode::Enter)).unwrap();
    assert_eq!(given.join().unwrap().unwrap(), Delivery::Delivered);
    house.until_shows(LANE, "ready> echo given");
    assert!(!house.screen(LANE).iter().any(|row| row.contains("#decho")));
}

#[test]
fn two_prompts_at_once_do_not_mix() {
    let house = House::with(BASH);
    house.until_shows(LANE, "ready>");
    house.panes.key(LANE, Key::char('#')).unwrap();
    runtime().block_on(async {
        let first = house.panes.deliver(LANE, "echo first");
        let second = house.panes.deliver(LANE, "echo second");
        let (first, second) = tokio::join!(
            async {
                let given = first.await;
                given.unwrap()
            },
            async {
                let refused = second.await;
                house.panes.key(LANE, Key::plain(KeyCode::Enter)).unwrap();
                refused
            }
        );
        assert_eq!(first, Delivery::Delivered);
        assert!(matches!(second, Err(TerminalError::Delivering { .. })));
    });
}

/// Bytes around a bracketed paste.
const PASTE_MARKERS: usize = 12;

/// An agent that asks for bracketed paste, reads 1 KiB each 50 ms, and takes an Enter within a paste of
/// 64 bytes or more for a part of it; it prints the size and checksum of what was submitted.
const AGENT: &str = r#"
stty raw -echo; printf '\033[?2004hagent> '
text=$(mktemp)
while :; do
  dd bs=1024 count=1 2>/dev/null > "$text.now"
  size=$(wc -c < "$text.now"); [ "$size" -gt 0 ] || exit
  if [ "$size" -lt 64 ] && [ "$(od -An -tx1 "$text.now" | tr -d ' \n')" = 0d ]; then
    printf '\r\ntook '; cksum < "$text" | tr '\n' ' '; printf '\r\nagent> '; : > "$text"
  else
    cat "$text.now" >> "$text"; printf .
  fi
  sleep 0.05
done
"#;

#[test]
fn prompts_of_every_size_are_submitted_once_and_whole() {
    let house = House::with(&["sh", "-c", AGENT]);
    house.until_shows(LANE, "agent>");
    for (sent, size) in (1..).zip([63, 64, 1_023, 2_100, 10_240]) {
        let mut text = String::new();
        while text.len() < size {
            text.push_str(if text.len() % 300 > 290 { "\n" } else { "— § × word " });
        }
        while text.len() > size {
            text.pop();
        }
        let text = format!("{}{}", text.trim_end(), "x".repeat(size - text.trim_end().len()));
        assert_eq!(deliver(&house, &text).unwrap(), Delivery::Delivered, "{size}");
        let end = format!(" {}", size + PASTE_MARKERS);
        let submitted =
            || house.screen(LANE).iter().filter(|row| row.starts_with("took") && row.ends_with(&end)).count();
        house.until("submission", |_| (submitted() > 0).then_some(()));
        house.until_ready(LANE);
        assert_eq!(submitted(), 1, "{size}");
        assert_eq!(house.screen(LANE).iter().filter(|row| row.starts_with("took")).count(), sent, "{size}");
    }
}

#[test]
fn a_program_that_starts_slowly_gets_its_prompt_once_it_is_up() {
    let script = "stty raw -echo; sleep 3; printf '\\033[?2004hslow> '; exec cat -v";
    let house = House::with(&["sh", "-c", script]);
    let delivery = deliver(&house, "hello").unwrap();
    // Either it waited for the prompt, or it says that nothing proves the delivery; never both or twice.
    house.until_shows(LANE, "slow>");
    if delivery == Delivery::Delivered {
        house.until_shows(LANE, "hello");
    }
    let screen = house.screen(LANE).concat();
    assert!(screen.matches("hello").count() <= 1, "{screen}");
}

#[test]
fn the_end_of_the_program_ends_the_wait() {
    let house = House::with(&["sh", "-c", "printf '\\033[?25l'; read x"]);
    let panes = house.panes.clone();
    let given = std::thread::spawn(move || runtime().block_on(panes.deliver(LANE, "never")));
    house.panes.key(LANE, Key::plain(KeyCode::Enter)).unwrap();
    house.until_exits(LANE);
    let ended = given.join().unwrap();
    assert!(matches!(ended, Err(TerminalError::Ended { .. })), "{ended:?}");
}
