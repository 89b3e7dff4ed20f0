//! Panes behind windows: typed into, restarted, ended, hidden and shown.

use paralane::domain::Key;

use crate::house::{House, Window, descriptors};

const SERVER: &str =
    "[providers.test]\ndialect = \"openai-chat\"\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n";

fn into_pane(window: &mut Window) {
    window.key(Key::ctrl('g'));
    window.key(Key::char('i'));
}

#[test]
fn what_is_typed_into_a_pane_is_echoed() {
    let house = House::configured(SERVER);
    let mut window = house.window();
    // At once: what is typed before the program runs is typed once it does.
    window.typed("/lane new sh -- cat\n");
    into_pane(&mut window);
    window.typed("typed into cat");
    window.until_shows("typed into cat");
}

#[test]
fn a_program_that_ends_at_once_has_ended() {
    let house = House::configured(SERVER);
    for n in 0..15 {
        let name = format!("t{n}");
        house.done(&["lane", "new", &name, "--here", "--", "true"]);
        house.until_lane(&name, "ended");
    }
}

#[test]
fn a_restarted_program_is_shown_and_is_not_taken_for_the_old_one() {
    let house = House::configured(SERVER);
    let mut window = house.window();
    window.typed("/lane new sh --here -- sh -c 'echo begun as $$; exec cat'\n");
    window.until_shows("begun as");
    for _ in 0..5 {
        house.until_lane("sh", "idle");
        let first = window.text();
        house.done(&["lane", "restart", "sh"]);
        // Another process, whose number the screen shows.
        while window.text() == first || !window.text().contains("begun as") {
            window.next();
        }
    }
    house.until_lane("sh", "idle");
}

#[test]
fn a_pane_that_did_not_change_is_shown_again() {
    let house = House::configured(SERVER);
    let mut window = house.window();
    window.typed("/lane new one --here -- sh -c 'echo first pane; exec cat'\n");
    window.until_shows("first pane");
    window.typed("/lane new two --here -- sh -c 'echo second pane; exec cat'\n");
    window.until_shows("second pane");
    house.done(&["lane", "focus", "one"]);
    window.until_shows("first pane");
}

#[test]
fn opened_and_closed_lanes_leave_nothing_open() {
    let house = House::configured(SERVER);
    let round = |name: &str| {
        house.done(&["lane", "new", name, "--", "sh", "-c", "echo ready; exec cat"]);
        house.until_lane(name, "idle");
        house.done(&["lane", "close", name]);
    };
    round("warm");
    house.done(&["status"]);
    let before = descriptors();
    for n in 0..12 {
        round(&format!("lane{n}"));
    }
    // A look at git, or at the machine, may be under way, and the store keeps two readers of three files each. A lane that
    // left one would have left twelve.
    house.until("descriptors stay open", &["status"], |_| descriptors() <= before + 9);
}
