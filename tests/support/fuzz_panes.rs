//! Throws made-up programs at the screen model: `cargo run --example fuzz_panes -- MINUTES [SEED]`.
//!
//! Each failure is made small and printed as a line for `tests/terminal/found.rs`; failures of the same kind are
//! counted. Ends with status 1 if there was any.
#![allow(clippy::print_stdout, reason = "a development aid")]

#[path = "fuzz.rs"]
mod fuzz;
#[allow(dead_code, reason = "only the reading side is used here")]
#[path = "recording.rs"]
mod recording;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use recording::{Event, Recording};

/// Failures of a kind that are made small; the rest is only counted.
const EXAMPLES: u64 = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let minutes: f64 = arguments.next().ok_or("usage: fuzz_panes MINUTES [SEED]")?.parse()?;
    let seed = match arguments.next() {
        Some(seed) => seed.parse()?,
        None => SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs(),
    };
    // The hook's lines would drown what is said here.
    std::panic::set_hook(Box::new(|_| ()));
    let mut source = fuzz::Source::new(seed, seeds()?);
    let end = Instant::now() + Duration::from_secs_f64(minutes * 60.0);
    let mut failures: BTreeMap<String, u64> = BTreeMap::new();
    let mut cases = 0_u64;
    while Instant::now() < end {
        let case = source.case();
        cases += 1;
        let Err(why) = fuzz::check(&case) else { continue };
        let count = failures.entry(fuzz::kind(&why).to_owned()).or_default();
        *count += 1;
        if *count <= EXAMPLES {
            let (case, why) = fuzz::minimised(case, why);
            println!("{why}\n    {}", fuzz::as_source(&case));
        }
    }
    println!("seed {seed}: {cases} cases, failures: {failures:#?}");
    if failures.is_empty() { Ok(()) } else { Err("something does not hold".into()) }
}

/// What the recorded programs wrote.
fn seeds() -> Result<Vec<Vec<u8>>, Box<dyn std::error::Error>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    let mut seeds = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "cast") {
            let events = Recording::load(&path)?.events.into_iter();
            let output =
                events.filter_map(|(_, event)| if let Event::Output(text) = event { Some(text) } else { None });
            seeds.push(output.collect::<String>().into_bytes());
        }
    }
    Ok(seeds)
}
