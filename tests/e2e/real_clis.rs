//! The real CLIs as governed lanes, where they are installed: launch, a prompt from the queue, a call allowed and one denied,
//! a refused change of branch, and the same conversation after a crash. Their models are the scripted server, so that
//! nobody logs in and nothing leaves the machine. Not run unless asked for: docs/development.md tells how.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::model_server::ModelServer;
use crate::support::Bench;

/// Names the directory that has their programs.
const PLACE: &str = "PARALANE_REAL_CLIS";
/// Some take half a minute to start.
const PATIENCE: Duration = Duration::from_secs(180);

/// One of them on a bench of its own.
struct Real {
    bench: Bench,
    model: ModelServer,
    cli: &'static str,
}

impl Real {
    fn new(cli: &'static str) -> Self {
        let place = std::env::var_os(PLACE).map(PathBuf::from);
        let place = place.unwrap_or_else(|| panic!("`{PLACE}` names no directory with the CLIs"));
        let program = place.join(cli);
        assert!(program.exists(), "there is no `{}`: install it, or leave its test out", program.display());
        let (model, mut bench) = (ModelServer::start(), Bench::new());
        let bin = bench.path().join("bin");
        fs::create_dir(&bin).unwrap();
        symlink(program, bin.join(cli)).unwrap();
        bench.set_env("PATH", &format!("{}:{}", bin.display(), std::env::var("PATH").unwrap()));
        let root = format!("http://{}", model.address());
        for (name, value) in settings(cli, &root, &bench) {
            bench.set_env(name, &value);
        }
        Self { bench, model, cli }
    }

    /// A line of the script by which its model calls its shell.
    fn shell(&self, command: &str) -> String {
        let (tool, key) = match self.cli {
            "claude" => ("Bash", "command"),
            "codex" => ("exec_command", "cmd"),
            "gemini" => ("run_shell_command", "command"),
            _ => ("bash", "command"),
        };
        format!("%call {tool} {}", json!({ key: command, "description": "a scripted command" }))
    }

    fn until(&self, what: &str, holds: impl Fn() -> bool) {
        let end = Instant::now() + PATIENCE;
        while !holds() {
            assert!(
                Instant::now() < end,
                "{}: waited for {what}\n{}\nrequests: {}",
                self.cli,
                self.bench.cli(&["lane", "show", "web", "--why"]).stdout,
                self.model.seen().len()
            );
            std::thread::park_timeout(Duration::from_millis(200));
        }
    }

    fn lane(&self) -> Value {
        self.bench.json(&["lane", "show", "web"])
    }

    fn worktree(&self) -> PathBuf {
        self.lane()["worktree"].as_str().unwrap().into()
    }

    /// Sends a prompt; its id.
    fn send(&self, text: &str) -> String {
        self.bench.json(&["prompt", "web", text])["id"].as_str().unwrap().to_owned()
    }

    /// Waits until a prompt is over.
    fn over(&self, id: &str) -> Value {
        let found = || {
            let listed = self.bench.json(&["queue", "list", "--all"]);
            listed["prompts"].as_array().unwrap().iter().find(|prompt| prompt["id"] == id).cloned().unwrap()
        };
        let ended = |prompt: &Value| ["done", "failed", "cancelled"].iter().any(|state| prompt["state"] == *state);
        self.until("the prompt's end", || ended(&found()));
        found()
    }

    fn done(&self, text: &str) {
        let prompt = self.over(&self.send(text));
        assert_eq!(prompt["state"], "done", "{}: {prompt}", self.cli);
    }

    /// Sends a prompt whose call asks, and answers it with this command.
    fn answered(&self, command: &str, answer: &[&str]) {
        let prompt = self.send(&self.shell(command));
        let listed = || self.bench.json(&["approvals"])["approvals"].as_array().cloned().unwrap_or_default();
        self.until("the question", || !listed().is_empty());
        let asked = listed().remove(0);
        assert_eq!((asked["tool"].as_str(), asked["action"].as_str()), (Some("shell"), Some(command)), "{asked}");
        let words = [&answer[..1], &[asked["id"].as_str().unwrap()], &answer[1..]].concat();
        // A dialog takes its key once it stands on the screen.
        self.until("the answer to be taken", || self.bench.cli(&words).status == 0);
        self.over(&prompt);
    }
}

/// What a CLI is given so that it starts at once and speaks to the scripted server.
fn settings(cli: &str, server: &str, bench: &Bench) -> Vec<(&'static str, String)> {
    let (home, repo) = (bench.path().join("home"), bench.repo());
    let file = |name: &str, text: String| {
        let path = home.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let one = || "1".to_owned();
    match cli {
        "claude" => {
            let known = json!({ "hasCompletedOnboarding": true, "projects": { repo.to_str().unwrap(): { "hasTrustDialogAccepted": true } } });
            file(".claude.json", known.to_string());
            vec![
                ("ANTHROPIC_BASE_URL", server.to_owned()),
                ("ANTHROPIC_AUTH_TOKEN", "none".to_owned()),
                ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", one()),
                ("DISABLE_AUTOUPDATER", one()),
            ]
        }
        "codex" => {
            let text = format!(
                "model = \"scripted\"\nmodel_provider = \"test\"\ncheck_for_update_on_startup = false\n\
                 [model_providers.test]\nname = \"test\"\nbase_url = \"{server}/v1\"\nwire_api = \"responses\"\n\
                 env_key = \"TEST_KEY\"\n[projects.\"{}\"]\ntrust_level = \"trusted\"\n",
                repo.display()
            );
            file(".codex/config.toml", text);
            vec![("TEST_KEY", one())]
        }
        "gemini" => {
            let known = json!({
                "security": { "auth": { "selectedType": "gemini-api-key" }, "folderTrust": { "enabled": false } },
                "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
                "privacy": { "usageStatisticsEnabled": false },
            });
            file(".gemini/settings.json", known.to_string());
            vec![("GEMINI_API_KEY", "none".to_owned()), ("GOOGLE_GEMINI_BASE_URL", server.to_owned())]
        }
        "opencode" => {
            let limit = json!({ "context": 100_000, "output": 8_000 });
            let known = json!({
                "autoupdate": false, "share": "disabled", "model": "test/scripted", "small_model": "test/scripted",
                "provider": { "test": {
                    "npm": "@ai-sdk/openai-compatible", "name": "Test",
                    "options": { "baseURL": format!("{server}/v1"), "apiKey": "none" },
                    "models": { "scripted": { "name": "Scripted", "limit": limit } },
                } },
            });
            file("opencode.json", known.to_string());
            vec![
                ("OPENCODE_CONFIG", home.join("opencode.json").to_str().unwrap().to_owned()),
                ("OPENCODE_DISABLE_MODELS_FETCH", one()),
            ]
        }
        "copilot" => {
            file(".copilot/config.json", json!({ "trustedFolders": [bench.path()] }).to_string());
            vec![
                ("COPILOT_PROVIDER_BASE_URL", format!("{server}/v1")),
                ("COPILOT_PROVIDER_API_KEY", "a-key-that-is-long-enough".to_owned()),
                ("COPILOT_MODEL", "scripted".to_owned()),
                ("COPILOT_OFFLINE", "true".to_owned()),
            ]
        }
        other => panic!("nothing is known of `{other}`"),
    }
}

/// Programs that run in this worktree.
fn running_in(worktree: &Path) -> Vec<String> {
    let Ok(all) = fs::read_dir("/proc") else { return Vec::new() };
    let inside = |process: &Path| fs::read_link(process.join("cwd")).is_ok_and(|place| place.starts_with(worktree));
    let name = |process: &Path| fs::read_to_string(process.join("comm")).unwrap_or_default().trim().to_owned();
    all.flatten().map(|entry| entry.path()).filter(|process| inside(process)).map(|process| name(&process)).collect()
}

fn governed(cli: &'static str) {
    let real = Real::new(cli);
    let bench = &real.bench;
    bench.cli(&["lane", "new", "web", "--cli", cli]).ended_with(0);
    real.done("say hello");
    let worktree = real.worktree();

    real.answered("touch allowed", &["approve"]);
    assert!(worktree.join("allowed").exists(), "{cli}");
    real.answered("touch denied", &["deny", "--reason", "not now"]);
    assert!(!worktree.join("denied").exists(), "{cli}");

    bench.cli(&["mode", "full"]).ended_with(0);
    real.done(&real.shell("touch free"));
    assert!(worktree.join("free").exists(), "{cli}: its hooks are asked");
    fs::write(worktree.join("run.sh"), "git switch -c other\n").unwrap();
    for command in ["git switch -c other", "git -C . checkout -b other", "sh run.sh"] {
        real.done(&real.shell(command));
        assert_eq!(bench.git_in(&worktree, &["branch", "--show-current"]).trim(), "lane/web", "{cli}: {command}");
        assert_eq!(bench.git(&["branch", "--list", "other"]), "", "{cli}: {command}");
    }

    let session = real.lane()["session"].as_str().unwrap().to_owned();
    bench.kill_workstation();
    bench.cli(&["lane", "restart", "web"]).ended_with(0);
    real.done("go on");
    assert_eq!(real.lane()["session"].as_str(), Some(session.as_str()), "{cli}");

    bench.cli(&["lane", "stop", "web"]).ended_with(0);
    real.until("its end", || running_in(&worktree).is_empty());
}

#[test]
#[ignore = "needs Claude Code: PARALANE_REAL_CLIS names the directory with it"]
fn claude_is_governed() {
    governed("claude");
}

#[test]
#[ignore = "needs Codex: PARALANE_REAL_CLIS names the directory with it"]
fn codex_is_governed() {
    governed("codex");
}

#[test]
#[ignore = "needs Gemini CLI: PARALANE_REAL_CLIS names the directory with it"]
fn gemini_is_governed() {
    governed("gemini");
}

#[test]
#[ignore = "needs OpenCode: PARALANE_REAL_CLIS names the directory with it"]
fn opencode_is_governed() {
    governed("opencode");
}

#[test]
#[ignore = "needs Copilot: PARALANE_REAL_CLIS names the directory with it"]
fn copilot_is_governed() {
    governed("copilot");
}
