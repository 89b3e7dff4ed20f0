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
