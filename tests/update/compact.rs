//! Compaction at rest: asked for, cancelled, paid for, kept, and gone back before.

use paralane::app::{LaneMsg, Msg, TurnMsg, TurnToken};
use paralane::domain::{
    CallId, CompactCause, Compaction, EntryBody, LaneId, Notes, NotesEntry, PromptState as S, Reasoning, ToolCall,
    TurnRecord, UpTo, Usage,
};

use crate::support::Sim;

/// The notes that a lane's model would be told, and the prompts that come after them.
fn told(sim: &Sim, lane: &str) -> (Option<String>, Vec<String>) {
    let id = sim.lane(lane).id;
    let model = &sim.state.model;
    let live: Vec<_> = model.entries(id).filter(|e| !model.is_left_behind(id, e.seq)).collect();
    let noted = live.iter().rev().find_map(|e| match &e.body {
        EntryBody::Notes(noted) => Some((noted.upto, noted.notes.goal.clone())),
        _ => None,
    });
    let upto = noted.as_ref().map_or(0, |(upto, _)| *upto);
    let prompts = live.iter().filter(|e| e.seq > upto).filter_map(|e| match &e.body {
        EntryBody::Prompt { text } => Some(text.clone()),
        _ => None,
    });
    (noted.map(|(_, goal)| goal), prompts.collect())
}

fn two() -> Sim {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("mode full");
    for text in ["one", "two"] {
        assert!(sim.prompt("api", text) > 0);
    }
    sim
}

#[test]
fn notes_stand_for_the_conversation_and_later_ones_build_on_it() {
    let mut sim = two();
    let words = sim.ok("compact api the error handling");
    assert!(words.contains("api is compacted: about 900 tokens before, 100 now"), "{words}");
    assert_eq!(told(&sim, "api"), (Some("2 prompts; the error handling".into()), vec![]));
    let id = sim.prompt("api", "three");
    assert_eq!((sim.is(id), told(&sim, "api").1), (S::Done, vec!["three".to_owned()]));
    sim.ok("compact api");
    assert_eq!(told(&sim, "api"), (Some("3 prompts; ".into()), vec![]));
    // The transcript keeps everything, and a death changes nothing.
    sim.kill(usize::MAX);
    assert_eq!(told(&sim, "api"), (Some("3 prompts; ".into()), vec![]));
    let lane = sim.lane("api").id;
    assert_eq!(sim.state.model.entries(lane).filter(|e| matches!(e.body, EntryBody::Prompt { .. })).count(), 3);
    // It was paid for, with the turn that came before it.
    assert_eq!(sim.state.model.ledger.of_lane(lane).calls, 2);
}

#[test]
fn what_cannot_be_compacted_is_refused_and_changes_nothing() {
    let mut sim = two();
    assert!(sim.refused("compact ui").message.contains("nothing to compact"));
    sim.ok("lane new sh -- bash");
    assert!(sim.refused("compact sh").message.contains("runs a program"));
    assert!(sim.refused("compact nobody").message.contains("no lane `nobody`"));
    let id = sim.prompt("api", "hang:x");
    let report = sim.refused("compact api");
    assert!(report.message.contains("is at work on p3") && report.to_string().contains("then compact"), "{report}");
    assert!(sim.is(id).active());
}

#[test]
fn nothing_begins_while_a_lane_is_compacted_and_a_cancel_leaves_it_as_it_was() {
    let mut sim = Sim::with(&["api"]);
    sim.prompt("api", "hang");
    let asked = sim.say("compact api");
    sim.run();
    assert!(sim.reply(asked).is_none(), "it goes on");
    let lane = sim.lane("api").id;
    assert_eq!(sim.state.live(lane).unwrap().busy.as_deref(), Some("compacting the conversation"));
    assert_eq!(sim.lane_word("api"), "working");
    assert!(sim.refused("compact api").message.contains("is being compacted"));
    assert!(sim.refused("rewind api 1").message.contains("is being compacted"));
    assert!(sim.refused("lane close api").message.contains("is being compacted"));
    let id = sim.prompt("api", "next");
    assert_eq!(sim.is(id), S::Queued);
    assert!(sim.ok("cancel api").contains("cancelled"));
    let reply = sim.reply(asked).unwrap();
    assert_eq!(reply.status, 1);
    assert!(reply.error.as_ref().unwrap().message.contains("nothing has changed"));
    assert_eq!((sim.is(id), told(&sim, "api").0), (S::Done, None));
    assert_eq!(sim.state.model.ledger.all_open().count(), 0);
}

#[test]
fn a_death_in_the_middle_leaves_the_old_state() {
    let mut sim = two();
    sim.say("compact api");
    while sim.disk.model.ledger.all_open().next().is_none() {
        assert!(sim.ack() || sim.deliver() || sim.advance(LaneId(1)));
    }
    sim.kill(0);
    sim.run();
    assert_eq!(told(&sim, "api"), (None, vec!["one".to_owned(), "two".to_owned()]));
    assert_eq!(sim.state.model.ledger.of_lane(LaneId(1)).unsettled, 1, "the most stays counted");
    sim.ok("compact api");
    assert!(told(&sim, "api").0.is_some());
}

#[test]
fn notes_that_the_store_refuses_are_kept_later_and_nothing_begins_before() {
    let mut sim = two();
    let asked = sim.say("compact api");
    let lane = sim.lane("api").id;
    // Up to where only the notes are left to be kept.
    while !sim.state.model.entries(lane).any(|e| matches!(e.body, EntryBody::Notes(_))) {
        assert!(sim.ack() || sim.deliver() || sim.advance(lane));
    }
    sim.full = 1;
    sim.ack();
    assert_eq!(told(&sim, "api").0, None);
    assert_eq!(sim.reply(asked).map(|reply| reply.status), Some(1), "whoever asked hears that it is not kept yet");
    sim.sleep(5);
    assert!(told(&sim, "api").0.is_some());
    let id = sim.prompt("api", "three");
    assert_eq!(sim.is(id), S::Done);
}

#[test]
fn going_back_to_before_it_brings_back_what_held_before() {
    let mut sim = two();
    sim.ok("compact api");
    sim.prompt("api", "three");
    sim.ok("compact api again");
    sim.prompt("api", "four");
    assert_eq!(told(&sim, "api"), (Some("3 prompts; again".into()), vec!["four".to_owned()]));
    // Checkpoint 3 is before `three`, and after the first notes.
    sim.ok("rewind api 3 --conversation");
    assert_eq!(told(&sim, "api"), (Some("2 prompts; ".into()), vec![]));
    sim.ok("rewind api 2 --conversation");
    assert_eq!(told(&sim, "api"), (None, vec!["one".to_owned()]));
    // And forward again.
    let last = sim.state.model.checkpoints(sim.lane("api").id).next_back().unwrap().number;
    sim.ok(&format!("rewind api {} --conversation", last - 1));
    assert_eq!(told(&sim, "api").0.as_deref(), Some("3 prompts; again"));
}

#[test]
fn a_fork_takes_the_notes_along_at_their_place() {
    let mut sim = two();
    sim.ok("compact api");
    sim.prompt("api", "three");
    sim.ok("rewind api 3 --conversation");
    sim.prompt("api", "other");
    sim.ok("lane fork api copy");
    assert_eq!(told(&sim, "copy"), (Some("2 prompts; ".into()), vec!["other".to_owned()]));
    // A lane that has no prompt of its own yet can be compacted too.
    sim.ok("compact copy");
    assert_eq!(told(&sim, "copy"), (Some("3 prompts; ".into()), vec![]));
}

#[test]
fn a_working_turn_places_its_notes_before_the_step_that_it_keeps() {
    let mut sim = Sim::with(&["api"]);
    let lane = sim.lane("api").id;
    let id = sim.prompt("api", "shell:wait");
    assert_eq!(sim.is(id), S::Waiting);
    let call = sim.state.model.entries(lane).find_map(|e| match &e.body {
        EntryBody::Call { call, .. } => Some((call.clone(), e.seq)),
        _ => None,
    });
    let (call, seq): (ToolCall, u64) = call.unwrap();
    let made = |upto| Compaction {
        upto,
        notes: Notes { goal: "g".into(), ..Notes::default() },
        cause: CompactCause::Full,
        without_model: None,
        before: 9,
        after: 1,
    };
    let record = |upto| TurnMsg::Record(TurnToken(9_000), TurnRecord::Compacted(Box::new(made(upto))));
    sim.tell(Msg::Turn(lane, record(UpTo::BeforeCall(call.id))));
    sim.run();
    let noted = |sim: &Sim| -> NotesEntry {
        let mut entries = sim.state.model.entries(lane).rev();
        entries
            .find_map(|e| if let EntryBody::Notes(noted) = &e.body { Some((**noted).clone()) } else { None })
            .unwrap()
    };
    assert_eq!(noted(&sim).upto, seq - 2, "before the answer that made the call");
    sim.tell(Msg::Turn(lane, record(UpTo::BeforeCall(CallId("gone".into())))));
    sim.run();
    assert_eq!(noted(&sim).upto, seq - 2, "a place that is not there is told, not guessed");
    let last = sim.state.model.entries(lane).next_back().unwrap();
    assert!(matches!(&last.body, EntryBody::Notice { text, .. } if text.contains("is gone")), "{last:?}");
}

#[test]
fn a_large_conversation_at_rest_is_compacted_once_and_only_if_that_is_configured() {
    let large = |sim: &mut Sim| {
        sim.state.settings.providers[0].context_window = Some(1_000);
        let usage = Some(Usage { input: 500, ..Usage::default() });
        let lane = sim.lane("api").id;
        let id = sim.prompt("api", "shell:x");
        let record = TurnRecord::Step {
            text: "much".into(),
            cut: false,
            calls: Vec::new(),
            usage,
            reasoning: Reasoning::default(),
        };
        sim.tell(Msg::Turn(lane, TurnMsg::Record(TurnToken(9_001), record)));
        sim.run();
        sim.ok("approve a1");
        assert_eq!(sim.is(id), S::Done);
    };
    let mut sim = Sim::with(&["api"]);
    large(&mut sim);
    sim.sleep(100_000);
    assert_eq!(told(&sim, "api").0, None, "no model is called that nobody asked for");

    let mut sim = Sim::with(&["api", "ui"]);
    sim.state.settings.compact_idle = Some(600);
    sim.prompt("ui", "small");
    large(&mut sim);
    sim.sleep(500);
    assert_eq!(told(&sim, "api").0, None);
    sim.sleep(200);
    assert_eq!(told(&sim, "api").0.as_deref(), Some("1 prompts; "));
    assert_eq!(told(&sim, "ui").0, None, "a small one stays");
    sim.sleep(100_000);
    assert_eq!(sim.state.model.ledger.of_lane(sim.lane("api").id).calls, 1);
    let lane = sim.lane("api").id;
    // One that is cancelled is not begun again by time alone.
    sim.tell(Msg::Lane(lane, LaneMsg::Compacted(Err(paralane::base::Report::refused("cancelled")))));
    sim.sleep(100_000);
    assert_eq!(sim.state.model.ledger.of_lane(lane).calls, 1);
}
