use super::*;

#[test]
fn commits_that_a_branch_gains_are_told_with_who_is_named_in_them() {
    let repo = Repo::new();
    let place = repo.place("api");
    let dir = &place.directory;
    repo.commit_in(dir, "own");
    let new = || NewCommits::open(repo.project().common_dir(), "lane/api").unwrap();
    let head = repo.git_in(dir, &["rev-parse", "HEAD"]).trim().to_owned();
    assert_eq!(new().up_to(&head).unwrap(), [], "the branch has it");
    let tree = repo.git_in(dir, &["write-tree"]).trim().to_owned();
    let foreign = ["-c", "user.name=Bot", "-c", "user.email=bot@example.com"];
    let made = [&foreign[..], &["commit-tree", &tree, "-p", &head, "-m", "by a bot"]].concat();
    let made = repo.git_in(dir, &made).trim().to_owned();
    let told = new().up_to(&made).unwrap();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].message.trim(), "by a bot");
    assert!(told[0].people.contains(&"Bot <bot@example.com>".to_owned()), "{told:?}");
    assert!(!new().is_elsewhere(&told[0]));
    repo.git_in(dir, &["tag", "x", &made]);
    assert!(new().is_elsewhere(&told[0]));
}
