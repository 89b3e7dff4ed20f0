//! A repository's own configuration runs nothing before the person trusted exactly its content.

use crate::shop::Shop;

#[test]
fn project_configuration_counts_only_as_it_was_trusted() {
    let shop = Shop::full();
    let config = |word: &str| format!("[lanes]\ninit = [\"touch\", \"{word}\"]\n");
    shop.bench.write(".paralane/config.toml", &config("first"));
    shop.bench.commit("Configure");
    shop.lanes(&["one"]);
    assert!(!shop.worktree("one").join("first").exists(), "untrusted: not used");
    let problems = shop.problems();
    assert!(problems.contains("not trusted") && problems.contains(".paralane/config.toml"), "{problems}");
    let shown = shop.ok(&["trust"]).stdout;
    assert!(shown.contains(config("first").trim()), "shown in full: {shown}");
    shop.wait_for("the problem to go", || {
        let problems = shop.problems();
        if problems.contains("not trusted") { Err(problems) } else { Ok(()) }
    });
    shop.ok(&["lane", "new", "two"]);
    shop.wait_lane("two", "idle");
    assert!(shop.worktree("two").join("first").exists());
    // Kept over a restart; changed content asks again and does not count meanwhile.
    shop.bench.kill_workstation();
    shop.lanes(&["three"]);
    assert!(shop.worktree("three").join("first").exists());
    shop.ok(&["down"]);
    shop.bench.write(".paralane/config.toml", &config("second"));
    shop.lanes(&["four"]);
    let four = shop.worktree("four");
    assert!(!four.join("second").exists() && !four.join("first").exists());
    assert!(shop.problems().contains("not trusted"));
    // The old content again: still trusted.
    shop.ok(&["down"]);
    shop.bench.write(".paralane/config.toml", &config("first"));
    shop.lanes(&["five"]);
    assert!(shop.worktree("five").join("first").exists());
}

#[test]
fn what_was_shown_is_what_is_trusted() {
    let shop = Shop::full();
    shop.bench.write(".paralane/config.toml", "[lanes]\ninit = [\"touch\", \"shown\"]\n");
    shop.ok(&["up"]);
    // Swapped between the showing and the trusting.
    shop.bench.write(".paralane/config.toml", "[lanes]\ninit = [\"touch\", \"swapped\"]\n");
    let shown = shop.bench.cli(&["trust"]);
    shop.lanes(&["one"]);
    let swapped = shop.worktree("one").join("swapped").exists();
    assert!(!swapped || shown.stdout.contains("swapped"), "trusted unseen: {shown:?}");
}

#[test]
fn malformed_project_configuration_is_told_and_the_rest_works() {
    let shop = Shop::full();
    shop.bench.write(".paralane/config.toml", "[lanes]\ninit = [\n");
    shop.lanes(&["one"]);
    let id = shop.send("one", "%say fine");
    shop.wait_state(&id, "done");
}
