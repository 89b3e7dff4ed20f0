//! A key is used and never kept: not in the store, a log, a transcript, an error or a lane's environment.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::model_server::{ModelServer, Reply};
use crate::shop::Shop;
use crate::support::Bench;

const SENTINEL: &str = "sk-test-SENTINEL-0123456789";

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).unwrap().map(Result::unwrap) {
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                directories.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found
}

#[test]
fn a_key_is_nowhere_in_the_state_directory() {
    let bench = Bench::new().with_env("SHOP_KEY", SENTINEL);
    let model = ModelServer::start();
    bench.configure(&format!(
        "[providers.test]\ndialect = \"openai-chat\"\nbase_url = \"{}\"\nmodel = \"scripted\"\napi_key_env = \"SHOP_KEY\"\n\
         [agent]\nmode = \"full\"\n",
        model.base_url()
    ));
    let shop = Shop { bench, model };
    shop.lanes(&["api"]);
    // It is sent, and the server tells it back in its errors.
    shop.model.push(Reply::document(
        401,
        "application/json",
        format!("{{\"error\": {{\"message\": \"wrong key {SENTINEL}\"}}}}"),
    ));
    let failed = shop.bench.cli(&["--json", "prompt", "api", "--wait", "--", "%say one"]).ended_with(1);
    assert_eq!(shop.model.seen()[0].headers["authorization"], format!("Bearer {SENTINEL}"));
    assert!(!failed.stdout.contains(SENTINEL) && !failed.stderr.contains(SENTINEL), "{failed:?}");
    shop.model.push(Reply::document(200, "text/html", format!("<h1>{SENTINEL}</h1>")));
    shop.bench.cli(&["prompt", "api", "--wait", "--", "%say two"]).ended_with(1);
    // Commands of the model do not have it, and what they find of it elsewhere is not kept.
    let script = "%sh env; echo key=$SHOP_KEY; tr '\\\\0' '\\n' < /proc/$PPID/environ\n%say that is all";
    let done = shop.bench.cli(&["--json", "prompt", "api", "--wait", "--", script]).ended_with(0);
    assert!(!done.stdout.contains(SENTINEL));
    let told = shop.model.seen().last().unwrap().body.to_string();
    assert!(told.contains("key=") && !told.contains(SENTINEL), "{told}");
    shop.bench.cli(&["config"]).ended_with(0);
    shop.bench.kill_workstation();
    shop.ok(&["up"]);
    for path in files(&shop.bench.home()) {
        let content = fs::read(&path).unwrap();
        let found = content.windows(SENTINEL.len()).any(|window| window == SENTINEL.as_bytes());
        assert!(!found, "{}", path.display());
    }
    // The modes of what is ours; a worktree's files are the repository's.
    let worktrees = shop.bench.place().worktrees().to_owned();
    for path in files(&shop.bench.home()).into_iter().filter(|p| !p.starts_with(&worktrees)) {
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", path.display());
        let mode = fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o700, "{}", path.parent().unwrap().display());
    }
    assert_eq!(fs::metadata(&worktrees).unwrap().permissions().mode() & 0o777, 0o700);
    for listed in [shop.ok(&["config"]).stdout, shop.problems(), shop.bench.log()] {
        assert!(!listed.contains(SENTINEL), "{listed}");
    }
}

#[test]
fn a_missing_key_names_the_variable() {
    let shop = Shop::full();
    shop.bench.configure(&format!(
        "[providers.test]\ndialect = \"openai-chat\"\nbase_url = \"{}\"\nmodel = \"scripted\"\napi_key_env = \"ABSENT_KEY\"\n",
        shop.model.base_url()
    ));
    shop.lanes(&["api"]);
    let failed = shop.bench.cli(&["prompt", "api", "--wait", "--", "%say x"]).ended_with(1);
    assert!(failed.stdout.contains("ABSENT_KEY") || failed.stderr.contains("ABSENT_KEY"), "{failed:?}");
    assert!(shop.model.seen().is_empty(), "nothing is sent without it");
}
