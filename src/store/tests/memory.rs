//! Facts: found by their words, and the person's own file that several write at once.

use std::sync::Barrier;

use pretty_assertions::assert_eq;

use super::model::{at, fact};
use super::*;

fn kept(number: i64, text: &str) -> Change {
    Change::FactKept { fact: Box::new(fact(number, text)) }
}

fn keep(text: &str) -> FactAsk {
    FactAsk::Keep { scope: FactScope::User, text: text.to_owned(), author: Author::Person }
}

fn user(text: &str) -> FactId {
    text.parse().unwrap()
}

/// The numbers of the facts that fit a prompt, best first.
fn found(memory: &ProjectMemory, prompt: &str) -> Vec<i64> {
    memory.search(&query_words(prompt), 20).unwrap().iter().map(|fact| fact.id.number).collect()
}

#[test]
fn facts_are_found_by_the_words_of_a_prompt() {
    let (_directory, path) = room();
    let memory = ProjectMemory::new(path.clone());
    assert_eq!(found(&memory, "staging"), [0i64; 0], "nothing is there yet");
    let store = Store::open(&path).unwrap();
    let facts = [
        "The staging server needs the VPN",
        "Tests of the router run with `cargo nextest`",
        "部署到测试环境之前先运行迁移",
        "loginRoute is rate limited by the proxy, not by us",
        "Der Größenvergleich heißt naïve",
        "NEAR and AND are words here",
    ];
    commit(&store, facts.iter().zip(1..).map(|(text, number)| kept(number, text)).collect()).unwrap();
    for (prompt, wanted) in [
        ("deploy it to staging, please", vec![1]),
        ("does the VPN matter?", vec![1]),
        ("run the router test again", vec![2]),
        ("testing routers", vec![2]),
        ("测试环境", vec![3]),
        ("迁移", vec![3]),
        ("look at the login", vec![4]),
        ("größenvergleich NAIVE", vec![5]),
        ("NEAR(\"x\" *", vec![6]),
        ("-near", vec![6]),
        ("the of and to", vec![]),
        ("", vec![]),
        ("unrelated", vec![]),
    ] {
        assert_eq!(found(&memory, prompt), wanted, "{prompt}");
    }
    assert_eq!(found(&memory, "router VPN server")[0], 1, "two of its words fit");
    assert_eq!(memory.search(&query_words("staging router login"), 2).unwrap().len(), 2);

    commit(&store, vec![kept(1, "Production needs two reviews")]).unwrap();
    commit(&store, vec![Change::FactForgotten { fact: fact(2, "").id }]).unwrap();
    assert_eq!(found(&memory, "staging router"), [0i64; 0]);
    assert_eq!(found(&memory, "production"), [1]);
    let error = commit(&store, vec![Change::FactForgotten { fact: fact(2, "").id }]).unwrap_err();
    assert!(matches!(error, StoreError::Unknown { what: "fact", .. }), "{error}");
    memory.close();
    store.close().unwrap();
    assert_eq!(names(path.parent().unwrap()), ["store.db"], "a reader that let go leaves nothing behind");
    assert_eq!(Store::facts(&path, &query_words("production"), 9).unwrap().len(), 1);
    assert_eq!(found(&memory, "production"), [0i64; 0], "closed for good");
}

#[test]
fn the_persons_file_is_private_and_made_when_something_is_kept() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("user/memory.db");
    let memory = UserMemory::new(path.clone());
    assert_eq!(memory.all().unwrap(), []);
    assert_eq!(memory.settle(&FactAsk::Forget { id: user("u1") }, at(1)).unwrap(), Err(FactFault::Missing(user("u1"))));
    assert!(!path.exists());
    assert_eq!(memory.settle(&keep("I like tabs"), at(1)).unwrap(), Ok(FactDone::Kept(user("u1"))));
    assert_eq!(memory.settle(&keep("I like tabs"), at(2)).unwrap(), Ok(FactDone::Known(user("u1"))));
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    let edit = FactAsk::Edit { id: user("u1"), text: "I like blanks".into() };
    assert_eq!(memory.settle(&edit, at(3)).unwrap(), Ok(FactDone::Edited(user("u1"))));
    // Another workstation sees it at once.
    let other = UserMemory::new(path.clone());
    assert_eq!(other.search(&query_words("blanks"), 9).unwrap()[0].text, "I like blanks");
    assert_eq!(other.settle(&FactAsk::Forget { id: user("u1") }, at(4)).unwrap(), Ok(FactDone::Forgotten(user("u1"))));
    assert_eq!(memory.all().unwrap(), []);
    assert_eq!(memory.settle(&keep("again"), at(5)).unwrap(), Ok(FactDone::Kept(user("u2"))), "no id twice");
    let told: Vec<String> = events(&path).into_iter().map(|(.., kind, _)| kind).collect();
    assert_eq!(told, ["fact-kept", "fact-kept", "fact-forgotten", "fact-kept"]);
    fs::remove_file(&path).unwrap();
    assert_eq!(memory.all().unwrap(), [], "a file that is gone is asked no more");
    assert_eq!(memory.settle(&keep("anew"), at(6)).unwrap(), Ok(FactDone::Kept(user("u1"))));
}

#[test]
fn many_write_the_persons_file_at_once_and_nothing_is_lost() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("user/memory.db");
    let start = Barrier::new(8);
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let (path, start) = (path.clone(), &start);
            scope.spawn(move || {
                let memory = UserMemory::new(path);
                start.wait();
                for number in 0..10 {
                    memory.settle(&keep(&format!("fact {number} of {writer}")), at(1)).unwrap().unwrap();
                    memory.settle(&keep(&format!("shared {number}")), at(1)).unwrap().unwrap();
                    memory.search(&query_words("shared"), 5).unwrap();
                }
            });
        }
    });
    let facts = UserMemory::new(path).all().unwrap();
    assert_eq!(facts.len(), 90);
    assert_eq!(facts.last().unwrap().id, user("u90"), "each number is given once");
}

#[test]
fn a_file_that_is_not_ours_is_refused_and_left_as_it_is() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("memory.db");
    let memory = UserMemory::new(path.clone());
    fs::write(&path, "not a database, but long enough to be taken for one: ".repeat(50)).unwrap();
    let before = fs::read(&path).unwrap();
    assert!(matches!(memory.all(), Err(StoreError::Damaged { .. })));
    assert!(matches!(memory.settle(&keep("x"), at(1)), Err(StoreError::Damaged { .. })));
    assert_eq!(fs::read(&path).unwrap(), before);
    fs::remove_file(&path).unwrap();
    memory.settle(&keep("x"), at(1)).unwrap().unwrap();
    set_version(&path, 7);
    assert!(matches!(UserMemory::new(path.clone()).all(), Err(StoreError::Newer { found: 7, known: 1, .. })));
    fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    assert!(matches!(UserMemory::new(path).all(), Err(StoreError::Foreign { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn no_prompt_breaks_the_search_and_a_fact_is_found_by_its_own_words(prompt in any::<String>(), text in "\\PC{1,40}") {
        let directory = TempDir::new().unwrap();
        let memory = UserMemory::new(directory.path().join("memory.db"));
        memory.settle(&keep(&text), at(1)).unwrap().unwrap();
        memory.search(&query_words(&prompt), 20).unwrap();
        let own = query_words(&text);
        let latin = |word: &String| word.chars().all(|c| c.is_ascii_alphanumeric());
        let hits = memory.search(&own, 20).unwrap().len();
        prop_assert!(hits == 1 || !own.iter().any(latin), "{own:?} of {text:?}");
    }
}
