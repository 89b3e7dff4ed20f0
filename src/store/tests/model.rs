//! What changes mean, told a second time in plain memory: the store must agree with it. Also examples of
//! every domain type, and random but sensible changes.

use jiff::Timestamp;
use serde_json::json;

use crate::domain::*;

/// A moment, in seconds.
pub fn at(second: i64) -> Timestamp {
    Timestamp::new(1_700_000_000 + second, 123_456_789).unwrap()
}

pub fn place(text: &str) -> Place {
    Place {
        directory: format!("/tmp/{text}").into(),
        branch: Some(format!("lane/{text}")),
        base: BaseRef { name: "main".into(), sha: "0123456789".repeat(4) },
    }
}

pub fn lane(id: i64) -> Lane {
    Lane {
        id: LaneId(id),
        name: format!("lane-{id}").parse().unwrap(),
        kind: LaneKind::Agent { provider: None, model: Some("small".into()) },
        place: place("ö x"),
        mode: None,
        stage: LaneStage::Creating,
        error: None,
        set_up: false,
        seen: true,
        created: at(id),
        since: at(id),
    }
}

pub fn prompt(id: i64, lane: i64) -> Prompt {
    Prompt {
        id: PromptId(id),
        lane: LaneId(lane),
        text: "two\nlines \u{1b}[31m ' \" 機".into(),
        priority: Priority::Normal,
        state: PromptState::Queued,
        hold: None,
        position: id * 10,
        started: None,
        created: at(id),
        since: at(id),
        result: None,
        error: None,
        key: Some(format!("key-{id}")),
        overridden: vec![],
    }
}

pub fn checkpoint(lane: i64, number: u64) -> Checkpoint {
    Checkpoint {
        lane: LaneId(lane),
        number,
        prompt: (number > 1).then_some(PromptId(1)),
        seq: 7,
        commit: (number > 1).then(|| "0123456789".repeat(4)),
        head: None,
        at: at(70),
    }
}

pub fn approval(id: i64, lane: i64, prompt: i64) -> Approval {
    Approval {
        id: ApprovalId(id),
        lane: LaneId(lane),
        prompt: Some(PromptId(prompt)),
        call: CallId(format!("call-{id}")),
        tool: "shell".into(),
        action: "rm -r 'a b'".into(),
        arguments: json!({"z": 1, "a": [null, true, "x"]}),
        diff: Some("-a\n+b\n".into()),
        directory: "/tmp/x".into(),
        rule: RuleOrigin { rule: "ask shell *".into(), place: "config.toml:14".into() },
        state: ApprovalState::Pending,
        scope: None,
        reason: None,
        created: at(id),
        ended: None,
        expires: (id % 2 == 0).then(|| at(id + 60)),
        needs: 2,
        confirmed: None,
        by: None,
    }
}

fn rule(matches: &str) -> RuleText {
    RuleText { effect: "ask".into(), tool: "shell".into(), matches: matches.into(), reason: None, two: true }
}

pub fn conflict(id: i64, lane: i64, prompt: i64, with: i64) -> Conflict {
    Conflict {
        id: ConflictId(id),
        lane: LaneId(lane),
        prompt: PromptId(prompt),
        call: (id % 2 == 0).then(|| CallId("w".into())),
        with: LaneId(with),
        paths: vec!["a/b.rs".into(), "c".into()],
        cause: "reserved".into(),
        kind: ConflictKind::Prompt,
        state: ConflictState::Pending,
        created: at(id),
    }
}

pub fn reservation(id: i64, lane: i64) -> Reservation {
    Reservation {
        id: ReservationId(id),
        lane: LaneId(lane),
        pattern: "src/".into(),
        shared: id % 2 == 0,
        created: at(id),
        reason: (id % 2 == 0).then(|| "why".into()),
        issue: (id % 2 == 0).then_some(IssueId(7)),
        lease: (id % 2 == 0).then(|| Lease { seconds: 60, until: at(id + 60) }),
    }
}

pub fn spend(id: i64, lane: i64, prompt: i64) -> Spend {
    let rate = Money::of_parts(3_000_000);
    Spend {
        id: SpendId(id),
        lane: LaneId(lane),
        prompt: PromptId(prompt),
        provider: "löcal".into(),
        model: "small".into(),
        at: at(id),
        day: jiff::civil::date(2026, 1, 1 + (id % 3) as i8),
        price: Some(Price { input: rate, cached: rate, cache_write: rate, output: rate }),
        state: SpendState::Reserved,
        usage: Usage { input: 5, output: 6, ..Usage::default() },
        cost: Some(rate.times(11)),
    }
}

/// The end of a spend, with numbers as large as a column may have to hold.
pub fn settled(id: i64, state: SpendState) -> Change {
    let usage = Usage { input: u64::MAX / 2, cached: 3, output: id.unsigned_abs(), ..Usage::default() };
    let cost = (id % 2 == 1).then_some(Money::of_parts(u64::MAX));
    Change::SpendSettled { spend: SpendId(id), state, usage, cost }
}

pub fn budget(tokens: u64) -> Budget {
    let scope = BudgetScope::Provider("löcal".into());
    Budget { scope, per: Period::Week, limit: Limit::Tokens(tokens), warn: 80, stop: true }
}

pub fn fact(number: i64, text: &str) -> Fact {
    Fact {
        id: FactId { scope: FactScope::Project, number },
        text: text.into(),
        author: Author::Agent { project: "shop".into(), lane: "api".into(), prompt: PromptId(1) },
        created: at(1),
        edited: None,
    }
}

pub fn entry(lane: i64, seq: u64, body: EntryBody) -> Entry {
    Entry { lane: LaneId(lane), seq, prompt: None, at: at(seq as i64), body }
}

pub fn notice(text: &str) -> EntryBody {
    EntryBody::Notice { level: NoticeLevel::Info, text: text.into() }
}

/// Applies one change the way its documentation says.
pub fn apply(model: &mut Snapshot, change: &Change) {
    fn lane(model: &mut Snapshot, id: LaneId) -> &mut Lane {
        model.lanes.iter_mut().find(|lane| lane.id == id).unwrap()
    }
    fn prompt(model: &mut Snapshot, id: PromptId) -> &mut Prompt {
        model.prompts.iter_mut().find(|prompt| prompt.id == id).unwrap()
    }
    fn reservation_of(model: &mut Snapshot, id: ReservationId) -> &mut Reservation {
        model.reservations.iter_mut().find(|held| held.id == id).unwrap()
    }
    match change.clone() {
        Change::LaneAdded { lane } => {
            model.last_ids.lane = model.last_ids.lane.max(lane.id.0);
            model.lanes.push(*lane);
        }
        Change::LaneMoved { lane: id, stage, error, at } => {
            let lane = lane(model, id);
            (lane.stage, lane.error, lane.since) = (stage, error, at);
            if stage == LaneStage::Closed {
                model.calls.retain(|(lane, ..)| *lane != id);
                model.remembered.retain(|(lane, ..)| *lane != Some(id));
                model.checkpoints.retain(|c| c.lane != id);
            }
        }
        Change::LaneRenamed { lane: id, name } => lane(model, id).name = name,
        Change::LanePlaced { lane: id, place } => lane(model, id).place = place,
        Change::LaneSetUp { lane: id, done } => lane(model, id).set_up = done,
        Change::LaneModeSet { lane: id, mode } => lane(model, id).mode = mode,
        Change::LaneKindSet { lane: id, kind } => lane(model, id).kind = kind,
        Change::LayerSwitched { lane, layer, on } => {
            model.layers_off.retain(|off| *off != (lane, layer));
            if !on {
                model.layers_off.push((lane, layer));
            }
        }
        Change::LaneSeen { lane: id, seen } => lane(model, id).seen = seen == Seen::Yes,
        Change::PromptAdded { prompt } => {
            model.last_ids.prompt = model.last_ids.prompt.max(prompt.id.0);
            model.prompts.push(*prompt);
        }
        Change::PromptMoved { prompt: id, state, result, error, at } => {
            let prompt = prompt(model, id);
            if state == PromptState::Running && prompt.started.is_none() {
                prompt.started = Some(at);
            }
            (prompt.state, prompt.result, prompt.error, prompt.since) = (state, result, error, at);
        }
        Change::PromptEdited { prompt: id, text } => prompt(model, id).text = text,
        Change::PromptPlaced { prompt: id, lane, position, priority } => {
            let prompt = prompt(model, id);
            (prompt.lane, prompt.position, prompt.priority) = (lane, position, priority);
        }
        Change::PromptHeld { prompt: id, hold } => prompt(model, id).hold = hold,
        Change::PromptOverrode { prompt: id, lanes } => {
            let prompt = prompt(model, id);
            for lane in lanes {
                if !prompt.overridden.contains(&lane) {
                    prompt.overridden.push(lane);
                }
            }
        }
        Change::EntryAdded { entry } => model.entries.push(*entry),
        Change::CallMoved { lane, call, state, .. } => {
            let known = model.calls.iter_mut().find(|(l, c, _)| (*l, c) == (lane, &call));
            match (known, state) {
                (_, CallState::Finished) => model.calls.retain(|(l, c, _)| (*l, c) != (lane, &call)),
                (Some(known), state) => known.2 = state,
                (None, state) => model.calls.push((lane, call, state)),
            }
        }
        Change::PathsWritten { lane, paths } => {
            for path in paths {
                if !model.written.contains(&(lane, path.clone())) {
                    model.written.push((lane, path));
                }
            }
        }
        Change::PathsReleased { lane } => model.written.retain(|(l, _)| *l != lane),
        Change::ApprovalAdded { approval } => {
            model.last_ids.approval = model.last_ids.approval.max(approval.id.0);
            model.approvals.push(*approval);
        }
        Change::LaneRulesSet { lane, rules } => {
            model.lane_rules.retain(|(l, _)| *l != lane);
            if !rules.is_empty() {
                model.lane_rules.push((lane, rules));
                model.lane_rules.sort_by_key(|(lane, _)| *lane);
            }
        }
        Change::ApprovalConfirmed { approval: id, by, .. } => {
            model.approvals.iter_mut().find(|approval| approval.id == id).unwrap().confirmed = Some(by);
        }
        Change::ApprovalMoved { approval: id, state, scope, reason, arguments, by, at } => {
            let approval = model.approvals.iter_mut().find(|approval| approval.id == id).unwrap();
            (approval.state, approval.scope, approval.reason) = (state, scope, reason);
            approval.ended = (state != ApprovalState::Pending).then_some(at);
            approval.by = by;
            if let Some(arguments) = arguments {
                approval.arguments = arguments;
            }
        }
        Change::CallRemembered { lane, tool, action } => {
            if !model.remembered.contains(&(lane, tool.clone(), action.clone())) {
                model.remembered.push((lane, tool, action));
            }
        }
        Change::ConflictAdded { conflict } => {
            model.last_ids.conflict = model.last_ids.conflict.max(conflict.id.0);
            model.conflicts.push(*conflict);
        }
        Change::ConflictMoved { conflict: id, state } => {
            model.conflicts.iter_mut().find(|conflict| conflict.id == id).unwrap().state = state;
        }
        Change::ReservationAdded { reservation } => {
            model.last_ids.reservation = model.last_ids.reservation.max(reservation.id.0);
            model.reservations.push(*reservation);
        }
        Change::ReservationReleased { reservation: id } => model.reservations.retain(|r| r.id != id),
        Change::Hold(change) => {
            match &change {
                HoldChange::Renewed { reservation, lease, .. } => reservation_of(model, *reservation).lease = *lease,
                HoldChange::Moved { reservation, lane } => reservation_of(model, *reservation).lane = *lane,
                HoldChange::Queued { .. } | HoldChange::Unqueued { .. } => {}
            }
            model.shared.apply_hold(&change);
        }
        Change::Issue(change) => model.shared.apply_issue(&change),
        Change::Mail(change) => model.shared.apply_mail(&change),
        Change::Plan(change) => model.shared.apply_plan(&change),
        Change::Reported { report } => model.shared.apply_report(&report),
        Change::DeadlinesSet { deadlines } => model.shared.deadlines = deadlines,
        Change::Keyed { keyed } => model.shared.keys.keep(*keyed),
        Change::CheckpointAdded { checkpoint } => {
            model.checkpoints.push(*checkpoint);
            model.checkpoints.sort_by_key(|c| (c.lane, c.number));
        }
        Change::CheckpointsForgotten { lane, numbers } => {
            model.checkpoints.retain(|c| c.lane != lane || !numbers.contains(&c.number));
        }
        Change::SpendReserved { spend } => {
            model.last_ids.spend = model.last_ids.spend.max(spend.id.0);
            model.ledger.reserve(*spend);
        }
        Change::SpendSettled { spend, state, usage, cost } => model.ledger.settle(spend, state, usage, cost),
        Change::BudgetSet { budget, rule } => {
            model.last_ids.budget = model.last_ids.budget.max(budget.0);
            model.budgets.retain(|(id, _)| *id != budget);
            model.budgets.push((budget, rule));
            model.budgets.sort_by_key(|(id, _)| *id);
        }
        Change::BudgetRemoved { budget } => model.budgets.retain(|(id, _)| *id != budget),
        Change::FactKept { fact } => {
            model.last_ids.fact = model.last_ids.fact.max(fact.id.number);
            model.facts.retain(|old| old.id != fact.id);
            model.facts.push(*fact);
            model.facts.sort_by_key(|fact| fact.id);
        }
        Change::FactForgotten { fact } => model.facts.retain(|old| old.id != fact),
        Change::ModeSet { mode } => model.mode = Some(mode),
        Change::ModelSet { provider, model: name } => model.model = Some((provider, name)),
        Change::ConfigTrusted { hash } => {
            if !model.trusted.contains(&hash) {
                model.trusted.push(hash);
            }
        }
        Change::HookAnswered { .. } => {}
    }
}

/// The model in the order and extent of a snapshot from the store (without its caps).
pub fn normal(mut model: Snapshot) -> Snapshot {
    let closed = |id| model.lanes.iter().any(|lane| lane.id == id && lane.stage == LaneStage::Closed);
    model.entries.sort_by_key(|entry| (entry.lane, entry.seq));
    // Of a closed lane only the last is read, which tells where its transcript goes on.
    let lasts: Vec<u64> = model
        .entries
        .iter()
        .map(|entry| model.entries.iter().filter(|e| e.lane == entry.lane).map(|e| e.seq).max().unwrap_or(0))
        .collect();
    let mut last = lasts.into_iter();
    model.entries.retain(|entry| last.next() == Some(entry.seq) || !closed(entry.lane));
    model.calls.sort_by_key(|(lane, ..)| *lane);
    model.written.sort();
    model.layers_off.sort();
    model
}

fn thoughts() -> Reasoning {
    Reasoning {
        text: "hm\u{1b}".into(),
        made_by: "anthropic m".into(),
        parts: vec![json!({"kept": {"signature": "x"}})],
    }
}

/// One of each change, each after what it needs.
pub fn every_change() -> Vec<Change> {
    let (l, p) = (LaneId(1), PromptId(1));
    let call = ToolCall {
        id: CallId("c1".into()),
        model_id: "m".into(),
        tool: "read".into(),
        arguments: json!({"path": "a", "n": 3}),
    };
    let outcome = ToolOutcome {
        ok: true,
        output: "x".into(),
        summary: "1 line".into(),
        written: vec!["a".into()],
        images: vec![ToolImage { media_type: "image/png".into(), data: "AA==".into() }],
        todo: Some(vec![TodoItem { text: "a".into(), state: TodoState::Active }]),
        ..ToolOutcome::default()
    };
    let usage = Some(Usage { input: 10, cached: 4, output: u64::from(u32::MAX), ..Usage::default() });
    let moved = |call: &str, state| Change::CallMoved { lane: l, prompt: p, call: CallId(call.into()), state };
    let bodies = [
        EntryBody::Prompt { text: "go".into() },
        EntryBody::Notes(Box::new(NotesEntry {
            upto: 3,
            notes: Notes { goal: "a\u{1b}b".into(), next: "two\nlines".into(), ..Notes::default() },
            cause: CompactCause::Asked,
            without_model: Some("no".into()),
            before: 90,
            after: 9,
        })),
        EntryBody::Answer { text: "a\u{1b}b\0".into(), cut: true, usage, reasoning: thoughts() },
        EntryBody::Call { call, action: "read a".into() },
        EntryBody::Result { call: CallId("c1".into()), outcome },
        EntryBody::Child { under: CallId("c1".into()), step: ChildStep { usage, ..ChildStep::default() } },
        EntryBody::Told { event: HookEvent::Stop, by: "hook".into(), text: "a\u{1b}b\0".into() },
        notice("ready"),
    ];
    let mut changes = vec![
        Change::LaneAdded { lane: Box::new(lane(1)) },
        Change::LaneAdded { lane: Box::new(lane(2)) },
        Change::LaneMoved { lane: l, stage: LaneStage::Failed, error: Some("no".into()), at: at(50) },
        Change::LaneRenamed { lane: l, name: "api".parse().unwrap() },
        Change::LanePlaced { lane: l, place: Place { branch: None, ..place("here") } },
        Change::LaneSetUp { lane: l, done: true },
        Change::LaneModeSet { lane: l, mode: Some(Mode::AutoEdit) },
        Change::LayerSwitched { lane: l, layer: Layer::Rules, on: false },
        Change::LayerSwitched { lane: l, layer: Layer::Turns, on: false },
        Change::LayerSwitched { lane: l, layer: Layer::Turns, on: true },
        Change::LaneKindSet {
            lane: l,
            kind: LaneKind::Pane {
                command: vec!["top".into(), "-b".into()],
                native: Some(Box::new(NativeLane { session: Some("s1".into()), ..NativeLane::new(Cli::Codex) })),
            },
        },
        Change::HookAnswered {
            lane: l,
            event: "PreToolUse".into(),
            tool: "Bash".into(),
            answer: "deny".into(),
            class: ReasonClass::BranchSwitch,
        },
        Change::LaneSeen { lane: l, seen: Seen::No },
        Change::PromptAdded { prompt: Box::new(prompt(1, 1)) },
        Change::PromptAdded {
            prompt: Box::new(Prompt {
                key: None,
                state: PromptState::Held,
                hold: Some(Hold::At(at(99))),
                ..prompt(2, 2)
            }),
        },
        Change::PromptMoved { prompt: p, state: PromptState::Running, result: None, error: None, at: at(51) },
        Change::PromptMoved {
            prompt: p,
            state: PromptState::Failed,
            result: Some("half".into()),
            error: Some("why".into()),
            at: at(52),
        },
        Change::PromptEdited { prompt: PromptId(2), text: "other".into() },
        Change::PromptPlaced { prompt: PromptId(2), lane: l, position: -5, priority: Priority::High },
        Change::PromptHeld { prompt: PromptId(2), hold: Some(Hold::After(p)) },
        Change::PromptOverrode { prompt: PromptId(2), lanes: vec![LaneId(2), l] },
        Change::PromptOverrode { prompt: PromptId(2), lanes: vec![l] },
        moved("c1", CallState::Requested),
        moved("c2", CallState::Requested),
        moved("c1", CallState::Started),
        moved("c2", CallState::Finished),
        Change::PathsWritten { lane: l, paths: vec!["b".into(), "a".into()] },
        Change::PathsWritten { lane: LaneId(2), paths: vec!["a".into()] },
        Change::PathsReleased { lane: LaneId(2) },
        Change::ApprovalAdded { approval: Box::new(approval(1, 1, 1)) },
        Change::ApprovalAdded { approval: Box::new(approval(2, 1, 1)) },
        Change::ApprovalMoved {
            approval: ApprovalId(2),
            state: ApprovalState::Allowed,
            scope: Some(AnswerScope::Session),
            reason: Some("fine".into()),
            arguments: Some(json!({"command": "ls"})),
            by: Some(Answerer {
                session: "1/2/3".into(),
                words: "shell on pts/4".into(),
                seat: Seat::Terminal,
                above: vec!["1/1/1".into()],
            }),
            at: at(60),
        },
        Change::ApprovalConfirmed { approval: ApprovalId(1), by: Answerer::unknown("window w1"), at: at(60) },
        Change::LaneRulesSet { lane: l, rules: vec![rule("one"), rule("two")] },
        Change::LaneRulesSet { lane: LaneId(2), rules: vec![rule("two")] },
        Change::LaneRulesSet { lane: l, rules: vec![rule("one")] },
        Change::LaneRulesSet { lane: LaneId(2), rules: Vec::new() },
        Change::CallRemembered { lane: None, tool: "shell".into(), action: "ls".into() },
        Change::CallRemembered { lane: Some(l), tool: "shell".into(), action: "ls".into() },
        Change::CallRemembered { lane: Some(l), tool: "shell".into(), action: "ls".into() },
        Change::ConflictAdded { conflict: Box::new(conflict(1, 1, 1, 2)) },
        Change::ConflictAdded { conflict: Box::new(conflict(2, 1, 1, 2)) },
        Change::ConflictMoved { conflict: ConflictId(1), state: ConflictState::Overridden },
        Change::ReservationAdded { reservation: Box::new(reservation(1, 1)) },
        Change::ReservationAdded { reservation: Box::new(reservation(2, 2)) },
        Change::ReservationReleased { reservation: ReservationId(2) },
    ];
    changes.extend(shared_changes());
    changes.extend([
        Change::CheckpointAdded { checkpoint: Box::new(checkpoint(1, 1)) },
        Change::CheckpointAdded { checkpoint: Box::new(checkpoint(1, 2)) },
        Change::CheckpointAdded { checkpoint: Box::new(checkpoint(1, 3)) },
        Change::CheckpointsForgotten { lane: l, numbers: vec![1, 3, 9] },
        Change::SpendReserved { spend: Box::new(spend(1, 1, 1)) },
        Change::SpendReserved { spend: Box::new(Spend { price: None, cost: None, ..spend(2, 1, 1) }) },
        Change::SpendReserved { spend: Box::new(spend(3, 2, 2)) },
        settled(1, SpendState::Settled),
        settled(1, SpendState::Estimated),
        settled(2, SpendState::Unsettled),
        settled(9, SpendState::Settled),
        Change::BudgetSet { budget: BudgetId(1), rule: budget(100) },
        Change::BudgetSet { budget: BudgetId(2), rule: budget(200) },
        Change::BudgetSet { budget: BudgetId(1), rule: budget(300) },
        Change::BudgetRemoved { budget: BudgetId(2) },
        Change::FactKept { fact: Box::new(fact(1, "two\nlines of \" ' \u{7f}")) },
        Change::FactKept { fact: Box::new(fact(2, "機")) },
        Change::FactKept { fact: Box::new(Fact { edited: Some(at(80)), ..fact(1, "changed") }) },
        Change::FactKept { fact: Box::new(Fact { author: Author::Person, ..fact(3, "gone") }) },
        Change::FactForgotten { fact: FactId { scope: FactScope::Project, number: 3 } },
        Change::ModeSet { mode: Mode::Plan },
        Change::ModelSet { provider: "local".into(), model: "m".into() },
        Change::ConfigTrusted { hash: "ff".repeat(32) },
        Change::ConfigTrusted { hash: "00".repeat(32) },
    ]);
    let entries = bodies
        .into_iter()
        .zip(1..)
        .map(|(body, seq)| Change::EntryAdded { entry: Box::new(Entry { prompt: Some(p), ..entry(1, seq, body) }) });
    changes.extend(entries);
    changes
}

/// Of what lanes share, each after what it needs.
fn shared_changes() -> Vec<Change> {
    let (one, two) = (LaneId(1), LaneId(2));
    let claim = |id, lane| Claim { id: ClaimId(id), lane, at: at(id), due: Some(at(99)), attempts: 0, handoff: None };
    let offer = |id, kind, claim: Option<i64>| Offer {
        id: OfferId(id),
        issue: IssueId(7),
        kind,
        from: Party::Lane(one),
        to: two,
        claim: claim.map(ClaimId),
        summary: "so far".into(),
        remaining: vec!["the rest".into()],
        commit: Some("abc".into()),
        reservations: vec![ReservationId(1)],
        due: None,
        created: at(id),
    };
    let handed = Claim {
        handoff: Some(Handoff { from: one, summary: "s".into(), remaining: vec!["r".into()], commit: None }),
        ..claim(2, two)
    };
    let message = |id: i64, to: Vec<Party>, topic: Option<&str>, ack| Message {
        id: MessageId(id),
        thread: MessageId(1),
        reply_to: (id > 1).then_some(MessageId(1)),
        from: Party::Lane(one),
        to,
        subject: format!("subject {id}"),
        body: "a body with \u{1b} and 漢字".into(),
        topic: topic.map(str::to_owned),
        ack,
        ack_due: ack.then(|| at(50)),
        decision: id == 2,
        issue: Some(IssueId(7)),
        attachments: vec![],
        later: None,
        created: at(id),
    };
    let scheduled = |left| Scheduled {
        id: ScheduledId(1),
        draft: Draft {
            from: Party::Operator,
            to: vec![Party::Lane(one)],
            subject: String::new(),
            body: "later".into(),
            reply_to: None,
            topic: None,
            ack: false,
            within: None,
            decision: false,
            issue: None,
        },
        attachments: vec![Attachment { name: "a.txt".into(), bytes: 3, content: Vec::new() }],
        when: SendWhen::At(at(80)),
        every: Some(60),
        left,
        created: at(1),
    };
    let plan = |name: &str| AppliedPlan {
        plan: Plan {
            name: name.into(),
            issues: [(IssueId(3), "three".to_owned())].into(),
            dependencies: [(IssueId(4), [IssueId(3)].into())].into(),
            groups: [("g".to_owned(), [IssueId(5)].into())].into(),
        },
        digest: "d".repeat(64),
        at: at(5),
    };
    let ticket = |id| Ticket {
        id: TicketId(id),
        lane: two,
        patterns: vec!["src/".into(), "port:1".into()],
        shared: false,
        reason: None,
        issue: None,
        seconds: Some(5),
        created: at(id),
    };
    let report = |id, state| WorkReport {
        id: ReportId(id),
        lane: one,
        issue: Some(IssueId(7)),
        claim: None,
        state,
        summary: "s".into(),
        evidence: vec!["e".into()],
        remaining: vec![],
        until: None,
        commit: None,
        at: at(id),
    };
    let issue = IssueId(7);
    let answered = |offer, outcome| IssueChange::Answered {
        offer: OfferId(offer),
        issue,
        outcome,
        reason: Some("because".into()),
        at: at(9),
    };
    let keyed = |key: &str| Keyed {
        party: Party::Lane(one),
        key: key.into(),
        digest: "x".into(),
        words: "done".into(),
        json: json!({"done": 1}),
    };
    let both = || vec![Party::Operator, Party::Lane(two)];
    let issues = [
        IssueChange::Titled { issue, title: "seven".into(), at: at(1) },
        IssueChange::Claimed { issue, claim: Box::new(claim(1, one)) },
        IssueChange::Attempted { issue, claim: ClaimId(1), attempts: 2 },
        IssueChange::Offered { offer: Box::new(offer(1, OfferKind::Handover, Some(1))) },
        IssueChange::Offered { offer: Box::new(offer(2, OfferKind::Request, Some(1))) },
        answered(1, OfferOutcome::Accepted),
        IssueChange::Claimed { issue, claim: Box::new(handed) },
        answered(2, OfferOutcome::Lapsed),
        IssueChange::Offered { offer: Box::new(offer(3, OfferKind::Request, Some(2))) },
        IssueChange::Blocked { issue, on: IssueId(8), at: at(2) },
        IssueChange::Blocked { issue, on: IssueId(9), at: at(2) },
        IssueChange::Unblocked { issue, on: IssueId(9) },
        IssueChange::Claimed { issue: IssueId(9), claim: Box::new(claim(3, one)) },
        IssueChange::Released { issue: IssueId(9), claim: ClaimId(3), lane: one, done: true, at: at(4) },
        IssueChange::Reopened { issue: IssueId(9), at: at(5) },
    ];
    let mail = [
        MailChange::Sent { message: Box::new(message(1, both(), Some("build"), true)) },
        MailChange::Sent { message: Box::new(message(2, both(), None, false)) },
        MailChange::Superseded { message: MessageId(1), by: MessageId(2), of: Party::Operator, at: at(3) },
        MailChange::Read { message: MessageId(2), by: Party::Operator, at: at(3) },
        MailChange::Sent { message: Box::new(message(3, both(), Some("build"), true)) },
        MailChange::Acknowledged { message: MessageId(3), by: Party::Lane(two), at: at(4) },
        MailChange::Scheduled { item: Box::new(scheduled(3)) },
        MailChange::Sent {
            message: Box::new(Message { later: Some(ScheduledId(1)), ..message(4, both(), None, true) }),
        },
        MailChange::Scheduled { item: Box::new(scheduled(2)) },
        MailChange::Excused { message: MessageId(4), of: Party::Lane(two), at: at(5) },
    ];
    let holds = [
        HoldChange::Queued { ticket: Box::new(ticket(1)) },
        HoldChange::Queued { ticket: Box::new(ticket(2)) },
        HoldChange::Unqueued { ticket: TicketId(1), lane: two, granted: true },
        HoldChange::Renewed {
            reservation: ReservationId(1),
            lane: one,
            lease: Some(Lease { seconds: 9, until: at(90) }),
        },
        HoldChange::Moved { reservation: ReservationId(1), lane: two },
    ];
    let deadlines = Deadlines { claim: Some(60), attempts: Some(3), ..Deadlines::default() };
    issues
        .into_iter()
        .map(Change::Issue)
        .chain(mail.into_iter().map(Change::Mail))
        .chain(holds.into_iter().map(Change::Hold))
        .chain([
            Change::Plan(PlanChange::Applied { applied: Box::new(plan("first")) }),
            Change::Plan(PlanChange::Applied { applied: Box::new(plan("second")) }),
            Change::Reported { report: Box::new(report(1, WorkState::Blocked)) },
            Change::Reported { report: Box::new(report(2, WorkState::Ready)) },
            Change::DeadlinesSet { deadlines },
            Change::Keyed { keyed: Box::new(keyed("a")) },
            Change::Keyed { keyed: Box::new(keyed("b")) },
        ])
        .collect()
}

/// Turns random numbers into a change that fits the model, if there is one.
pub fn sensible(model: &Snapshot, (kind, a, b, text): &(u8, u8, u8, String)) -> Option<Change> {
    fn pick<T>(items: &[T], n: u8) -> Option<&T> {
        items.get(usize::from(n) % items.len().max(1))
    }
    let (a, b, text) = (*a, *b, text.clone());
    let lane_id = || pick(&model.lanes, a).map(|lane| lane.id);
    let prompt_id = || pick(&model.prompts, b).map(|prompt| prompt.id);
    let when = at(i64::from(a) * 256 + i64::from(b));
    let taken = |name: &str, own: Option<LaneId>| {
        model.lanes.iter().any(|l| l.stage != LaneStage::Closed && Some(l.id) != own && l.name.as_str() == name)
    };
    Some(match kind % 19 {
        0 => {
            let new = lane(model.last_ids.lane + 1);
            (!taken(new.name.as_str(), None)).then(|| Change::LaneAdded { lane: Box::new(new) })?
        }
        1 => {
            let lane = pick(&model.lanes, a)?;
            let stages = [LaneStage::Open, LaneStage::Closed, LaneStage::Creating, LaneStage::Paused];
            let stage = *pick(&stages, b)?;
            if stage != LaneStage::Closed && taken(lane.name.as_str(), Some(lane.id)) {
                return None;
            }
            Change::LaneMoved { lane: lane.id, stage, error: (a > 99).then_some(text), at: when }
        }
        2 => {
            let name = format!("n{}", b % 4);
            let lane = pick(&model.lanes, a)?;
            if taken(&name, Some(lane.id)) {
                return None;
            }
            Change::LaneRenamed { lane: lane.id, name: name.parse().ok()? }
        }
        3 => Change::LaneModeSet { lane: lane_id()?, mode: pick(&Mode::ALL, b).copied().filter(|_| b > 40) },
        4 | 5 => {
            let key = (b > 127).then(|| format!("k{}", model.last_ids.prompt));
            let new = Prompt { text, key, ..prompt(model.last_ids.prompt + 1, lane_id()?.0) };
            Change::PromptAdded { prompt: Box::new(new) }
        }
        6 | 7 => Change::PromptMoved {
            prompt: prompt_id()?,
            state: *pick(&PromptState::ALL, a)?,
            result: (b > 127).then(|| text.clone()),
            error: (b < 64).then_some(text),
            at: when,
        },
        8 => Change::PromptPlaced {
            prompt: prompt_id()?,
            lane: lane_id()?,
            position: i64::from(b) - 128,
            priority: Priority::Low,
        },
        9 => Change::PromptOverrode { prompt: prompt_id()?, lanes: vec![lane_id()?] },
        10 => {
            let lane = lane_id()?;
            let seq = model.entries.iter().filter(|entry| entry.lane == lane).count() as u64 + 1;
            Change::EntryAdded { entry: Box::new(entry(lane.0, seq, notice(&text))) }
        }
        11 => {
            use CallState::{Allowed, Finished, Requested, Started};
            let state = *pick(&[Requested, Allowed, Started, Finished], a)?;
            Change::CallMoved { lane: lane_id()?, prompt: prompt_id()?, call: CallId(format!("c{}", b % 3)), state }
        }
        12 if b < 64 => Change::PathsReleased { lane: lane_id()? },
        12 => Change::PathsWritten { lane: lane_id()?, paths: vec![text] },
        13 => Change::CallRemembered {
            lane: lane_id().filter(|_| b > 127),
            tool: "shell".into(),
            action: format!("{}", b % 5),
        },
        14 => {
            let id = model.last_ids.approval + 1;
            Change::ApprovalAdded { approval: Box::new(approval(id, lane_id()?.0, prompt_id()?.0)) }
        }
        15 => Change::SpendReserved { spend: Box::new(spend(model.last_ids.spend + 1, lane_id()?.0, prompt_id()?.0)) },
        16 => {
            use SpendState::{Estimated, Released, Settled, Unsettled};
            let state = *pick(&[Settled, Estimated, Unsettled, Released], a)?;
            // Also one that is over, or was never reserved.
            settled(i64::from(b) % (model.last_ids.spend + 2), state)
        }
        17 => match pick(&model.facts, a).filter(|_| b < 100) {
            Some(old) if b < 50 => Change::FactForgotten { fact: old.id },
            old => {
                let number = old.map_or(model.last_ids.fact + 1, |old| old.id.number);
                let same = |fact: &Fact| fact.text == text && fact.id.number != number;
                (!model.facts.iter().any(same)).then(|| Change::FactKept { fact: Box::new(fact(number, &text)) })?
            }
        },
        _ => match pick(&model.reservations, b).filter(|_| b > 127) {
            Some(old) => Change::ReservationReleased { reservation: old.id },
            None => Change::ReservationAdded {
                reservation: Box::new(reservation(model.last_ids.reservation + 1, lane_id()?.0)),
            },
        },
    })
}
