//! Transcripts: Markdown, code in colours, diffs, folds, streaming, copying a block, going from turn to turn.

use paralane::app::window::WindowAction;
use paralane::app::{Model, Msg, report, update};
use paralane::base::Report;
use paralane::domain::{
    CallState, Entry, EntryBody, HookEvent, Key, KeyCode, LaneId, NoticeLevel, PromptState, Skill, SkillFault,
    SkillLayer, Skills,
};

use crate::support::{Scene, snap_text, styles};

const ANSWER: &str = "\
## What I changed

The route now checks a **limiter** before it *reads* the form; see
[the guide](https://example.com/guide/rate-limits) or https://example.com/a/long/path/that/goes/on/and/on/until/it/has/to/wrap/somewhere?x=1.

1. `src/login.rs` asks the limiter
2. `src/limit.rs` is new
   - a bucket for each address
   - ~~a global one~~

> **Note**
> The limit is not kept over a restart.

| setting | what it does | default |
|:--------|--------------|--------:|
| `limit.burst` | how many requests one address may make at once before it has to wait | 10 |
| `limit.refill` | seconds until another one is allowed | 0.5 |

```rust
/// Takes one from the bucket of an address.
pub fn check(&mut self, ip: IpAddr) -> Result<(), Limited> {
    let bucket = self.buckets.entry(ip).or_insert_with(|| Bucket::new(\"10\", 0.5));
    bucket.take(1).ok_or(Limited { ip }) // in seconds
}
```

Run `cargo test` to see it work.";

fn answered() -> (Scene, LaneId) {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    scene.asked(lane, "add rate limiting to the login route");
    scene.answered(lane, ANSWER);
    (scene, lane)
}

#[test]
fn an_answer_is_markdown() {
    let (mut scene, _) = answered();
    scene.snap("markdown");
    scene.lead('z');
    scene.snap_at("markdown-zoom", 100, 60);
}

#[test]
fn code_gets_its_colours_in_every_theme() {
    let (mut scene, _) = answered();
    scene.resize(120, 50);
    scene.colour();
    for theme in ["paralane-dark", "paralane-light"] {
        let (surface, _) = scene.draw(theme);
        snap_text(&format!("markdown.{theme}.style"), &styles(surface.buffer()));
    }
    scene.window().hello.no_color = true;
    let (surface, _) = scene.draw("paralane-dark");
    let styles = styles(surface.buffer());
    assert!(!styles.contains('#'), "{styles}");
    snap_text("markdown.no-colour.style", &styles);
}

#[test]
fn a_link_leads_to_its_whole_address_from_every_row() {
    let (mut scene, _) = answered();
    scene.resize(80, 40);
    let (surface, _) = scene.draw("paralane-dark");
    let mut targets: Vec<String> = Vec::new();
    for y in 0..40 {
        let row: Vec<String> =
            (0..80).filter_map(|x| surface.extra(x, y)?.link.as_ref().map(|link| link.target().to_owned())).collect();
        targets.extend(row.first().cloned());
    }
    let long = "https://example.com/a/long/path/that/goes/on/and/on/until/it/has/to/wrap/somewhere?x=1";
    assert!(targets.contains(&"https://example.com/guide/rate-limits".to_owned()), "{targets:?}");
    assert!(targets.iter().filter(|target| *target == long).count() >= 2, "{targets:?}");
}

#[test]
fn scroll_mode_shows_an_answer_as_it_stood() {
    let (mut scene, _) = answered();
    scene.resize(120, 50);
    scene.colour();
    let (before, _) = scene.draw("paralane-dark");
    scene.lead('[');
    let (after, _) = scene.draw("paralane-dark");
    // What stands on the screen; blanks may be drawn in any style.
    let main = |buffer: &ratatui::buffer::Buffer| {
        let cells = (4..43).flat_map(|y| (24..76).map(move |x| (x, y)));
        let drawn = cells.map(|at| (at, &buffer[at])).filter(|(_, cell)| cell.symbol() != " ");
        drawn.map(|(at, cell)| format!("{at:?} {} {} {:?}", cell.symbol(), cell.fg, cell.modifier)).collect::<Vec<_>>()
    };
    let (before, after) = (main(before.buffer()), main(after.buffer()));
    let other: Vec<_> = before.iter().zip(&after).filter(|(a, b)| a != b).take(5).collect();
    assert!(before == after, "{} {} {other:?}", before.len(), after.len());
}

#[test]
fn words_are_found_as_they_are_shown() {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    scene.asked(lane, "go");
    scene.answered(
        lane,
        "a **lim**iter and `snake`_case, R&amp;D\n\n| ce**ll**s | b |\n|---|---|\n| x | y |\n\n- other",
    );
    scene.resize(120, 40);
    for (words, shown) in [("a limiter", true), ("snake_case", true), ("R&D", true), ("cells", true), ("*", false)] {
        scene.lead('/');
        scene.type_text(words);
        assert_eq!(
            scene.text().contains("1 match") || scene.text().contains("1 of 1"),
            shown,
            "{words}: {}",
            scene.text()
        );
        scene.code(KeyCode::Esc);
        scene.code(KeyCode::Esc);
    }
}

#[test]
fn a_table_is_fitted_anew_when_the_window_is_resized() {
    let (mut scene, _) = answered();
    scene.resize(120, 50);
    scene.lead('[');
    scene.type_text("?limit.burst");
    scene.code(KeyCode::Enter);
    scene.resize(80, 50);
    let text = scene.text();
    assert!(text.contains("limit.refill │ seconds until another one is │     0.5"), "{text}");
}

#[test]
fn blocks_are_copied_by_a_key() {
    let (mut scene, lane) = answered();
    let call = scene.called(lane, "shell", "cargo test\n--all", CallState::Started);
    scene.result(lane, &call, false, "exit 101", "running 1 test\nFAILED", None);
    scene.resize(120, 50);
    scene.lead('[');
    let copied = |scene: &mut Scene, search: &str, key: &str| {
        scene.type_text(search);
        scene.code(KeyCode::Enter);
        match scene.type_text(key).as_slice() {
            [WindowAction::Copy(text)] => text.clone(),
            other => panic!("{other:?}"),
        }
    };
    let code = copied(&mut scene, "?or_insert_with", "c");
    assert!(code.starts_with("/// Takes one") && code.ends_with("}\n") && !code.contains("```"), "{code}");
    assert_eq!(copied(&mut scene, "?not kept", "c"), ANSWER);
    assert_eq!(copied(&mut scene, "?or_insert_with", "C"), ANSWER);
    assert_eq!(copied(&mut scene, "?rate limiting to", "c"), "add rate limiting to the login route");
    assert_eq!(copied(&mut scene, "/cargo test  ", "c"), "cargo test\n--all");
    assert_eq!(copied(&mut scene, "/FAILED", "c"), "running 1 test\nFAILED");
}

#[test]
fn a_fold_is_opened_alone_and_all_together() {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    scene.asked(lane, "look around");
    for name in ["one", "two", "three"] {
        let call = scene.called(lane, "read", &format!("src/{name}.rs"), CallState::Started);
        scene.result(lane, &call, true, "2 lines", &format!("first of {name}\nlast of {name}"), None);
    }
    scene.resize(120, 40);
    let folded = scene.text();
    assert!(!folded.contains("first of"));
    scene.lead('[');
    scene.type_text("?src/two");
    scene.code(KeyCode::Enter);
    scene.code(KeyCode::Enter);
    let text = scene.text();
    assert!(text.contains("first of two") && !text.contains("first of one"), "{text}");
    scene.snap_at("fold-open", 120, 40);
    scene.type_text("jj ");
    assert!(!scene.text().contains("first of"), "the key closes it from anywhere inside");
    scene.type_text("o");
    let text = scene.text();
    assert!(["one", "two", "three"].iter().all(|name| text.contains(&format!("first of {name}"))), "{text}");
}

#[test]
fn a_person_goes_from_turn_to_turn() {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    for turn in 1..=30 {
        scene.asked(lane, &format!("question {turn}"));
        scene.answered(lane, &format!("answer {turn}\n\nof three\nlines"));
    }
    scene.resize(120, 40);
    scene.lead('[');
    let line = |scene: &mut Scene| match scene.type_text("Y").as_slice() {
        [WindowAction::Copy(text)] => text.trim().to_owned(),
        other => panic!("{other:?}"),
    };
    scene.type_text("[");
    assert_eq!(line(&mut scene), "question 30");
    scene.type_text("9[");
    assert_eq!(line(&mut scene), "question 21");
    scene.type_text("]");
    assert_eq!(line(&mut scene), "question 22");
    scene.type_text("99[");
    assert_eq!(line(&mut scene), "question 1");
    scene.type_text("[");
    assert!(scene.text().contains("you said nothing before this"));
}

#[test]
fn what_streams_does_not_jump() {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    scene.prompt(lane, "go", PromptState::Running, 5);
    scene.asked(lane, "go");
    scene.resize(120, 50);
    let rows = |scene: &mut Scene| -> Vec<String> {
        let text = scene.text();
        let main = text.lines().skip(5).take(38).map(|line| line.split('│').skip(1).collect::<Vec<_>>().join("│"));
        let main: Vec<String> = main.map(|line| line.get(..52).unwrap_or(&line).trim_end().to_owned()).collect();
        main.into_iter().take_while(|line| !line.contains("working")).collect()
    };
    let mut most = 0;
    for end in (0..ANSWER.len()).filter(|end| ANSWER.is_char_boundary(*end)).step_by(3) {
        scene.live(lane).feed.answer = ANSWER[..end].to_owned();
        let now = rows(&mut scene).iter().rposition(|line| !line.is_empty()).unwrap_or(0);
        assert!(now + 1 >= most, "at {end} of the answer {most} rows had been shown, now {now}");
        most = most.max(now);
    }
    let last = rows(&mut scene);
    scene.live(lane).feed.answer.clear();
    scene.answered(lane, ANSWER);
    assert_eq!(rows(&mut scene)[..last.len() - 3], last[..last.len() - 3], "kept, it stands where it stood");
}

#[test]
fn a_diff_has_numbers() {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    let diff = "--- a/src/login.rs\n+++ b/src/login.rs\n@@ -98,4 +98,5 @@ impl Login\n let user = form.user();\n-let user = auth(&req).await?;\n+limiter.check(req.ip())?;\n+let user = auth(&req).await?;\n Ok(user)";
    scene.asked(lane, "limit it");
    scene.did(lane, "edit", "src/login.rs", "+2 −1", Some(diff));
    scene.snap("transcript-diff");
}

/// A lane of so many turns, of which the memory has the newest; the others stand in the store, which is given, too.
fn many_turns(turns: usize) -> (Scene, LaneId, Vec<Entry>) {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    for turn in 0..turns {
        scene.asked(lane, &format!("question {turn}"));
        scene.answered(lane, &format!("# Answer {turn}\n\n- one\n- two\n\n```rust\nlet x = {turn};\n```"));
    }
    let entries = scene.state.model.entries.get_mut(&lane).unwrap();
    let older = entries.len() - Model::ENTRIES;
    let store = entries.drain(..older).map(|entry| (*entry).clone()).collect();
    scene.resize(80, 24);
    (scene, lane, store)
}

/// Draws, and gives pages of the store as long as they are wanted.
fn give_older(scene: &mut Scene, store: &[Entry]) -> usize {
    let mut pages = 0;
    loop {
        scene.text();
        let Some((lane, before)) = scene.state.memo.older() else { return pages };
        let end = before as usize - 1;
        let page = store[end.saturating_sub(1_000).min(store.len())..end.min(store.len())].to_vec();
        let env = scene.env();
        update(&mut scene.state, Msg::Older(lane, before, Ok(page)), &env);
        pages += 1;
    }
}

#[test]
fn ten_thousand_turns_come_back_from_the_store_and_go_again() {
    let (mut scene, lane, store) = many_turns(10_000);
    assert!(scene.text().contains("Answer 9999"));
    assert_eq!(give_older(&mut scene, &store), 0, "nobody looks back");
    scene.lead('[');
    assert_eq!(give_older(&mut scene, &store), 18);
    scene.key(Key::char('g'));
    assert!(scene.text().contains("question 0"), "{}", scene.text());
    scene.type_text("/Answer 5000");
    scene.code(KeyCode::Enter);
    assert!(scene.text().contains("Answer 5000"));
    scene.type_text("[");
    assert!(scene.text().contains("question 5000"));
    assert_eq!(scene.state.model.entries[&lane].len(), 20_000);
    scene.type_text("q");
    for _ in 0..12 {
        scene.text();
    }
    assert_eq!(scene.state.model.entries[&lane].len(), Model::ENTRIES, "the memory is bounded");
    assert!(scene.text().contains("Answer 9999"));
}

#[test]
fn pages_up_go_on_where_the_memory_ends() {
    let (mut scene, lane, store) = many_turns(1_500);
    let mut last = String::new();
    for _ in 0..2_000 {
        scene.code(KeyCode::PageUp);
        give_older(&mut scene, &store);
        let now = scene.text();
        if now == last {
            break;
        }
        last = now;
    }
    assert!(last.contains("question 0"), "{last}");
    // A store that fails is told once, and what is there stays.
    scene.code(KeyCode::Esc);
    scene.text();
    scene.code(KeyCode::PageUp);
    let first = scene.state.model.entries[&lane][0].seq;
    assert!(first > 1);
    scene.lead('[');
    let (lane, before) = scene.state.memo.older().unwrap();
    let env = scene.env();
    update(&mut scene.state, Msg::Older(lane, before, Err(Report::refused("the store cannot be read"))), &env);
    scene.text();
    assert_eq!(scene.state.problems.len(), 1);
    assert_eq!(scene.state.memo.older(), None);
}

#[test]
fn what_hooks_say_stands_where_it_was_said() {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    let by = "hook `hooks/guard.sh` (project config.toml:1)".to_owned();
    scene.asked(lane, "tidy up");
    let text = "Today is Monday.\n\u{1b}[2Jand nothing is released.".to_owned();
    scene.say(lane, EntryBody::Told { event: HookEvent::Prompt, by: by.clone(), text });
    scene.noted(lane, NoticeLevel::Warning, &format!("{by} at before-tool blocks: nothing is removed here"));
    scene.noted(lane, NoticeLevel::Warning, &format!("{by} at stop failed: it ended with exit status: 1"));
    scene.answered(lane, "Done.");
    scene.say(lane, EntryBody::Told { event: HookEvent::Stop, by, text: "run the tests first".into() });
    scene.snap("hooks");
}

#[test]
fn skills_are_listed_with_what_is_wrong_with_others() {
    let mut scene = Scene::new();
    scene.agent("api");
    let skill = |name: &str, description: &str, tools: &[&str]| Skill {
        name: name.into(),
        description: description.into(),
        tools: tools.iter().map(ToString::to_string).collect(),
        layer: SkillLayer::Project,
        file: format!(".paralane/skills/{name}/SKILL.md"),
    };
    let skills = Skills {
        known: vec![skill("release", "How we \u{1b}[31mrelease", &["shell"]), skill("review", "How we review", &[])],
        faults: vec![SkillFault {
            file: ".paralane/skills/broken/SKILL.md".into(),
            line: Some(3),
            message: "its head is no YAML that can be used: unexpected end".into(),
        }],
    };
    let document = report::skills_document("api", &skills);
    scene.window().show_beside(&document.title, &report::render(&document, false));
    scene.snap("skills");
}
