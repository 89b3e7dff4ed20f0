use super::*;
use crate::domain::{LaneId, Mode, PromptId};

fn begin(directory: &tempfile::TempDir) -> (Commits, mpsc::Receiver<Answer>) {
    let store = Store::open(&directory.path().join("s.db")).unwrap();
    let (answers, receiver) = mpsc::channel(4_096);
    (Commits::new(store, answers), receiver)
}

/// Breaks a rule of the store: no such lane is known.
fn bad() -> Vec<Change> {
    vec![Change::PromptAdded {
        prompt: Box::new(crate::domain::Prompt {
            id: PromptId(1),
            lane: LaneId(99),
            text: "x".into(),
            priority: crate::domain::Priority::Normal,
            state: crate::domain::PromptState::Queued,
            hold: None,
            position: 1,
            started: None,
            created: Timestamp::UNIX_EPOCH,
            since: Timestamp::UNIX_EPOCH,
            result: None,
            error: None,
            key: None,
            overridden: Vec::new(),
        }),
    }]
}

fn good() -> Vec<Change> {
    vec![Change::ModeSet { mode: Mode::Full }]
}

fn wake(second: i64) -> Vec<Effect> {
    vec![Effect::WakeAt(Timestamp::from_second(second).unwrap())]
}

async fn until_settled(commits: &mut Commits, answers: &mut mpsc::Receiver<Answer>) -> Vec<Msg> {
    let mut told = Vec::new();
    while !commits.settled() {
        commits.send().unwrap();
        let answer = answers.recv().await.unwrap();
        told.extend(commits.answered(answer).unwrap());
    }
    told
}

#[tokio::test]
async fn what_waits_for_a_commit_follows_it_in_order() {
    let directory = tempfile::tempdir().unwrap();
    let (mut commits, mut answers) = begin(&directory);
    // Far more than the writer's queue holds: the rest waits here.
    for n in 0..3_000 {
        commits.add(good(), wake(n), Timestamp::UNIX_EPOCH).unwrap();
        commits.send().unwrap();
    }
    let told = until_settled(&mut commits, &mut answers).await;
    assert_eq!(carried_out(&told), (0..3_000).flat_map(wake).collect::<Vec<_>>());
    commits.close().unwrap();
}

fn carried_out(told: &[Msg]) -> Vec<Effect> {
    let then = told.iter().flat_map(|msg| match msg {
        Msg::Committed(then) => then.clone(),
        other => panic!("{other:?}"),
    });
    then.collect()
}

#[tokio::test]
async fn what_is_decided_in_one_round_is_one_answer_up_to_what_fails() {
    let directory = tempfile::tempdir().unwrap();
    let (mut commits, mut answers) = begin(&directory);
    for n in 0..3 {
        commits.add(good(), wake(n), Timestamp::UNIX_EPOCH).unwrap();
    }
    let told = until_settled(&mut commits, &mut answers).await;
    assert_eq!((told.len(), carried_out(&told)), (1, (0..3).flat_map(wake).collect()));
    commits.add(good(), wake(3), Timestamp::UNIX_EPOCH).unwrap();
    commits.add(bad(), wake(4), Timestamp::UNIX_EPOCH).unwrap();
    commits.add(good(), wake(5), Timestamp::UNIX_EPOCH).unwrap();
    let told = until_settled(&mut commits, &mut answers).await;
    let [kept, Msg::CommitFailed { then, .. }] = &told[..] else { panic!("{told:?}") };
    assert_eq!(carried_out(std::slice::from_ref(kept)), wake(3));
    assert_eq!(*then, [wake(4), wake(5)].concat());
    commits.close().unwrap();
}

#[tokio::test]
async fn a_failure_is_mended_only_when_all_is_answered_and_nothing_is_built_on_it() {
    let directory = tempfile::tempdir().unwrap();
    let (mut commits, mut answers) = begin(&directory);
    commits.add(bad(), wake(1), Timestamp::UNIX_EPOCH).unwrap();
    commits.add(good(), wake(2), Timestamp::UNIX_EPOCH).unwrap();
    let told = until_settled(&mut commits, &mut answers).await;
    let [Msg::CommitFailed { snapshot, then, .. }] = &told[..] else { panic!("{told:?}") };
    assert_eq!(*then, [wake(1), wake(2)].concat());
    assert_eq!(snapshot.mode, None, "it was decided on top of what was not kept");
    assert!(snapshot.prompts.is_empty());
    commits.add(good(), wake(3), Timestamp::UNIX_EPOCH).unwrap();
    assert!(matches!(&until_settled(&mut commits, &mut answers).await[..], [Msg::Committed(_)]));
    commits.close().unwrap();
}
