use globset::{GlobBuilder, GlobMatcher};
use jiff::Timestamp;
use pretty_assertions::assert_eq;
use proptest::prelude::*;

use std::collections::BTreeSet;

use super::*;
use crate::domain::{LaneId, Reservation, ReservationId};

fn pattern(text: &str) -> Pattern {
    text.parse().unwrap()
}

fn overlap(a: &str, b: &str) -> bool {
    let one = pattern(a).overlaps(&pattern(b));
    assert_eq!(one, pattern(b).overlaps(&pattern(a)), "{a} and {b} from both sides");
    one
}

#[test]
fn exact_glob_and_ancestor_overlap() {
    for (a, b) in [
        ("src/", "src/a/b.rs"),
        ("src", "src/a/b.rs"),
        ("src/*.rs", "src/a*"),
        ("src/**", "src/a.rs"),
        ("**/x.rs", "src/**"),
        ("a/**/z", "a/z"),
        ("a/**/z", "**/b/*"),
        ("src/{login,router}.rs", "src/r*.rs"),
        ("src/[a-f]x", "src/[e-z]x"),
        ("src/[!a]x", "src/bx"),
        ("*", "Cargo.toml"),
        ("./", "any/thing"),
        ("./src//a.rs", "src/a.rs"),
        ("app/[id]/page.tsx", "app/[id]/page.tsx"),
        ("i18n/{lang}.json", "i18n/{lang}.json"),
        ("src/*/", "src/a/b/c"),
        ("漢*", "漢字.md"),
        ("a?c", "aéc"),
    ] {
        assert!(overlap(a, b), "{a} {b}");
    }
    for (a, b) in [
        ("src/", "srcs/a"),
        ("src/a", "src/ab"),
        ("src/*.rs", "src/a/b.rs"),
        ("src/*.rs", "src/*.md"),
        ("src/a*b", "src/c*"),
        ("src/[a-f]x", "src/[g-z]x"),
        ("src/[!a]x", "src/ax"),
        ("src/{login,router}.rs", "src/main.rs"),
        ("**/x.rs", "src/y.rs"),
        (".env", "env"),
        ("Src/a", "src/a"),
        ("src/\\*.rs", "src/a.rs"),
        ("*", "a/b"),
        ("**/*.snap", "src/a.rs"),
    ] {
        assert!(!overlap(a, b), "{a} {b}");
    }
}

#[test]
fn what_leads_out_of_the_repository_is_refused() {
    for bad in ["", "/etc/x", "../x", "a/../../x", "~/x", "a/..", "a\0b"] {
        assert!(bad.parse::<Pattern>().is_err() && Pattern::file(bad).is_err(), "{bad:?}");
    }
    assert!("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}".parse::<Pattern>().is_err());
    assert_eq!(pattern("././a//b/").as_str(), "a/b/");
    assert_eq!(pattern(".").as_str(), "/");
    assert!(pattern("..a/b").is_plain());
    assert!(!pattern("**/x").overlaps(&Pattern::file("src/y").unwrap()));
    assert!(pattern("src/y/").overlaps(&Pattern::file("src/y").unwrap()));
}

fn reservation(id: i64, lane: i64, pattern: &str, shared: bool) -> Reservation {
    Reservation {
        id: ReservationId(id),
        lane: LaneId(lane),
        pattern: pattern.to_owned(),
        shared,
        created: Timestamp::UNIX_EPOCH,
        reason: None,
        issue: None,
        lease: None,
    }
}

#[test]
fn holds_name_the_lane_the_path_and_the_cause() {
    let all = [reservation(1, 1, "src/", false), reservation(2, 2, "docs/", true), reservation(3, 3, "docs/*", true)];
    let (written, rest) = (BTreeSet::from(["lib/a.rs".to_owned()]), PathSet::new(["lib/b.rs", "x"], Fold::default()));
    let holds = Holds::new(&all, Fold::default()).written(LaneId(4), &written).unmerged(LaneId(5), &rest);
    let met = |lane, text| {
        let wanted = pattern(text);
        holds
            .meeting(LaneId(lane), &wanted, 9)
            .iter()
            .map(|held| (held.lane.0, held.what.to_owned(), held.cause))
            .collect::<Vec<_>>()
    };
    let exclusive = Cause::Reserved { shared: false };
    assert_eq!(met(2, "src/a.rs"), [(1, "src/".to_owned(), exclusive)]);
    assert_eq!(met(1, "src/a.rs"), []);
    assert_eq!(met(9, "lib/*"), [(4, "lib/a.rs".into(), Cause::Written), (5, "lib/b.rs".into(), Cause::Unmerged)]);
    assert_eq!(met(3, "docs/a.md"), [], "it shares them");
    assert_eq!(met(9, "docs/a.md").len(), 2);
    assert_eq!(met(4, "lib/"), [(5, "lib/b.rs".into(), Cause::Unmerged)]);
    let mac = Holds::new(&all, Fold { case: true, form: true });
    assert_eq!(mac.meeting(LaneId(9), &pattern("SRC/a.rs"), 9).len(), 1, "one name to this file system");
    let broken = [reservation(1, 1, "../x", false)];
    assert_eq!(
        Holds::new(&broken, Fold::default()).meeting(LaneId(2), &pattern("y"), 9).len(),
        1,
        "never dropped silently"
    );
}

fn glob() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec!["a", "b", "ab", "*", "?", "[ab]", "[!a]", "{a,b}", "{ab,c}"]);
    let name = prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat());
    let part = prop_oneof![4 => name, 1 => Just("**".to_owned())];
    prop::collection::vec(part, 1..4)
        .prop_map(|parts| parts.join("/"))
        // More alternatives than are allowed: refused, which has its own test.
        .prop_filter("braces within the cap", |glob| glob.matches('{').count() <= 6)
        .prop_filter("`**` stands alone", |glob| glob.split('/').all(|part| part == "**" || !part.contains("**")))
}

fn path() -> impl Strategy<Value = String> {
    prop::collection::vec("[abc]{1,3}", 1..4).prop_map(|parts| parts.join("/"))
}

fn oracle(glob: &str) -> GlobMatcher {
    GlobBuilder::new(glob).literal_separator(true).build().unwrap().compile_matcher()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_path_in_both_globs_makes_them_overlap(a in glob(), b in glob(), path in path()) {
        if oracle(&a).is_match(&path) {
            prop_assert!(pattern(&a).meets_file(&path), "{a} {path}");
            if oracle(&b).is_match(&path) {
                prop_assert!(overlap(&a, &b), "{a} {b} {path}");
            }
        }
    }

    #[test]
    fn every_glob_overlaps_itself_and_its_directory(a in glob(), directory in path()) {
        prop_assert!(overlap(&a, &a));
        let beneath = format!("{directory}/{a}");
        prop_assert!(overlap(&directory, &beneath));
    }

    #[test]
    fn unlike_names_do_not_overlap(a in glob(), b in glob()) {
        let (one, other) = (format!("x/{a}"), format!("y/{b}"));
        prop_assert!(!overlap(&one, &other));
    }

    #[test]
    fn no_text_panics(a in "\\PC{0,12}|[a*?{},/\\[\\]!\\\\.-]{0,14}", b in "[a*?{},/\\[\\]!\\\\.-]{0,14}") {
        if let (Ok(a), Ok(b)) = (a.parse::<Pattern>(), b.parse::<Pattern>()) {
            prop_assert_eq!(a.overlaps(&b), b.overlaps(&a));
        }
    }
}

mod days;
mod rules;
