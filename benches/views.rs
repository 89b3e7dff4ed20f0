//! Every view over a store with a million events: what a command that reads takes inside, from the store alone.
#![allow(missing_docs, reason = "a measurement run by hand")]
#![allow(clippy::pedantic, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(dead_code, unused_imports, reason = "each measurement needs another part of the support")]

mod support;

use std::path::Path;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use paralane::app::Model;
use paralane::app::report::{event_json, history_document};
use paralane::domain::{Change, EventBounds, HistoryOf, HistoryQuery, LaneId, PromptId};
use paralane::store::{Batch, Group, Kept, Store};
use rusqlite::Connection;

const EVENTS: i64 = 1_000_000;
const LANES: i64 = 32;
const PROMPTS: i64 = 20_000;
const ROUNDS: usize = 20;

fn main() {
    if !support::asked("views: history, status and export over a million events") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("paralane.db");
    fill(&path);
    println!("{EVENTS} events, {LANES} lanes, {} MB", path.metadata().unwrap().len() >> 20);
    println!("{:<44} {:>9} {:>9}", "view", "p50 ms", "most ms");
    let model = Model::from_snapshot(Store::read(&path).unwrap());
    let now = Timestamp::now();
    let query = |of, kind: Option<&str>, since| HistoryQuery { of, kind: kind.map(str::to_owned), since, limit: 200 };
    let history = |query: &HistoryQuery| {
        let found = Store::history(&path, query).unwrap();
        history_document(&model, query, &found).text.len()
    };
    let lane = HistoryOf::Lane(LaneId(7));
    let day = now.checked_sub(SignedDuration::from_hours(24)).unwrap();
    measure("status and what is built on it", || Store::read(&path).unwrap().prompts.len());
    measure("history lane", || history(&query(lane, None, None)));
    measure("history lane --since 1d", || history(&query(lane, None, Some(day))));
    measure("history lane --kind reservation (rare)", || history(&query(lane, Some("reservation"), None)));
    measure("history lane --kind call (frequent)", || history(&query(lane, Some("call"), None)));
    measure("history prompt", || history(&query(HistoryOf::Prompt(PromptId(PROMPTS / 2)), None, None)));
    measure("watch: one look, nothing new", || Store::events_after(&path, EVENTS as u64, None, 1_000).unwrap().len());
    measure("watch: one look, 1,000 new", || {
        Store::events_after(&path, EVENTS as u64 - 1_000, None, 1_000).unwrap().len()
    });
    measure("events export --since: the first page", || {
        let first = Store::event_place(&path, Some(day)).unwrap();
        Store::events_after(&path, first - 1, None, 1_000).unwrap().len()
    });
    let (begin, mut next, mut bytes) = (Instant::now(), 0, 0);
    loop {
        let events = Store::events_after(&path, next, None, 1_000).unwrap();
        let Some(last) = events.last() else { break };
        next = last.seq;
        bytes += events.iter().map(|event| event_json(&model, event).to_string().len()).sum::<usize>();
    }
    let took = begin.elapsed();
    println!(
        "\nexport of all: {:.1} s, {} MB, {:.0} events/s",
        took.as_secs_f64(),
        bytes >> 20,
        EVENTS as f64 / took.as_secs_f64()
    );
    println!("writing beside it: {:.2} ms a commit of one prompt's step", commits(&path));
}

fn measure(name: &str, mut look: impl FnMut() -> usize) {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let begin = Instant::now();
            std::hint::black_box(look());
            begin.elapsed()
        })
        .collect();
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
    println!("{name:<44} {:>9.2} {:>9.2}", ms(times[ROUNDS / 2]), ms(times[ROUNDS - 1]));
}

/// Steps kept one by one, each with its sync.
fn commits(path: &Path) -> f64 {
    let store = Store::open(path).unwrap();
    store.bound_events(EventBounds { keep: 2_000_000, days: 36_500, ..EventBounds::default() });
    let count = 200;
    let begin = Instant::now();
    for _ in 0..count {
        let (told, heard) = std::sync::mpsc::channel();
        let change = Change::LaneSeen { lane: LaneId(1), seen: paralane::domain::Seen::Yes };
        let batches = vec![Batch { changes: vec![change], at: Timestamp::now() }];
        let done = Box::new(move |kept: Kept| told.send(kept.fault.map_or(Ok(()), Err)).unwrap());
        store.commit(Group { batches, done }).unwrap();
        heard.recv().unwrap().unwrap();
    }
    begin.elapsed().as_secs_f64() * 1_000.0 / f64::from(count)
}

/// A store as months of work leave it: most events are transcripts and calls.
fn fill(path: &Path) {
    Store::open(path).unwrap().close().unwrap();
    let mut db = Connection::open(path).unwrap();
    db.execute_batch("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;").unwrap();
    let all = db.transaction().unwrap();
    let start = Timestamp::now().checked_sub(SignedDuration::from_hours(24 * 80)).unwrap();
    for lane in 1..=LANES {
        all.execute(
            "INSERT INTO lanes VALUES (?1, 'lane-' || ?1, '{\"kind\":\"agent\",\"provider\":null,\"model\":null}', '/x/' || ?1,
             'lane/' || ?1, 'main', 'abc', NULL, 'open', NULL, 1, 1, ?2, ?2)",
            (lane, start.to_string()),
        )
        .unwrap();
    }
    for prompt in 1..=PROMPTS {
        all.execute(
            "INSERT INTO prompts (id, lane, text, priority, state, ended, position, created, since, overridden)
             VALUES (?1, ?2, 'do it', 'normal', 'done', 1, ?1, ?3, ?3, '[]')",
            (prompt, prompt % LANES + 1, start.to_string()),
        )
        .unwrap();
    }
    let mut insert =
        all.prepare("INSERT INTO events (seq, at, lane, prompt, body) VALUES (?1, ?2, ?3, ?4, ?5)").unwrap();
    for seq in 1..=EVENTS {
        let at = start.checked_add(SignedDuration::from_millis(seq * 6_900)).unwrap();
        let (prompt, lane) = (seq * PROMPTS / EVENTS + 1, seq * PROMPTS / EVENTS % LANES + 1);
        let (about, body) = match seq % 50 {
            0 => (
                Some(prompt),
                format!(
                    "{{\"change\":\"prompt-moved\",\"prompt\":{prompt},\"state\":\"running\",\"result\":null,\"error\":null,\"at\":\"{at}\"}}"
                ),
            ),
            1..=9 => (
                Some(prompt),
                format!(
                    "{{\"change\":\"call-moved\",\"lane\":{lane},\"prompt\":{prompt},\"call\":\"c{seq}\",\"state\":\"started\"}}"
                ),
            ),
            10 if seq % 50_000 == 10 => {
                (None, format!("{{\"change\":\"reservation-released\",\"reservation\":{seq}}}"))
            }
            _ => (
                None,
                format!(
                    "{{\"change\":\"entry-added\",\"entry\":{{\"lane\":{lane},\"seq\":{seq},\"prompt\":{prompt},\"at\":\"{at}\",\
                     \"body\":{{\"answer\":{{\"text\":\"{}\",\"cut\":false}}}}}}}}",
                    "words of an answer ".repeat(12)
                ),
            ),
        };
        insert.execute((seq, at.to_string(), lane, about, body)).unwrap();
    }
    drop(insert);
    all.commit().unwrap();
}
