//! Hooks and skills as decisions: what a turn starts with, what is trusted, what becomes a prompt.

use paralane::app::{
    Effect, LaneOrder, Msg, Prompts, Settings, Untrusted, UntrustedConfig, WindowMsg, problems, update,
};
use paralane::config::{Hook, Layer, Origin};
use paralane::domain::{HookEvent, InputEvent, Key};

use crate::support::{Sim, settings};

fn hook(layer: Layer) -> Hook {
    Hook {
        event: HookEvent::BeforeTool,
        tools: Vec::new(),
        command: vec!["guard".into()],
        timeout: 5,
        lane: None,
        sandbox: false,
        origin: Origin::File { layer, file: "config.toml".into(), line: 1 },
    }
}

fn asked(what: Untrusted) -> UntrustedConfig {
    let marks = vec!["one".to_owned(), "two".to_owned()];
    UntrustedConfig { path: "/shop/x".into(), hash: "shown".into(), content: "text".into(), marks, what }
}

fn configure(sim: &mut Sim, hooks: Vec<Hook>, untrusted: Option<UntrustedConfig>) {
    sim.tell(Msg::Configured(Box::new(Settings { hooks, untrusted, ..settings() })));
    sim.run();
}

fn layers(sim: &Sim) -> Vec<bool> {
    sim.state.settings.hooks.iter().map(Hook::of_project).collect()
}

#[test]
fn trusted_guards_stay_in_force_while_a_changed_configuration_waits_for_trust() {
    let mut sim = Sim::with(&["api"]);
    configure(&mut sim, vec![hook(Layer::User), hook(Layer::Project)], None);
    configure(&mut sim, vec![hook(Layer::User)], Some(asked(Untrusted::Config { hooks: 0 })));
    assert_eq!(layers(&sim), [false, true], "whoever changed the file has not taken the guard away");
    assert_eq!(sim.state.settings.unused_hooks(), 0);
    configure(&mut sim, vec![hook(Layer::User)], Some(asked(Untrusted::Config { hooks: 3 })));
    assert_eq!(layers(&sim), [false, true], "and not twice");
    configure(&mut sim, vec![hook(Layer::User)], None);
    assert_eq!(layers(&sim), [false], "what the person trusts now counts");
    // Never trusted: none of them is in force, and that is told.
    configure(&mut sim, Vec::new(), Some(asked(Untrusted::Config { hooks: 3 })));
    assert_eq!((layers(&sim).len(), sim.state.settings.unused_hooks()), (0, 3));
}

#[test]
fn who_declines_what_was_shown_has_answered() {
    let mut sim = Sim::with(&["api"]);
    let window = sim.window();
    configure(&mut sim, vec![hook(Layer::User), hook(Layer::Project)], None);
    let changed = || Some(asked(Untrusted::Config { hooks: 1 }));
    configure(&mut sim, vec![hook(Layer::User)], changed());
    assert_eq!(layers(&sim), [false, true]);
    sim.type_line(window, "/trust");
    sim.tell(Msg::Window(window, WindowMsg::Input(InputEvent::Key(Key::char('n')))));
    sim.run();
    assert_eq!(layers(&sim), [false], "the hooks before do not run either");
    configure(&mut sim, vec![hook(Layer::User)], changed());
    assert_eq!(layers(&sim), [false], "and do not come back");
}

#[test]
fn all_that_was_shown_is_trusted_by_one_answer() {
    let mut sim = Sim::with(&["api"]);
    configure(&mut sim, vec![hook(Layer::User)], Some(asked(Untrusted::HookFiles)));
    let all = problems(&sim.state, sim.state.now);
    let problem = all.iter().find(|p| p.report.message.contains("a hook does not run")).unwrap();
    assert!(problem.report.message.contains("/shop/x"), "{problem:?}");
    assert_eq!(problem.clear.as_deref(), Some("trust"));
    assert!(sim.ok("trust").contains("text"));
    assert!(["one", "two"].iter().all(|mark| sim.state.model.trusted.contains(*mark)));
    assert!(sim.config_reads > 0);
    configure(&mut sim, vec![hook(Layer::User)], None);
    assert!(!problems(&sim.state, sim.state.now).iter().any(|p| p.kind == "trust"));
    assert!(sim.refused("trust").message.contains("nothing of the project waits for trust"));
    let reads = sim.config_reads;
    sim.tell(Msg::TrustWanted);
    sim.run();
    assert_eq!(sim.config_reads, reads + 1);
}

#[test]
fn a_turn_starts_with_its_hooks_and_its_lanes_name() {
    let mut sim = Sim::with(&["api"]);
    configure(&mut sim, vec![hook(Layer::User)], None);
    let lane = sim.lane("api").id;
    sim.state.model.prompts = Prompts::default();
    let line = paralane::command::parse_line("/prompt api hello").unwrap();
    let env = paralane::app::Env {
        now: jiff::Timestamp::UNIX_EPOCH,
        zone: jiff::tz::TimeZone::UTC,
        fits: paralane::agent::fits,
    };
    let msg = Msg::Request { id: paralane::app::RequestId(99), invocation: line, json: false };
    let effects = update(&mut sim.state, msg, &env);
    let then = effects.into_iter().find_map(|effect| match effect {
        Effect::Commit { then, .. } => Some(then),
        _ => None,
    });
    let start = then.unwrap().into_iter().find_map(|effect| match effect {
        Effect::Lane(of, LaneOrder::StartTurn(start)) if of == lane => Some(start),
        _ => None,
    });
    let start = start.unwrap();
    assert_eq!((start.lane.as_str(), start.hooks.len(), start.unused_hooks), ("api", 1, 0));
}

#[test]
fn a_skill_becomes_a_prompt_with_the_persons_words_first() {
    let mut sim = Sim::with(&["api"]);
    let listed = sim.ok("skill list");
    assert!(listed.contains("tidy") && listed.contains("Tidies up") && listed.contains("shell"), "{listed}");
    sim.ok("skill tidy --lane api -- the cellar");
    let prompt = sim.get(1);
    assert_eq!(prompt.text, "the cellar\n\nGo by the skill `tidy`:\n\nsay");
    sim.ok("skill tidy --lane api");
    assert_eq!(sim.get(2).text, "Go by the skill `tidy`:\n\nsay");
    let refused = sim.refused("skill tidi --lane api");
    assert!(refused.message.contains("no skill `tidi`") && refused.hints[0].contains("`tidy`"), "{refused:?}");
    sim.ok("lane new sh -- bash");
    assert!(sim.refused("skill tidy --lane sh").message.contains("runs a program"));
    assert!(sim.refused("skill tidy --lane nope").message.contains("nope"));
}
