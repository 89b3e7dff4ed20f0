use super::*;
use crate::base::{Kind, Report};

#[test]
fn it_is_found_from_a_folder_and_from_a_lane() {
    let repo = Repo::new();
    repo.write("src/deep/x.rs", "");
    let place = repo.place("api");
    for dir in [repo.root.join("src/deep"), place.directory, repo.root.join(".git")] {
        let project = Project::find_with(&dir, repo.env()).unwrap();
        assert_eq!(project.root(), repo.root);
        assert_eq!(project.common_dir(), repo.root.join(".git"));
        let head = project.head().unwrap();
        assert_eq!((head.name.as_str(), head.sha), ("main", repo.git(&["rev-parse", "HEAD"])));
    }
}

#[test]
fn what_is_no_base_for_lanes_is_said_plainly() {
    no_configuration();
    let home = TempDir::new().unwrap();
    let error = Project::find(home.path()).unwrap_err();
    assert!(matches!(error, GitError::NotARepository { .. }), "{error}");
    assert!(error.to_string().contains("git init"));
    assert_eq!(Report::from(error).kind, Kind::Refused);

    let repo = Repo::empty();
    let error = Project::find_with(&repo.root, repo.env()).unwrap_err();
    assert!(matches!(&error, GitError::NoCommits { branch, .. } if branch == "main"), "{error}");
    assert!(error.to_string().contains("make a first commit"));
    assert!(repo.branches().is_empty());

    let bare = home.path().join("bare.git");
    repo.git(&["init", "-q", "--bare", bare.to_str().unwrap()]);
    assert!(matches!(Project::find(&bare), Err(GitError::Bare { .. })));
}

#[test]
fn a_worktree_of_a_bare_repository_has_no_base_checkout() {
    let repo = Repo::new();
    let bare = repo.home.path().join("bare.git");
    let linked = repo.home.path().join("linked");
    repo.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    repo.git_in(&bare, &["worktree", "add", "-q", linked.to_str().unwrap(), "main"]);
    assert!(matches!(Project::find(&linked), Err(GitError::Bare { .. })));
}

#[test]
fn odd_but_legal_configuration_works() {
    let repo = Repo::new();
    write(&repo.root.join(".git/refs/heads/hollow"), "0123456789012345678901234567890123456789\n");
    write(&repo.root.join(".git/refs/remotes/origin/HEAD"), "ref: refs/remotes/origin/main\n");
    let config = repo.root.join(".git/config");
    let odd = format!(
        "{}[remote \"origin\"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n",
        fs::read_to_string(&config).unwrap()
    );
    fs::write(&config, odd).unwrap();
    repo.git(&["config", "core.repositoryformatversion", "1"]);
    repo.git(&["config", "extensions.partialClone", "origin"]);
    let place = repo.place("api");
    assert!(losses(&repo.project(), &place).unwrap().is_empty());
    assert!(!facts(&repo.project(), &place).unwrap().missing);
}

#[test]
fn a_detached_head_is_a_base_too() {
    let repo = Repo::new();
    repo.git(&["checkout", "-q", "--detach"]);
    let sha = repo.commit("loose");
    let place = repo.place("api");
    assert_eq!((place.base.name.as_str(), &place.base.sha), ("HEAD", &sha));
    assert_eq!(facts(&repo.project(), &place).unwrap().ahead, 0);
}

#[test]
fn a_submodule_is_a_project_of_its_own() {
    let repo = Repo::new();
    let other = Repo::new();
    repo.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.root.to_str().unwrap(), "sub"]);
    let project = Project::find_with(&repo.root.join("sub"), repo.env()).unwrap();
    assert_eq!(project.root(), repo.root.join("sub"));
    assert_eq!(project.common_dir(), repo.root.join(".git/modules/sub"));
    repo.commit("with submodule");
    let (_, made) = repo.create("api", None).unwrap();
    assert!(made.notes.iter().any(|note| note.contains("submodule update")), "{:?}", made.notes);
}
