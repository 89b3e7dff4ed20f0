//! What a lane's processes may do with refs: move the lane's own branch, and whatever is no branch. Told from what git
//! hands to the hook `reference-transaction` and from the repository's files as they still stand.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Whose branch is whose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefRules {
    /// The protocol of the workstation that wrote them.
    pub protocol: u32,
    /// The lane's branch, such as `lane/web`.
    pub branch: String,
    /// The worktree's own directory of git, without links.
    pub git_dir: PathBuf,
    /// The repository's, without links.
    pub common_dir: PathBuf,
}

/// What comes of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It may be. These commits become the lane's.
    Goes(Vec<String>),
    /// It may not, for this reason.
    Refused(String),
}

/// The repository that a hook of git runs in.
#[derive(Debug, Clone)]
pub struct Repository {
    /// The worktree's own directory.
    pub git_dir: PathBuf,
    /// What all worktrees share.
    pub common_dir: PathBuf,
}

/// Git's directory of a worktree, of a checkout, or of a bare repository.
fn found(current: &Path) -> PathBuf {
    let dot = current.join(".git");
    match fs::read_to_string(&dot) {
        Ok(text) => current.join(text.strip_prefix("gitdir:").unwrap_or_default().trim()),
        Err(_) if dot.is_dir() => dot,
        Err(_) => current.to_owned(),
    }
}

impl Repository {
    /// The one that git was started in: `GIT_DIR`, if it is set, and the current directory.
    ///
    /// # Errors
    /// When its directory is not there.
    pub fn here(named: Option<PathBuf>, current: &Path) -> std::io::Result<Self> {
        let git_dir = named.map_or_else(|| found(current), |named| current.join(named));
        let git_dir = git_dir.canonicalize()?;
        let common_dir = match fs::read_to_string(git_dir.join("commondir")) {
            Ok(text) => git_dir.join(text.trim()).canonicalize()?,
            Err(_) => git_dir.clone(),
        };
        Ok(Self { git_dir, common_dir })
    }

    /// The branch's full name that HEAD stands for; none when it is detached.
    fn head(&self) -> Option<String> {
        let text = fs::read_to_string(self.git_dir.join("HEAD")).ok()?;
        Some(text.strip_prefix("ref:")?.trim().to_owned())
    }

    /// Whether a rebase is under way: it detaches HEAD and brings it back.
    fn rebases(&self) -> bool {
        ["rebase-merge", "rebase-apply"].iter().any(|name| self.git_dir.join(name).is_dir())
    }

    /// What a ref stands for among the packed ones.
    fn packed(&self, name: &str) -> Option<String> {
        let text = fs::read_to_string(self.common_dir.join("packed-refs")).ok()?;
        let found = text.lines().find_map(|line| line.split_once(' ').filter(|(_, of)| *of == name))?;
        Some(found.0.to_owned())
    }

    /// What a ref stands for.
    fn value(&self, name: &str) -> Option<String> {
        let loose = fs::read_to_string(self.common_dir.join(name)).ok().map(|text| text.trim().to_owned());
        loose.or_else(|| self.packed(name))
    }
}

/// One change of a transaction.
struct Update<'a> {
    old: &'a str,
    new: &'a str,
    name: &'a str,
}

impl<'a> Update<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let mut words = line.splitn(3, ' ');
        Some(Self { old: words.next()?, new: words.next()?, name: words.next()? })
    }

    /// Whether it ends the ref.
    fn deletes(&self) -> bool {
        none(self.new)
    }
}

/// Whether it is the id that stands for nothing.
fn none(id: &str) -> bool {
    id.bytes().all(|byte| byte == b'0')
}

/// Judges a transaction. `lines` is what git hands to the hook; `packs` tells whether git only packs its refs.
#[must_use]
pub fn judge(rules: &RefRules, repository: &Repository, lines: &str, packs: bool) -> Verdict {
    if repository.common_dir != rules.common_dir {
        // Another repository has lanes of its own, or none.
        return Verdict::Goes(Vec::new());
    }
    let own = format!("refs/heads/{}", rules.branch);
    let updates: Vec<Update<'_>> = lines.lines().filter_map(Update::of).collect();
    let mut commits = Vec::new();
    for update in &updates {
        let refused = if update.name == "HEAD" {
            head(rules, repository, &own, update, &updates)
        } else {
            of_ref(repository, &own, update, packs)
        };
        if let Some(what) = refused {
            let branch = &rules.branch;
            return Verdict::Refused(format!(
                "{what}. This lane works on `{branch}` alone: commit there; what belongs on another branch goes there by \
                 a merge that the person starts"
            ));
        }
        let lanes = update.name == own || update.name == "HEAD" && repository.git_dir == rules.git_dir;
        let id = !update.deletes() && update.new.bytes().all(|byte| byte.is_ascii_hexdigit());
        if lanes && id && update.old != update.new && !repository.rebases() {
            commits.push(update.new.to_owned());
        }
    }
    commits.sort();
    commits.dedup();
    Verdict::Goes(commits)
}

/// Why HEAD may not be moved so.
fn head(
    rules: &RefRules,
    repository: &Repository,
    own: &str,
    update: &Update<'_>,
    all: &[Update<'_>],
) -> Option<String> {
    let now = repository.head();
    if let Some(to) = update.new.strip_prefix("ref:") {
        let stays = now.as_deref() == Some(to);
        let home = to == own && repository.git_dir == rules.git_dir;
        return (!stays && !home).then(|| format!("it would check out `{}`", short(to)));
    }
    // With HEAD the branch moves that it stands for: that one is judged by itself.
    let with = now.is_some_and(|now| all.iter().any(|other| other.name == now && other.new == update.new));
    if with && !update.deletes() || repository.git_dir == rules.git_dir && repository.rebases() {
        return None;
    }
    Some(if update.deletes() { "it would rename a branch".to_owned() } else { "it would detach HEAD".to_owned() })
}

/// Why a ref may not be changed so.
fn of_ref(repository: &Repository, own: &str, update: &Update<'_>, packs: bool) -> Option<String> {
    let Update { old, new, name } = update;
    let closed = name.starts_with("refs/heads/") || name.starts_with("refs/paralane/");
    let foreign_head =
        name.ends_with("/HEAD") && (name.starts_with("main-worktree/") || name.starts_with("worktrees/"));
    if foreign_head {
        return Some(format!("it would move `{name}`"));
    }
    if !closed || *name == own && !update.deletes() {
        return None;
    }
    // Refs that are packed are written and deleted as they are.
    let same = !update.deletes() && repository.value(name).as_deref() == Some(*new);
    let pruned = packs && update.deletes() && repository.packed(name).as_deref() == Some(*old);
    let what = if update.deletes() { "delete" } else { "write" };
    (!same && !pruned).then(|| format!("it would {what} `{}`", short(name)))
}

/// A branch's name as people write it.
fn short(name: &str) -> &str {
    name.strip_prefix("refs/heads/").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "1111111111111111111111111111111111111111";
    const B: &str = "2222222222222222222222222222222222222222";
    const NONE: &str = "0000000000000000000000000000000000000000";

    /// A repository with the lane `web`, as files.
    fn repository() -> (tempfile::TempDir, RefRules, Repository) {
        let all = tempfile::tempdir().unwrap();
        let common_dir = all.path().canonicalize().unwrap().join("base/.git");
        let git_dir = common_dir.join("worktrees/web");
        fs::create_dir_all(&git_dir).unwrap();
        fs::create_dir_all(common_dir.join("refs/heads/lane")).unwrap();
        fs::write(git_dir.join("HEAD"), "ref: refs/heads/lane/web\n").unwrap();
        fs::write(git_dir.join("commondir"), "../..\n").unwrap();
        fs::write(common_dir.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::write(common_dir.join("refs/heads/lane/web"), format!("{A}\n")).unwrap();
        fs::write(common_dir.join("packed-refs"), format!("# pack-refs with: peeled\n{A} refs/heads/main\n")).unwrap();
        let rules = RefRules { protocol: 1, branch: "lane/web".into(), git_dir: git_dir.clone(), common_dir };
        let repository = Repository::here(Some(git_dir), Path::new("/")).unwrap();
        (all, rules, repository)
    }

    fn refused(rules: &RefRules, repository: &Repository, lines: &[String], packs: bool) -> Option<String> {
        match judge(rules, repository, &lines.join("\n"), packs) {
            Verdict::Refused(why) => Some(why),
            Verdict::Goes(_) => None,
        }
    }

    #[test]
    fn only_the_lanes_own_branch_moves() {
        let (_all, rules, repository) = repository();
        assert_eq!(repository.common_dir, rules.common_dir);
        let line = |old: &str, new: &str, name: &str| format!("{old} {new} {name}");
        for (lines, wanted) in [
            (vec![line(NONE, B, "HEAD"), line(A, B, "refs/heads/lane/web")], None),
            (vec![line(NONE, "ref:refs/heads/lane/web", "HEAD")], None),
            (vec![line(NONE, B, "refs/tags/v1"), line(NONE, B, "refs/stash"), line(A, B, "ORIG_HEAD")], None),
            (vec![line(NONE, B, "refs/remotes/origin/main")], None),
            (vec![line(NONE, "ref:refs/heads/main", "HEAD")], Some("check out `main`")),
            (vec![line(NONE, B, "HEAD")], Some("detach HEAD")),
            (vec![line(NONE, B, "HEAD"), line(A, B, "refs/heads/main")], Some("detach HEAD")),
            (vec![line(A, B, "refs/heads/main")], Some("write `main`")),
            (vec![line(NONE, B, "refs/heads/new")], Some("write `new`")),
            (vec![line(A, NONE, "refs/heads/lane/web")], Some("delete `lane/web`")),
            (vec![line(A, NONE, "refs/heads/main")], Some("delete `main`")),
            (vec![line(NONE, B, "refs/paralane/checkpoints/1/1")], Some("write `refs/paralane/checkpoints/1/1`")),
            (vec![line(NONE, B, "worktrees/api/HEAD")], Some("move `worktrees/api/HEAD`")),
        ] {
            let why = refused(&rules, &repository, &lines, false);
            match wanted {
                None => assert_eq!(why, None, "{lines:?}"),
                Some(wanted) => assert!(why.as_deref().is_some_and(|why| why.contains(wanted)), "{lines:?}: {why:?}"),
            }
        }
        let moved = [line(NONE, B, "HEAD"), line(A, B, "refs/heads/lane/web")].join("\n");
        assert_eq!(judge(&rules, &repository, &moved, false), Verdict::Goes(vec![B.to_owned()]));
    }

    #[test]
    fn refs_are_packed_and_a_rebase_goes_its_way() {
        let (_all, rules, repository) = repository();
        let lines = [format!("{NONE} {A} refs/heads/main"), format!("{NONE} {A} refs/heads/lane/web")];
        assert_eq!(refused(&rules, &repository, &lines, false), None);
        let lines = [format!("{A} {NONE} refs/heads/main")];
        assert_eq!(refused(&rules, &repository, &lines, true), None);
        fs::create_dir(rules.git_dir.join("rebase-merge")).unwrap();
        let lines = [format!("{A} {B} HEAD")];
        assert_eq!(judge(&rules, &repository, &lines.join("\n"), false), Verdict::Goes(Vec::new()));
    }

    #[test]
    fn the_base_and_other_worktrees_are_closed_and_other_repositories_are_nobodys() {
        let (all, rules, own) = repository();
        let base = Repository::here(None, &all.path().join("base")).unwrap();
        assert_eq!(base.common_dir, rules.common_dir);
        let lines = [format!("{NONE} {B} HEAD"), format!("{A} {B} refs/heads/main")];
        assert!(refused(&rules, &base, &lines, false).is_some_and(|why| why.contains("`main`")));
        let lines = [format!("{NONE} ref:refs/heads/lane/web HEAD")];
        assert!(refused(&rules, &base, &lines, false).is_some());
        let other = Repository { git_dir: all.path().to_owned(), common_dir: all.path().to_owned() };
        assert_eq!(refused(&rules, &other, &[format!("{A} {B} refs/heads/main")], false), None);
        assert!(refused(&rules, &own, &[format!("{A} {B} refs/heads/main")], false).is_some());
    }
}
