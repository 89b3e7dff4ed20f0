//! Programs that misbehave in their panes: the window says what happened, and the other lanes do not notice.

use crate::house::House;

const SERVER: &str =
    "[providers.test]\ndialect = \"openai-chat\"\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n";

/// Bytes without any order, the same in each run.
fn noise() -> Vec<u8> {
    let mut state = 40_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    std::iter::repeat_with(next).take(1_000_000).collect()
}

#[test]
fn a_megabyte_of_noise_stays_in_its_pane() {
    let mut house = House::configured(SERVER);
    std::fs::write(house.repo().join("noise"), noise()).unwrap();
    let mut window = house.window();
    house.done(&["lane", "new", "quiet", "--here", "--", "cat"]);
    window.typed(
        "/lane new noisy --here -- sh -c 'stty -echo; cat noise; printf \"\\\\030\\\\033c\"; echo all is \"out\"; exec cat'\n",
    );
    window.until_shows("all is out");
    // The frame around the pane is whole, and the other lane works.
    assert!(window.text().contains("LANES") && window.text().contains("noisy"), "{}", window.text());
    window.typed("@quiet still here\n");
    house.done(&["lane", "focus", "quiet"]);
    window.until_shows("still here");
    let problems = house.command(&["problems"]).output;
    assert!(!problems.contains("broke"), "{problems}");
    house.down();
}

#[test]
fn how_a_program_died_is_said_and_its_last_words_are_seen() {
    let house = House::configured(SERVER);
    let mut window = house.window();
    window.typed(
        "/lane new victim --here -- sh -c 'printf \"\\\\033[?2026h\\\\033[2J\\\\033[Hlast words\"; kill -9 $$'\n",
    );
    window.until_shows("last words");
    window.until_shows("signal");
    house.until_lane("victim", "ended");
    window.until_shows("/lane restart victim");
}
