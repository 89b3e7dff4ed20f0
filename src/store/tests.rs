//! The store through its public doors, on real files.

mod archive;
mod damage;
mod history;
mod memory;
mod model;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel, sync_channel};
use std::time::Duration;

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::domain::*;
use model::{approval, at, conflict, entry, every_change, lane, normal, notice, prompt, reservation};

/// Long enough for any machine; only a failing test waits for it.
const DEADLINE: Duration = Duration::from_secs(60);

fn room() -> (TempDir, PathBuf) {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("state/project/store.db");
    (directory, path)
}

fn answer<T: Send + 'static>() -> (Done<T>, Receiver<Result<T, StoreError>>) {
    let (tell, heard) = channel();
    (Box::new(move |result| tell.send(result).unwrap()), heard)
}

/// Asks for one batch alone.
fn ask(store: &Store, changes: Vec<Change>, done: Done<()>) -> Result<(), Unqueued<Group>> {
    ask_at(store, at(0), changes, done)
}

fn ask_at(store: &Store, at: Timestamp, changes: Vec<Change>, done: Done<()>) -> Result<(), Unqueued<Group>> {
    let batches = vec![Batch { changes, at }];
    store.commit(Group { batches, done: Box::new(|kept| done(kept.fault.map_or(Ok(()), Err))) })
}

/// Has changes kept. After a failure it asks what is kept, as everyone must.
fn commit(store: &Store, batch: Vec<Change>) -> Result<(), StoreError> {
    let (done, heard) = answer();
    ask(store, batch, done).unwrap();
    let kept = heard.recv_timeout(DEADLINE).unwrap();
    if kept.is_err() {
        snapshot(store);
    }
    kept
}

fn snapshot(store: &Store) -> Snapshot {
    let (done, heard) = answer();
    store.snapshot(done).unwrap();
    heard.recv_timeout(DEADLINE).unwrap().unwrap()
}

/// What a reader without a workstation gets.
fn without_entries(snapshot: &Snapshot) -> Snapshot {
    Snapshot { entries: vec![], ..snapshot.clone() }
}

fn add_lane(id: i64) -> Change {
    Change::LaneAdded { lane: Box::new(lane(id)) }
}

fn add_prompt(id: i64, lane: i64) -> Change {
    Change::PromptAdded { prompt: Box::new(prompt(id, lane)) }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn events(path: &Path) -> Vec<(i64, Option<i64>, String, String)> {
    let db = Connection::open(path).unwrap();
    let mut query = db.prepare("SELECT seq, lane, kind, body FROM events ORDER BY seq").unwrap();
    query
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

/// Gives a file a schema version, as if another program had written it.
fn set_version(path: &Path, version: i64) {
    let db = Connection::open(path).unwrap();
    db.pragma_update(None, "user_version", version).unwrap();
}

/// Everything that says what a database is, but not the version of SQLite that made it.
fn make_up(db: &Connection) -> Vec<String> {
    let number = |name: &str| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).unwrap();
    let mut lines: Vec<String> = ["user_version", "application_id", "page_size", "page_count", "auto_vacuum"]
        .map(|name| format!("{name} {}", number(name)))
        .to_vec();
    let mut schema = db
        .prepare("SELECT type || ' ' || name || ' ' || rootpage || ' ' || ifnull(sql, '') FROM sqlite_schema")
        .unwrap();
    lines.extend(schema.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap));
    lines
}

/// A new store is a copy of a file. With `UPDATE_EMPTY_STORE` set, that file is made anew.
#[test]
fn the_empty_store_is_what_the_first_step_makes() {
    let (directory, made) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let (copied, stepped) = (directory.path().join("db"), made.path().join("db"));
    let mut db = Connection::open(&stepped).unwrap();
    db.execute_batch("PRAGMA journal_mode = OFF;").unwrap();
    schema::first_step(&mut db).unwrap();
    db.execute_batch("PRAGMA journal_mode = WAL;").unwrap();
    let wanted = make_up(&db);
    db.close().unwrap();
    if std::env::var_os("UPDATE_EMPTY_STORE").is_some() {
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store/migrations/empty.db");
        fs::copy(&stepped, kept).unwrap();
    }
    fs::write(&copied, schema::EMPTY).unwrap();
    let db = Connection::open(&copied).unwrap();
    assert_eq!(make_up(&db), wanted, "UPDATE_EMPTY_STORE=1 cargo test --lib empty_store, then once more without it");
    schema::check(&db, &copied).unwrap();
    assert_eq!(db.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0)).unwrap(), "wal");
    assert_eq!(load::snapshot(&db).unwrap(), Snapshot::default());
}

#[test]
fn every_change_comes_back() {
    let (_directory, path) = room();
    let changes = every_change();
    let mut expected = Snapshot::default();
    for change in &changes {
        model::apply(&mut expected, change);
    }

    let store = Store::open(&path).unwrap();
    commit(&store, changes).unwrap();
    assert_eq!(snapshot(&store), normal(expected.clone()));
    store.close().unwrap();
    assert_eq!(Store::read(&path).unwrap(), without_entries(&normal(expected.clone())));
    assert_eq!(snapshot(&Store::open(&path).unwrap()), normal(expected));
}

#[test]
fn nothing_is_acknowledged_in_a_file_that_was_taken_away() {
    let (directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, vec![add_lane(1)]).unwrap();
    let away = directory.path().join("away");
    let state = path.parent().unwrap();
    fs::rename(state, &away).unwrap();
    assert!(matches!(commit(&store, vec![add_lane(2)]), Err(StoreError::Gone { .. })));
    fs::create_dir(state).unwrap();
    fs::copy(away.join("store.db"), &path).unwrap();
    assert!(matches!(commit(&store, vec![add_lane(2)]), Err(StoreError::Gone { .. })), "a copy is another file");
    fs::remove_dir_all(state).unwrap();
    fs::rename(&away, state).unwrap();
    commit(&store, vec![add_lane(2)]).unwrap();
    assert_eq!(snapshot(&store).lanes.len(), 2);
}

#[test]
fn a_new_store_has_one_name_once_something_is_acknowledged() {
    let (_room, path) = room();
    let store = Store::begin(&path).unwrap().unwrap();
    commit(&store, vec![add_lane(1)]).unwrap();
    assert!(!names(path.parent().unwrap()).contains(&"store.db-new".to_owned()));
    store.close().unwrap();
    assert_eq!(names(path.parent().unwrap()), ["store.db"]);
    assert_eq!(Store::read(&path).unwrap().lanes.len(), 1);
}

#[test]
fn a_store_whose_making_was_cut_short_is_made_anew_and_no_other() {
    let (_room, path) = room();
    let new = path.with_file_name("store.db-new");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    // As a power failure leaves it: both names, and what the disk had of it by then.
    fs::write(&new, &schema::EMPTY[..schema::EMPTY.len() / 2]).unwrap();
    fs::hard_link(&new, &path).unwrap();
    let store = Store::open(&path).unwrap();
    commit(&store, vec![add_lane(1)]).unwrap();
    store.close().unwrap();
    // A file of that name beside a whole one says nothing.
    fs::write(&new, "somebody's own").unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(snapshot(&store).lanes.len(), 1);
    store.close().unwrap();
    assert_eq!(fs::read(&new).unwrap(), b"somebody's own");
}

#[test]
fn each_change_leaves_one_event_with_its_lane() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    let changes = every_change();
    commit(&store, changes.clone()).unwrap();
    store.close().unwrap();

    let events = events(&path);
    let bodies: Vec<Change> = events.iter().map(|(.., body)| serde_json::from_str(body).unwrap()).collect();
    assert_eq!(bodies, changes);
    assert_eq!(events.iter().map(|(seq, ..)| *seq).collect::<Vec<_>>(), (1..=changes.len() as i64).collect::<Vec<_>>());
    let lane_of = |kind: &str| events.iter().rfind(|(_, _, k, _)| k == kind).unwrap().1;
    assert_eq!(lane_of("lane-renamed"), Some(1));
    assert_eq!(lane_of("approval-moved"), Some(1));
    assert_eq!(lane_of("conflict-moved"), Some(1));
    assert_eq!(lane_of("prompt-overrode"), Some(1));
    assert_eq!(lane_of("reservation-released"), Some(2));
    assert_eq!(lane_of("mode-set"), None);
}

#[test]
fn closing_a_lane_drops_what_was_only_for_it() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, every_change()).unwrap();
    let close = Change::LaneMoved { lane: LaneId(1), stage: LaneStage::Closed, error: None, at: at(70) };
    commit(&store, vec![close]).unwrap();
    let after = snapshot(&store);
    assert_eq!(after.calls, []);
    assert_eq!(after.remembered, [(None, "shell".into(), "ls".into())]);
    // Only where its transcript goes on, should it come back.
    assert_eq!(after.entries.iter().map(|e| (e.lane, e.seq)).collect::<Vec<_>>(), [(LaneId(1), 8)]);
    assert_eq!(after.lanes.len(), 2);
    // Its transcript is still there to be read.
    assert_eq!(Store::entries(&path, LaneId(1), None, 10).unwrap().len(), 8);
}

#[test]
fn a_failing_batch_leaves_no_trace_and_later_ones_work() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, vec![add_lane(1), add_prompt(1, 1)]).unwrap();
    let before = snapshot(&store);

    let moved =
        Change::PromptMoved { prompt: PromptId(77), state: PromptState::Done, result: None, error: None, at: at(1) };
    let error = commit(&store, vec![add_lane(2), add_prompt(9, 2), moved]).unwrap_err();
    assert!(matches!(error, StoreError::Unknown { what: "prompt", .. }), "{error}");
    // A row that points nowhere.
    let error = commit(&store, vec![add_lane(2), add_prompt(2, 99)]).unwrap_err();
    assert!(matches!(error, StoreError::Misfit { .. }), "{error}");
    assert_eq!(snapshot(&store), before);

    commit(&store, vec![add_lane(2)]).unwrap();
    store.close().unwrap();
    assert_eq!(events(&path).len(), 3);
}

#[test]
fn a_key_or_a_name_is_given_once() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, vec![add_lane(1), add_prompt(1, 1)]).unwrap();

    let again = Prompt { key: Some("key-1".into()), ..prompt(2, 1) };
    let error = commit(&store, vec![Change::PromptAdded { prompt: Box::new(again) }]).unwrap_err();
    assert!(matches!(&error, StoreError::DuplicateKey { key } if key == "key-1"), "{error}");
    // Without a key, as often as wanted; with an id that is taken, it is no matter of keys.
    let without = |id| Change::PromptAdded { prompt: Box::new(Prompt { key: None, ..prompt(id, 1) }) };
    commit(&store, vec![without(2), without(3)]).unwrap();
    assert!(matches!(commit(&store, vec![without(3)]), Err(StoreError::Misfit { .. })));

    let closed = |id, stage| Change::LaneMoved { lane: LaneId(id), stage, error: None, at: at(3) };
    let same = Change::LaneAdded { lane: Box::new(Lane { name: lane(1).name, ..lane(2) }) };
    assert!(matches!(commit(&store, vec![same.clone()]), Err(StoreError::NameTaken { .. })));
    commit(&store, vec![closed(1, LaneStage::Closed), same]).unwrap();
    let error = commit(&store, vec![closed(1, LaneStage::Creating)]).unwrap_err();
    assert!(matches!(&error, StoreError::NameTaken { name } if name == "lane-1"), "{error}");
}

#[test]
fn ids_are_remembered_without_their_rows() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, every_change()).unwrap();
    store.close().unwrap();
    let last = Store::read(&path).unwrap().last_ids;
    assert_eq!(
        last,
        LastIds { lane: 2, prompt: 2, approval: 2, conflict: 2, reservation: 2, spend: 3, budget: 2, fact: 3 }
    );
}

#[test]
fn a_snapshot_has_all_that_is_open_and_the_newest_of_the_rest() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    let mut batch = vec![add_lane(1), add_lane(2)];
    for id in 1..=600 {
        let state = if id <= 2 { PromptState::Queued } else { PromptState::Done };
        batch.push(Change::PromptAdded { prompt: Box::new(Prompt { state, ..prompt(id, 1) }) });
        batch.push(Change::EntryAdded { entry: Box::new(entry(1, id as u64, notice("x"))) });
    }
    for id in 1..=300 {
        let state = if id == 5 { ApprovalState::Pending } else { ApprovalState::Denied };
        batch.push(Change::ApprovalAdded { approval: Box::new(Approval { state, ..approval(id, 1, 1) }) });
        let state = if id == 6 { ConflictState::Waiting } else { ConflictState::Resolved };
        batch.push(Change::ConflictAdded { conflict: Box::new(Conflict { state, ..conflict(id, 1, 1, 2) }) });
    }
    commit(&store, batch).unwrap();
    let found = snapshot(&store);

    let ids: Vec<i64> = found.prompts.iter().map(|prompt| prompt.id.0).collect();
    assert_eq!(ids, [1, 2].into_iter().chain(101..=600).collect::<Vec<_>>());
    let ids: Vec<i64> = found.approvals.iter().map(|approval| approval.id.0).collect();
    assert_eq!(ids, [5].into_iter().chain(101..=300).collect::<Vec<_>>());
    let ids: Vec<i64> = found.conflicts.iter().map(|conflict| conflict.id.0).collect();
    assert_eq!(ids, [6].into_iter().chain(101..=300).collect::<Vec<_>>());
    let seqs: Vec<u64> = found.entries.iter().map(|entry| entry.seq).collect();
    assert_eq!(seqs, (101..=600).collect::<Vec<_>>());

    // What decides on entries before those comes along, however old it is.
    let notes = || {
        EntryBody::Notes(Box::new(NotesEntry {
            upto: 300,
            notes: Notes { goal: "a limit".into(), ..Notes::default() },
            cause: CompactCause::Full,
            without_model: None,
            before: 9,
            after: 1,
        }))
    };
    let said = |seq| Change::EntryAdded { entry: Box::new(entry(1, seq, notice("more"))) };
    commit(&store, vec![Change::EntryAdded { entry: Box::new(entry(1, 601, notes())) }]).unwrap();
    commit(&store, (602..=1_200).map(said).collect()).unwrap();
    let seqs: Vec<u64> = snapshot(&store).entries.iter().map(|entry| entry.seq).collect();
    assert_eq!(seqs, [601].into_iter().chain(701..=1_200).collect::<Vec<_>>());
    let told = Store::conversation(&path, LaneId(1), 5).unwrap();
    assert_eq!(told.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [601, 1_196, 1_197, 1_198, 1_199, 1_200]);
    assert_eq!(told[0].body, notes());

    let older = Store::entries(&path, LaneId(1), Some(101), 30).unwrap();
    assert_eq!(older.iter().map(|entry| entry.seq).collect::<Vec<_>>(), (71..=100).collect::<Vec<_>>());
    assert_eq!(Store::entries(&path, LaneId(1), Some(1), 30).unwrap(), []);
}

#[test]
fn history_keeps_the_newest_events() {
    let (_directory, path) = room();
    Store::open(&path).unwrap().close().unwrap();
    let db = Connection::open(&path).unwrap();
    let add = |count| {
        for _ in 0..count {
            db.execute("INSERT INTO events (at, body) VALUES ('', '{}')", []).unwrap();
        }
    };
    let bounds = || {
        db.query_row("SELECT min(seq), max(seq), count(*) FROM events", [], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
        })
        .unwrap()
    };
    assert_eq!(write::prune_events(&db, 10, 5).unwrap(), 0);
    add(18);
    assert_eq!(write::prune_events(&db, 10, 5).unwrap(), 5);
    assert_eq!(write::prune_events(&db, 10, 5).unwrap(), 3);
    assert_eq!(write::prune_events(&db, 10, 5).unwrap(), 0);
    add(1);
    assert_eq!(bounds(), (9, 19, 11));
}

#[test]
fn the_log_is_made_ahead_and_what_was_kept_in_it_outlives_its_writer() {
    let (directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, vec![add_lane(1)]).unwrap();
    let log = path.with_file_name("store.db-wal");
    let end = std::time::Instant::now() + DEADLINE;
    while fs::metadata(&log).unwrap().len() < file::LOG {
        assert!(std::time::Instant::now() < end, "the log stays as it is");
        std::thread::yield_now();
    }
    commit(&store, vec![add_lane(2)]).unwrap();
    assert_eq!(fs::metadata(&log).unwrap().len(), file::LOG);
    // What the next start finds after `kill -9`.
    let left = directory.path().join("left");
    fs::create_dir(&left).unwrap();
    for name in ["store.db", "store.db-wal"] {
        fs::copy(path.with_file_name(name), left.join(name)).unwrap();
    }
    assert_eq!(Store::read(&left.join("store.db")).unwrap().lanes.len(), 2);
    assert_eq!(snapshot(&Store::open(&left.join("store.db")).unwrap()).lanes.len(), 2);
    store.close().unwrap();
    assert_eq!(names(path.parent().unwrap()), ["store.db"]);
}

#[test]
fn kept_readers_see_what_was_kept_and_leave_no_log_behind() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    for lane in 1..4 {
        commit(&store, vec![add_lane(lane)]).unwrap();
        assert_eq!(Store::read(&path).unwrap().lanes.len() as i64, lane);
    }
    store.close().unwrap();
    assert_eq!(names(path.parent().unwrap()), ["store.db"]);
    // Another file at the same place is another database.
    let store = Store::open(&path).unwrap();
    assert_eq!(Store::read(&path).unwrap().lanes.len(), 3);
    let other = path.with_file_name("other.db");
    Store::open(&other).unwrap().close().unwrap();
    fs::rename(&other, &path).unwrap();
    for log in ["store.db-wal", "store.db-shm"] {
        fs::remove_file(path.with_file_name(log)).unwrap();
    }
    assert!(Store::read(&path).unwrap().lanes.is_empty());
    drop(store);
}

#[test]
fn lists_of_what_is_open_are_found_by_their_indexes() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    let lists =
        [("prompts", "ended", 0), ("approvals", "open", 1), ("conflicts", "open", 1)].map(|(table, is, now)| {
            format!(
                "SELECT * FROM {table} WHERE {is} = {now}
                OR id IN (SELECT id FROM {table} WHERE {is} = {} ORDER BY id DESC LIMIT 9) ORDER BY id",
                1 - now
            )
        });
    let events = "SELECT seq FROM events INDEXED BY events_of_lane WHERE lane = 3 AND seq > 7 ORDER BY seq LIMIT 9";
    for sql in lists.into_iter().chain([events.to_owned()]) {
        store.touch(move |db| {
            let mut plan = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let plan: Vec<String> = plan.query_map([], |row| row.get(3)).unwrap().map(Result::unwrap).collect();
            assert!(plan.iter().all(|step| !step.starts_with("SCAN")), "{plan:?}");
        });
    }
    snapshot(&store);
}

#[test]
fn only_the_owner_can_read_the_files() {
    let (directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, vec![add_lane(1)]).unwrap();
    let parent = path.parent().unwrap();
    assert_eq!(names(parent), ["store.db", "store.db-shm", "store.db-wal"]);
    for name in names(parent) {
        assert_eq!(mode(&parent.join(&name)), 0o600, "{name}");
    }
    assert_eq!(mode(parent), 0o700);
    assert_eq!(mode(&directory.path().join("state")), 0o700);
    store.close().unwrap();

    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let _store = Store::open(&path).unwrap();
    for name in names(parent) {
        assert_eq!(mode(&parent.join(&name)), 0o600, "{name}");
    }
}

#[test]
fn reading_needs_and_leaves_nothing() {
    let (directory, path) = room();
    assert_eq!(Store::read(&path).unwrap(), Snapshot::default());
    assert_eq!(Store::entries(&path, LaneId(1), None, 10).unwrap(), []);
    assert_eq!(names(directory.path()), Vec::<String>::new());

    let path = directory.path().join("odd ?#%41 ü.db");
    fs::write(&path, []).unwrap();
    assert_eq!(Store::read(&path).unwrap(), Snapshot::default());
    let store = Store::open(&path).unwrap();
    commit(&store, every_change()).unwrap();
    store.close().unwrap();
    let before = fs::read(&path).unwrap();
    assert_eq!(Store::read(&path).unwrap().lanes.len(), 2);
    assert!(fs::read(&path).unwrap() == before);
    assert_eq!(names(directory.path()), ["odd ?#%41 ü.db"]);
}

#[test]
fn readers_see_what_was_committed_while_the_writer_writes() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, vec![add_lane(1)]).unwrap();
    let reader = {
        let path = path.clone();
        std::thread::spawn(move || {
            let mut seen = 0;
            while seen < 200 {
                let found = Store::read(&path).unwrap();
                // A batch adds one of each, and no reader ever sees half of it.
                assert_eq!(found.prompts.len(), found.reservations.len());
                assert!(found.prompts.len() >= seen);
                seen = found.prompts.len();
            }
        })
    };
    for id in 1..=200 {
        let reserved = Change::ReservationAdded { reservation: Box::new(reservation(id, 1)) };
        commit(&store, vec![add_prompt(id, 1), reserved]).unwrap();
        assert_eq!(Store::read(&path).unwrap().last_ids.prompt, id);
    }
    reader.join().unwrap();
}

#[test]
fn what_a_killed_writer_left_is_read_and_taken_up() {
    let (directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, every_change()).unwrap();
    // The files as a killed process leaves them: everything still in the log, no index.
    let copy = directory.path().join("copy.db");
    fs::copy(&path, &copy).unwrap();
    fs::copy(path.with_file_name("store.db-wal"), directory.path().join("copy.db-wal")).unwrap();
    let expected = snapshot(&store);
    assert_eq!(Store::read(&copy).unwrap(), without_entries(&expected));
    assert_eq!(snapshot(&Store::open(&copy).unwrap()), expected);
    assert_eq!(Store::read(&copy).unwrap(), without_entries(&expected));
}

#[test]
fn a_full_disk_is_said_and_survived() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, vec![add_lane(1)]).unwrap();
    store.touch(|db| {
        let pages: i64 = db.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
        db.query_row(&format!("PRAGMA max_page_count = {}", pages + 2), [], |_| Ok(())).unwrap();
    });
    let large = || Change::PromptAdded { prompt: Box::new(Prompt { text: "x".repeat(100_000), ..prompt(1, 1) }) };
    let before = snapshot(&store);
    let error = commit(&store, vec![add_lane(2), large()]).unwrap_err();
    assert!(matches!(error, StoreError::DiskFull { .. }), "{error}");
    for word in ["the disk is full", "store.db", "free space and try again", "nothing was changed"] {
        assert!(error.to_string().contains(word), "{error}");
    }
    assert_eq!(snapshot(&store), before);

    store.touch(|db| db.query_row("PRAGMA max_page_count = 100000", [], |_| Ok(())).unwrap());
    commit(&store, vec![add_lane(2), large()]).unwrap();
    store.close().unwrap();
    assert_eq!(Store::read(&path).unwrap().lanes.len(), 2);
}

#[test]
fn a_read_only_file_is_said() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    store.touch(|db| db.pragma_update(None, "query_only", true).unwrap());
    let error = commit(&store, vec![add_lane(1)]).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
    store.touch(|db| db.pragma_update(None, "query_only", false).unwrap());
    commit(&store, vec![add_lane(1)]).unwrap();
}

/// Holds the writer back until the returned sender says go.
fn hold_writer(store: &Store) -> std::sync::mpsc::SyncSender<()> {
    let (go, wait) = sync_channel(1);
    let (here, arrived) = channel();
    store.touch(move |_| {
        here.send(()).unwrap();
        wait.recv().unwrap();
    });
    arrived.recv_timeout(DEADLINE).unwrap();
    go
}

#[test]
fn what_follows_a_failing_batch_is_not_kept_until_somebody_asks_what_is() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, vec![add_lane(1)]).unwrap();
    let go = hold_writer(&store);
    let ask = |batch| {
        let (done, heard) = answer();
        ask(&store, batch, done).unwrap();
        heard
    };
    let first = ask(vec![add_prompt(1, 1)]);
    let bad = ask(vec![add_prompt(2, 1), add_prompt(3, 99)]);
    let last = ask(vec![add_prompt(4, 1)]);
    let (done, seen) = answer();
    store.snapshot(done).unwrap();
    let after = ask(vec![add_prompt(5, 1)]);
    go.send(()).unwrap();

    first.recv_timeout(DEADLINE).unwrap().unwrap();
    assert!(bad.recv_timeout(DEADLINE).unwrap().is_err());
    // It was decided in the belief that the bad one is kept.
    assert!(matches!(last.recv_timeout(DEADLINE).unwrap(), Err(StoreError::Unfounded)));
    after.recv_timeout(DEADLINE).unwrap().unwrap();
    let ids = |found: &Snapshot| found.prompts.iter().map(|prompt| prompt.id.0).collect::<Vec<_>>();
    assert_eq!(ids(&seen.recv_timeout(DEADLINE).unwrap().unwrap()), [1]);
    assert_eq!(ids(&snapshot(&store)), [1, 5]);
}

#[test]
fn a_full_queue_gives_the_batch_back_and_closing_drains_it() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    let go = hold_writer(&store);
    let (tell, heard) = channel();
    let mut id = 0;
    let refused = loop {
        id += 1;
        let tell = tell.clone();
        let done: Done<()> = Box::new(move |result| tell.send(result).unwrap());
        if let Err(refused) = ask(&store, vec![add_lane(id)], done) {
            break refused;
        }
        assert!(id <= QUEUE as i64, "the queue has no bound");
    };
    let Unqueued::Full(group) = refused else { panic!("{refused}") };
    assert_eq!(group.batches[0].changes, [add_lane(id)]);
    drop(group);
    drop(tell);

    go.send(()).unwrap();
    store.close().unwrap();
    assert_eq!(heard.iter().flatten().count() as i64, id - 1);
    assert_eq!(Store::read(&path).unwrap().lanes.len() as i64, id - 1);
    assert_eq!(names(path.parent().unwrap()), ["store.db"]);
}

#[test]
fn arguments_that_could_not_be_read_again_are_refused() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    let mut deep = serde_json::Value::Null;
    for _ in 0..200 {
        deep = serde_json::Value::Array(vec![deep]);
    }
    let asked = Change::ApprovalAdded { approval: Box::new(Approval { arguments: deep, ..approval(1, 1, 1) }) };
    let error = commit(&store, vec![add_lane(1), add_prompt(1, 1), asked]).unwrap_err();
    assert!(matches!(error, StoreError::Misfit { .. }), "{error}");
    assert_eq!(snapshot(&store), Snapshot::default());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_history_reads_the_same_before_and_after_reopening(
        seeds in prop::collection::vec((any::<u8>(), any::<u8>(), any::<u8>(), ".{0,8}"), 1..120),
        size in 1_usize..9,
    ) {
        let mut expected = Snapshot::default();
        let mut changes = Vec::new();
        for seed in &seeds {
            if let Some(change) = model::sensible(&expected, seed) {
                model::apply(&mut expected, &change);
                changes.push(change);
            }
        }
        let expected = normal(expected);

        let (_directory, path) = room();
        let store = Store::open(&path).unwrap();
        for batch in changes.chunks(size) {
            // Nobody waits for each one, so several share a transaction.
            ask(&store, batch.to_vec(), Box::new(|result| result.unwrap())).unwrap();
        }
        prop_assert_eq!(&snapshot(&store), &expected);
        prop_assert_eq!(&Store::read(&path).unwrap(), &without_entries(&expected));
        store.close().unwrap();
        prop_assert_eq!(&Store::read(&path).unwrap(), &without_entries(&expected));
        prop_assert_eq!(&snapshot(&Store::open(&path).unwrap()), &expected);
    }
}
