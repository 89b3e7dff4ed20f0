//! Files that are no store, are of another version, or may be damaged.

use pretty_assertions::assert_eq;

use super::*;

/// A store's bytes with one page spoilt that no start reads.
fn torn(path: &Path) -> Vec<u8> {
    let page: i64 = Connection::open(path)
        .unwrap()
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'mail_words_data'", [], |row| row.get(0))
        .unwrap();
    let (page, mut bytes) = (page as usize, fs::read(path).unwrap());
    bytes[(page - 1) * 4096..page * 4096].fill(0xa5);
    bytes
}

#[test]
fn damaged_and_foreign_files_are_refused_and_left_alone() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, every_change()).unwrap();
    store.close().unwrap();
    let good = fs::read(&path).unwrap();
    let mut torn = good.clone();
    torn[8192..12288].fill(0xa5);

    for damaged in
        [b"not a database at all, but long enough to look at".repeat(99), good[..good.len() / 2].to_vec(), torn]
    {
        fs::write(&path, &damaged).unwrap();
        let error = Store::open(&path).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains("store.db"), "{error}");
        assert!(error.to_string().contains("move it aside"), "{error}");
        assert!(fs::read(&path).unwrap() == damaged);
        assert_eq!(names(path.parent().unwrap()), ["store.db"]);
    }

    fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE other (x)").unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::Foreign { .. })));
    assert!(matches!(Store::read(&path), Err(StoreError::Foreign { .. })));
}

#[test]
fn what_was_closed_in_order_is_not_read_whole_unless_a_log_is_left() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, every_change()).unwrap();
    store.close().unwrap();
    let torn = torn(&path);
    fs::write(&path, &torn).unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::Damaged { .. })));
    let log = path.with_file_name("store.db-wal");
    fs::write(&log, "").unwrap();
    assert!(matches!(Store::open_closed(&path), Err(StoreError::Damaged { .. })));
    fs::remove_file(&log).unwrap();
    assert!(fs::read(&path).unwrap() == torn);
    snapshot(&Store::open_closed(&path).unwrap());
    // What is no store at all is refused however it was closed.
    fs::write(&path, b"not a database at all, but long enough to look at".repeat(99)).unwrap();
    assert!(matches!(Store::open_closed(&path), Err(StoreError::Damaged { .. })));
}

#[test]
fn what_may_be_damaged_is_read_at_once_and_written_to_only_when_it_is_whole() {
    let (_directory, path) = room();
    assert!(Store::open_unsure(&path).unwrap().is_none(), "there is nothing to look through");
    let store = Store::open(&path).unwrap();
    commit(&store, every_change()).unwrap();
    let held = snapshot(&store);
    store.close().unwrap();
    let good = fs::read(&path).unwrap();
    let torn = torn(&path);
    fs::write(&path, &torn).unwrap();
    let store = Store::open_unsure(&path).unwrap().unwrap();
    assert_eq!(Store::read_whole(&path).unwrap(), held);
    let (tell, opened) = answer();
    store.opened(tell).unwrap();
    assert!(matches!(opened.recv_timeout(DEADLINE).unwrap(), Err(StoreError::Damaged { .. })));
    let (tell, kept) = answer();
    ask(&store, vec![add_lane(77)], tell).unwrap();
    assert!(matches!(kept.recv_timeout(DEADLINE).unwrap(), Err(StoreError::Damaged { .. })));
    store.close().unwrap();
    assert!(fs::read(&path).unwrap() == torn, "it is left as it is");
    fs::write(&path, &good).unwrap();
    let store = Store::open_unsure(&path).unwrap().unwrap();
    commit(&store, vec![add_lane(77)]).unwrap();
    assert_eq!(Store::read_whole(&path).unwrap().lanes.len(), held.lanes.len() + 1);
}

#[test]
fn an_unreadable_row_is_damage() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, vec![add_lane(1)]).unwrap();
    store.touch(|db| db.execute_batch("UPDATE lanes SET stage = 'sideways'").unwrap());
    store.close().unwrap();
    let error = Store::read(&path).unwrap_err();
    assert!(matches!(&error, StoreError::Damaged { detail, .. } if detail.contains("sideways")), "{error}");
}

#[test]
fn a_newer_schema_is_refused_byte_for_byte() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, every_change()).unwrap();
    store.close().unwrap();
    set_version(&path, 7);
    let before = fs::read(&path).unwrap();

    let expected =
        format!("has schema 7, written by a newer Paralane, and this one knows schemas up to {}", schema::CURRENT);
    for error in [Store::open(&path).unwrap_err(), Store::read(&path).unwrap_err()] {
        assert!(matches!(error, StoreError::Newer { found: 7, .. }), "{error}");
        assert!(error.to_string().contains(&expected), "{error}");
    }
    assert!(fs::read(&path).unwrap() == before);
    assert_eq!(names(path.parent().unwrap()), ["store.db"]);
}

#[test]
fn a_newer_schema_with_a_log_beside_it_is_refused_too() {
    let (_directory, path) = room();
    let store = Store::open(&path).unwrap();
    commit(&store, vec![add_lane(1)]).unwrap();
    store.touch(|db| db.pragma_update(None, "user_version", 8).unwrap());
    snapshot(&store);
    let log = path.with_file_name("store.db-wal");
    let before = (fs::read(&path).unwrap(), fs::read(&log).unwrap());
    assert!(matches!(Store::open(&path), Err(StoreError::Newer { found: 8, .. })));
    assert!((fs::read(&path).unwrap(), fs::read(&log).unwrap()) == before);
}
