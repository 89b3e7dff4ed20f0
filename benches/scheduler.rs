//! Prompts per second through store, scheduler and own agents against a model server that answers at once,
//! beside the same HTTP exchanges alone; and the pure plan over full queues.
#![allow(missing_docs, reason = "a measurement run by hand")]
#![allow(clippy::pedantic, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(dead_code, unused_imports, reason = "each measurement needs another part of the support")]

#[path = "../tests/support/model_server.rs"]
mod model_server;
mod support;

use std::collections::{BTreeMap, VecDeque};
use std::hint::black_box;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use model_server::ModelServer;
use paralane::domain::{LaneId, Priority, Prompt, PromptId, PromptState};
use paralane::scheduler::{Limits, Queues, Rounds, Seat, plan};
use serde_json::Value;
use support::ask::{ask, ask_json, await_lanes};
use support::{Samples, World, usage, world};

/// Lanes, limit, prompts in all.
const RUNS: [(usize, usize, usize); 4] = [(1, 8, 96), (8, 8, 256), (32, 8, 256), (32, 32, 256)];
/// Lanes that are made.
const LANES: usize = 32;

fn main() {
    if !support::asked("scheduler: prompts through the whole, beside the bare HTTP exchange") {
        return;
    }
    // Fails only when it has been done before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let server = ModelServer::start();
    let world = world(&server.base_url(), &configuration(8));
    world.cli(&["up"]).ended_with(0);
    for number in 1..=LANES {
        ask(&world, &["lane", "new", &lane(number), "--kind", "agent"]);
    }
    await_lanes(&world, LANES);
    println!(
        "{:<18} {:>9} {:>9} {:>8} {:>12} {:>14} {:>16} {:>16}",
        "lanes × limit",
        "turns/s",
        "bare/s",
        "ratio",
        "ms per turn",
        "ms at once",
        "CPU ms per turn",
        "ms to be stored"
    );
    let mut limit_now = 8;
    for (lanes, limit, prompts) in RUNS {
        if limit != limit_now {
            world.cli(&["down"]).ended_with(0);
            world.configure_server(&server.base_url(), &configuration(limit));
            world.cli(&["up"]).ended_with(0);
            limit_now = limit;
        }
        run(&world, &server, lanes, limit, prompts);
    }
    drop(world);
    drop(server);
    pure();
}

fn configuration(limit: usize) -> String {
    format!("[agent]\nmode = \"full\"\n[scheduler]\nmax_running = {limit}\n")
}

fn lane(number: usize) -> String {
    format!("w{number}")
}

/// Fills the paused lanes' queues, lets them go all at once, and repeats the same requests without a workstation.
fn run(world: &World, server: &ModelServer, lanes: usize, limit: usize, prompts: usize) {
    for number in 1..=lanes {
        ask(world, &["lane", "pause", &lane(number)]);
    }
    let mut stored = Samples::default();
    for number in 0..prompts {
        let start = Instant::now();
        ask(world, &["prompt", &lane(number % lanes + 1), "say when you are done"]);
        stored.push(start.elapsed());
    }
    let before = server.seen().len();
    let workstation = [world.running().expect("a workstation runs").pid];
    let used = usage::usage(&workstation);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for number in 1..=lanes {
            scope.spawn(move || ask(world, &["lane", "resume", &lane(number)]));
        }
    });
    server.wait_for_requests(before + prompts);
    while !idle(world) {
        support::pause(Duration::from_millis(2));
    }
    let whole = start.elapsed();
    let used = usage::usage(&workstation) - used;
    let seen = server.seen();
    assert_eq!(seen.len(), before + prompts, "every prompt is one exchange");
    let bodies = seen.into_iter().skip(before).map(|request| request.body).collect();
    let at_once = lanes.min(limit);
    let bare = bare(server, bodies, at_once);

    let per_second = |time: Duration| prompts as f64 / time.as_secs_f64();
    let over = (whole.as_secs_f64() - bare.as_secs_f64()) * 1e3 / prompts as f64;
    println!(
        "{:<18} {:>9.0} {:>9.0} {:>7.2}× {:>12.2} {:>14.2} {:>16.2} {:>16}",
        format!("{lanes} × {limit}"),
        per_second(whole),
        per_second(bare),
        per_second(whole) / per_second(bare),
        over,
        over * at_once as f64,
        used.cpu.as_secs_f64() * 1e3 / prompts as f64,
        format!("{:.2} / {:.2}", stored.median(), stored.percentile(0.99)),
    );
}

/// Whether every turn has been closed in the store.
fn idle(world: &World) -> bool {
    let status = ask_json(world, &["status"]);
    let count = |key: &str| status[key].as_u64().unwrap_or_else(|| panic!("{key}: {status}"));
    count("running") == 0 && count("queued") == 0
}

/// The same bodies to the same server, so many at once, each answer read to its end.
fn bare(server: &ModelServer, bodies: VecDeque<Value>, at_once: usize) -> Duration {
    let url = format!("{}/chat/completions", server.base_url());
    let bodies = Arc::new(Mutex::new(bodies));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let start = Instant::now();
    runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..at_once {
            let (client, url, bodies) = (client.clone(), url.clone(), Arc::clone(&bodies));
            tasks.spawn(async move {
                loop {
                    let Some(body) = bodies.lock().unwrap().pop_front() else { return };
                    let mut answer = client.post(&url).json(&body).send().await.unwrap();
                    while answer.chunk().await.unwrap().is_some() {}
                }
            });
        }
        tasks.join_all().await;
    });
    start.elapsed()
}

/// `scheduler::plan` over 32 lanes with 1,000 queued prompts each: the queues made once, then a plan and the
/// admissions that follow from it, again and again.
fn pure() {
    let mut prompts: BTreeMap<PromptId, Prompt> =
        (0..32_000).map(|number| (PromptId(number), prompt(number, number % 32))).collect();
    let start = Instant::now();
    let mut queues: Queues = prompts.values().collect();
    println!("queues of 32 lanes × 1,000 prompts, made at a start: {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    let seats: Vec<Seat> = (0..32)
        .map(|lane| Seat { lane: LaneId(lane), able: true, halted: None, ending: false, provider: None })
        .collect();
    for global in [8, 32] {
        let limits = Limits { global, providers: BTreeMap::new() };
        let (mut samples, mut rounds) = (Samples::default(), Rounds::default());
        for _ in 0..500 {
            let start = Instant::now();
            let plan = plan(black_box(&queues), &seats, &limits, &mut rounds, Timestamp::UNIX_EPOCH);
            for id in &plan.admit {
                go(&mut queues, &mut prompts, *id, PromptState::Running);
            }
            samples.push(start.elapsed());
            assert_eq!(plan.admit.len(), global);
            for id in &plan.admit {
                go(&mut queues, &mut prompts, *id, PromptState::Queued);
            }
        }
        println!(
            "plan, 32 lanes × 1,000 queued, limit {global}: {:.4} / {:.4} ms (p50 / p99)",
            samples.median(),
            samples.percentile(0.99)
        );
    }
}

fn go(queues: &mut Queues, prompts: &mut BTreeMap<PromptId, Prompt>, id: PromptId, state: PromptState) {
    let prompt = prompts.get_mut(&id).unwrap();
    queues.remove(prompt);
    prompt.state = state;
    queues.add(prompt);
}

fn prompt(id: i64, lane: i64) -> Prompt {
    let priority = [Priority::Normal, Priority::High, Priority::Normal, Priority::Low][(id / 32 % 4) as usize];
    Prompt {
        id: PromptId(id),
        lane: LaneId(lane),
        text: "say when you are done".to_owned(),
        priority,
        state: PromptState::Queued,
        hold: None,
        position: id,
        started: None,
        created: Timestamp::UNIX_EPOCH,
        since: Timestamp::UNIX_EPOCH,
        result: None,
        error: None,
        key: None,
        overridden: Vec::new(),
    }
}
