use std::ffi::OsString;

use pretty_assertions::assert_eq;
use proptest::prelude::*;

use super::tree::clap_tree;
use super::*;
use crate::base::{Kind as ReportKind, Report};
use crate::domain::{ApprovalId, LaneKind, Layer, Mode, Priority, PromptId};

fn shell(args: &[&str]) -> Result<CommandLine, Report> {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    parse_args(&args, None)
}

fn run(args: &[&str]) -> Invocation {
    match shell(args).unwrap().action {
        Action::Run(invocation) => *invocation,
        other => panic!("{other:?}"),
    }
}

fn prompt(lane: &str, text: &str) -> Invocation {
    Invocation::Prompt {
        lane: lane.to_owned(),
        text: text.to_owned(),
        wait: false,
        timeout: None,
        fail_on_approval: false,
        priority: Priority::Normal,
        key: None,
        after: None,
        at: None,
        every: None,
        when_released: None,
    }
}

fn told(report: &Report) -> String {
    assert_eq!((report.kind, report.exit_status()), (ReportKind::Usage, 2), "{report}");
    report.to_string()
}

#[test]
fn the_trees_are_sound() {
    clap_tree(Surface::Shell).debug_assert();
    clap_tree(Surface::Window).debug_assert();
}

#[test]
fn every_example_reads_on_every_surface_of_its_command() {
    for spec in table() {
        if spec.on(Surface::Window) {
            parse_line(&format!("/{} {}", spec.title(), spec.example)).unwrap();
        }
        if spec.on(Surface::Shell) {
            let line = format!("{} {}", spec.title(), spec.example);
            let args: Vec<OsString> = words::Words::new(&line, 0).map(|word| word.text.into()).collect();
            parse_args(&args, None).unwrap();
        }
    }
}

#[test]
fn a_rewind_lists_goes_back_and_takes_one_of_three() {
    let slash = |line: &str| parse_line(line);
    let rewind = |lane: Option<&str>, number, what| Invocation::Rewind { lane: lane.map(str::to_owned), number, what };
    assert_eq!(slash("/rewind").unwrap(), rewind(None, None, RewindWhat::Both));
    assert_eq!(slash("/rewind 3").unwrap(), rewind(None, Some(3), RewindWhat::Both));
    assert_eq!(slash("/rewind api").unwrap(), rewind(Some("api"), None, RewindWhat::Both));
    assert_eq!(slash("/rewind 3 2 --files").unwrap(), rewind(Some("3"), Some(2), RewindWhat::Files));
    for bad in ["/rewind api x", "/rewind api 0", "/rewind 3 --files --conversation", "/lane fork api"] {
        assert!(slash(bad).is_err(), "{bad}");
    }
}

#[test]
fn reading_commands_are_reading_invocations() {
    for spec in table()
        .iter()
        .filter(|spec| spec.on(Surface::Window) && !matches!(spec.path[0], "mode" | "model" | "theme" | "context"))
    {
        let invocation = parse_line(&format!("/{} {}", spec.title(), spec.example)).unwrap();
        assert_eq!(invocation.reads(), spec.reads, "{}", spec.title());
    }
    assert!(parse_line("/mode").unwrap().reads() && !parse_line("/mode full").unwrap().reads());
}

#[test]
fn a_prompt_keeps_the_rest_of_the_line_untouched() {
    assert_eq!(parse_line(r#"/prompt api fix the "thing""#).unwrap(), prompt("api", r#"fix the "thing""#));
    assert_eq!(
        parse_line("/prompt api don't  touch\n\tit --wait ").unwrap(),
        prompt("api", "don't  touch\n\tit --wait")
    );
    assert_eq!(parse_line("/prompt 'api' -- --fast is slow").unwrap(), prompt("api", "--fast is slow"));
    assert_eq!(parse_line("/prompt api - item").unwrap(), prompt("api", "- item"));
    let Invocation::Prompt { priority, after, text, .. } =
        parse_line("/prompt api --priority high --after=p3 go \\n on").unwrap()
    else {
        panic!()
    };
    assert_eq!((priority, after, text.as_str()), (Priority::High, Some(PromptId(3)), "go \\n on"));
    let refused = told(&parse_line("/prompt api -x is broken").unwrap_err());
    assert!(refused.contains("no option `-x`") && refused.contains("put `--` before"), "{refused}");
}

#[test]
fn a_reason_is_the_rest_of_the_line_once_the_id_stands() {
    let deny = |reason: &str| Invocation::Deny { approval: ApprovalId(3), reason: reason.to_owned() };
    assert_eq!(parse_line("/deny a3").unwrap(), deny(""));
    assert_eq!(parse_line("/deny a3 --reason it's the \"live\" one").unwrap(), deny("it's the \"live\" one"));
    assert_eq!(parse_line("/deny a3 --reason \"use the test one\"").unwrap(), deny("use the test one"));
    assert_eq!(parse_line("/deny --reason 'no way' a3").unwrap(), deny("no way"));
    assert_eq!(run(&["deny", "3", "--reason", "no way"]), deny("no way"));
}

#[test]
fn a_compaction_takes_a_lane_and_free_words() {
    let compact = |lane: Option<&str>, focus: Option<&str>| Invocation::Compact {
        lane: lane.map(str::to_owned),
        focus: focus.map(str::to_owned),
    };
    assert_eq!(parse_line("/compact").unwrap(), compact(None, None));
    assert_eq!(parse_line("/compact the error texts").unwrap(), compact(Some("the"), Some("error texts")));
    assert_eq!(run(&["compact", "api"]), compact(Some("api"), None));
    assert_eq!(run(&["compact", "api", "the", "API"]), compact(Some("api"), Some("the API")));
}

#[test]
fn a_context_is_shown_or_a_layer_of_it_switched() {
    let shown = |lane: Option<&str>| Invocation::Context { lane: lane.map(str::to_owned), switch: None };
    assert_eq!(parse_line("/context").unwrap(), shown(None));
    assert_eq!(parse_line("/context api").unwrap(), shown(Some("api")));
    assert_eq!(run(&["context", "--lane", "off"]), shown(Some("off")));
    assert!(shown(None).reads());
    let off = Invocation::Context { lane: Some("api".into()), switch: Some((Layer::Rules, false)) };
    assert_eq!(run(&["context", "off", "rules", "--lane", "api"]), off);
    assert!(!off.reads());
    let on = Invocation::Context { lane: None, switch: Some((Layer::Turns, true)) };
    assert_eq!(parse_line("/context on turns").unwrap(), on);
    for (bad, words) in [
        ("/context off", "name the layer"),
        ("/context off system", "rules, scoped"),
        ("/context api rules", "`on` or `off`"),
        ("/context api --lane ui", "named twice"),
    ] {
        let report = told(&parse_line(bad).unwrap_err());
        assert!(report.contains(words), "{bad}: {report}");
    }
}

#[test]
fn lanes_are_made_with_or_without_a_program() {
    let Invocation::LaneNew { name, kind, here, .. } =
        parse_line("/lane new sh --here -- bash -lc 'echo \"x\"'").unwrap()
    else {
        panic!()
    };
    assert_eq!(name.unwrap().as_str(), "sh");
    assert!(here);
    assert_eq!(kind, LaneKind::plain(vec!["bash".into(), "-lc".into(), "echo \"x\"".into()]));
    let Invocation::LaneNew { name, kind, prompt, .. } = run(&["lane", "new", "--model", "m", "--prompt", "go on"])
    else {
        panic!()
    };
    assert_eq!((name, prompt.as_deref()), (None, Some("go on")));
    assert_eq!(kind, LaneKind::Agent { provider: None, model: Some("m".into()) });
    for bad in [
        "/lane new sh --kind pane",
        "/lane new sh --kind agent -- bash",
        "/lane new sh --model m -- bash",
        "/lane new sh --here --base main",
        "/lane new a/b",
        "/lane new api --prompt fix the login",
        "/lane rename api don't",
    ] {
        told(&parse_line(bad).unwrap_err());
    }
}

#[test]
fn the_shell_takes_global_options_anywhere_and_a_program_after_dashes() {
    let all = shell(&["--repo", "/r", "lane", "list", "--json", "--home=/h"]).unwrap();
    let globals = Globals { repo: Some("/r".into()), home: Some("/h".into()), json: true, foreground: false };
    assert_eq!(all, CommandLine { globals, action: Action::Run(Box::new(Invocation::LaneList { all: false })) });
    assert_eq!(parse_args(&[], Some("/env".into())).unwrap().globals.home, Some("/env".into()));
    assert_eq!(shell(&[]).unwrap().action, Action::Window(None));
    let open = Action::Window(Some(OpenPane { command: vec!["vim".into(), "--clean".into()], here: true }));
    assert_eq!(shell(&["--here", "--", "vim", "--clean"]).unwrap().action, open);
    assert!(told(&shell(&["--here"]).unwrap_err()).contains("--here"));
    assert!(told(&shell(&["--here", "status"]).unwrap_err()).contains("--here"));
    assert!(
        matches!(shell(&["--version"]).unwrap().action, Action::Print(text) if text.contains(env!("CARGO_PKG_VERSION")))
    );
}

#[test]
fn a_shell_prompt_takes_options_on_both_sides_of_its_text() {
    let Invocation::Prompt { text, wait, timeout, .. } =
        run(&["prompt", "api", "fix", "it", "--wait", "--timeout", "30"])
    else {
        panic!()
    };
    assert_eq!((text.as_str(), wait, timeout), ("fix it", true, Some(30)));
    assert_eq!(run(&["prompt", "api", "--", "-x", "is broken"]), prompt("api", "-x is broken"));
    for bad in [
        &["prompt", "api", "x", "--timeout", "3"][..],
        &["prompt", "api", "x", "--wait", "--timeout", "0"],
        &["prompt", "api", "x", "--at", "soon"],
        &["prompt", "api", "x", "--at", "+1m", "--after", "p1"],
        &["prompt", "api", " "],
        &["prompt", "api"],
    ] {
        told(&shell(bad).unwrap_err());
    }
}

#[test]
fn in_a_window_the_focused_lane_stands_in_but_a_shell_names_it() {
    assert_eq!(parse_line("/lane close").unwrap(), Invocation::LaneClose { lane: None, keep_branch: false });
    assert_eq!(parse_line("/cancel").unwrap(), Invocation::Cancel { target: PromptTarget::Focused });
    assert_eq!(parse_line("/cancel 12").unwrap(), Invocation::Cancel { target: PromptTarget::Prompt(PromptId(12)) });
    assert_eq!(parse_line("/cancel api").unwrap(), Invocation::Cancel { target: PromptTarget::Lane("api".into()) });
    assert!(told(&shell(&["lane", "close"]).unwrap_err()).contains("lacks `NAME`"));
    assert!(told(&shell(&["reserve", "src/"]).unwrap_err()).contains("lacks `--lane`"));
    assert!(told(&shell(&["cancel"]).unwrap_err()).contains("paralane cancel TARGET"));
}

#[test]
fn prompts_move_to_places_lanes_and_priorities() {
    let moved = |line: &str| match parse_line(line).unwrap() {
        Invocation::QueueMove { to, lane, priority, .. } => (to, lane, priority),
        other => panic!("{other:?}"),
    };
    assert_eq!(moved("/queue move p4 before p2").0, Some(MoveTo::Before(PromptId(2))));
    assert_eq!(moved("/queue move 4 up --priority low"), (Some(MoveTo::Up), None, Some(Priority::Low)));
    assert_eq!(moved("/queue move p4 --lane ui"), (None, Some("ui".into()), None));
    for bad in ["/queue move p4", "/queue move p4 before", "/queue move p4 first p2", "/queue move x first"] {
        told(&parse_line(bad).unwrap_err());
    }
}

#[test]
fn slips_get_the_nearest_right_word() {
    for (line, wanted) in [
        ("/promt api x", "did you mean `/prompt`?"),
        ("/lane lst", "did you mean `/lane list`?"),
        ("/lane", "say what to do: `new`, `list`"),
        ("/queue list --al", "did you mean `--all`?"),
        ("/mode edit", "is not one of plan, ask, auto-edit, full"),
        ("/mode auto-edti", "did you mean `auto-edit`?"),
        ("/approve p3", "`p3` is no approval id"),
        ("/approve a3 --edit [1]", "JSON object"),
        ("/demo", "run `paralane demo` in a shell"),
        ("/merge api", "there is no command `merge`"),
        ("/status now", "`status` does not take `now`"),
        ("/queue list --lane", "`--lane` needs a value"),
        ("/", "no command was typed"),
    ] {
        let text = told(&parse_line(line).unwrap_err());
        assert!(text.contains(wanted), "{line}: {text}");
    }
    for (args, wanted) in [
        (&["stauts"][..], "did you mean `paralane status`?"),
        (&["--jsno"], "did you mean `--json`?"),
        (&["queue", "lisst"], "did you mean `paralane queue list`?"),
        (&["detach"], "type `/detach` in a window's prompt bar"),
        (&["status", "--jso"], "did you mean `--json`?"),
        (&["help", "promt"], "did you mean `paralane prompt`?"),
    ] {
        let text = told(&shell(args).unwrap_err());
        assert!(text.contains(wanted), "{args:?}: {text}");
    }
}

#[test]
fn help_knows_every_command_and_its_surface() {
    let overview = help_text(&[], Surface::Window).unwrap();
    for spec in table() {
        assert_eq!(overview.contains(&format!("/{} ", spec.title())), spec.on(Surface::Window), "{}", spec.title());
    }
    let one = help_text(&["prompt"], Surface::Window).unwrap();
    assert!(one.contains("/prompt") && one.contains("--priority") && !one.contains("--wait"), "{one}");
    assert!(
        matches!(shell(&["lane", "new", "--help"]).unwrap().action, Action::Print(t) if t.contains("paralane lane new"))
    );
    assert!(matches!(shell(&["lane", "--help"]).unwrap().action, Action::Print(t) if t.contains("restore")));
    assert!(matches!(shell(&["help", "lane"]).unwrap().action, Action::Print(t) if t.contains("lane restore")));
    assert!(matches!(shell(&["help"]).unwrap().action, Action::Print(t) if t.contains("approvals")));
    for name in ["bash", "zsh", "fish"] {
        assert!(matches!(shell(&["completion", name]).unwrap().action, Action::Print(t) if t.contains("broadcast")));
    }
    assert!(palette().iter().all(|entry| entry.title != "demo"));
    assert!(palette().iter().find(|entry| entry.title == "lane close").is_some_and(|entry| entry.ready));
}

fn names() -> Names {
    let name = |text: &str| Name { text: text.into(), about: String::new() };
    Names {
        lanes: vec![name("api"), name("ui"), name("webapi")],
        closed_lanes: vec![name("old")],
        prompts: vec![name("p1"), name("p2")],
        approvals: vec![name("a1")],
        paths: vec![name("src/"), name("my file.rs")],
        ..Names::default()
    }
}

fn offered(line: &str) -> Vec<String> {
    complete(line, line.len(), &names()).into_iter().map(|offer| offer.text).collect()
}

#[test]
fn completion_follows_the_table() {
    assert_eq!(offered("/que"), ["queue list", "queue edit", "queue move", "queue cancel", "issue request"]);
    assert_eq!(offered("/lane re"), ["lane rename", "lane resume", "lane restart", "lane restore"]);
    assert_eq!(offered("/prompt "), ["api", "ui", "webapi"]);
    assert_eq!(offered("/prompt ap"), ["api", "webapi"]);
    assert_eq!(offered("/prompt api "), Vec::<String>::new());
    assert_eq!(offered("/prompt api fix -"), Vec::<String>::new());
    assert_eq!(offered("/prompt api --p"), ["--priority"]);
    assert_eq!(offered("/prompt api --priority "), ["high", "normal", "low"]);
    assert_eq!(offered("/lane restore "), ["old"]);
    assert_eq!(offered("/approve a1 "), ["--for", "--edit", "--answer"]);
    assert_eq!(offered("/reserve my"), ["'my file.rs'"]);
    assert_eq!(offered("/queue move p1 before "), ["p1", "p2"]);
    assert_eq!(offered("/help la"), ["lane", "plan"]);
    assert_eq!(offered("/help lane ren"), ["rename"]);
    assert_eq!(offered("@a"), ["api", "all", "webapi"]);
    assert_eq!(offered("plain words"), Vec::<String>::new());
    assert!(offered("/de").contains(&"deny".to_owned()) && !offered("/de").contains(&"demo".to_owned()));
    let offer = &complete("/mode a --lane ui", 7, &names())[0];
    assert_eq!((offer.text.as_str(), offer.range.clone()), ("ask", 6..7));
    assert_eq!(parse_line("/mode ask").unwrap(), Invocation::Mode { set: Some(Mode::Ask), lane: None });
}

#[test]
fn a_model_is_split_by_known_providers_only() {
    assert_eq!(split_model("local/m", &["local"]), (Some("local"), "m"));
    assert_eq!(split_model("meta/llama", &["local"]), (None, "meta/llama"));
}

proptest! {
    #[test]
    fn no_line_panics_and_every_cursor_completes(line in "[/@]?(lane|prompt|queue|deny)? ?\\PC{0,40}", cut in 0usize..60) {
        let _ = parse_line(&line);
        let _ = complete(&line, cut, &names());
    }

    #[test]
    fn prompt_text_is_never_changed(text in "[^\\s-][^\\r]{0,60}[^\\s]") {
        prop_assert_eq!(parse_line(&format!("/prompt api {text}")).unwrap(), prompt("api", &text));
    }

    #[test]
    fn completed_ranges_lie_in_the_line(line in "/[a-z ]{0,12} ?[a-z'\" -]{0,12}") {
        for offer in complete(&line, line.len(), &names()) {
            prop_assert!(line.get(offer.range.clone()).is_some());
        }
    }
}
