//! Rules as a person writes them: explained, added, removed, read again, and obeyed.

use crate::shop::Shop;

#[test]
fn rules_are_explained_added_and_removed_without_a_workstation() {
    let shop = Shop::new();
    shop.bench.write(
        ".paralane/config.toml",
        "[[rule]]\neffect = \"deny\"\ntool = \"shell\"\nmatch = \"rm *\"\nreason = \"nothing is removed here\"\n",
    );
    let explain = |words: &[&str]| shop.ok(&[&["policy", "explain"], words].concat()).stdout;
    assert!(explain(&["shell", "rm -rf x"]).starts_with("ask "), "not trusted yet");
    shop.ok(&["trust"]);
    shop.ok(&["down"]);
    let denied = explain(&["shell", "ls && sudo r''m -rf x"]);
    assert!(denied.starts_with("deny "), "{denied}");
    assert!(denied.contains("nothing is removed here") && denied.contains(".paralane/config.toml:1"), "{denied}");
    assert!(denied.contains("for `rm -rf x`"), "the part that decided: {denied}");
    let json = shop.json(&["policy", "explain", "shell", "rm x"]);
    assert_eq!((json["verdict"].as_str(), json["line"].as_u64()), (Some("deny"), Some(1)));
    // Added to the person's own file, and to the project's, which stays trusted.
    shop.ok(&["policy", "add", "allow", "shell", "ls *"]);
    shop.ok(&["policy", "add", "ask", "write", "docs/**", "--reason", "the writers look", "--project"]);
    shop.wait_for("the rules", || {
        let shown = shop.ok(&["policy", "show"]).stdout;
        if shown.contains("docs/**") && shown.contains("ls *") { Ok(()) } else { Err(shown) }
    });
    shop.ok(&["down"]);
    assert!(explain(&["shell", "ls -l"]).starts_with("allow "));
    assert!(explain(&["write", "docs/a.md"]).contains("the writers look"));
    assert!(explain(&["shell", "ls > docs/a.md"]).starts_with("ask "));
    let rules = shop.json(&["policy", "show"]);
    let number =
        rules["rules"].as_array().unwrap().iter().find(|r| r["match"] == "ls *").unwrap()["number"].to_string();
    shop.ok(&["policy", "remove", &number]);
    shop.wait_for("the rule to go", || {
        let shown = shop.ok(&["policy", "show"]).stdout;
        if shown.contains("ls *") { Err(shown) } else { Ok(()) }
    });
    assert!(shop.refused(&["policy", "remove", "99"]).contains("no rule 99"));
    // What could never fit is refused with what to write instead.
    let words = shop.refused(&["policy", "add", "deny", "shell", "a && b"]);
    assert!(words.contains("judged one by one") && words.contains("a rule for each"), "{words}");
    assert!(shop.refused(&["policy", "add", "deny", "shell", "rm*"]).contains("`rm *`"));
    assert!(shop.refused(&["policy", "add", "deny", "git", "git push *"]).contains("begins with `git`"));
}

#[test]
fn an_entry_of_two_person_is_removed_like_a_rule() {
    let shop = Shop::with(
        "[approvals]\ntwo_person = [\"shell\", \"git\"]\n\n[[rule]]\neffect = \"ask\"\ntool = \"shell\"\nconfirm = 2\n",
    );
    let of_shell = || {
        let rules = shop.json(&["policy", "show"])["rules"].as_array().unwrap().clone();
        let of_shell = rules.iter().filter(|rule| rule["tool"] == "shell");
        of_shell.map(|rule| (rule["number"].to_string(), rule["line"].as_u64())).collect::<Vec<_>>()
    };
    let (number, line) = of_shell().into_iter().min_by_key(|(_, line)| *line).unwrap();
    shop.ok(&["policy", "remove", &number]);
    shop.wait_for("the entry to go", || if of_shell().len() == 1 { Ok(()) } else { Err(format!("{:?}", of_shell())) });
    assert_ne!(of_shell()[0].1, line);
    let text = std::fs::read_to_string(shop.bench.config_file()).unwrap();
    assert!(text.contains("two_person = [\"git\"]") || text.contains("two_person = [ \"git\"]"), "{text}");
    assert!(text.contains("confirm = 2"), "{text}");
}

#[test]
fn an_agent_is_held_to_the_rules_also_to_those_written_while_it_runs() {
    let shop = Shop::new();
    let config = std::fs::read_to_string(shop.bench.config_file()).unwrap();
    let with = |rules: &str| std::fs::write(shop.bench.config_file(), format!("{config}\n{rules}")).unwrap();
    shop.lanes(&["api"]);
    with(
        "[[rule]]\neffect = \"allow\"\ntool = \"shell\"\nmatch = \"echo *\"\n[[rule]]\neffect = \"deny\"\ntool = \"write\"\nmatch = \"secrets/**\"\n",
    );
    shop.wait_for("the rules to be read", || {
        let shown = shop.ok(&["policy", "show"]).stdout;
        if shown.contains("secrets/**") { Ok(()) } else { Err(shown) }
    });
    let id = shop.send("api", "%sh echo hello\n%sh echo x > secrets/y\n%write secrets/z z");
    shop.wait_state(&id, "done");
    let results = shop.results("api");
    assert!(results[0].contains("hello"), "{results:?}");
    assert!(
        results[1].contains("deny write secrets/**") && results[2].contains("deny write secrets/**"),
        "{results:?}"
    );
    assert!(!shop.worktree("api").join("secrets").exists());
    // The question names the rule and its place, as `policy explain` does.
    with("[[rule]]\neffect = \"ask\"\ntool = \"shell\"\nmatch = \"git push *\"\nreason = \"pushes are reviewed\"\n");
    shop.wait_for("the rules to be read", || {
        let shown = shop.ok(&["policy", "show"]).stdout;
        if shown.contains("pushes are reviewed") { Ok(()) } else { Err(shown) }
    });
    let id = shop.send("api", "%sh git push origin x");
    let asked = shop.wait_approvals(1).remove(0);
    let text = asked.to_string();
    assert!(
        text.contains("ask shell git push * (pushes are reviewed)") && text.contains("user config.toml:"),
        "{text}"
    );
    // A broken rule is told, and everything but reading asks.
    shop.ok(&["deny", asked["id"].as_str().unwrap()]);
    shop.wait_state(&id, "done");
    with(
        "[[rule]]\neffect = \"allow\"\ntool = \"shell\"\nmatch = \"echo *\"\n[[rule]]\neffect = \"forbid\"\ntool = \"shell\"\n",
    );
    shop.wait_for("the fault to be told", || {
        let told = shop.problems();
        if told.contains("no effect `forbid`") && told.contains("rule[1].effect") { Ok(()) } else { Err(told) }
    });
    assert!(shop.ok(&["policy", "explain", "shell", "echo x"]).stdout.starts_with("ask "));
    assert!(shop.ok(&["policy", "explain", "read", "a"]).stdout.starts_with("allow "));
}

#[test]
fn a_configuration_that_comes_while_it_runs_is_read_and_so_is_its_next_change() {
    let shop = Shop::new();
    let file = shop.bench.config_file();
    std::fs::remove_dir_all(file.parent().unwrap().parent().unwrap()).unwrap();
    shop.ok(&["up"]);
    for word in ["first", "second"] {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, format!("[[rule]]\neffect = \"deny\"\ntool = \"shell\"\nmatch = \"{word}\"\n")).unwrap();
        shop.wait_for("the rules to be read", || {
            let told = shop.ok(&["policy", "explain", "shell", word]).stdout;
            if told.starts_with("deny ") { Ok(()) } else { Err(told) }
        });
    }
}

#[test]
fn a_lane_is_made_with_rules_of_its_own() {
    let shop = Shop::full();
    shop.bench.write("strict.toml", "[[rule]]\neffect = \"deny\"\ntool = \"shell\"\nmatch = \"touch *\"\n");
    let words = shop.refused(&["lane", "new", "api", "--rules", "absent.toml"]);
    assert!(words.contains("absent.toml") && words.contains("no lane was made"), "{words}");
    shop.ok(&["lane", "new", "api", "--rules", "strict.toml"]);
    shop.ok(&["lane", "new", "ui"]);
    for (lane, made) in [("api", false), ("ui", true)] {
        let id = shop.send(lane, "%sh touch made");
        shop.wait_state(&id, "done");
        assert_eq!(shop.worktree(lane).join("made").exists(), made, "{lane}");
    }
    shop.bench.kill_workstation();
    let shown = shop.json(&["policy", "show", "--lane", "api"]);
    assert_eq!((&shown["rules"][0]["layer"], &shown["rules"][0]["match"]), (&"lane".into(), &"touch *".into()));
}

#[test]
fn a_lane_for_a_program_that_is_not_there_leaves_nothing_behind() {
    let shop = Shop::full();
    let words = shop.refused(&["lane", "new", "x", "--", "no-such-program-here"]);
    assert!(
        words.contains("no-such-program-here") && words.contains("PATH (") && words.contains("no lane was made"),
        "{words}"
    );
    assert_eq!(shop.json(&["lane", "list", "--all"])["lanes"].as_array().map(Vec::len), Some(0));
    assert!(shop.bench.git(&["branch", "--list", "lane/*"]).is_empty());
}
