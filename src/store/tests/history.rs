//! History read back, and bounded.

use pretty_assertions::assert_eq;

use super::*;

/// Commits at so many seconds.
fn commit_at(store: &Store, seconds: i64, batch: Vec<Change>) {
    let (done, heard) = answer();
    ask_at(store, at(seconds), batch, done).unwrap();
    heard.recv_timeout(DEADLINE).unwrap().unwrap();
}

fn query(of: HistoryOf, kind: Option<&str>) -> HistoryQuery {
    HistoryQuery { of, kind: kind.map(str::to_owned), since: None, limit: 100 }
}

fn kinds(history: &History) -> Vec<String> {
    let kind = |event: &Event| serde_json::from_str::<serde_json::Value>(&event.body).unwrap()["change"].clone();
    history.events.iter().map(|event| kind(event).as_str().unwrap().to_owned()).collect()
}

fn said(lane: i64) -> Change {
    Change::EntryAdded { entry: Box::new(entry(lane, 1, model::notice("hi"))) }
}

fn moved(prompt: i64, state: PromptState) -> Change {
    Change::PromptMoved { prompt: PromptId(prompt), state, result: None, error: None, at: at(0) }
}

#[test]
fn a_lanes_history_is_its_own_and_a_prompts_follows_it() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit_at(&store, 0, vec![add_lane(1), add_lane(2)]);
    commit_at(&store, 10, vec![add_prompt(1, 1), add_prompt(2, 2), said(1)]);
    commit_at(&store, 20, vec![moved(1, PromptState::Queued)]);
    let lane = HistoryOf::Lane(LaneId(1));
    let all = Store::history(&path, &query(lane, None)).unwrap();
    assert_eq!(kinds(&all), ["lane-added", "prompt-added", "prompt-moved"], "no transcript, no other lane");
    assert_eq!((all.more, all.dropped_before), (false, None));
    assert_eq!(kinds(&Store::history(&path, &query(lane, Some("lane"))).unwrap()), ["lane-added"]);
    let prompt = Store::history(&path, &query(HistoryOf::Prompt(PromptId(1)), None)).unwrap();
    assert_eq!(kinds(&prompt), ["prompt-added", "prompt-moved"]);
    let newest = Store::history(&path, &HistoryQuery { limit: 1, ..query(lane, None) }).unwrap();
    assert_eq!((kinds(&newest), newest.more), (vec!["prompt-moved".to_owned()], true));
    let since = Store::history(&path, &HistoryQuery { since: Some(at(15)), ..query(lane, None) }).unwrap();
    assert_eq!((kinds(&since), since.more), (vec!["prompt-moved".to_owned()], false));
}

#[test]
fn pages_follow_each_other_and_a_moment_is_found() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    for second in 0..20 {
        commit_at(&store, second, vec![add_lane(second + 1)]);
    }
    let seqs = |events: Vec<Event>| events.iter().map(|event| event.seq).collect::<Vec<_>>();
    assert_eq!(seqs(Store::events_after(&path, 0, None, 3).unwrap()), [1, 2, 3]);
    assert_eq!(seqs(Store::events_after(&path, 18, None, 3).unwrap()), [19, 20]);
    assert_eq!(seqs(Store::events_after(&path, 0, Some(LaneId(7)), 3).unwrap()), [7]);
    assert_eq!(Store::event_place(&path, Some(at(5))).unwrap(), 6);
    assert_eq!(Store::event_place(&path, Some(at(-5))).unwrap(), 1);
    assert_eq!(Store::event_place(&path, Some(at(99))).unwrap(), 21);
    assert_eq!(Store::event_place(&path, None).unwrap(), 21);
    let nothing = path.with_file_name("none.db");
    assert_eq!(Store::event_place(&nothing, None).unwrap(), 1);
}

#[test]
fn old_events_go_and_that_is_told_but_nothing_else_goes() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    store.bound_events(EventBounds { keep: 1_000, days: 1, ..EventBounds::default() });
    commit_at(&store, 0, vec![add_lane(1), add_prompt(1, 1)]);
    commit_at(&store, 100_000, (0..1_200).map(|_| moved(1, PromptState::Queued)).collect());
    let kept = snapshot(&store);
    assert_eq!((kept.lanes.len(), kept.prompts.len()), (1, 1), "what recovery needs is no history");
    let history = Store::history(&path, &HistoryQuery { limit: 5_000, ..query(HistoryOf::Lane(LaneId(1)), None) });
    let history = history.unwrap();
    assert_eq!(history.dropped_before, Some(at(100_000)));
    assert_eq!(history.events.len(), 1_000);
}

/// However long history is, only what is wanted is read: a plan that scans the table would show here.
#[test]
fn history_goes_through_its_indexes() {
    let (_directory, path) = room();
    drop(Store::open(&path).unwrap());
    let db = Connection::open(&path).unwrap();
    for (column, index) in [("lane", "events_lane"), ("prompt", "events_prompt")] {
        let sql = format!(
            "EXPLAIN QUERY PLAN SELECT seq FROM events WHERE {column} = ?1 AND kind = ?2 AND kind <> 'entry-added' \
             ORDER BY seq DESC LIMIT ?3"
        );
        let plan: Vec<String> = db
            .prepare(&sql)
            .unwrap()
            .query_map((1, "lane-moved", 1), |row| row.get(3))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        assert_eq!(plan, [format!("SEARCH events USING INDEX {index} ({column}=? AND kind=?)")]);
    }
}

fn issue(change: IssueChange) -> Change {
    Change::Issue(change)
}

#[test]
fn an_issues_history_follows_it_and_a_claims_ends_with_it() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    let number = IssueId(7);
    let claim = |id, lane, at| Claim { id: ClaimId(id), lane: LaneId(lane), at, due: None, attempts: 0, handoff: None };
    let claimed =
        |id, lane, when| issue(IssueChange::Claimed { issue: number, claim: Box::new(claim(id, lane, when)) });
    let released = |id, lane, when| {
        issue(IssueChange::Released { issue: number, claim: ClaimId(id), lane: LaneId(lane), done: false, at: when })
    };
    commit_at(&store, 0, vec![add_lane(1), add_lane(2)]);
    commit_at(&store, 10, vec![claimed(1, 1, at(10))]);
    let other = issue(IssueChange::Titled { issue: IssueId(8), title: "another".into(), at: at(11) });
    commit_at(&store, 11, vec![other]);
    let report = WorkReport {
        id: ReportId(1),
        lane: LaneId(1),
        issue: Some(number),
        claim: Some(ClaimId(1)),
        state: WorkState::Partial,
        summary: String::new(),
        evidence: Vec::new(),
        remaining: vec!["tests".into()],
        until: None,
        commit: None,
        at: at(12),
    };
    commit_at(&store, 12, vec![Change::Reported { report: Box::new(report) }]);
    commit_at(&store, 20, vec![claimed(2, 2, at(20))]);
    commit_at(&store, 30, vec![released(2, 2, at(30))]);
    let of = |of| kinds(&Store::history(&path, &query(of, None)).unwrap());
    assert_eq!(of(HistoryOf::Issue(number)), ["issue", "reported", "issue", "issue"]);
    assert_eq!(kinds(&Store::history(&path, &query(HistoryOf::Issue(number), Some("report"))).unwrap()), ["reported"]);
    assert_eq!(of(HistoryOf::Claim(ClaimId(1))), ["issue", "reported"], "until it is handed over");
    assert_eq!(of(HistoryOf::Claim(ClaimId(2))), ["issue", "issue"]);
    let newest =
        Store::history(&path, &HistoryQuery { limit: 1, ..query(HistoryOf::Claim(ClaimId(1)), None) }).unwrap();
    assert_eq!((kinds(&newest), newest.more), (vec!["reported".to_owned()], true));
}

#[test]
fn records_of_what_is_over_are_bounded_and_nothing_that_counts_goes() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    let lane = LaneId(1);
    let offer = |id, issue| Offer {
        id: OfferId(id),
        issue,
        kind: OfferKind::Handover,
        from: Party::Lane(lane),
        to: LaneId(2),
        claim: None,
        summary: String::new(),
        remaining: Vec::new(),
        commit: None,
        reservations: Vec::new(),
        due: None,
        created: at(id),
    };
    let report = |id, lane| WorkReport {
        id: ReportId(id),
        lane,
        issue: None,
        claim: None,
        state: WorkState::Partial,
        summary: String::new(),
        evidence: Vec::new(),
        remaining: Vec::new(),
        until: None,
        commit: None,
        at: at(id),
    };
    let mut batch = vec![add_lane(1), add_lane(2)];
    for id in 1..=20 {
        let number = IssueId(id);
        let claim = Claim { id: ClaimId(id), lane, at: at(id), due: None, attempts: 0, handoff: None };
        batch.push(issue(IssueChange::Claimed { issue: number, claim: Box::new(claim) }));
        // The second claim and the third offer stay open.
        if id != 2 {
            batch.push(issue(IssueChange::Released {
                issue: number,
                claim: ClaimId(id),
                lane,
                done: false,
                at: at(id),
            }));
        }
        batch.push(issue(IssueChange::Offered { offer: Box::new(offer(id, number)) }));
        if id != 3 {
            let (outcome, reason, at) = (OfferOutcome::Declined, None, at(id));
            batch.push(issue(IssueChange::Answered { offer: OfferId(id), issue: number, outcome, reason, at }));
        }
        // The second lane reports once, long ago.
        let of = if id == 1 { LaneId(2) } else { lane };
        batch.push(Change::Reported { report: Box::new(report(id, of)) });
    }
    commit_at(&store, 60, batch);
    let before = snapshot(&store);
    let count = |store: &Store, table: &'static str| {
        let (sender, receiver) = std::sync::mpsc::channel();
        store.touch(move |db| {
            let sql = format!("SELECT count(*) FROM {table}");
            sender.send(db.query_row(&sql, [], |row| row.get::<_, i64>(0)).unwrap()).unwrap();
        });
        receiver.recv().unwrap()
    };
    store.touch(|db| assert_eq!(shared::prune(db, 5).unwrap(), 14 + 14 + 14));
    let left = ["claims", "offers", "reports"].map(|table| count(&store, table));
    assert_eq!(left, [6, 6, 6], "the newest five, and what is open or a lane's last word");
    assert_eq!(snapshot(&store), before, "nothing that counts has gone");
}

#[test]
fn old_mail_goes_but_what_somebody_has_yet_to_read_or_acknowledge() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    store.bound_events(EventBounds { mail: 5, ..EventBounds::default() });
    let (one, two) = (Party::Lane(LaneId(1)), Party::Lane(LaneId(2)));
    let message = |id: i64, ack| Message {
        id: MessageId(id),
        thread: MessageId(id),
        reply_to: None,
        from: one,
        to: vec![two],
        subject: format!("subject {id}"),
        body: "words to be found".into(),
        topic: None,
        ack,
        ack_due: None,
        decision: false,
        issue: None,
        attachments: vec![Attachment { name: "a".into(), bytes: 1, content: vec![1] }],
        later: None,
        created: at(id),
    };
    let read = |id| Change::Mail(MailChange::Read { message: MessageId(id), by: two, at: at(50) });
    let mut batch = vec![add_lane(1), add_lane(2)];
    for id in 1..=12 {
        batch.push(Change::Mail(MailChange::Sent { message: Box::new(message(id, id == 2)) }));
    }
    // The third is never read, the second never acknowledged.
    batch.extend((1..=12).filter(|id| *id != 3).map(read));
    commit_at(&store, 60, batch);
    // What is dropped is dropped behind the answer to the commit, and before the next request.
    let boxes = snapshot(&store).shared.mail;
    let list = MailQuery::List { party: None, filter: MailFilter::All, before: None, limit: 100 };
    let page = Store::mail(&path, &list).unwrap();
    let ids: Vec<i64> = page.messages.iter().map(|hit| hit.message.id.0).collect();
    assert_eq!((ids, page.dropped), (vec![12, 11, 10, 9, 8, 3, 2], Some(MessageId(7))));
    let words = vec!["found".to_owned()];
    let search = MailQuery::Search { words, party: None, decisions: false, before: None, limit: 100 };
    assert_eq!(Store::mail(&path, &search).unwrap().messages.len(), 7);
    assert_eq!((boxes.unread(two), boxes.awaited.len()), (1, 1));
    store.close().unwrap();
    let db = Connection::open(&path).unwrap();
    let attachments: i64 = db.query_row("SELECT count(*) FROM attachments", [], |row| row.get(0)).unwrap();
    assert_eq!(attachments, 7);
}

#[test]
fn files_wait_with_the_message_that_goes_out_later() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    let (operator, lane) = (Party::Operator, Party::Lane(LaneId(1)));
    let draft = Draft {
        from: operator,
        to: vec![lane],
        subject: String::new(),
        body: "with a file".into(),
        reply_to: None,
        topic: None,
        ack: false,
        within: None,
        decision: false,
        issue: None,
    };
    let item = Scheduled {
        id: ScheduledId(1),
        draft,
        attachments: vec![Attachment { name: "a.txt".into(), bytes: 3, content: b"abc".to_vec() }],
        when: SendWhen::At(at(80)),
        every: Some(60),
        left: 1,
        created: at(1),
    };
    commit_at(&store, 1, vec![add_lane(1), Change::Mail(MailChange::Scheduled { item: Box::new(item) })]);
    // As after a start: memory knows the names alone.
    let known = snapshot(&store).shared.mail.scheduled[&ScheduledId(1)].clone();
    assert_eq!((known.attachments[0].name.as_str(), known.attachments[0].content.len()), ("a.txt", 0));
    for id in 1..=2 {
        let message = Message {
            id: MessageId(id),
            thread: MessageId(id),
            reply_to: None,
            from: operator,
            to: vec![lane],
            subject: "with a file".into(),
            body: "with a file".into(),
            topic: None,
            ack: false,
            ack_due: None,
            decision: false,
            issue: None,
            attachments: known.attachments.clone(),
            later: Some(ScheduledId(1)),
            created: at(80),
        };
        let next = match id {
            1 => MailChange::Scheduled { item: Box::new(Scheduled { left: 0, ..known.clone() }) },
            _ => MailChange::Unscheduled { item: ScheduledId(1) },
        };
        let sent = MailChange::Sent { message: Box::new(message) };
        commit_at(&store, 80, vec![Change::Mail(sent), Change::Mail(next)]);
        let page = Store::mail(&path, &MailQuery::Attachment(MessageId(id), "a.txt".into())).unwrap();
        assert_eq!(page.attachment.unwrap().content, b"abc");
    }
    store.close().unwrap();
    let db = Connection::open(&path).unwrap();
    let left: i64 = db.query_row("SELECT count(*) FROM scheduled_attachments", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0);
}
