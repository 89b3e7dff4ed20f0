//! Processes that a dead workstation of this project left running are ended before anything is retried.
//!
//! They are recognised by the marks in their environment, which descendants inherit even when they leave
//! the process group and the session; a number alone could belong to a stranger by now. The lock says that no
//! other workstation of this project lives, so a mark of this project with another instance is a dead one's.
//! Those that this process descends from are left alone: a script in a lane may itself start Paralane again.

use std::path::Path;

use super::environment::{INSTANCE_MARK, PROJECT_MARK};
use crate::terminal::end_leftovers;

/// Ends every process of this project that another instance started.
pub(super) fn end_all(store: &Path, instance: &str) {
    let project = format!("{PROJECT_MARK}={}", store.display());
    let ours = format!("{INSTANCE_MARK}={instance}");
    // What lives on all the same is stuck in the kernel: there is nothing more to be done about it.
    let _ = end_leftovers(|environment| is_left(environment, &project, &ours));
}

/// Whether an environment carries the project's mark and another instance's.
fn is_left(environment: &[u8], project: &str, ours: &str) -> bool {
    let has = |mark: &str| environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes());
    has(project) && !has(ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_instance_of_this_very_project_is_left_over() {
        let left = |environment: &[u8]| is_left(environment, "PARALANE_PROJECT=/h/a/store", "PARALANE_INSTANCE=new");
        assert!(left(b"A=1\0PARALANE_PROJECT=/h/a/store\0PARALANE_INSTANCE=old\0"));
        assert!(!left(b"PARALANE_PROJECT=/h/a/store\0PARALANE_INSTANCE=new\0"), "our own");
        assert!(!left(b"PARALANE_PROJECT=/h/ab/store\0PARALANE_INSTANCE=old\0"), "another project's");
        assert!(!left(b"NOTE=PARALANE_PROJECT=/h/a/store\0"), "a mention is no mark");
        assert!(!left(b""));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_dead_instances_process_is_ended_and_a_living_strangers_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let start = |store: &Path, instance: &str| {
            std::process::Command::new("sleep")
                .arg("600")
                .env(PROJECT_MARK, store)
                .env(INSTANCE_MARK, instance)
                .spawn()
                .unwrap()
        };
        let (mine, other) = (directory.path().join("store"), directory.path().join("other"));
        let (mut dead, mut own, mut stranger) = (start(&mine, "old"), start(&mine, "new"), start(&other, "old"));
        end_all(&mine, "new");
        assert!(!dead.wait().unwrap().success());
        assert!(own.try_wait().unwrap().is_none() && stranger.try_wait().unwrap().is_none());
        for child in [&mut own, &mut stranger] {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}
