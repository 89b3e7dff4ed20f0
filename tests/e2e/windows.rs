//! The window as a client: attached, detached, shared, killed; the terminal given back whatever ends it.

use rustix::process::Signal;

use crate::support::Bench;

#[test]
fn the_work_goes_on_while_the_window_is_away() {
    let bench = Bench::new();
    bench.configure_server("http://127.0.0.1:9/v1", "");
    let mut window = bench.window(120, 40);
    window.wait_for_text("shop");
    window.line("/lane new work -- sh -c 'echo ready-$((6*7)); read line; echo got-$line; read more'");
    window.wait_for_text("ready-42");
    window.keys("<C-g>D");
    assert_eq!(window.wait_exit(), 0);
    window.assert_restored();

    assert!(bench.running().is_some());
    let window = bench.window(120, 40);
    window.wait_for_text("ready-42");
    window.keys("<C-g>i").line("hello");
    window.wait_for_text("got-hello");
}

#[test]
fn a_command_after_two_dashes_opens_in_a_lane_in_focus() {
    let bench = Bench::new();
    bench.configure_server("http://127.0.0.1:9/v1", "");
    bench.cli(&["lane", "new", "first", "--", "sh", "-c", "echo first-pane; read line"]).ended_with(0);
    let window = bench.window_with(120, 40, &["--", "sh", "-c", "echo second-$((1+1)); read line"]);
    window.wait_for_text("second-2");
    let again = bench.window_with(120, 40, &["--here", "--", "sh", "-c", "pwd; read line"]);
    again.wait_for_text("shop");
    let lanes = bench.json(&["lane", "list"]);
    let names: Vec<_> = lanes["lanes"].as_array().unwrap().iter().map(|lane| lane["name"].clone()).collect();
    assert_eq!(names, ["first", "sh", "sh-2"]);
    assert_eq!(lanes["lanes"][2]["worktree"].as_str(), bench.repo().canonicalize().unwrap().to_str());
}

#[test]
fn in_the_foreground_everything_ends_with_the_window() {
    let bench = Bench::new();
    bench.configure_server("http://127.0.0.1:9/v1", "");
    let mut window = bench.window_with(120, 40, &["--foreground"]);
    window.wait_for_text("shop");
    assert_eq!(bench.running().unwrap().pid, window.pid());
    let second = bench.cli(&["up"]).ended_with(0);
    assert!(second.stdout.contains(&window.pid().to_string()), "{second:#?}");
    window.keys("<C-g>q");
    assert_eq!(window.wait_exit(), 0);
    window.assert_restored();
    assert_eq!(bench.running(), None);
}

#[test]
fn two_windows_show_the_same_lanes() {
    let bench = Bench::new();
    bench.configure_server("http://127.0.0.1:9/v1", "");
    let one = bench.window(120, 40);
    let two = bench.window(100, 30);
    one.wait_for_text("shop");
    two.wait_for_text("shop");
    one.line("/lane new shared -- sh -c 'read line'");
    one.wait_for_text("shared");
    two.wait_for_text("shared");
}

#[test]
fn a_signal_ends_the_window_and_not_the_work() {
    let bench = Bench::new();
    bench.configure_server("http://127.0.0.1:9/v1", "");
    for signal in [Signal::TERM, Signal::HUP] {
        let mut window = bench.window(120, 40);
        window.wait_for_text("shop");
        window.signal(signal);
        assert_eq!(window.wait_exit(), 128 + u32::try_from(signal.as_raw()).unwrap());
        window.assert_restored();
        assert!(bench.running().is_some());
    }
}

#[test]
fn a_killed_window_leaves_its_terminal_in_order() {
    let bench = Bench::new();
    bench.configure_server("http://127.0.0.1:9/v1", "");
    let mut window = bench.window(120, 40);
    window.wait_for_text("shop");
    window.signal(Signal::KILL);
    window.wait_exit();
    window.assert_restored();
    assert!(bench.running().is_some());
}

#[test]
fn a_dead_workstation_ends_the_window_with_a_plain_line() {
    let bench = Bench::new();
    bench.configure_server("http://127.0.0.1:9/v1", "");
    let mut window = bench.window(120, 40);
    window.wait_for_text("shop");
    bench.kill_workstation();
    assert_eq!(window.wait_exit(), 3);
    window.assert_restored();
    assert!(window.text().contains("workstation"), "{window:?}");
    assert_eq!(bench.running(), None, "no other is started silently");
}

#[test]
fn down_ends_attached_windows_in_order() {
    let bench = Bench::new();
    bench.configure_server("http://127.0.0.1:9/v1", "");
    let mut window = bench.window(120, 40);
    window.wait_for_text("shop");
    bench.cli(&["down"]).ended_with(0);
    assert_eq!(window.wait_exit(), 0);
    window.assert_restored();
}

#[test]
fn a_tiny_terminal_gets_a_plain_line() {
    let bench = Bench::new();
    bench.configure_server("http://127.0.0.1:9/v1", "");
    let window = bench.window(20, 5);
    window.wait_for_text("too small");
    window.resize(120, 40);
    window.wait_for_text("shop");
}

#[test]
fn what_is_typed_into_a_tiny_terminal_reaches_the_program() {
    let bench = Bench::new();
    bench.configure_server("http://127.0.0.1:9/v1", "");
    let window = bench.window_with(120, 40, &["--here", "--", "sh", "-c", "read line; echo got-$line; read more"]);
    window.wait_for_text("1 sh");
    window.keys("<C-g>i").wait_for_text("keys go to the pane");
    window.resize(30, 6);
    window.wait_for_text("keys go to sh");
    window.line("blindly");
    window.resize(120, 40);
    window.wait_for_text("got-blindly");
}
