//! Single rules: what is refused, in whose name, with what next command.

use pretty_assertions::assert_eq;

use super::super::offers::Terms;
use super::super::reports::Account;
use super::super::reservations::Wanted;
use super::super::{Reason, dependencies, ledger, mail, next, offers, overdue, plans, reports, reservations};
use super::days::{World, at};
use crate::domain::*;

const A: LaneId = LaneId(1);
const B: LaneId = LaneId(2);
const C: LaneId = LaneId(3);

fn terms(summary: &str) -> Terms {
    Terms { summary: summary.into(), ..Terms::default() }
}

fn wants(what: &[&str]) -> Wanted {
    Wanted { what: what.iter().map(|text| (*text).to_owned()).collect(), ..Wanted::default() }
}

fn draft(from: Party, to: &[Party], body: &str) -> Draft {
    Draft {
        from,
        to: to.to_vec(),
        subject: String::new(),
        body: body.into(),
        reply_to: None,
        topic: None,
        ack: false,
        within: None,
        decision: false,
        issue: None,
    }
}

fn claimed(world: &mut World, lane: LaneId, issue: i64) {
    let decided = ledger::claim(&world.ledger(), lane, IssueId(issue), None);
    world.does(decided).unwrap();
}

#[test]
fn a_refusal_names_the_owner_and_the_next_command() {
    let mut world = World::new(3);
    claimed(&mut world, A, 7);
    let refusal = ledger::claim(&world.ledger(), B, IssueId(7), None).unwrap_err();
    assert_eq!(refusal.reason, Reason::Held);
    assert!(refusal.message.contains("`lane1`") && refusal.message.contains("k1"), "{refusal}");
    assert!(refusal.next[0].contains("issue request 7 --lane lane2"), "{:?}", refusal.next);
    let again = ledger::claim(&world.ledger(), A, IssueId(7), None).unwrap();
    assert_eq!(again.changes, [], "claiming what one owns changes nothing");
    assert_eq!(ledger::release(&world.ledger(), B, IssueId(7)).unwrap_err().reason, Reason::NotYours);
    assert_eq!(ledger::release(&world.ledger(), B, IssueId(8)).unwrap_err().reason, Reason::Condition);
    assert_eq!(ledger::claim(&world.ledger(), B, IssueId(0), None).unwrap_err().reason, Reason::Invalid);
    for issue in [1, 2] {
        claimed(&mut world, A, issue);
    }
    let full = ledger::claim(&world.ledger(), A, IssueId(9), None).unwrap_err();
    assert!(full.reason == Reason::Limit && full.message.contains("#7") && full.message.contains("#2"), "{full}");
}

#[test]
fn an_accepted_offer_takes_the_holds_along_in_one_step() {
    let mut world = World::new(3);
    claimed(&mut world, A, 7);
    let held = Wanted { issue: Some(IssueId(7)), ..wants(&["src/", "port:5432"]) };
    let decided = reservations::reserve(&world.ledger(), A, &held);
    world.does(decided).unwrap();
    let decided = offers::offer(&world.ledger(), A, IssueId(7), B, terms("half of it"));
    world.does(decided).unwrap();
    let second = offers::offer(&world.ledger(), A, IssueId(7), C, terms("half")).unwrap_err();
    assert!(second.reason == Reason::Offered && second.next[0].contains("issue cancel o1"), "{second:?}");
    let foreign = offers::accept(&world.ledger(), C, OfferId(1), None, None).unwrap_err();
    assert!(foreign.reason == Reason::NotYours && foreign.message.contains("`lane2`"), "{foreign}");
    assert_eq!(offers::accept(&world.ledger(), B, OfferId(9), None, None).unwrap_err().reason, Reason::Unknown);
    let decided = offers::accept(&world.ledger(), B, OfferId(1), None, None);
    let decision = world.does(decided).unwrap();
    assert_eq!(decision.json["reservations_moved"], serde_json::json!(["src/", "port:5432"]));
    assert!(world.reservations.values().all(|held| held.lane == B));
    let claim = world.shared.issues[&IssueId(7)].claim.clone().unwrap();
    assert_eq!((claim.id, claim.handoff.unwrap().from), (ClaimId(2), A));
    let stale = offers::accept(&world.ledger(), B, OfferId(1), None, None).unwrap_err();
    assert_eq!(stale.reason, Reason::Stale);
    assert_eq!(world.shared.mail.unread(Party::Lane(A)), 1, "the old owner is told");
    let decided = ledger::release(&world.ledger(), B, IssueId(7));
    world.does(decided).unwrap();
    assert!(world.reservations.is_empty(), "holds for an issue end with it");
}

#[test]
fn what_the_giver_keeps_for_something_else_stays_its_own() {
    let mut world = World::new(3);
    claimed(&mut world, A, 7);
    let kept = reservations::reserve(&world.ledger(), A, &wants(&["src/*.rs"]));
    world.does(kept).unwrap();
    let of_the_issue = Wanted { issue: Some(IssueId(7)), shared: true, ..wants(&["src/a.rs", "docs/"]) };
    let held = reservations::reserve(&world.ledger(), A, &of_the_issue);
    world.does(held).unwrap();
    let offered = offers::offer(&world.ledger(), A, IssueId(7), B, terms("half done"));
    world.does(offered).unwrap();
    let accepted = offers::accept(&world.ledger(), B, OfferId(1), None, None).unwrap();
    assert!(accepted.words.contains("with it go the holds on docs/"), "{}", accepted.words);
    assert!(
        accepted.words.contains("the hold on src/a.rs has ended: it meets src/*.rs, which lane lane1 keeps"),
        "{}",
        accepted.words
    );
    world.does(Ok(accepted)).unwrap();
    let held: Vec<(LaneId, &str)> = world.reservations.values().map(|r| (r.lane, r.pattern.as_str())).collect();
    assert_eq!(held, [(A, "src/*.rs"), (B, "docs/")]);
}

#[test]
fn what_is_released_goes_to_the_first_who_waits_in_the_same_step() {
    let mut world = World::new(3);
    let decided = reservations::reserve(&world.ledger(), A, &wants(&["src/a.rs"]));
    world.does(decided).unwrap();
    let refused = reservations::reserve(&world.ledger(), B, &wants(&["docs/", "src/*.rs"])).unwrap_err();
    assert!(refused.message.contains("lane `lane1`") && refused.next[1].contains("--wait"), "{refused:?}");
    assert_eq!(world.reservations.len(), 1, "all or none");
    for lane in [B, C] {
        let decided = reservations::reserve(&world.ledger(), lane, &Wanted { queue: true, ..wants(&["src/*.rs"]) });
        world.does(decided).unwrap();
    }
    let overtakes = reservations::reserve(&world.ledger(), C, &wants(&["src/b.rs"])).unwrap_err();
    assert!(overtakes.message.contains("waits for"), "{overtakes}");
    let decided = reservations::release(&world.ledger(), A, &[]);
    let decision = world.does(decided).unwrap();
    let holder = |world: &World| world.reservations.values().map(|held| held.lane).collect::<Vec<_>>();
    assert_eq!((holder(&world), world.shared.tickets.len()), (vec![B], 1));
    let granted = |change: &Change| matches!(change, Change::Hold(HoldChange::Unqueued { granted: true, .. }));
    assert!(decision.changes.iter().any(granted), "{:?}", decision.changes);
    assert!(world.shared.mail.unread(Party::Lane(B)) > 0);
    let decided = reservations::release(&world.ledger(), B, &["src/*.rs".to_owned()]);
    world.does(decided).unwrap();
    assert_eq!((holder(&world), world.shared.tickets.len()), (vec![C], 0));
}

#[test]
fn lanes_do_not_wait_for_each_other_in_a_round() {
    let mut world = World::new(2);
    for (lane, what) in [(A, "a/"), (B, "b/")] {
        let decided = reservations::reserve(&world.ledger(), lane, &wants(&[what]));
        world.does(decided).unwrap();
    }
    let decided = reservations::reserve(&world.ledger(), A, &Wanted { queue: true, ..wants(&["b/"]) });
    world.does(decided).unwrap();
    let round = reservations::reserve(&world.ledger(), B, &Wanted { queue: true, ..wants(&["a/x"]) }).unwrap_err();
    assert!(round.reason == Reason::Cycle && round.message.contains("`lane2` waits for `lane1`"), "{round}");
}

#[test]
fn only_the_lease_that_was_timed_ends_a_hold_whatever_the_clock_says() {
    let mut world = World::new(2);
    let hour = Wanted { seconds: Some(60), ..wants(&["src/"]) };
    let decided = reservations::reserve(&world.ledger(), A, &hour);
    world.does(decided).unwrap();
    let (id, first) = world.reservations.values().map(|held| (held.id, held.lease.unwrap())).next().unwrap();
    // The clock jumps a day ahead: the hold stands until its timer says so.
    world.clock += 86_400;
    assert!(reservations::reserve(&world.ledger(), B, &hour).is_err());
    // And back to the very second of the first lease: a renewal is another one all the same.
    world.clock = 0;
    let decided = reservations::reserve(&world.ledger(), A, &hour);
    world.does(decided).unwrap();
    let second = world.reservations[&id].lease.unwrap();
    assert_ne!(first, second);
    assert_eq!(reservations::lapse(&world.ledger(), id, first), None, "the first timer ends nothing");
    let decision = reservations::lapse(&world.ledger(), id, second).unwrap();
    world.apply(&decision.changes);
    assert!(world.reservations.is_empty());
    assert_eq!(reservations::lapse(&world.ledger(), id, second), None);
}

#[test]
fn paths_that_lead_out_and_what_is_nobodys_are_refused() {
    let world = World::new(2);
    for bad in ["/etc/passwd", "../x", "a/../../b", "", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"] {
        let refusal = reservations::reserve(&world.ledger(), A, &wants(&["ok/", bad])).unwrap_err();
        assert_eq!(refusal.reason, Reason::Invalid, "{bad}: {refusal}");
    }
    assert!(reservations::release(&world.ledger(), A, &["src/".into()]).is_err());
    let many: Vec<String> = (0..65).map(|n| format!("f{n}")).collect();
    let many = Wanted { what: many, ..Wanted::default() };
    assert_eq!(reservations::reserve(&world.ledger(), A, &many).unwrap_err().reason, Reason::Limit);
}

#[test]
fn nothing_waits_for_itself_by_hand_or_by_plan() {
    let mut world = World::new(2);
    let block = |world: &mut World, issue, on| {
        let decided = dependencies::block(&world.ledger(), Party::Operator, IssueId(issue), IssueId(on));
        world.does(decided)
    };
    block(&mut world, 1, 2).unwrap();
    block(&mut world, 2, 3).unwrap();
    let round = block(&mut world, 3, 1).unwrap_err();
    assert!(round.reason == Reason::Cycle && round.message.contains("#3 → #1 → #2 → #3"), "{round}");
    assert_eq!(block(&mut world, 4, 4).unwrap_err().reason, Reason::Cycle);
    let plan = plans::read("p.toml", "[plan]\nname = \"x\"\n[dependencies]\n3 = [1]\n").unwrap();
    let refusal = plans::apply(&world.ledger(), plan).unwrap_err();
    assert_eq!(refusal.reason, Reason::Cycle);
    let foreign = dependencies::block(&world.ledger(), Party::Lane(A), IssueId(1), IssueId(5)).unwrap_err();
    assert!(foreign.message.contains("nobody owns"), "{foreign}");
}

#[test]
fn plans_name_file_line_and_key() {
    for (text, line, word) in [
        ("[plan]\nname = 3", 2, "`plan.name`"),
        ("[plan]\nname = \"x\"\n[dependencies]\na = [1]", 4, "`dependencies.a`"),
        ("[plan]\nname = \"x\"\n[dependencies]\n1 = [1]", 4, "`dependencies.1`"),
        ("[plan]\nname = \"x\"\n[dependencies]\n1 = [2]\n2 = [1]", 5, "#2 → #1 → #2"),
        ("[plan]\nname = \"x\"\n[dependencies]\n1 = [\"two\"]", 4, "`two`"),
        ("[plan]\nname = \"x\"\n[groups]\ng = []", 4, "`groups.g`"),
        ("[plan]\nname = \"x\"\n\n[nonsense]\n", 4, "`nonsense`"),
        ("[plan]\nname = \"x\"\n[dependencies\n", 3, "p.toml:3"),
        ("[plan]\nname = \"x\"\n[groups]\ng = \n", 4, "`groups.g`"),
        ("[issues]\n1 = \"one\"", 1, "`plan.name`"),
        ("[plan]\nname = \"x\"\n[issues]\n1 = \"a\"\n01 = \"b\"", 5, "issue #1 stands in this table twice"),
        ("[plan]\nname = \"x\"\n[dependencies]\n2 = [1]\n\"#2\" = [3]", 5, "issue #2 stands in this table twice"),
        ("[plan]\nname = \"x\"\n[issues]\n1 = \"a\\nb\"", 4, "`issues.1`: it is one line"),
        ("[plan]\nname = \"x\"\n[issues]\n1 = \"a\\u001b[31m\"", 4, "`issues.1`: it is one line"),
        ("[plan]\nname = \"x\\ty\"", 2, "`plan.name`: it is one line"),
        ("[plan]\nname = \"x\"\n[groups]\n\"\" = [1]", 4, "`groups.`: a group's name"),
        ("[plan]\nname = \"x\"\n[groups]\n\"a\\u001bb\" = [1]", 4, "`groups.a^[b`: a group's name"),
    ] {
        let refusal = plans::read("p.toml", text).unwrap_err();
        assert!(refusal.message.starts_with(&format!("p.toml:{line}:")) && refusal.message.contains(word), "{refusal}");
    }
    let one = plans::read("a", "[plan]\nname = \"x\"\n[dependencies]\n2 = [1]\n[issues]\n1 = \"one\"").unwrap();
    let two =
        plans::read("b", "# same\n[issues]\n1 = \"one\"\n[dependencies]\n2 = [ 1, ]\n[plan]\nname=\"x\"").unwrap();
    assert_eq!(plans::digest(&one), plans::digest(&two));
    let mut world = World::new(1);
    let decided = plans::apply(&world.ledger(), one.clone());
    world.does(decided).unwrap();
    assert_eq!(plans::apply(&world.ledger(), two).unwrap().changes, [], "the same again changes nothing");
    let tree: Vec<_> = plans::tree(&world.ledger()).into_iter().map(|b| (b.depth, b.issue.0)).collect();
    assert_eq!(tree, [(0, 1), (1, 2)]);
    let other = plans::read("c", "[plan]\nname = \"x\"\n[dependencies]\n3 = [1]").unwrap();
    let lines = plans::diff(Some(&one), &other);
    assert_eq!(lines, ["- #1 one", "- #2 waits for #1", "+ #3 waits for #1"]);
}

#[test]
fn ready_needs_evidence_and_nothing_open_before_it() {
    let mut world = World::new(2);
    claimed(&mut world, A, 1);
    let decided = dependencies::block(&world.ledger(), Party::Lane(A), IssueId(1), IssueId(2));
    world.does(decided).unwrap();
    let account = |state, evidence: &[&str], remaining: &[&str]| Account {
        state,
        issue: None,
        summary: String::new(),
        evidence: evidence.iter().map(|text| (*text).to_owned()).collect(),
        remaining: remaining.iter().map(|text| (*text).to_owned()).collect(),
        until: None,
        commit: None,
    };
    let report = |world: &World, account| reports::report(&world.ledger(), A, account);
    assert!(report(&world, account(WorkState::Ready, &[], &[])).unwrap_err().next[0].contains("--evidence"));
    let open = report(&world, account(WorkState::Ready, &["tests"], &[])).unwrap_err();
    assert!(open.message.contains("#2"), "{open}");
    assert!(report(&world, account(WorkState::Blocked, &[], &[])).is_err());
    assert!(report(&world, account(WorkState::Waiting, &[], &[])).is_err());
    world.shared.deadlines.attempts = Some(1);
    let decided = report(&world, account(WorkState::Blocked, &[], &["a key"]));
    world.does(decided).unwrap();
    assert_eq!(world.shared.owner(IssueId(1)), Some(A), "spent attempts move nothing");
    assert!(overdue(&world.ledger()).iter().any(|one| one.words.contains("blocked once, and 1 is the limit")));
    let decided = dependencies::unblock(&world.ledger(), Party::Lane(A), IssueId(1), IssueId(2));
    world.does(decided).unwrap();
    let decided = report(&world, account(WorkState::Ready, &["tests"], &[]));
    world.does(decided).unwrap();
    let decided = ledger::release(&world.ledger(), A, IssueId(1));
    world.does(decided).unwrap();
    assert!(world.shared.issues[&IssueId(1)].done.is_some());
}

#[test]
fn what_is_late_is_told_and_stays_where_it_is() {
    let mut world = World::new(2);
    let decided = ledger::claim(&world.ledger(), A, IssueId(1), Some(60));
    world.does(decided).unwrap();
    let letter = Draft { ack: true, within: Some(30), ..draft(Party::Operator, &[Party::Lane(B)], "look") };
    let decided = mail::send(&world.ledger(), &letter, Vec::new());
    world.does(decided).unwrap();
    assert_eq!(overdue(&world.ledger()), []);
    world.clock = 1_000;
    let words: Vec<String> = overdue(&world.ledger()).into_iter().map(|one| one.words).collect();
    assert!(words.len() == 2 && words[0].contains("lane2") && words[1].contains("`lane1`"), "{words:?}");
    assert_eq!(world.shared.owner(IssueId(1)), Some(A));
    let foreign = ledger::claim(&world.ledger(), B, IssueId(1), None).unwrap_err();
    assert_eq!(foreign.reason, Reason::Held, "being late frees nothing");
}

#[test]
fn mail_is_read_acknowledged_and_superseded_apart() {
    let mut world = World::new(2);
    let topic = |body: &str| Draft {
        topic: Some("build".into()),
        ack: true,
        ..draft(Party::Lane(A), &[Party::Lane(B), Party::Operator], body)
    };
    for body in ["red", "green"] {
        let decided = mail::send(&world.ledger(), &topic(body), Vec::new());
        world.does(decided).unwrap();
    }
    let unread: Vec<_> = world.shared.mail.unread[&Party::Lane(B)].keys().copied().collect();
    assert_eq!(unread, [MessageId(2)], "the newer one takes the place of the older");
    assert!(
        !world.shared.mail.owes(Party::Lane(B), MessageId(1)) && world.shared.mail.owes(Party::Lane(B), MessageId(2))
    );
    let changes = mail::read(&world.ledger(), Party::Lane(B), MessageId(2));
    world.apply(&changes);
    assert!(world.shared.mail.owes(Party::Lane(B), MessageId(2)), "read is not acknowledged");
    let found = mail::Standing {
        id: MessageId(2),
        thread: MessageId(2),
        from: Party::Lane(A),
        to: vec![Party::Operator, Party::Lane(B)],
        decision: false,
    };
    let foreign = mail::acknowledge(&world.ledger(), Party::Lane(A), MessageId(2), Some(&found)).unwrap_err();
    assert_eq!(foreign.reason, Reason::NotYours);
    let decided = mail::acknowledge(&world.ledger(), Party::Lane(B), MessageId(2), Some(&found));
    world.does(decided).unwrap();
    assert_eq!(world.shared.mail.awaited[&MessageId(2)].missing, [Party::Operator]);
    let none = mail::acknowledge(&world.ledger(), Party::Lane(B), MessageId(99), None).unwrap_err();
    assert_eq!(none.reason, Reason::Unknown);
    let stranger = mail::visible_to(&world.ledger(), Party::Lane(LaneId(7)), MessageId(2), Some(&found)).unwrap_err();
    assert!(stranger.message.contains("`lane1`") && stranger.message.contains("`lane2`"), "{stranger}");
}

#[test]
fn mail_has_bounds() {
    let mut world = World::new(2);
    let to = [Party::Lane(B)];
    let long = "x".repeat(mail::BODY + 1);
    let refused = mail::send(&world.ledger(), &draft(Party::Operator, &to, &long), Vec::new()).unwrap_err();
    assert!(refused.message.contains("32769") && refused.next[0].contains("--attach"), "{refused:?}");
    assert!(mail::send(&world.ledger(), &draft(Party::Operator, &to, " \n"), Vec::new()).is_err());
    assert!(mail::send(&world.ledger(), &draft(Party::Operator, &[Party::House], "x"), Vec::new()).is_err());
    let large = Attachment { name: "a".into(), bytes: 0, content: vec![0; mail::ATTACHMENT + 1] };
    assert!(mail::send(&world.ledger(), &draft(Party::Operator, &to, "x"), vec![large]).is_err());
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let known = mail::recipients(&world.ledger(), Party::Lane(A), &names(&["lane2,operator", "all"])).unwrap();
    assert_eq!(known, [Party::Operator, Party::Lane(B)], "all but oneself");
    let near = mail::recipients(&world.ledger(), Party::Operator, &names(&["lane22"])).unwrap_err();
    assert!(near.next[0].contains("lane2"), "{near:?}");
    world.lanes.get_mut(&B).unwrap().stage = LaneStage::Closed;
    assert!(mail::send(&world.ledger(), &draft(Party::Operator, &to, "x"), Vec::new()).is_err());
}

#[test]
fn later_mail_goes_out_when_due_and_ends() {
    let mut world = World::new(2);
    claimed(&mut world, A, 7);
    let letter = draft(Party::Operator, &[Party::Lane(B)], "your turn");
    let later = |when, every, times| mail::Later { when, every, until: None, times };
    let decided =
        mail::schedule(&world.ledger(), &letter, Vec::new(), &later(SendWhen::Released(IssueId(7)), None, None));
    world.does(decided).unwrap();
    let first = at(100);
    let decided = mail::schedule(&world.ledger(), &letter, Vec::new(), &later(SendWhen::At(first), Some(60), Some(3)));
    world.does(decided).unwrap();
    let unbounded =
        mail::schedule(&world.ledger(), &letter, Vec::new(), &later(SendWhen::At(first), Some(60), None)).unwrap_err();
    assert!(unbounded.message.contains("--until"), "{unbounded}");
    let often = mail::schedule(&world.ledger(), &letter, Vec::new(), &later(SendWhen::At(first), Some(60), Some(100)))
        .unwrap_err();
    assert_eq!(often.reason, Reason::Limit);
    let tend = |world: &mut World| {
        let changes = mail::due(&world.ledger());
        world.apply(&changes);
        world.shared.mail.unread(Party::Lane(B))
    };
    assert_eq!(tend(&mut world), 0);
    let decided = ledger::release(&world.ledger(), A, IssueId(7));
    world.does(decided).unwrap();
    assert_eq!(tend(&mut world), 1);
    world.clock = 100;
    assert_eq!((tend(&mut world), tend(&mut world)), (2, 2));
    assert_eq!(mail::next_due(&world.ledger()), Some(at(160)));
    // Nothing ran for a while: what was missed is not sent late.
    world.clock = 400;
    assert_eq!(tend(&mut world), 3);
    assert!(world.shared.mail.scheduled.is_empty());
    assert_eq!(mail::cancel(&world.ledger(), ScheduledId(1)).unwrap_err().reason, Reason::Unknown);
}

#[test]
fn what_is_next_says_why() {
    let mut world = World::new(2);
    let text = "[plan]\nname = \"x\"\n[dependencies]\n2 = [1]\n3 = [1]\n[groups]\ng = [4, 5]\n";
    let decided = plans::apply(&world.ledger(), plans::read("p", text).unwrap());
    world.does(decided).unwrap();
    claimed(&mut world, A, 5);
    let decided = offers::assign(&world.ledger(), IssueId(9), B, terms("please"));
    world.does(decided).unwrap();
    let order = |lane| next(&world.ledger(), lane, 9).into_iter().map(|one| one.issue.0).collect::<Vec<_>>();
    assert_eq!(order(Some(B)), [9, 4, 1]);
    assert_eq!(order(None), [4, 1]);
    let first = next(&world.ledger(), None, 1).remove(0);
    assert!(first.reasons[0].contains("`g` is under way"), "{first:?}");
}

#[test]
fn what_is_done_is_begun_again_only_when_somebody_says_so() {
    let mut world = World::new(2);
    claimed(&mut world, A, 1);
    let ready = Account {
        state: WorkState::Ready,
        issue: None,
        summary: String::new(),
        evidence: vec!["tests".into()],
        remaining: Vec::new(),
        until: None,
        commit: None,
    };
    let decided = reports::report(&world.ledger(), A, ready.clone());
    world.does(decided).unwrap();
    let decided = ledger::release(&world.ledger(), A, IssueId(1));
    world.does(decided).unwrap();
    let refusal = ledger::claim(&world.ledger(), B, IssueId(1), None).unwrap_err();
    assert!(refusal.next[0].contains("paralane issue reopen 1"), "{refusal:?}");
    assert!(offers::assign(&world.ledger(), IssueId(1), B, terms("again")).is_err());
    assert!(world.shared.issues[&IssueId(1)].done.is_some());
    let decided = ledger::reopen(&world.ledger(), IssueId(1));
    world.does(decided).unwrap();
    assert_eq!(ledger::reopen(&world.ledger(), IssueId(1)).unwrap().changes, []);
    assert_eq!(ledger::reopen(&world.ledger(), IssueId(9)).unwrap_err().reason, Reason::Unknown);
    claimed(&mut world, B, 1);
    // A report that names no issue is not about all that a lane owns.
    claimed(&mut world, B, 2);
    let refusal = reports::report(&world.ledger(), B, ready.clone()).unwrap_err();
    assert!(refusal.message.contains("#1, #2") && refusal.next[0].contains("--issue 1"), "{refusal:?}");
    let decided = reports::report(&world.ledger(), B, Account { issue: Some(IssueId(2)), ..ready });
    world.does(decided).unwrap();
}

#[test]
fn a_place_in_the_queue_counts_those_who_are_served_before() {
    let mut world = World::new(3);
    for what in ["a/", "b/"] {
        let decided = reservations::reserve(&world.ledger(), A, &wants(&[what]));
        world.does(decided).unwrap();
    }
    let mut place = |lane, what: &str| {
        let decided = reservations::reserve(&world.ledger(), lane, &Wanted { queue: true, ..wants(&[what]) });
        world.does(decided).unwrap().json["position"].as_i64().unwrap()
    };
    assert_eq!(place(B, "a/"), 1);
    assert_eq!(place(C, "b/"), 1, "who waits for something else is not before it");
    assert_eq!(place(C, "a/x"), 2);
    assert_eq!((place(B, "a/"), place(C, "a/x")), (1, 2), "asked again it is the same place");
}

#[test]
fn what_to_do_next_is_written_as_a_shell_takes_it() {
    let mut world = World::new(2);
    let decided = reservations::reserve(&world.ledger(), A, &wants(&["it's here/*.rs", "."]));
    world.does(decided).unwrap();
    let refusal = reservations::reserve(&world.ledger(), B, &wants(&["it's here/a.rs"])).unwrap_err();
    assert!(refusal.next[0].contains(r"paralane release --lane lane1 -- 'it'\''s here/*.rs'`"), "{refusal:?}");
    assert!(refusal.next[1].contains(r"reserve --lane lane2 --wait -- 'it'\''s here/a.rs'`"), "{refusal:?}");
    assert!(world.reservations.values().any(|held| held.pattern == "./"), "the whole repository");
}
