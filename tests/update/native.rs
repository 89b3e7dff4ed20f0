//! Native CLIs: what their hooks are answered, who decides, and what their lanes go on with.

use std::sync::Arc;

use paralane::app::{Msg, PaneMsg, RequestId};
use paralane::config::{Layer, Origin};
use paralane::domain::ReasonClass::{BranchDrift, BranchSwitch, NoOpinion, Paused, Policy, ReservedPath};
use paralane::domain::{
    Change, Conversation, GitFacts, HookAnswer, HookCall, LaneId, NativeCall, NativeEvent, NeedKind, PaneStatus,
    ProgramState, ProgramStatus, ReasonClass, Saying,
};
use paralane::policy::{Policy as Rules, Rule, Switches};
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::support::Sim;

fn blank(tool: &str, action: &str) -> NativeCall {
    NativeCall {
        tool: tool.into(),
        action: action.into(),
        command: None,
        arguments: json!({ "path": action }),
        diff: None,
        directory: "/state/worktrees/web".into(),
        writes: Vec::new(),
        reads: Vec::new(),
        inside: true,
        known: true,
        refused: None,
        returns: false,
    }
}

fn shell(command: &str) -> NativeCall {
    NativeCall { command: Some(command.into()), arguments: json!({ "command": command }), ..blank("shell", command) }
}

fn write(path: &str) -> NativeCall {
    NativeCall { writes: vec![path.into()], ..blank("write", path) }
}

/// A lane `web` of this CLI, and its number.
fn lane(cli: &str) -> (Sim, LaneId) {
    let mut sim = Sim::with(&[]);
    sim.ok(&format!("lane new web --cli {cli}"));
    let id = sim.lane("web").id;
    (sim, id)
}

impl Sim {
    /// A hook asks; its answer, if there is one by now.
    fn hook(&mut self, lane: LaneId, id: u64, event: NativeEvent) -> Option<HookAnswer> {
        let name = match &event {
            NativeEvent::Before(_) => "PreToolUse",
            NativeEvent::Permission(_) => "PermissionRequest",
            _ => "Other",
        };
        let call = HookCall { session: Some("s1".into()), name: name.into(), event, usage: None };
        self.tell(Msg::Hook(lane, RequestId(id), Box::new(call)));
        self.run();
        self.hooked.get(&id).cloned()
    }

    fn before(&mut self, lane: LaneId, id: u64, call: NativeCall) -> Option<HookAnswer> {
        self.hook(lane, id, NativeEvent::Before(Box::new(call)))
    }

    fn permission(&mut self, lane: LaneId, id: u64, call: NativeCall) -> Option<HookAnswer> {
        self.hook(lane, id, NativeEvent::Permission(Box::new(call)))
    }

    /// What every decision rested on, in order.
    fn classes(&self) -> Vec<(String, ReasonClass)> {
        let class = |change: &Change| match change {
            Change::HookAnswered { answer, class, .. } => Some((answer.clone(), *class)),
            _ => None,
        };
        self.disk.log.iter().filter_map(class).collect()
    }

    fn session(&self) -> Option<String> {
        self.lane("web").kind.native().and_then(|native| native.session.clone())
    }
}

fn word(answer: Option<HookAnswer>) -> &'static str {
    answer.map_or("waits", |answer| answer.word())
}

#[test]
fn rules_and_modes_decide_as_for_own_agents() {
    let (mut sim, web) = lane("claude");
    assert_eq!(sim.lane("web").kind.word(), "pane");
    assert_eq!(word(sim.before(web, 1, shell("npm test"))), "ask");
    assert_eq!(word(sim.before(web, 2, blank("read", "src/a.rs"))), "allow");
    let elsewhere = NativeCall { inside: false, ..blank("read", "/etc/hosts") };
    assert_eq!(word(sim.before(web, 3, elsewhere)), "pass");
    let foreign = NativeCall { known: false, ..blank("mcp__x__y", "{}") };
    assert_eq!(word(sim.before(web, 4, foreign)), "pass");
    sim.ok("mode plan");
    assert_eq!(word(sim.before(web, 5, write("a"))), "deny");
    sim.ok("mode full");
    assert_eq!(word(sim.before(web, 6, shell("npm test"))), "allow");
    let guarded = NativeCall { refused: Some((ReasonClass::BranchSwitch, "stay".into())), ..shell("git switch main") };
    assert_eq!(sim.before(web, 7, guarded), Some(HookAnswer::Deny("stay".into())), "whatever the mode");
    let classes: Vec<ReasonClass> = sim.classes().into_iter().map(|(_, class)| class).collect();
    assert_eq!(classes, [Policy, Policy, NoOpinion, NoOpinion, Policy, Policy, BranchSwitch]);
}

#[test]
fn a_permission_waits_for_the_panel_or_the_dialog() {
    let (mut sim, web) = lane("claude");
    assert_eq!(word(sim.permission(web, 1, shell("npm test"))), "waits");
    assert_eq!(sim.lane_word("web"), "needs you");
    let listed: serde_json::Value = serde_json::from_str(&sim.ok("--json approvals")).unwrap();
    let asked = &listed["approvals"][0];
    assert_eq!(
        (&asked["tool"], &asked["action"], &asked["lane"]),
        (&json!("shell"), &json!("npm test"), &json!("web"))
    );
    sim.ok("approve a1");
    assert_eq!(word(sim.hooked.get(&1).cloned()), "allow");
    assert!(sim.refused("approve a1").message.contains("already allowed"), "it was answered once");
    // Denied, with the reason.
    sim.permission(web, 2, shell("rm -rf src"));
    sim.ok("deny a2 --reason no");
    let Some(HookAnswer::Deny(words)) = sim.hooked.get(&2) else { panic!("not denied") };
    assert!(words.contains("Reason: no"), "{words}");
    // Answered in its own dialog: the hook is ended.
    sim.permission(web, 3, shell("make"));
    sim.tell(Msg::RequestGone(RequestId(3)));
    sim.run();
    assert!(sim.ok("approvals").contains("no approval waits"));
    // Or the tool has run.
    sim.permission(web, 4, shell("make"));
    sim.hook(web, 5, NativeEvent::After(Some(Box::new(shell("make")))));
    assert_eq!(word(sim.hooked.get(&4).cloned()), "pass");
    assert_eq!(sim.classes().last().map(|(_, class)| *class), Some(ReasonClass::Answered));
}

#[test]
fn what_needs_two_is_denied_at_once_since_a_dialog_takes_one_answer() {
    for cli in ["claude", "codex"] {
        let (mut sim, web) = lane(cli);
        let origin = Origin::File { layer: Layer::User, file: "/c.toml".into(), line: 3 };
        let rule = Rule::new("ask", "shell", "deploy *", None, origin).unwrap().confirmed(Some(2)).unwrap();
        sim.state.settings.policy = Arc::new(Rules::new(vec![rule], Switches::default()));
        for (id, answer) in
            [(1, sim.before(web, 1, shell("deploy all"))), (2, sim.permission(web, 2, shell("cd x && deploy all")))]
        {
            let Some(HookAnswer::Deny(words)) = answer else { panic!("{cli} {id}: not denied") };
            assert!(words.contains("the yes of two people") && words.contains("config.toml:3"), "{words}");
        }
        assert!(sim.ok("approvals").contains("no approval waits"));
    }
}

#[test]
fn an_answer_for_longer_is_the_same_rule_memory() {
    let (mut sim, web) = lane("claude");
    sim.permission(web, 1, shell("npm test"));
    sim.ok("approve a1 --for session");
    assert_eq!(word(sim.before(web, 2, shell("npm test"))), "allow");
    assert_eq!(sim.classes().last().map(|(_, class)| *class), Some(ReasonClass::Remembered));
    assert_eq!(word(sim.before(web, 3, shell("npm test -- x"))), "ask");
    // A rule that comes later answers what waits.
    sim.permission(web, 4, shell("npm ci"));
    assert_eq!(word(sim.hooked.get(&4).cloned()), "waits");
    sim.ok("mode full --lane web");
    assert_eq!(word(sim.hooked.get(&4).cloned()), "allow");
}

#[test]
fn what_codex_has_asked_is_held_before_the_tool_and_its_dialog_takes_keys_only_while_it_stands() {
    let (mut sim, web) = lane("codex");
    assert_eq!(word(sim.before(web, 1, shell("npm test"))), "waits");
    sim.ok("approve a1");
    assert_eq!(word(sim.hooked.get(&1).cloned()), "allow");
    // A dialog that it opens for other reasons.
    assert_eq!(word(sim.permission(web, 2, shell("npm test"))), "pass", "a hook that waits would hide it");
    // Another one took its place.
    sim.permission(web, 3, shell("npm ci"));
    let refused = sim.refused("approve a2");
    assert!(refused.message.contains("is not the one on the screen"), "{refused}");
    sim.ok("deny a3");
    assert_eq!(sim.dialogs, [("npm ci".to_owned(), false)]);
    let says = |state| PaneStatus {
        program: Some(ProgramStatus { state, message: String::new(), by: Saying::Report }),
        ..PaneStatus::default()
    };
    sim.tell(Msg::Pane(web, PaneMsg::Status(says(ProgramState::Blocked(NeedKind::Permission)))));
    sim.ok("approve a2");
    assert_eq!(sim.dialogs.last(), Some(&("npm test".to_owned(), true)));
    // Answered where it stands.
    sim.permission(web, 4, shell("npm test"));
    sim.tell(Msg::Pane(web, PaneMsg::Status(says(ProgramState::Working))));
    sim.run();
    assert!(sim.ok("approvals").contains("no approval waits"));
}

#[test]
fn paused_drifted_and_held_back_lanes_are_refused_with_the_reason() {
    let (mut sim, web) = lane("claude");
    sim.ok("mode full");
    sim.ok("lane new api");
    sim.ok("reserve --lane api src/");
    let Some(HookAnswer::Deny(words)) = sim.before(web, 1, write("src/a.rs")) else { panic!("not refused") };
    assert!(words.contains("lane `api` holds src/a.rs (reserved)"), "{words}");
    let redirected = NativeCall { writes: vec!["src/b".into()], ..shell("echo x > src/b") };
    assert_eq!(word(sim.before(web, 2, redirected)), "deny");
    sim.ok("release --lane api");
    assert_eq!(word(sim.before(web, 3, write("src/a.rs"))), "allow");
    sim.ok("lane pause web");
    assert_eq!(word(sim.before(web, 4, blank("read", "a"))), "deny");
    sim.ok("lane resume web");
    let facts = GitFacts { drifted_to: Some("main".into()), ..GitFacts::default() };
    sim.tell(Msg::Lane(web, paralane::app::LaneMsg::Git { facts: Box::new(facts), touched: Vec::new() }));
    assert_eq!(word(sim.before(web, 5, shell("npm test"))), "deny");
    let back = NativeCall { returns: true, ..shell("git switch lane/web") };
    assert_eq!(word(sim.before(web, 6, back)), "allow");
    let stop = |again| NativeEvent::Stop { again, answer: None };
    assert_eq!(word(sim.hook(web, 7, stop(false))), "go-on");
    assert_eq!(word(sim.hook(web, 8, stop(true))), "pass", "once is enough");
    let classes: Vec<ReasonClass> = sim.classes().into_iter().map(|(_, class)| class).collect();
    let (held, slipped) = ([ReservedPath, ReservedPath, Policy, Paused], BranchDrift);
    assert_eq!(classes, [&held[..], &[slipped, BranchDrift, Policy, BranchDrift]].concat());
}

/// Git was looked at.
fn looked(sim: &mut Sim, lane: LaneId, facts: GitFacts, touched: &[&str]) {
    let touched = touched.iter().map(|path| (*path).to_owned()).collect();
    sim.tell(Msg::Lane(lane, paralane::app::LaneMsg::Git { facts: Box::new(facts), touched }));
    sim.run();
}

#[test]
fn what_slipped_past_is_told_once_with_the_command_that_mends_it() {
    let (mut sim, web) = lane("claude");
    let drifted = || GitFacts { drifted_to: Some("main".into()), ..GitFacts::default() };
    looked(&mut sim, web, drifted(), &[]);
    looked(&mut sim, web, drifted(), &[]);
    assert_eq!(sim.classes(), [("slipped".to_owned(), BranchDrift)]);
    let problems = sim.sh("problems").output;
    assert!(problems.contains("has `main` checked out") && problems.contains("switch lane/web"), "{problems}");
    looked(&mut sim, web, GitFacts::default(), &[]);
    assert!(!sim.sh("problems").output.contains("checked out"));
}

#[test]
fn what_a_call_changed_in_the_base_checkout_is_a_conflict_until_it_is_seen() {
    let (mut sim, web) = lane("claude");
    sim.prompt("web", "a long one");
    sim.ok("mode full");
    assert_eq!(word(sim.before(web, 1, shell("make"))), "allow");
    sim.hook(web, 2, NativeEvent::After(Some(Box::new(shell("make")))));
    assert_eq!(sim.compared, [(web, "shell make".to_owned())]);
    sim.before(web, 3, NativeCall { tool: "read".into(), ..blank("read", "README.md") });
    sim.hook(web, 4, NativeEvent::After(Some(Box::new(blank("read", "README.md")))));
    assert_eq!(sim.compared.len(), 1, "a look changes nothing");
    let written = paralane::app::LaneMsg::BaseWritten { paths: vec!["README.md".into()], call: "shell make".into() };
    sim.tell(Msg::Lane(web, written));
    sim.run();
    let found = |sim: &mut Sim| -> serde_json::Value { serde_json::from_str(&sim.ok("--json conflicts")).unwrap() };
    let listed = found(&mut sim);
    let one = &listed["conflicts"][0];
    assert_eq!((&one["with"], &one["kind"]), (&json!("the base checkout"), &json!("base")), "{listed}");
    assert!(sim.refused("wait c1").to_string().contains("only warns"));
    sim.hook(web, 5, NativeEvent::Stop { again: false, answer: None });
    assert_eq!(found(&mut sim)["conflicts"].as_array().unwrap().len(), 1, "it stays when the prompt is over");
    assert!(sim.ok("override c1").contains("put away"));
    assert_eq!(found(&mut sim)["conflicts"], json!([]));
}

#[test]
fn what_was_written_unannounced_and_is_held_is_a_conflict() {
    let (mut sim, web) = lane("claude");
    sim.ok("lane new api");
    sim.ok("reserve --lane api src/");
    sim.prompt("web", "a long one");
    let dirty = || GitFacts { dirty: vec!["notes".into(), "src/a.rs".into()], ..GitFacts::default() };
    looked(&mut sim, web, dirty(), &["notes", "src/a.rs"]);
    let listed: serde_json::Value = serde_json::from_str(&sim.ok("--json conflicts")).unwrap();
    let found = &listed["conflicts"][0];
    assert_eq!((&found["with"], &found["paths"]), (&json!("api"), &json!(["src/a.rs"])), "{listed}");
    assert_eq!(sim.classes(), [("slipped".to_owned(), ReservedPath)]);
    looked(&mut sim, web, dirty(), &["src/a.rs"]);
    assert_eq!(sim.classes().len(), 1, "it is told once");
}

#[test]
fn a_question_ends_with_its_program_and_says_so() {
    let (mut sim, web) = lane("claude");
    sim.permission(web, 1, shell("npm test"));
    sim.kill(100);
    sim.run();
    assert!(sim.ok("approvals").contains("no approval waits"));
    let listed: serde_json::Value = serde_json::from_str(&sim.ok("--json approvals --all")).unwrap();
    assert_eq!(listed["approvals"][0]["state"], json!("expired"), "{listed}");
}

#[test]
fn the_conversation_that_was_had_is_gone_on_with() {
    let (mut sim, web) = lane("claude");
    let started = |how| NativeEvent::Started(how);
    sim.hook(web, 1, started(Conversation::New));
    assert_eq!(sim.session(), None, "nothing was said in it");
    sim.hook(web, 2, NativeEvent::Prompt("go".into()));
    assert_eq!(sim.session().as_deref(), Some("s1"));
    // After `/clear` it is another one, that nothing was said in.
    sim.hook(web, 3, started(Conversation::New));
    assert_eq!(sim.session(), None);
    sim.hook(web, 4, started(Conversation::Old));
    sim.kill(100);
    sim.run();
    assert_eq!(sim.session().as_deref(), Some("s1"));
    sim.ok("lane restart web");
    assert_eq!(sim.opened.last().and_then(|native| native.session.clone()).as_deref(), Some("s1"));
    sim.ok("lane stop web");
    sim.ok("lane restart web --fresh");
    assert_eq!(sim.opened.last().map(|native| native.session.clone()), Some(None));
    sim.ok("lane new api");
    assert!(sim.refused("lane restart api --fresh").message.contains("no native CLI"));
}

#[test]
fn hooks_tell_the_lanes_state_where_no_report_does() {
    let (mut sim, web) = lane("claude");
    sim.hook(web, 1, NativeEvent::Started(Conversation::New));
    assert_eq!(sim.lane_word("web"), "idle");
    sim.hook(web, 2, NativeEvent::Prompt("go".into()));
    assert_eq!(sim.lane_word("web"), "working");
    assert!(sim.ok("lane show web --why").contains("its hook Other told at"));
    sim.hook(web, 3, NativeEvent::Stop { again: false, answer: Some("did it".into()) });
    assert_eq!(sim.lane_word("web"), "done");
    let program = Some(ProgramStatus { state: ProgramState::Working, message: String::new(), by: Saying::Report });
    sim.tell(Msg::Pane(web, PaneMsg::Status(PaneStatus { program, ..PaneStatus::default() })));
    assert_eq!(sim.lane_word("web"), "working", "its own word goes first");
    assert!(sim.ok("lane show web --why").contains("its program reports (OSC 7501): working"));
}

#[test]
fn other_lanes_are_told_at_the_start_and_when_they_change() {
    let (mut sim, web) = lane("claude");
    assert_eq!(word(sim.hook(web, 1, NativeEvent::Started(Conversation::New))), "pass", "it is alone");
    sim.ok("lane new api");
    sim.ok("reserve --lane api src/");
    let Some(HookAnswer::Context(text)) = sim.hook(web, 2, NativeEvent::Prompt("go".into())) else { panic!("no word") };
    assert!(text.contains("untrusted") && text.contains("- api, holds src/"), "{text}");
    assert_eq!(sim.hook(web, 3, NativeEvent::Prompt("on".into())), Some(HookAnswer::Pass));
    for number in 0..60 {
        sim.ok(&format!("lane new a-rather-long-name-for-a-lane-{number}"));
    }
    let Some(HookAnswer::Context(text)) = sim.hook(web, 4, NativeEvent::Prompt("on".into())) else { panic!("no word") };
    assert!(text.len() <= 1_536 && text.contains("more"), "{} {text}", text.len());
}

#[test]
fn what_an_adapter_cannot_carry_and_what_is_not_there_is_refused_before_anything_is_made() {
    let mut sim = Sim::with(&[]);
    let report = sim.refused("lane new x --cli amp");
    assert!(report.message.contains("does not carry session-start, before-tool, stop"), "{report}");
    sim.absent_programs = true;
    assert!(sim.refused("lane new web --cli claude").message.contains("no such program"));
    assert!(sim.state.model.lanes.is_empty());
}

#[test]
fn what_the_program_said_last_is_the_prompts_result() {
    let (mut sim, web) = lane("claude");
    sim.hook(web, 1, NativeEvent::Prompt("go".into()));
    sim.hook(web, 2, NativeEvent::Stop { again: false, answer: Some("did it".into()) });
    // The small workstation's programs take and end a prompt at once.
    let id = sim.prompt("web", "go");
    let prompt = &sim.state.model.prompts[&paralane::domain::PromptId(id)];
    assert_eq!((prompt.state.word(), prompt.result.as_deref()), ("done", Some("did it")));
}

#[test]
fn a_dialog_that_takes_keys_is_asked_in_the_panel_and_answered_only_where_it_stands() {
    for cli in ["gemini", "copilot"] {
        let (mut sim, web) = lane(cli);
        // Several calls are announced at once; the words tell whose dialog opens.
        assert_eq!(word(sim.before(web, 1, shell("npm test"))), "ask");
        assert_eq!(word(sim.before(web, 2, shell("npm ci"))), "ask");
        let opened = |words: &str| NativeEvent::Opened(words.into());
        assert_eq!(word(sim.hook(web, 3, opened("Run command: npm test"))), "pass");
        assert_eq!(sim.lane_word("web"), "needs you");
        sim.ok("approve a1");
        assert_eq!(sim.dialogs, [("npm test".to_owned(), true)], "{cli}");
        sim.hook(web, 4, NativeEvent::After(Some(Box::new(shell("npm test")))));
        sim.hook(web, 5, opened("another reason"));
        sim.ok("deny a2 --reason no");
        assert_eq!(sim.dialogs.last(), Some(&("npm ci".to_owned(), false)), "{cli}");
        // What a rule allows needs nobody, though its dialog opens.
        sim.ok("mode full");
        assert_eq!(word(sim.before(web, 6, shell("make"))), "allow");
        sim.hook(web, 7, opened("Run command: make"));
        assert_eq!(sim.dialogs.last(), Some(&("make".to_owned(), true)), "{cli}");
        assert!(sim.ok("approvals").contains("no approval waits"));
        // A dialog of nothing that was announced is the person's.
        sim.hook(web, 8, NativeEvent::Prompt("go".into()));
        sim.hook(web, 9, opened("something else"));
        assert!(sim.ok("approvals").contains("no approval waits"));
        assert_eq!((sim.lane_word("web"), sim.dialogs.len()), ("needs you", 3));
        // One that was gone when its key was to be typed is said.
        sim.tell(Msg::Pane(web, PaneMsg::NotAnswered("make".into())));
        let problem = sim.state.problems.last().unwrap().report.message.clone();
        assert!(problem.contains("the dialog for `make` was not on the screen of `web`"), "{problem}");
    }
}

#[test]
fn what_opencode_asks_itself_waits_beside_its_dialog() {
    let (mut sim, web) = lane("opencode");
    assert_eq!(word(sim.before(web, 1, shell("npm test"))), "waits", "it knows no answer that asks");
    sim.ok("approve a1");
    assert_eq!(word(sim.hooked.get(&1).cloned()), "allow");
    let foreign = NativeCall { known: false, ..blank("external_directory", "{}") };
    assert_eq!(word(sim.permission(web, 2, foreign.clone())), "waits");
    sim.ok("deny a2");
    assert_eq!(word(sim.hooked.get(&2).cloned()), "deny");
    sim.permission(web, 3, foreign);
    sim.tell(Msg::RequestGone(RequestId(3)));
    sim.run();
    assert!(sim.ok("approvals").contains("no approval waits"), "it was answered in its dialog");
}

#[test]
fn a_name_stands_for_its_carrier_and_a_login_for_its_variables() {
    use paralane::config::{CliPreset, Clis, Credentials, Origin};
    let mut sim = Sim::with(&[]);
    let preset = CliPreset {
        name: "deepseek".into(),
        cli: paralane::domain::Cli::Codex,
        model: Some("big".into()),
        set: [("A".to_owned(), "1".to_owned())].into(),
        from: [("B".to_owned(), "MINE".to_owned())].into(),
        args: vec!["-x".into()],
        origin: None,
    };
    let work = Credentials { name: "work".into(), home: None, needs: vec!["K".into()], origin: Origin::BuiltIn };
    sim.state.settings.cli_names = Clis { presets: vec![preset], credentials: vec![work] };
    sim.ok("lane new web --cli deepseek --credentials work");
    let native = sim.lane("web").kind.native().unwrap().clone();
    assert_eq!(native.cli, paralane::domain::Cli::Codex);
    assert_eq!((native.preset.as_deref(), native.credentials.as_deref()), (Some("deepseek"), Some("work")));
    let said = sim.refused("lane new api --cli nothing");
    assert!(said.message.contains("no native CLI `nothing`"), "{said}");
    let said = sim.refused("lane new api --cli codex --credentials home");
    assert!(said.message.contains("no credentials `home`"), "{said}");
    let words = ["lane", "new", "api", "--credentials", "work"].map(Into::into);
    let said = paralane::command::parse_args(&words, None).unwrap_err();
    assert!(said.message.contains("for a native CLI"), "{said}");
    let listed: serde_json::Value = serde_json::from_str(&sim.ok("--json provider list")).unwrap();
    assert_eq!(listed["presets"][0]["needs"], json!(["MINE"]));
    assert_eq!(listed["credentials"][0]["needs"], json!(["K"]));
}

#[test]
fn a_name_of_ones_own_comes_and_goes_by_command() {
    use paralane::config::{CliPreset, Layer, Origin};
    let mut sim = Sim::with(&[]);
    let preset = |name: &str, origin| CliPreset {
        name: name.into(),
        cli: paralane::domain::Cli::Claude,
        model: None,
        set: [].into(),
        from: [].into(),
        args: vec![],
        origin,
    };
    let file = |layer| Some(Origin::File { layer, file: "config.toml".into(), line: 3 });
    let mine = preset("mine", file(Layer::User));
    sim.state.settings.cli_names.presets = vec![preset("kimi", None), preset("ours", file(Layer::Managed)), mine];
    let reads = sim.config_reads;
    assert!(sim.ok("provider add local --cli claude --set A=1 --from B=MINE -- -x").contains("stands in config.toml"));
    assert!(sim.ok("provider shadow kimi --off").contains("taken away by config.toml"));
    assert!(sim.ok("provider shadow grok --cli codex").contains("stands in config.toml"));
    sim.ok("lane new web --cli mine");
    let words = sim.ok("provider remove mine");
    assert!(words.contains("removed from config.toml; made with it") && words.contains("`web`"), "{words}");
    assert_eq!(sim.config_reads, reads + 4);
    for (command, said) in [
        ("provider add kimi --cli claude", "provider shadow kimi"),
        ("provider shadow local --cli claude", "provider add local"),
        ("provider remove kimi", "provider shadow kimi --off"),
        ("provider remove ours", "not yours to change"),
        ("provider add ours --cli claude", "not yours to change"),
    ] {
        let refused = sim.refused(command).to_string();
        assert!(refused.contains(said), "{command}: {refused}");
    }
    for (words, said) in [
        (&["provider", "add", "x"][..], "`--cli CLI` is missing"),
        (&["provider", "add", "x", "--cli", "claude", "--set", "sk-1"], "needs a variable"),
        (&["provider", "shadow", "kimi", "--off", "--model", "m"], "nothing else goes with it"),
    ] {
        let words: Vec<std::ffi::OsString> = words.iter().map(Into::into).collect();
        let refused = paralane::command::parse_args(&words, None).unwrap_err().to_string();
        assert!(refused.contains(said) && !refused.contains("sk-1"), "{refused}");
    }
}
