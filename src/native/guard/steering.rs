//! Commands that would take git out of the hands of the lane's hooks, or point it at another repository: by variables,
//! by settings, by a name of its own.

use std::sync::LazyLock;

use regex::Regex;

use super::Git;
use crate::policy::shell::{Analysis, Simple};

/// A variable that steers which repository, hooks or settings git takes, being set before a command.
static SET: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?:^|[\s;&|({`"'])(GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|NAMESPACE|CONFIG\w*|EXEC_PATH))="#).ok()
});

/// Settings that change what git's own commands mean or run.
const SETTINGS: [&str; 7] =
    ["alias.", "core.hookspath", "core.worktree", "core.gitproxy", "include.", "includeif.", "extensions."];

/// Whether a setting is one of those.
fn steers(setting: &str) -> bool {
    let setting = setting.to_ascii_lowercase();
    SETTINGS.iter().any(|known| setting.starts_with(known))
}

/// Why a command is refused, if it does so. Only where git is run at all.
pub(super) fn look(command: &str, analysis: &Analysis) -> Option<String> {
    let git = |simple: &Simple| !matches!(Git::of(simple), Ok(None));
    let told = |what: &str| Some(format!("{what} takes git out of the lane's hands: run git as it is"));
    if let Some(simple) = analysis.commands.iter().find(|simple| takes_variables(simple)) {
        return told(&format!("`{}`", simple.shown()));
    }
    if !analysis.commands.iter().any(git) {
        return None;
    }
    if let Some(name) = SET.as_ref().and_then(|set| set.captures(command)).and_then(|found| found.get(1)) {
        return told(&format!("setting `{}`", name.as_str()));
    }
    analysis.commands.iter().find_map(|simple| settings(simple).or_else(|| without(simple, analysis)))
}

/// `unset GIT_CONFIG_COUNT`, `env -u GIT_CONFIG_COUNT`, `export GIT_DIR=…`.
fn takes_variables(simple: &Simple) -> bool {
    let name = simple.words.first().and_then(|word| word.exact()).unwrap_or_default();
    let tells = matches!(name, "unset" | "export" | "declare" | "typeset" | "readonly" | "local" | "env");
    let ours = |text: &str| text.starts_with("GIT_CONFIG") || text.starts_with("GIT_DIR");
    let named = |text: &str| ours(text) || text.strip_prefix("-u").is_some_and(ours);
    tells
        && simple
            .words
            .iter()
            .skip(1)
            .any(|word| named(&word.text) || word.text.strip_prefix("--unset=").is_some_and(ours))
}

/// `git -c core.hooksPath=…`, `git config alias.x …`.
fn settings(simple: &Simple) -> Option<String> {
    let git = Git::of(simple).ok().flatten()?;
    let given = git.globals("-c");
    if let Some(setting) = given.iter().find(|setting| steers(setting)) {
        return Some(format!("`git -c {setting}` makes git something else than it is: write out what it is to do"));
    }
    if !git.globals("--config-env").is_empty() {
        return Some("`git --config-env` takes settings that nobody sees: write them out".to_owned());
    }
    let all: Vec<&str> = git.arguments().map(Option::unwrap_or_default).collect();
    let reads = all
        .iter()
        .any(|word| matches!(*word, "--get" | "--get-all" | "--get-regexp" | "-l" | "--list" | "get" | "list"));
    let found = all.iter().find(|word| steers(word)).filter(|_| git.sub == "config" && !reads)?;
    let plain = all.iter().filter(|word| !word.starts_with('-')).count();
    // `git config NAME` alone reads it.
    let writes = plain > 1 || all.iter().any(|word| word.starts_with("--unset") || word.starts_with("--remove"));
    writes.then(|| format!("`git config {found}` changes what git does in every lane: the person sets that"))
}

/// `env -i git …`: without the variables that the lane gave it.
fn without(simple: &Simple, analysis: &Analysis) -> Option<String> {
    Git::of(simple).ok().flatten()?;
    let mut outer = simple.within.and_then(|at| analysis.commands.get(at));
    while let Some(around) = outer {
        let words: Vec<&str> = around.words.iter().map(|word| word.text.as_str()).collect();
        let bare = match words.first().map(|name| name.rsplit('/').next().unwrap_or(name)) {
            Some("env") => {
                let own = words.iter().skip(1).take_while(|word| word.starts_with('-') || word.contains('='));
                own.into_iter().any(|word| matches!(*word, "-i" | "-" | "--ignore-environment"))
            }
            Some("exec") => words.get(1) == Some(&"-c"),
            _ => false,
        };
        if bare {
            return Some(format!("`{}` takes from git what the lane gave it: run git as it is", around.shown()));
        }
        outer = around.within.and_then(|at| analysis.commands.get(at));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::shell::analyse;

    #[test]
    fn what_takes_git_from_its_hooks_is_refused() {
        for command in [
            "GIT_DIR=../base/.git git commit -m x",
            "true && GIT_CONFIG_COUNT=0 git commit -m x",
            "unset GIT_CONFIG_COUNT; git commit -m x",
            "export GIT_DIR=/x",
            "env -u GIT_CONFIG_COUNT git commit -m x",
            "env -uGIT_CONFIG_COUNT git commit -m x",
            "env --unset=GIT_CONFIG_COUNT git commit",
            "env -i PATH=/usr/bin git commit -m x",
            "env -i bash -c 'git commit -m x'",
            "git -c core.hooksPath=/dev/null commit -m x",
            "git -c alias.x=checkout x main",
            "git -c include.path=/x status",
            "git --config-env=core.hooksPath=X commit",
            "git config core.hooksPath /dev/null",
            "git config --local alias.co checkout",
            "git config --unset core.hooksPath",
            "git config set alias.co checkout",
        ] {
            assert!(look(command, &analyse(command)).is_some(), "{command}");
        }
        for command in [
            "git commit -m x",
            "git config core.hooksPath",
            "git config --get-regexp alias.",
            "git config user.name",
            "git -c color.ui=never log",
            "FOO=1 git status",
            "env FOO=1 git status",
            "env -i make",
            "GIT_EDITOR=true git rebase --continue",
            "unset FOO",
        ] {
            assert_eq!(look(command, &analyse(command)), None, "{command}");
        }
    }
}
