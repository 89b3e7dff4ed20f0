//! The first start without any configuration, and a configuration that a repository brings along.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::model_server::ModelServer;
use crate::support::Bench;

#[test]
fn the_set_up_can_be_skipped_and_panes_work_without_it() {
    let bench = Bench::new();
    let window = bench.window(120, 40);
    window.wait_for_text("welcome").keys("<Esc>").wait_gone("welcome");
    window.line("/lane new sh -- sh -c 'echo ready-$((6*7)); read line'").wait_for_text("ready-42");
    assert!(!bench.config_file().exists());
}

#[test]
fn the_set_up_finds_the_servers_models_and_saves_the_choice() {
    let server = ModelServer::start();
    server.set_models(&["small", "large"]);
    let bench = Bench::new();
    let window = bench.window(120, 40);
    window.wait_for_text("welcome");
    // The offered address is rubbed out first.
    window.keys(&"<Backspace>".repeat(40)).keys("ftp://x<Enter>").wait_for_text("begins with");
    window.keys(&"<Backspace>".repeat(40)).line(&server.base_url()).keys("<Enter>");
    window.wait_for_text("large").keys("<Down><Enter>").wait_gone("welcome");
    let text = fs::read_to_string(bench.config_file()).unwrap();
    assert!(text.contains(&server.base_url()) && text.contains("large"), "{text}");
    assert_eq!(fs::metadata(bench.config_file()).unwrap().permissions().mode() & 0o777, 0o600);

    window.line("/lane new api").wait_for_text("lane/api");
    window.line("%say hello from the model").wait_for_text("hello from the model");
}

#[test]
fn a_dead_server_is_told_in_the_set_up() {
    let bench = Bench::new();
    let window = bench.window(120, 40);
    window.wait_for_text("welcome");
    window.keys(&"<Backspace>".repeat(40)).line("http://127.0.0.1:9/v1").keys("<Enter>");
    window.wait_for_text("127.0.0.1:9/v1/models");
    window.keys("<Esc>").wait_gone("welcome");
}

#[test]
fn a_repositorys_configuration_counts_once_its_content_is_trusted() {
    let server = ModelServer::start();
    let bench = Bench::new();
    bench.configure_server(&server.base_url(), "");
    bench.write(".paralane/config.toml", "[lanes]\ninit = [\"touch\", \"made-by-init\"]\n");
    bench.commit("Bring a configuration along");
    let made = |lane: &str| {
        bench.cli(&["lane", "new", lane]).ended_with(0);
        bench.cli(&["prompt", lane, "%say ready", "--wait"]).ended_with(0);
        let lanes = bench.json(&["lane", "list"]);
        let found = lanes["lanes"].as_array().unwrap().iter().find(|l| l["name"] == lane).unwrap().clone();
        std::path::Path::new(found["worktree"].as_str().unwrap()).join("made-by-init").exists()
    };
    assert!(!made("before"), "nothing of it ran");

    let window = bench.window(120, 40);
    window.wait_for_text("made-by-init").wait_for_text("trust").keys("y").wait_gone("made-by-init");
    bench.wait_until("it counts", || bench.cli(&["config"]).stdout.contains("made-by-init"));
    assert!(made("after"));

    bench.write(".paralane/config.toml", "[lanes]\ninit = [\"touch\", \"changed\"]\n");
    drop(window);
    bench.cli(&["down"]).ended_with(0);
    let again = bench.window(120, 40);
    again.wait_for_text("changed");
    assert!(!bench.cli(&["config"]).stdout.contains("changed"), "a changed file asks again");
}
