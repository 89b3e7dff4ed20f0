//! Decisions about commands under a thousand rules: from one command to a pipe of many.
#![allow(missing_docs, reason = "a measurement run by hand")]
#![allow(clippy::pedantic, clippy::unwrap_used, clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use paralane::config::Origin;
use paralane::domain::Mode;
use paralane::policy::{Policy, Question, Remembered, Rule, Switches, decide};

/// Decisions of each kind.
const ROUNDS: usize = 2_000;

/// Rules of all kinds, as many as nobody has.
fn rules() -> Policy {
    let mut rules = Vec::new();
    let mut add = |effect: &str, tool: &str, matches: String| {
        rules.push(Rule::new(effect, tool, &matches, None, Origin::BuiltIn).unwrap());
    };
    for n in 0..250 {
        add(["deny", "ask", "allow"][n % 3], "shell", format!("tool{n} *"));
        add(["deny", "ask"][n % 2], "write", format!("area{n}/**"));
        add(["deny", "ask", "allow"][n % 3], "read", format!("src/m{n}/*.key"));
        add(["deny", "ask"][n % 2], "net", format!("host{n}.example"));
    }
    add("allow", "shell", "grep *".to_owned());
    Policy::new(rules, Switches::default())
}

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("\n== policy: 1,000 rules (load {}) ==", load.trim());
    let policy = rules();
    let pipe = |count: usize| vec!["grep -v 'a b' src/x.rs"; count].join(" | ");
    let all = [
        ("one command", "grep -n x src/a.rs".to_owned()),
        ("a chain of 4", "cd src && git add a.rs && git commit -m 'x y' && cargo test --lib".to_owned()),
        ("a pipe of 24", pipe(24)),
        ("a pipe of 24, by the grammar", format!("{} > out/x", pipe(24))),
        ("48 hosts", format!("curl {}", (0..48).map(|n| format!("https://h{n}.example/x ")).collect::<String>())),
        ("400 files", format!("cat {}", (0..400).map(|n| format!("src/m{n}/x.rs ")).collect::<String>())),
    ];
    for (name, command) in all {
        let mut times: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let start = Instant::now();
                black_box(decide(&Question {
                    tool: "shell",
                    action: &command,
                    command: Some(&command),
                    writes: &[],
                    reads: &[],
                    directory: "/srv/lane",
                    policy: &policy,
                    mode: Mode::Ask,
                    mode_place: "built in",
                    remembered: Remembered::No,
                    web: &[],
                    server: None,
                }));
                start.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let (middle, high) = (times[ROUNDS / 2], times[ROUNDS * 99 / 100]);
        println!("{name}: {middle:.4} / {high:.4} ms (p50 / p99)");
    }
}
