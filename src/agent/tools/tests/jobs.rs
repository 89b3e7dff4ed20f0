//! Background jobs on real processes.

use serde_json::json;

use super::super::arguments::JobAsk;
use super::*;

/// Reads a job until it has said this.
async fn until(agent: &Agent, job: &str, wanted: &str) -> String {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    let mut all = String::new();
    while !all.contains(wanted) {
        assert!(std::time::Instant::now() < deadline, "waited for {wanted}: {all}");
        all.push_str(&agent.call("jobs", json!({"do": "read", "job": job, "wait": 5})).await.output);
    }
    all
}

fn lives(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap().trim_start().starts_with('Z'))
}

async fn start(agent: &Agent, command: &str) -> ToolOutcome {
    agent.call("shell", json!({"command": command, "background": true})).await
}

#[tokio::test]
async fn a_job_runs_on_is_read_and_ended() {
    let agent = Agent::with(&[]);
    let command = "echo $$ > pid; echo begun; while [ ! -e go ]; do sleep 0.02; done; echo gone; sleep 1000";
    let outcome = start(&agent, command).await;
    assert!(outcome.ok && outcome.output.contains("[job `j1` runs"), "{}", outcome.output);
    if !outcome.output.contains("begun") {
        until(&agent, "j1", "begun").await;
    }
    assert_eq!(agent.lane.running_jobs(), 1);
    let list = agent.call("jobs", json!({})).await;
    assert!(list.output.starts_with("j1  running ") && list.output.contains("echo begun"), "{}", list.output);
    assert!(agent.call("jobs", json!({"do": "read", "job": "j1"})).await.output.contains("[nothing new]"));
    std::fs::write(agent.directory.path().join("go"), "").unwrap();
    let said = until(&agent, "j1", "gone").await;
    assert!(!said.contains("begun"), "{said}");
    let pid = std::fs::read_to_string(agent.directory.path().join("pid")).unwrap();
    assert!(lives(&pid));
    let killed = agent.call("jobs", json!({"do": "kill", "job": "j1"})).await;
    assert!(killed.ok && !lives(&pid), "{}", killed.output);
    assert_eq!(agent.lane.running_jobs(), 0);
    assert!(agent.call("jobs", json!({"do": "read", "job": "j9"})).await.output.contains("there are `j1`"));
}

#[tokio::test]
async fn one_that_fails_at_once_is_a_failure_and_an_end_is_told_once() {
    let agent = Agent::with(&[]);
    let outcome = start(&agent, "echo no such thing >&2; exit 3").await;
    assert!(!outcome.ok && outcome.output.contains("no such thing"), "{}", outcome.output);
    assert!(outcome.output.contains("has ended already: exit 3"), "{}", outcome.output);
    start(&agent, "while [ ! -e go ]; do sleep 0.02; done; exit 4").await;
    std::fs::write(agent.directory.path().join("go"), "").unwrap();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while agent.lane.running_jobs() > 0 {
        assert!(std::time::Instant::now() < deadline);
        tokio::task::yield_now().await;
    }
    let next = agent.call("list", json!({})).await.output;
    assert!(next.ends_with("[job `j2` has ended: exit 4]"), "{next}");
    assert!(!agent.call("list", json!({})).await.output.contains("j2"));
}

#[tokio::test]
async fn what_is_not_read_is_bounded() {
    let agent = Agent::with(&[]);
    let begun = start(&agent, "head -c 2000000 /dev/zero | tr '\\0' x; echo; echo last; sleep 1000").await;
    let said = match begun.output {
        said if said.contains("last") => said,
        _ => until(&agent, "j1", "last").await,
    };
    assert!(said.len() < 400_000, "{}", said.len());
    agent.lane.close().await;
}

#[tokio::test]
async fn all_end_with_the_lane_and_none_starts_after() {
    let agent = Agent::with(&[]);
    for number in 1..=8 {
        assert!(start(&agent, &format!("echo $$ > pid{number}; exec sleep 1000")).await.ok);
    }
    let ninth = start(&agent, "sleep 1000").await;
    assert!(!ninth.ok && ninth.output.contains("end one"), "{}", ninth.output);
    let pids: Vec<String> =
        (1..=8).map(|n| std::fs::read_to_string(agent.directory.path().join(format!("pid{n}"))).unwrap()).collect();
    agent.lane.close().await;
    assert!(pids.iter().all(|pid| !lives(pid)));
    let late = start(&agent, "true").await;
    assert!(!late.ok && late.output.contains("closing"), "{}", late.output);
}

#[tokio::test]
async fn a_cancelled_wait_leaves_the_job_alone() {
    let agent = Agent::with(&[]);
    start(&agent, "exec sleep 1000").await;
    agent.stop.cancel();
    let ask = JobAsk::Read { job: "j1".into(), wait: 60 };
    assert!(agent.run(Job::Jobs(ask)).await.output.contains("running"));
    assert_eq!(agent.lane.running_jobs(), 1);
    agent.lane.close().await;
}
