//! State taken out and brought in: what is whole comes through, and whatever is not is refused before anything is
//! written.

use std::io::Write;

use pretty_assertions::assert_eq;
use tar::{Builder, EntryType, Header};

use super::super::archive::{self, ArchiveError, Whereabouts};
use super::*;

fn there() -> Whereabouts {
    Whereabouts { root: "/old/shop".into(), worktrees: "/old/state/worktrees".into() }
}

fn here() -> Whereabouts {
    Whereabouts { root: "/new/shop".into(), worktrees: "/new/state/worktrees".into() }
}

/// A store with two lanes, and its export.
fn exported() -> (TempDir, PathBuf, PathBuf) {
    let (directory, path) = room();
    let store = Store::open(&path).unwrap();
    let mut own = lane(1);
    own.place.directory = "/old/state/worktrees/api".into();
    let mut base = lane(2);
    base.place.directory = "/old/shop".into();
    let lanes = [own, base].map(|lane| Change::LaneAdded { lane: Box::new(lane) });
    commit(&store, lanes.to_vec()).unwrap();
    let remembered = Change::CallRemembered { lane: None, tool: "shell".into(), action: "make".into() };
    commit(&store, vec![add_prompt(1, 1), Change::ConfigTrusted { hash: "abc".into() }, remembered]).unwrap();
    let file = directory.path().join("shop.tar");
    // The writer is still there, with its log beside the file.
    archive::export(&path, &file, "shop", "0.1.0", there(), at(0)).unwrap();
    (directory, path, file)
}

#[test]
fn what_goes_out_comes_in_elsewhere_with_its_places_but_without_its_trust() {
    let (directory, _store, file) = exported();
    assert_eq!(mode(&file), 0o600);
    assert_eq!(archive::check(&file).unwrap().project, "shop");
    let new = directory.path().join("elsewhere/store.db");
    archive::import(&file, &new, &here()).unwrap();
    assert_eq!(mode(&new), 0o600);
    let store = Store::open(&new).unwrap();
    let kept = snapshot(&store);
    let places: Vec<_> = kept.lanes.iter().map(|lane| lane.place.directory.to_str().unwrap().to_owned()).collect();
    assert_eq!(places, ["/new/state/worktrees/api", "/new/shop"]);
    assert_eq!((kept.prompts.len(), kept.trusted.len(), kept.remembered.len()), (1, 0, 0));
    commit(&store, vec![add_lane(3)]).unwrap();
}

#[test]
fn nothing_is_overwritten() {
    let (directory, store, file) = exported();
    let again = archive::export(&store, &file, "shop", "0.1.0", there(), at(0)).unwrap_err();
    assert!(matches!(again, ArchiveError::Exists { .. }), "{again}");
    let full = archive::import(&file, &store, &here()).unwrap_err();
    assert!(full.to_string().contains("this project has state already: 2 lanes"), "{full}");
    let none =
        archive::export(&directory.path().join("no.db"), &directory.path().join("x.tar"), "", "", there(), at(0));
    assert!(matches!(none, Err(ArchiveError::NoState { .. })), "{none:?}");
    // A store in which nothing is yet gives way.
    let empty = directory.path().join("empty/store.db");
    Store::open(&empty).unwrap().close().unwrap();
    archive::import(&file, &empty, &here()).unwrap();
}

/// The members of an export.
fn members(file: &Path) -> Vec<(String, Vec<u8>)> {
    let mut archive = tar::Archive::new(fs::File::open(file).unwrap());
    let read = |entry: std::io::Result<tar::Entry<'_, fs::File>>| {
        let mut entry = entry.unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
        (String::from_utf8(entry.path_bytes().into_owned()).unwrap(), bytes)
    };
    archive.entries().unwrap().map(read).collect()
}

/// Name, type, content.
type Part<'a> = (&'a str, EntryType, &'a [u8]);

/// A tar file of these members, with whatever names and types.
fn write(path: &Path, members: &[Part<'_>]) {
    let mut builder = Builder::new(fs::File::create(path).unwrap());
    for (name, kind, bytes) in members {
        let mut header = Header::new_ustar();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        if matches!(kind, EntryType::Symlink | EntryType::Link) {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap().flush().unwrap();
}

#[test]
fn whatever_is_not_as_it_was_written_is_refused_and_leaves_nothing() {
    let (directory, _store, file) = exported();
    let parts = members(&file);
    let (manifest, database) = (parts[0].1.as_slice(), parts[1].1.as_slice());
    let text = String::from_utf8(manifest.to_vec()).unwrap();
    let with = |from: &str, to: &str| text.replace(from, to).into_bytes();
    let (later, newer) = (with("\"format\": 1", "\"format\": 2"), with("\"schema\": 1", "\"schema\": 99"));
    let other = with("\"paralane.db\"", "\"passwd\"");
    let mut changed = database.to_vec();
    changed[100] ^= 1;
    let (plain, first) = (EntryType::Regular, ("manifest.json", EntryType::Regular, manifest));
    let db = ("paralane.db", plain, database);
    let cases: Vec<(&str, Vec<Part<'_>>)> = vec![
        ("it is empty", vec![]),
        ("begins with `paralane.db`", vec![db, first]),
        ("`paralane.db` stands in the manifest and is not there", vec![first]),
        ("`../evil` would be written outside", vec![first, ("../evil", plain, b"x"), db]),
        ("`/etc/evil` would be written outside", vec![first, ("/etc/evil", plain, b"x"), db]),
        ("`a/../../b` would be written outside", vec![first, ("a/../../b", plain, b"x"), db]),
        ("`link` is a link", vec![first, ("link", EntryType::Symlink, b""), db]),
        ("`paralane.db` is a link", vec![first, ("paralane.db", EntryType::Link, b"")]),
        ("`dev` is a device", vec![first, ("dev", EntryType::Char, b""), db]),
        ("`pipe` is a device", vec![first, ("pipe", EntryType::Fifo, b""), db]),
        ("`dir` is a directory", vec![first, ("dir", EntryType::Directory, b""), db]),
        ("`paralane.db` is there twice", vec![first, db, db]),
        ("`more` does not stand in the manifest", vec![first, db, ("more", plain, b"x")]),
        ("has 1 bytes, and the manifest says", vec![first, ("paralane.db", plain, b"x")]),
        ("its hash is another one", vec![first, ("paralane.db", plain, &changed)]),
        ("its form is 2", vec![("manifest.json", plain, &later), db]),
        ("its schema is 99", vec![("manifest.json", plain, &newer), db]),
        ("does not name `paralane.db`", vec![("manifest.json", plain, &other), db]),
        ("manifest cannot be read", vec![("manifest.json", plain, b"{}"), db]),
    ];
    let bad = directory.path().join("bad.tar");
    for (words, members) in cases {
        write(&bad, &members);
        let target = directory.path().join("target/store.db");
        for refused in [archive::check(&bad), archive::import(&bad, &target, &here())] {
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains(words), "{words}: {refused}");
        }
        assert!(!target.parent().unwrap().exists(), "{words}: something was written");
    }
    fs::write(&bad, "no tar at all").unwrap();
    assert!(archive::check(&bad).unwrap_err().to_string().contains("no file of Paralane's state"));
    fs::write(&bad, &fs::read(&file).unwrap()[..5_000]).unwrap();
    assert!(archive::check(&bad).is_err(), "a file that was cut");
}

#[test]
fn a_database_with_other_tables_is_refused() {
    let (directory, _store, file) = exported();
    let parts = members(&file);
    let own = directory.path().join("own.db");
    fs::write(&own, &parts[1].1).unwrap();
    let db = Connection::open(&own).unwrap();
    db.execute_batch("CREATE TRIGGER t AFTER DELETE ON trusted BEGIN DELETE FROM lanes; END").unwrap();
    drop(db);
    let bytes = fs::read(&own).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_slice(&parts[0].1).unwrap();
    let sha256 = crate::base::sha256_hex(&bytes);
    manifest["files"]["paralane.db"] = serde_json::json!({ "sha256": sha256, "bytes": bytes.len() });
    let manifest = serde_json::to_vec(&manifest).unwrap();
    let bad = directory.path().join("bad.tar");
    let plain = EntryType::Regular;
    write(&bad, &[("manifest.json", plain, &manifest), ("paralane.db", plain, &bytes)]);
    let target = directory.path().join("target/store.db");
    let refused = archive::import(&bad, &target, &here()).unwrap_err().to_string();
    assert!(refused.contains("has other tables than Paralane's"), "{refused}");
    assert_eq!(names(target.parent().unwrap()), [""; 0], "and nothing is left");
}
