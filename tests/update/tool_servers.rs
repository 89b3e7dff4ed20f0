//! Tool servers of agents: what a lane tells of them is kept and shown, and they are started anew on demand.

use std::collections::BTreeMap;

use paralane::app::{LaneMsg, Msg};
use paralane::config::{Origin, Reach, Server};
use paralane::domain::{EntryBody, ServerState, ServerView};

use crate::support::Sim;

fn sim() -> Sim {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.state.settings.servers = vec![Server {
        name: "docs".into(),
        reach: Reach::Command(vec!["docs-server".into()]),
        env: BTreeMap::new(),
        allow: Vec::new(),
        deny: Vec::new(),
        timeout: 60,
        sandbox: false,
        origin: Origin::BuiltIn,
    }];
    sim
}

fn tell(sim: &mut Sim, lane: &str, state: ServerState, news: &[&str]) {
    tell_with(sim, lane, state, None, news);
}

fn tell_with(sim: &mut Sim, lane: &str, state: ServerState, error: Option<&str>, news: &[&str]) {
    let views = vec![ServerView {
        name: "docs".into(),
        state,
        tools: Vec::new(),
        left_out: Vec::new(),
        error: error.map(str::to_owned),
        said: String::new(),
        starts: 1,
    }];
    let news: Vec<String> = news.iter().map(ToString::to_string).collect();
    let id = sim.lane(lane).id;
    sim.tell(Msg::Lane(id, LaneMsg::Servers(views)));
    if !news.is_empty() {
        sim.tell(Msg::Lane(id, LaneMsg::ServerNews(news)));
    }
    sim.run();
}

fn notices(sim: &Sim, lane: &str) -> Vec<String> {
    let id = sim.lane(lane).id;
    let notice = |body: &EntryBody| match body {
        EntryBody::Notice { text, .. } => Some(text.clone()),
        _ => None,
    };
    sim.state.model.entries(id).filter_map(|entry| notice(&entry.body)).collect()
}

#[test]
fn what_happens_to_a_server_stands_in_its_lanes_transcript_also_after_a_crash() {
    let mut sim = sim();
    tell(&mut sim, "api", ServerState::Waiting, &["tool server `docs` ended: it ended with status 7"]);
    tell(&mut sim, "api", ServerState::Running, &[]);
    assert_eq!(notices(&sim, "api"), ["tool server `docs` ended: it ended with status 7"]);
    assert!(notices(&sim, "ui").is_empty());
    sim.kill(0);
    sim.run();
    assert_eq!(notices(&sim, "api").len(), 1);
}

#[test]
fn a_notice_that_was_not_kept_is_told_again() {
    let mut sim = sim();
    sim.full = 1;
    tell(&mut sim, "api", ServerState::Off, &["tool server `docs` is off"]);
    sim.sleep(3);
    sim.run();
    assert_eq!(notices(&sim, "api"), ["tool server `docs` is off"]);
}

#[test]
fn a_restart_goes_to_the_lanes_that_have_started_it() {
    let mut sim = sim();
    assert!(sim.refused("servers restart docs").to_string().contains("nothing to restart"));
    assert!(sim.refused("servers restart dosc").to_string().contains("did you mean `docs`?"));
    tell(&mut sim, "ui", ServerState::Off, &[]);
    assert!(sim.refused("servers restart docs --lane api").to_string().contains("lane `api` has not started `docs`"));
    assert!(sim.ok("servers restart docs").contains("started anew in ui"));
    assert_eq!(sim.restarted, [(sim.lane("ui").id, "docs".to_owned())]);
}

#[test]
fn the_list_says_how_each_stands_in_each_lane() {
    let mut sim = sim();
    assert!(sim.ok("servers list").contains("docs  -  not started"));
    tell(&mut sim, "ui", ServerState::Asleep, &[]);
    let words = sim.ok("servers list");
    assert!(words.contains("docs  ui  asleep  0 tools  docs-server"), "{words}");
    assert!(sim.ok("servers show docs --lane api").contains("no lane has started it"));
    sim.ok("lane close ui");
    assert!(sim.ok("servers list").contains("not started"), "a closed lane has none");
}

#[test]
fn one_that_does_not_come_up_is_a_problem_until_it_runs() {
    let mut sim = sim();
    let problems = |sim: &Sim| {
        let rows = paralane::app::problems(&sim.state, sim.state.now);
        rows.iter().map(|row| row.report.to_string()).collect::<Vec<_>>()
    };
    tell_with(&mut sim, "api", ServerState::Starting, Some("it is not up after 10 s; it says nothing"), &[]);
    tell_with(&mut sim, "api", ServerState::Off, Some("it is no MCP server: it says `y`, and goes on so"), &[]);
    let told = problems(&sim);
    assert!(told.len() == 1 && told[0].contains("`docs` of `api` does not run: it is no MCP server"), "{told:?}");
    assert!(sim.sh("problems").output.contains("servers restart docs"));
    assert!(sim.ok("servers list").contains("it says `y`"));
    tell(&mut sim, "api", ServerState::Running, &[]);
    assert_eq!(problems(&sim), Vec::<String>::new());
}
