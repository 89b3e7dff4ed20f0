//! Text that tries to be more than text.

use paralane::domain::{CallState, GitFacts, PromptState};

use crate::support::Scene;

fn hostile() -> Scene {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    scene.lane(lane).place.branch = Some("lane/a\u{1b}[2Jpi\u{202e}".into());
    scene.state.settings.project.name = "sh\u{7}op".into();
    let prompt = scene.prompt(lane, "x\u{1b}]52;c;AAAA\u{7}", PromptState::Waiting, 10);
    scene.asked(lane, "x\u{1b}]52;c;AAAA\u{7}");
    scene.answered(lane, "fine\u{1b}[31mred\u{9b}2J\ttab\r\nnext\u{0}");
    scene.did(lane, "read", "src/\u{1b}[Hevil.rs", "1 line\u{1b}c", None);
    let call = scene.called(lane, "shell", "rm\u{8}\u{8}ls \u{202e}fr-\u{1b}[8m", CallState::Waiting);
    scene.approval(lane, prompt, &call, "shell", "rm\u{8}\u{8}ls \u{202e}fr-\u{1b}[8m");
    scene.live(lane).git = Some(GitFacts { drifted_to: Some("ev\u{1b}[1mil".into()), ..GitFacts::default() });
    scene
}

#[test]
fn control_characters_are_shown_not_obeyed() {
    let mut scene = hostile();
    scene.snap("control-characters");
}

#[test]
fn no_cell_ever_holds_a_control_character() {
    for size in [(40, 10), (79, 24), (80, 24), (120, 40)] {
        for key in ['a', 'c', 'v', '!', 'g', '?'] {
            let mut scene = hostile();
            scene.resize(size.0, size.1);
            scene.lead(key);
            let (surface, _) = scene.draw("paralane-dark");
            assert!(
                surface.buffer().content.iter().all(|cell| !cell.symbol().chars().any(char::is_control)),
                "{size:?} {key}"
            );
        }
    }
}

#[test]
fn wide_glyphs_keep_the_columns() {
    let mut scene = Scene::new();
    let lane = scene.agent("api");
    scene.lane(lane).place.branch = Some("機能/ログイン画面の修正".into());
    scene.asked(lane, "ログイン画面に制限を追加してください。エラーメッセージも翻訳してください。👨‍👩‍👧 🇧🇷 ➡️ 終わり");
    scene.answered(lane, "まずルーターを確認します。次に **制限** を `limiter` に追加します。長い行は端で折り返されますが、文字が半分に切れることはありません。");
    scene.did(lane, "edit", "src/画面/ログイン.rs", "+18 −2", Some("@@ -1 +1 @@\n-古い行\n+新しい行"));
    scene.snap("wide-glyphs");
}
