//! Recordings of real programs, played into the screen model: it shows at each mark what tmux showed (kept under
//! `snapshots/terminal`, made by the example `tmux_screens`), and how the bytes were cut does not matter.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use similar::{ChangeTag, TextDiff};

use paralane::terminal::{Colours, Replay};

use crate::picture::picture;
use crate::recording::{Event, Recording};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn recordings() -> Vec<(String, Recording)> {
    let entries = std::fs::read_dir(root().join("tests/recordings")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "cast"));
    paths.sort();
    assert!(paths.len() >= 14, "{paths:?}");
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), Recording::load(path).unwrap())).collect()
}

/// Marks at which tmux 3.3 is no measure, and why. Ours are kept under `snapshots/terminal` too, to be looked at.
const OWN: &[(&str, &str, &str)] = &[
    ("gemini", "narrow", "tmux wraps the rows anew that the program then repaints, and leaves parts of them"),
    ("gemini", "wide", "as above"),
    ("gemini-resize", "narrow", "as above, and it loses rows of what stands above"),
    ("gemini-resize", "wide", "as above"),
    ("vttest-charsets", "VT100 sets", "tmux has no British set"),
    ("vttest-charsets", "SI and SO", "tmux has no British set"),
    ("vttest-cursor", "page 2", "behind the last column tmux counts one more: a step back stays in it"),
    ("vttest-cursor", "page 3", "as above"),
    ("vttest-cursor", "page 4", "as above"),
    ("vttest-iso-cursor", "CHT", "tmux does not know it"),
    ("vttest-iso-cursor", "HPR", "tmux does not know it"),
    ("vttest-iso-cursor", "VPR", "tmux does not know it"),
    ("vttest-screen", "page 3", "tmux has no reverse screen (DECSCNM)"),
    ("vttest-screen", "page 4", "as above"),
    ("vttest-screen", "page 14", "as above"),
    ("vttest-screen", "page 11", "with a region tmux goes home to the first row of the screen"),
];

/// A recording whose program sets the colours of its terminal (OSC 10, 11), which tmux draws and does not tell.
const COLOURED: (&str, [&str; 2]) = ("copilot", [" bg=#0d1117", " fg=#f0f6fc"]);

/// What a recording came to: the screens at its marks and the answers.
#[derive(Debug, PartialEq, Eq)]
struct Played {
    marks: Vec<(String, String)>,
    replies: String,
}

/// Plays a recording; `cut` says how many bytes of a piece come in one go.
fn play(recording: &Recording, mut cut: impl FnMut() -> usize) -> Played {
    let mut replay = Replay::new(recording.size, Colours::default());
    let mut played = Played { marks: Vec::new(), replies: String::new() };
    for (_, event) in &recording.events {
        match event {
            Event::Output(text) => {
                let mut rest = text.as_bytes();
                while !rest.is_empty() {
                    let (piece, later) = rest.split_at(cut().clamp(1, rest.len()));
                    replay.feed(piece);
                    rest = later;
                }
                played.replies.push_str(std::str::from_utf8(&replay.replies()).unwrap());
            }
            Event::Resize(size) => replay.resize(*size),
            Event::Mark(label) => {
                let frame = replay.frame();
                let (column, row) = frame.cursor;
                let shown = u8::from(frame.cursor_visible);
                played.marks.push((label.clone(), format!("{}cursor: {column},{row},{shown}", picture(&frame))));
            }
        }
    }
    played
}

fn keep(name: &str, screen: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("snapshots/terminal"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, screen));
}

/// tmux's screens, by mark.
fn told_by_tmux(name: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root().join(format!("snapshots/terminal/{name}.tmux"))).unwrap();
    let marks = text.strip_prefix("== ").unwrap().split("\n== ").map(|part| part.split_once('\n').unwrap());
    marks.map(|(label, screen)| (label.to_owned(), screen.trim_end().to_owned())).collect()
}

/// The screen without what tmux 3.3 draws by other rules: a character with U+FE0F takes one cell there and two here, and
/// what stands behind one, behind joined emoji or behind a flag is moved, with rests of it left when it is drawn over.
/// `joined_characters_stand_once_and_move_nothing` looks at these rows.
fn comparable(screen: &str) -> String {
    let rows: Vec<&str> = screen.lines().filter(|line| line.starts_with('|')).collect();
    let moved = |line: &str| {
        let row = line.split_once(": ").and_then(|(row, _)| row.parse::<usize>().ok());
        row.is_some_and(|row| rows[row].contains(joined))
    };
    let lines = screen.lines().filter(|line| !moved(line));
    let lines = lines.map(|line| if line.starts_with('|') && line.contains(joined) { "|" } else { line });
    lines.fold(String::new(), |text, line| text + line + "\n")
}

/// The screen without some colours.
fn without(colours: &[&str], screen: &str) -> String {
    screen.lines().fold(String::new(), |text, line| {
        let Some((row, styles)) = line.split_once(": ").filter(|_| !line.starts_with(['|', 'c'])) else {
            return text + line + "\n";
        };
        let plain = |style: &str| colours.iter().fold(style.to_owned(), |style, colour| style.replace(colour, ""));
        let styles = styles.split(", ").map(plain);
        let styles: Vec<String> = styles.filter(|style| style.contains(' ')).collect();
        if styles.is_empty() { text } else { format!("{text}{row}: {}\n", styles.join(", ")) }
    })
}

/// Part of a character that is several joined ones.
fn joined(c: char) -> bool {
    matches!(c, '\u{fe0f}' | '\u{200d}' | '\u{1f1e6}'..='\u{1f1ff}')
}

#[test]
fn joined_characters_stand_once_and_move_nothing() {
    // What the agents were told to say in their answers.
    let wanted = "2. two ✅ ⚠\u{fe0f} 👨\u{200d}👩\u{200d}👧 e\u{301} ❤\u{fe0f}";
    for (name, recording) in recordings() {
        for (label, screen) in play(&recording, || usize::MAX).marks {
            let rows: Vec<&str> = screen.lines().filter_map(|line| line.strip_prefix('|')).collect();
            for (number, row) in rows.iter().enumerate().filter(|(_, row)| row.contains("👨")) {
                assert!(row.contains(wanted), "{name} · {label}: {row}");
                // The frame of the answer, where there is one, stays in its column.
                let edge = |row: &str| row.ends_with(['┃', '│']).then(|| paralane::base::width(row));
                assert_eq!(edge(row), edge(rows[number - 1]), "{name} · {label}: {row}");
            }
        }
    }
}

#[test]
fn every_recording_looks_as_it_does_in_tmux() {
    let mut differences = String::new();
    for (name, recording) in recordings() {
        let (ours, theirs) = (play(&recording, || usize::MAX).marks, told_by_tmux(&name));
        assert!(!ours.is_empty(), "{name} has no mark");
        let labels = |marks: &[(String, String)]| marks.iter().map(|(label, _)| label.clone()).collect::<Vec<_>>();
        assert_eq!(labels(&ours), labels(&theirs), "{name}");
        for ((label, ours), (_, theirs)) in ours.iter().zip(&theirs) {
            if OWN.iter().any(|own| (own.0, own.1) == (&*name, &**label)) {
                keep(&format!("{name}.{}", label.replace(' ', "-")), ours);
                continue;
            }
            let (mut ours, mut theirs) = (comparable(ours), comparable(theirs));
            if name == COLOURED.0 {
                (ours, theirs) = (without(&COLOURED.1, &ours), without(&COLOURED.1, &theirs));
            }
            for change in TextDiff::from_lines(&theirs, &ours).iter_all_changes() {
                let side = match change.tag() {
                    ChangeTag::Equal => continue,
                    ChangeTag::Delete => "tmux",
                    ChangeTag::Insert => "ours",
                };
                let _ = write!(differences, "{name} · {label} · {side} {change}");
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn a_block_that_is_painted_again_keeps_its_rows_and_what_stands_above() {
    let (_, recording) = recordings().into_iter().find(|(name, _)| name == "gemini-resize").unwrap();
    for (label, screen) in play(&recording, || usize::MAX).marks {
        assert_eq!(screen.matches("? for short").count(), 1, "{label}: {screen}");
        let text: String = screen.lines().filter_map(|line| line.strip_prefix('|')).collect();
        assert!(text.contains("Output:  (empty)\\nProcess Group"), "{label}: {screen}");
    }
}

#[test]
fn how_the_bytes_were_cut_does_not_matter() {
    for (name, recording) in recordings() {
        let whole = play(&recording, || usize::MAX);
        assert!(play(&recording, || 1) == whole, "{name}: one byte at a time");
        for seed in 1..=3_u64 {
            let mut state = seed;
            let random = || {
                // Marsaglia's xorshift: the same cuts in each run.
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state % 40) as usize
            };
            pretty_assertions::assert_eq!(play(&recording, random), whole, "{name}: cut by seed {seed}");
        }
    }
}
