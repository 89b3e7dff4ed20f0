use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::domain::{BaseRef, Mode};

struct Place {
    directory: tempfile::TempDir,
    home: Home,
    project: ProjectInfo,
}

fn place() -> Place {
    let directory = tempfile::tempdir().unwrap();
    let home = Home::find(Some(&directory.path().join("h"))).unwrap();
    let home = home.with_user_config(directory.path().join("user").join("config.toml"));
    let root = directory.path().join("shop");
    fs::create_dir_all(root.join(".paralane")).unwrap();
    let base = BaseRef { name: "main".into(), sha: "0".repeat(40) };
    Place { home, project: ProjectInfo { name: "shop".into(), root, base }, directory }
}

impl Place {
    fn user(&self, text: &str) {
        fs::create_dir_all(self.user_file().parent().unwrap()).unwrap();
        fs::write(self.user_file(), text).unwrap();
    }

    fn user_file(&self) -> &Path {
        self.home.user_config().unwrap()
    }

    fn project(&self, text: &str) {
        fs::write(project_config(&self.project.root), text).unwrap();
    }

    fn read(&self, trusted: &[&str]) -> Result<Configuration, Report> {
        read(&self.home, &self.project, &trusted.iter().map(|&hash| hash.to_owned()).collect())
    }
}

const LOCAL: &str =
    "[providers.local]\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\napi_key_env = \"LOCAL_KEY\"\n";

#[test]
fn nothing_configured_is_a_first_run_with_defaults() {
    let place = place();
    let found = place.read(&[]).unwrap();
    assert!(found.settings.first_run && found.settings.untrusted.is_none());
    assert_eq!(found.settings.worktrees, place.home.project(&place.project.root).unwrap().worktrees());
    assert_eq!(found.settings.mode, Mode::Ask);
    let files: Vec<_> = found.settings.explained.iter().filter(|line| line.starts_with('#')).collect();
    assert!(files.len() == 3 && files[1].ends_with("config.toml (not there)"), "{files:?}");
}

#[test]
fn the_persons_file_counts_and_is_explained() {
    let place = place();
    place.user(&format!("{LOCAL}[lanes]\nworktrees = \"../w\"\n"));
    let found = place.read(&[]).unwrap();
    assert!(!found.settings.first_run);
    assert_eq!(found.settings.provider.as_deref(), Some("local"));
    assert_eq!(found.settings.worktrees, place.project.root.join("../w"));
    assert_eq!(found.access["local"].settings.base_url, "http://127.0.0.1:1/v1");
    assert_eq!(found.access["local"].settings.api_key_env.as_deref(), Some("LOCAL_KEY"));
    assert_eq!(
        key_variables(&place.home, &place.project.root),
        ["LOCAL_KEY", "DEEPSEEK_API_KEY", "XAI_API_KEY", "MOONSHOT_API_KEY"]
    );
    let line = found.settings.explained.iter().find(|line| line.starts_with("lanes.worktrees")).unwrap();
    assert!(line.contains("config.toml:6"), "{line}");
}

#[test]
fn the_projects_file_counts_only_when_its_very_content_is_trusted() {
    let place = place();
    place.project("[agent]\nmode = \"plan\"\n");
    let untrusted = place.read(&[]).unwrap().settings.untrusted.unwrap();
    assert_eq!(untrusted.content, "[agent]\nmode = \"plan\"\n");
    let found = place.read(&[&untrusted.hash]).unwrap();
    assert!(found.settings.untrusted.is_none());
    assert_eq!(found.settings.mode_place, "project config.toml:2");
    assert_eq!(found.settings.mode, Mode::Plan);

    place.project("[agent]\nmode = \"plan\" # changed\n");
    let found = place.read(&[&untrusted.hash]).unwrap();
    assert!(found.settings.untrusted.is_some_and(|again| again.hash != untrusted.hash));
    assert_eq!(found.settings.mode, Mode::Ask);
}

#[test]
fn an_untrusted_broken_file_breaks_nothing() {
    let place = place();
    place.project("not toml");
    assert!(place.read(&[]).unwrap().settings.untrusted.is_some());
    place.user(LOCAL);
    assert_eq!(
        key_variables(&place.home, &place.project.root),
        ["LOCAL_KEY", "DEEPSEEK_API_KEY", "XAI_API_KEY", "MOONSHOT_API_KEY"]
    );
}

#[test]
fn a_malformed_file_is_told_with_file_line_and_key() {
    let place = place();
    place.user("[agent]\nmode = \"wild\"\n");
    let report = place.read(&[]).unwrap_err();
    for part in ["config.toml", "line 2", "agent.mode"] {
        assert!(report.message.contains(part), "{report}");
    }
    fs::write(place.user_file(), b"a = 1\nb = \"\xff\"\n").unwrap();
    let report = place.read(&[]).unwrap_err();
    assert!(report.message.contains("line 2 is not UTF-8"), "{report}");
    fs::remove_file(place.user_file()).unwrap();
    fs::create_dir(place.user_file()).unwrap();
    assert!(place.read(&[]).unwrap_err().message.contains("not a file"));
}

#[test]
fn a_saved_provider_is_read_back_from_a_private_file() {
    let place = place();
    let provider = NewProvider {
        name: "local".into(),
        base_url: "http://127.0.0.1:1/v1".into(),
        model: "m".into(),
        api_key_env: None,
        context_window: None,
    };
    save_provider(&place.home, &provider).unwrap();
    assert_eq!(place.read(&[]).unwrap().settings.provider.as_deref(), Some("local"));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(place.user_file()), 0o600);
    assert_eq!(mode(place.user_file().parent().unwrap()), 0o700);
    assert!(save_provider(&place.home, &provider).is_err());
}

#[test]
fn saving_the_theme_keeps_comments_and_a_link() {
    let place = place();
    let elsewhere = place.directory.path().join("dotfiles.toml");
    fs::write(&elsewhere, "# mine\n[ui]\ntheme = \"paralane-dark\" # night\n").unwrap();
    fs::create_dir_all(place.user_file().parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&elsewhere, place.user_file()).unwrap();
    save_theme(&place.home, "paralane-light").unwrap();
    assert!(place.user_file().is_symlink());
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "# mine\n[ui]\ntheme = \"paralane-light\" # night\n");
}

const GUARD: &str = "[[hook]]\nevent = \"before-tool\"\ncommand = [\"hooks/guard.sh\"]\n";

impl Place {
    fn guard(&self, text: &str) {
        fs::create_dir_all(self.project.root.join("hooks")).unwrap();
        fs::write(self.project.root.join("hooks/guard.sh"), text).unwrap();
    }

    /// What is asked, once everything asked before was trusted.
    fn asked(&self, trusted: &mut Vec<String>) -> Option<UntrustedConfig> {
        let all: Vec<&str> = trusted.iter().map(String::as_str).collect();
        let asked = self.read(&all).unwrap().settings.untrusted?;
        trusted.extend(asked.marks.clone());
        Some(asked)
    }
}

#[test]
fn a_projects_hooks_are_asked_about_whole_and_again_when_a_file_of_theirs_changes() {
    let place = place();
    place.project(GUARD);
    place.guard("echo one\n");
    let found = place.read(&[]).unwrap().settings;
    assert!(found.hooks.is_empty(), "untrusted: it does not count");
    assert_eq!(found.unused_hooks(), 1);
    let mut trusted = Vec::new();
    let asked = place.asked(&mut trusted).unwrap();
    assert_eq!((asked.what, asked.marks.len()), (Untrusted::Config { hooks: 1 }, 2));
    assert!(asked.content.contains(GUARD) && asked.content.contains("# file: hooks/guard.sh"), "{}", asked.content);
    assert!(asked.content.contains("echo one"), "{}", asked.content);
    assert_eq!(place.asked(&mut trusted), None, "one answer is for all that was shown");
    place.guard("echo two\n");
    let all: Vec<&str> = trusted.iter().map(String::as_str).collect();
    assert_eq!(place.read(&all).unwrap().settings.hooks.len(), 1, "the configuration still counts");
    let asked = place.asked(&mut trusted).unwrap();
    assert_eq!((asked.what, asked.path.ends_with("hooks/guard.sh")), (Untrusted::HookFiles, true));
    assert!(asked.content.contains("echo two") && !asked.content.contains("[[hook]]"), "{}", asked.content);
    assert_eq!(place.asked(&mut trusted), None);
    place.guard("echo one\n");
    assert_eq!(place.asked(&mut trusted), None, "what was trusted once is trusted");
    // Shown as it stands, whatever it is.
    fs::write(place.project.root.join("hooks/guard.sh"), b"\x7fELF\xff").unwrap();
    assert!(place.asked(&mut trusted).unwrap().content.contains("(5 bytes that are no text"));
}

#[test]
fn the_persons_hooks_count_as_written_but_not_what_a_repository_puts_under_their_names() {
    let place = place();
    place.user(&format!("{LOCAL}{GUARD}[[hook]]\nevent = \"stop\"\ncommand = [\"~/bin/x\", \"true\"]\n"));
    let found = place.read(&[]).unwrap().settings;
    assert_eq!((found.hooks.len(), found.untrusted), (2, None), "there is no such file in this repository");
    assert!(!found.hooks[1].command[0].starts_with('~') && found.hooks[1].command[0].ends_with("/bin/x"));
    place.guard("echo one\n");
    let found = place.read(&[]).unwrap().settings;
    assert_eq!(found.untrusted.unwrap().what, Untrusted::HookFiles);
}
