//! Coordination as commands: who owns what, what waits for what, what a key replays.

use paralane::app::Msg;
use paralane::domain::{ForgeKind, IssueId, LaneId, Party, PromptState as S};
use serde_json::Value;

use crate::support::Sim;

fn json(sim: &mut Sim, line: &str) -> Value {
    serde_json::from_str(&sim.ok(&format!("--json {line}"))).unwrap()
}

#[test]
fn a_claim_is_refused_in_the_owners_name_and_handed_over_by_its_word_only() {
    let mut sim = Sim::with(&["api", "ui"]);
    assert_eq!(json(&mut sim, "issue claim 7 --lane api")["claim"], "k1");
    let report = sim.refused("issue claim 7 --lane ui");
    assert!(report.message.contains("owned by lane `api`") && report.hints[0].contains("issue request 7"), "{report}");
    sim.refused("issue release 7 --lane ui");
    let offer = json(&mut sim, "issue offer 7 --lane api --to ui --summary half");
    assert_eq!((&offer["offer"], &offer["answers"]), (&"o1".into(), &"ui".into()));
    sim.refused("issue accept o1 --lane api");
    sim.refused("issue accept o9 --lane ui");
    assert_eq!(sim.state.model.shared.owner(IssueId(7)), Some(LaneId(1)), "an offer moves nothing");
    sim.ok("issue accept o1 --lane ui");
    assert_eq!(sim.state.model.shared.owner(IssueId(7)), Some(LaneId(2)));
    let stale = sim.refused("issue accept o1 --lane ui");
    assert!(stale.message.contains("is over"), "{stale}");
    let shown = json(&mut sim, "issue show 7");
    assert_eq!((&shown["owner"], &shown["handoff"]["from"]), (&"ui".into(), &"api".into()));
}

#[test]
fn a_prompt_waits_until_the_issue_is_released() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("issue claim 7 --lane api");
    sim.ok("prompt ui --when-released 7 -- go on");
    assert_eq!(sim.is(1), S::Held);
    assert!(sim.ok("queue list").contains("until #7 is released"));
    sim.ok("issue release 7 --lane api");
    assert_eq!(sim.is(1), S::Done);
    sim.ok("prompt ui --when-released 7 -- at once");
    assert_eq!(sim.is(2), S::Done, "nobody owns it");
}

#[test]
fn a_key_answers_as_the_first_time_and_does_nothing_else() {
    let mut sim = Sim::with(&["api", "ui"]);
    let first = json(&mut sim, "issue claim 7 --lane api --key once");
    sim.ok("issue release 7 --lane api");
    let again = json(&mut sim, "issue claim 7 --lane api --key once");
    assert_eq!((&again["claim"], &again["replayed"]), (&first["claim"], &true.into()));
    assert_eq!(again["owner_now"], Value::Null, "and what is so now");
    assert_eq!(sim.state.model.shared.owner(IssueId(7)), None);
    let report = sim.refused("issue claim 8 --lane api --key once");
    assert!(report.message.contains("`once` was used for something else"), "{report}");
    // Keys are each party's own, and a refused command uses none up.
    sim.ok("issue claim 8 --lane ui --key once");
    sim.refused("issue claim 8 --lane api --key later");
    sim.ok("issue release 8 --lane ui");
    sim.ok("issue claim 8 --lane api --key later");
    sim.ok("say ui --key hello -- hello");
    sim.ok("say ui --key hello -- hello");
    assert_eq!(sim.state.model.shared.mail.unread(Party::Lane(LaneId(2))), 1);
}

#[test]
fn closing_a_lane_gives_back_what_it_owns_holds_and_waits_for() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("issue claim 7 --lane api");
    sim.ok("issue request 7 --lane ui --summary please");
    sim.ok("reserve --lane api src/");
    sim.ok("reserve --lane ui --wait src/a.rs");
    sim.ok("lane close api");
    let shared = &sim.state.model.shared;
    assert_eq!((shared.owner(IssueId(7)), shared.offers.len(), shared.tickets.len()), (None, 0, 0));
    let held: Vec<_> = sim.state.model.reservations.values().map(|held| (held.lane, held.pattern.as_str())).collect();
    assert_eq!(held, [(LaneId(2), "src/a.rs")]);
    assert!(shared.mail.unread(Party::Lane(LaneId(2))) >= 2, "it is told of both");
}

#[test]
fn a_lease_ends_by_its_own_timer_and_begins_anew_after_a_start() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("reserve --lane api src/ --ttl 1h");
    let (id, lease) = sim.leases[0];
    sim.sleep(48 * 3600);
    assert_eq!(sim.state.model.reservations.len(), 1, "the wall clock ends nothing");
    sim.ok("reserve --lane api src/ --ttl 1h");
    let (_, renewed) = *sim.leases.last().unwrap();
    sim.tell(Msg::Lapsed(id, lease));
    sim.run();
    assert_eq!(sim.state.model.reservations.len(), 1, "the first timer is not the renewed one's");
    sim.leases.clear();
    sim.kill(0);
    assert_eq!(sim.leases, [(id, renewed)], "the whole time again");
    sim.tell(Msg::Lapsed(id, renewed));
    sim.run();
    assert!(sim.state.model.reservations.is_empty());
}

#[test]
fn the_operators_edits_are_told_once_to_who_holds_them() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("reserve --lane api src/");
    let unread = |sim: &Sim| sim.state.model.shared.mail.unread(Party::Lane(LaneId(1)));
    for files in [vec!["src/a.rs".to_owned()], vec!["src/a.rs".to_owned()], vec!["src/a.rs".into(), "docs/x".into()]] {
        sim.tell(Msg::BaseEdited(files));
        sim.run();
        assert_eq!(unread(&sim), 1);
    }
    assert!(sim.ok("reserve --lane ui docs/").contains("you edit in the base checkout: docs/x"));
    sim.tell(Msg::BaseEdited(vec!["src/a.rs".into(), "src/b.rs".into()]));
    sim.run();
    assert_eq!(unread(&sim), 2);
}

#[test]
fn an_offer_says_where_the_work_stands_and_hands_that_over() {
    let mut sim = Sim::with(&["api", "ui"]);
    for issue in ["7", "8"] {
        sim.ok(&format!("issue claim {issue} --lane api"));
    }
    sim.ok("issue offer 7 --lane api --to ui --summary half");
    assert_eq!(json(&mut sim, "issue show 7")["offers"][0]["commit"], "c0ffee0123456789");
    assert!(sim.ok("issue show 7").contains("o1 offered to ui at c0ffee012345: half"));
    sim.ok("issue accept o1 --lane ui");
    assert!(sim.ok("issue show 7").contains("c0ffee012345"));
    // What is asked for is handed over as it stands when the owner agrees.
    sim.ok("issue request 8 --lane ui --summary please");
    sim.ok("issue accept o2 --lane api");
    assert_eq!(json(&mut sim, "issue show 8")["handoff"]["commit"], "c0ffee0123456789");
    assert!(sim.refused("issue offer 7 --lane api --to ui --summary again").message.contains("owned by lane `ui`"));
}

#[test]
fn titles_of_the_forge_are_shown_where_nobody_here_has_said_one() {
    let mut sim = Sim::with(&["api"]);
    sim.state.settings.forge = ForgeKind::Beads;
    sim.ok("issue claim 4 --lane api");
    assert!(sim.ok("issue list").contains("told by the forge"));
    sim.ok("issue title 4 our own words");
    assert!(sim.ok("issue list").contains("our own words"));
    assert_eq!(json(&mut sim, "issue show 4")["title"], "our own words");
}

#[test]
fn mail_for_an_issue_that_nobody_owns_goes_out_at_once_and_says_so() {
    let mut sim = Sim::with(&["api"]);
    let words = sim.ok("say api --when-released 7 -- now then");
    assert!(words.contains("msg1 is sent to api: nobody owns issue #7, so it goes out at once"), "{words}");
    sim.ok("issue claim 7 --lane api");
    assert!(sim.ok("say api --when-released 7 -- later").contains("later1 goes out when issue #7 is released"));
}

#[test]
fn who_waits_for_mail_is_answered_by_it_or_by_the_time() {
    let mut sim = Sim::with(&["api", "ui"]);
    let early = sim.say("mail wait --lane api --timeout 60");
    let other = sim.say("--json mail wait --lane ui --timeout 60");
    sim.run();
    assert_eq!((sim.reply(early), sim.reply(other)), (None, None));
    sim.ok("say api --lane ui look here");
    let told = sim.reply(early).unwrap().clone();
    assert!(told.status == 0 && told.output.contains("look here"), "{told:?}");
    assert_eq!(sim.reply(other), None, "it is not for this one");
    let at_once = sim.say("mail wait --lane api");
    sim.run();
    assert!(sim.reply(at_once).is_some(), "what is unread already is mail");
    sim.sleep(61);
    let told = sim.reply(other).unwrap();
    let document: Value = serde_json::from_str(&told.output).unwrap();
    assert_eq!((told.status, &document["timed_out"]), (1, &true.into()));
    let many: Vec<u64> = (0..9).map(|_| sim.say("mail wait --lane ui --timeout 600")).collect();
    sim.run();
    assert!(sim.reply(many[8]).unwrap().error.as_ref().unwrap().message.contains("8 times already"));
    assert_eq!(sim.reply(many[0]), None);
    sim.ok("lane close ui");
    assert!(sim.reply(many[0]).unwrap().error.as_ref().unwrap().message.contains("was closed"));
    sim.tell(Msg::RequestGone(paralane::app::RequestId(many[1])));
    sim.run();
}

#[test]
fn closing_a_lane_says_what_it_gave_back() {
    let mut sim = Sim::with(&["api", "ui"]);
    sim.ok("issue claim 7 --lane api");
    sim.ok("issue claim 9 --lane api");
    sim.ok("reserve --lane api src/ docs/");
    sim.ok("reserve --lane ui lib/");
    sim.ok("reserve --lane api --wait lib/x");
    let words = sim.ok("lane close api");
    assert!(words.contains("gave back issue #7, #9, 2 holds, 1 place in the queue;"), "{words}");
    assert!(sim.ok("lane close ui").contains("gave back 1 hold;"));
}
