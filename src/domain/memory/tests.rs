//! Ids, texts, words and what requests come to.

use jiff::Timestamp;
use proptest::prelude::*;

use super::*;
use crate::domain::{Change, PromptId};

fn keep(text: &str) -> FactAsk {
    FactAsk::Keep { scope: FactScope::Project, text: text.to_owned(), author: Author::Person }
}

fn id(text: &str) -> FactId {
    text.parse().unwrap()
}

/// A book as a scope holds it.
#[derive(Default)]
struct Book {
    facts: Vec<Fact>,
    last: i64,
}

impl Book {
    fn ask(&mut self, ask: &FactAsk) -> Result<FactDone, FactFault> {
        let (done, change) = settle_fact(self.facts.iter(), self.last, ask, Timestamp::UNIX_EPOCH)?;
        match change {
            Some(Change::FactKept { fact }) => {
                self.last = self.last.max(fact.id.number);
                self.facts.retain(|old| old.id != fact.id);
                self.facts.push(*fact);
            }
            Some(Change::FactForgotten { fact }) => self.facts.retain(|old| old.id != fact),
            other => assert_eq!(other, None),
        }
        Ok(done)
    }
}

#[test]
fn ids_name_their_scope_and_nothing_else_reads_as_one() {
    for text in ["m1", "u1", "m12"] {
        assert_eq!(id(text).to_string(), text);
        assert_eq!(serde_json::to_value(id(text)).unwrap(), text);
        assert_eq!(serde_json::from_value::<FactId>(text.into()).unwrap(), id(text));
    }
    for text in ["", "m", "1", "p1", "m-1", "m+1", "m1x", "u 1", "m99999999999999999999", "\u{1b}", "ü1"] {
        assert!(text.parse::<FactId>().is_err(), "{text}");
    }
}

#[test]
fn the_same_text_is_kept_once_and_ids_are_never_given_again() {
    let mut book = Book::default();
    assert_eq!(book.ask(&keep("a")), Ok(FactDone::Kept(id("m1"))));
    assert_eq!(book.ask(&keep("b")), Ok(FactDone::Kept(id("m2"))));
    assert_eq!(book.ask(&keep("a")), Ok(FactDone::Known(id("m1"))));
    assert_eq!(book.ask(&FactAsk::Edit { id: id("m1"), text: "b".into() }), Err(FactFault::Taken(id("m2"))));
    assert_eq!(book.ask(&FactAsk::Edit { id: id("m1"), text: "a".into() }), Ok(FactDone::Known(id("m1"))));
    assert_eq!(book.ask(&FactAsk::Edit { id: id("m1"), text: "c".into() }), Ok(FactDone::Edited(id("m1"))));
    assert_eq!(book.ask(&FactAsk::Forget { id: id("m2") }), Ok(FactDone::Forgotten(id("m2"))));
    assert_eq!(book.ask(&FactAsk::Forget { id: id("m2") }), Err(FactFault::Missing(id("m2"))));
    assert_eq!(book.ask(&keep("b")), Ok(FactDone::Kept(id("m3"))));
    let edited = book.facts.iter().find(|fact| fact.id == id("m1")).unwrap();
    assert!(edited.edited.is_some() && edited.text == "c");
}

#[test]
fn a_full_scope_refuses_and_says_how_to_make_room() {
    let mut book = Book::default();
    for number in 0..MAX_FACTS {
        book.ask(&keep(&number.to_string())).unwrap();
    }
    let full = book.ask(&keep("one more")).unwrap_err();
    assert!(full.to_string().contains("500") && full.to_string().contains("memory forget"), "{full}");
    assert_eq!(book.ask(&keep("7")), Ok(FactDone::Known(id("m8"))), "what is known is no more");
    book.ask(&FactAsk::Forget { id: id("m1") }).unwrap();
    book.ask(&keep("one more")).unwrap();
}

#[test]
fn texts_are_plain_and_of_some_length() {
    assert_eq!(fact_text("  two\r\n\tlines \n").unwrap(), "two\n\tlines");
    assert_eq!(fact_text("漢字 grün 👨‍👩‍👧").unwrap(), "漢字 grün 👨‍👩‍👧");
    assert_eq!(fact_text(" \n "), Err(TextFault::Empty));
    assert_eq!(fact_text(&"x".repeat(FACT_BYTES)).map(|text| text.len()), Ok(FACT_BYTES));
    assert_eq!(fact_text(&"ö".repeat(FACT_BYTES / 2 + 1)), Err(TextFault::Long(FACT_BYTES + 2)));
    for hidden in ["a\u{1b}[2J", "a\0b", "a\rb", "\u{202e}x", "a\u{9b}b"] {
        assert!(matches!(fact_text(hidden), Err(TextFault::Hidden(_))), "{hidden:?}");
    }
    assert!(fact_text("a\u{1b}b").unwrap_err().to_string().contains("U+001B"));
}

#[test]
fn keys_are_refused_and_their_names_are_not() {
    let made = |parts: &[&str]| parts.concat();
    let random = "Zq3xY7pLm2NbV9cKd8RtW4sHf6Gj";
    let secrets = [
        made(&["the key is sk", "-", "abcdefghij0123456789"]),
        made(&["use gh", "p_", &"a1B2".repeat(9)]),
        made(&["AK", "IA", "ABCDEFGHIJ234567"]),
        made(&["xo", "xb-1234567890-abcdef"]),
        made(&["-----BEGIN RSA ", "PRIVATE KEY-----"]),
        made(&["Authorization: Bearer ", &"ab.cd-12".repeat(4)]),
        "password = hunter2hunter".to_owned(),
        "the admin password is Tr0ub4dor&3".to_owned(),
        "password is hunter2".to_owned(),
        "The password for the staging db is hunter2.".to_owned(),
        "the db password's hunter2".to_owned(),
        "pwd: hunter2".to_owned(),
        "my passphrase is now correct-horse7".to_owned(),
        "API_KEY: abc123def456".to_owned(),
        "postgres://app:s3cretpw@db/prod".to_owned(),
        format!("token {random}"),
        random.to_owned(),
    ];
    for secret in &secrets {
        let fault = fact_text(secret).unwrap_err();
        assert!(matches!(fault, TextFault::Secret(_)), "{secret}: {fault}");
        assert!(!fault.to_string().contains(random) && fault.to_string().contains("variable"), "{fault}");
    }
    for fine in [
        "the deploy key is in $DEPLOY_KEY",
        "password: ${DB_PASSWORD}",
        "the password reset form is in src/x",
        "the password is sha256 hashed before it is kept",
        "the password is argon2id with 3 rounds",
        "the password is required, and checked in src/auth2.rs",
        "a password of 12 letters is enough",
        "the password field is called pw_1 in forms/v2",
        "the password is in 1Password",
        "the password for the vpn is asked of ops",
        "the token is refreshed hourly by `auth/refresh.rs`",
        "API key = <your key here>",
        "the secret is rotation: see docs/keys.md",
        "postgres://app:$DB_PASSWORD@db/prod",
        "commit 3f2c1a9e5b7d4c6a8e0f1b2d3c4a5e6f7a8b9c0d broke the build",
        "550e8400-e29b-41d4-a716-446655440000 is the test user",
        "src/agent/tools/a_rather_long_file_name_with_words.rs is generated",
        "AVeryLongCamelCaseIdentifierThatSomebodyWrote is deprecated",
        "tokens are counted by the server",
    ] {
        assert_eq!(fact_text(fine).as_deref(), Ok(fine));
    }
}

#[test]
fn words_of_any_script_are_found_and_common_ones_are_not_looked_for() {
    assert_eq!(
        query_words("Please add the rate-limit to `loginRoute`!"),
        ["add", "rate", "limit", "loginroute", "login", "route"]
    );
    assert_eq!(query_words("部署到测试"), ["部署", "署到", "到测", "测试"]);
    assert_eq!(query_words("見"), ["見"]);
    assert!(search_words("部署").contains(&"部".to_owned()));
    assert_eq!(query_words("MÜLLER straße"), ["müller", "straße"]);
    for nothing in ["", "  ", "the of and", "\" * - ( ) : ^", "🚀"] {
        assert!(query_words(nothing).is_empty(), "{nothing}");
    }
    assert!(super::words::COMMON.is_sorted(), "they are looked up by halves");
    // What FTS5 would take for operators are words like any other, or none.
    assert_eq!(query_words("NEAR(a b) \"x* AND -y"), ["near", "b", "x", "y"]);
    assert_eq!(query_words(&"w ".repeat(100_000)), ["w"]);
    let many: Vec<String> = (0..10_000).map(|number| format!("w{number}")).collect();
    assert_eq!(query_words(&many.join(" ")).len(), 32);
}

#[test]
fn an_author_is_told_in_events_as_it_was() {
    let agent = Author::Agent { project: "shop".into(), lane: "api".into(), prompt: PromptId(3) };
    let json = serde_json::to_value(&agent).unwrap();
    assert_eq!(json, serde_json::json!({"by": "agent", "project": "shop", "lane": "api", "prompt": 3}));
}

proptest! {
    #[test]
    fn words_hold_letters_and_digits_only_and_a_text_is_found_by_its_own(text in "\\PC{0,60}") {
        let (all, looked_for) = (search_words(&text), query_words(&text));
        for word in all.iter().chain(&looked_for) {
            prop_assert!(!word.is_empty() && !word.contains(['"', '*', '(', ')', ' ', '-', ':', '^', '\0']), "{word:?}");
        }
        for word in &looked_for {
            prop_assert!(all.contains(word), "{word:?} of {text:?}");
        }
    }

    #[test]
    fn any_text_is_kept_as_it_is_or_refused(text in any::<String>()) {
        if let Ok(kept) = fact_text(&text) {
            prop_assert_eq!(fact_text(&kept), Ok(kept.clone()));
            prop_assert!(!kept.chars().any(crate::base::hidden) && kept.len() <= FACT_BYTES && !kept.is_empty());
        }
    }
}
