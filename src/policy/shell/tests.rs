//! What an analysis says, and that bash does no more than that.

use proptest::prelude::*;

use super::*;

fn names(command: &str) -> Vec<String> {
    analyse(command).commands.iter().map(Simple::shown).collect()
}

#[test]
fn an_analysis_lists_commands_files_and_directories() {
    let found = analyse("cd src && FOO=1 cargo test > out.txt 2>&1 < in | tee log; echo $(date) &");
    let shown: Vec<String> = found.commands.iter().map(Simple::shown).collect();
    assert_eq!(shown, ["cd src", "cargo test", "tee log", "date", "echo …"]);
    assert_eq!(found.directories, ["src"]);
    let writes: Vec<&str> = found.files.iter().filter(|f| f.how == FileUse::Write).map(|f| f.part.as_str()).collect();
    assert_eq!(writes, ["out.txt", "log"]);
    let places = &found.files.iter().find(|f| f.part == "out.txt").unwrap().places;
    assert_eq!(places, &[Place::Inside("out.txt".to_owned()), Place::Inside("src/out.txt".to_owned())]);
    assert!(found.marks.iter().any(|mark| mark.why.contains("`FOO`")), "{:?}", found.marks);
}

#[test]
fn commands_within_commands_know_what_runs_them() {
    let found = analyse("sudo -u x timeout 5 bash -c 'ls; rm a'");
    let shown: Vec<(String, Option<usize>)> = found.commands.iter().map(|c| (c.shown(), c.within)).collect();
    let wanted = [
        ("sudo -u x timeout 5 bash -c ls; rm a", None),
        ("timeout 5 bash -c ls; rm a", Some(0)),
        ("bash -c ls; rm a", Some(1)),
        ("ls", Some(2)),
        ("rm a", Some(2)),
    ];
    assert_eq!(shown, wanted.map(|(text, within)| (text.to_owned(), within)));
    assert!(found.marks.is_empty(), "{:?}", found.marks);
}

#[test]
fn brackets_without_end_are_not_even_parsed() {
    for open in ["a=(", "$(", "{ ", "[[ "] {
        let found = analyse(&open.repeat(3000));
        assert!(found.marks.iter().any(|mark| mark.why.contains("too tangled")), "{open}: {:?}", found.marks);
    }
}

#[test]
fn words_are_what_the_program_gets() {
    assert_eq!(names(r#"r''m "a b" 'c'"d" e\ f $'\x67'"#), ["rm a b cd e f g"]);
    assert_eq!(names("echo a\"$x\"b {a,b} *.rs"), ["echo a… … *.rs"]);
}

#[test]
fn what_is_too_much_is_not_analysed() {
    let long = format!("echo {}", "x".repeat(LONGEST));
    assert!(analyse(&long).marks.iter().any(|mark| mark.why.contains("too long")));
    assert!(analyse("ls\0").marks.iter().any(|mark| mark.why.contains("NUL")));
    for command in [
        "$(".repeat(1500),
        "(".repeat(3000),
        "{ ".repeat(3000),
        format!("{}ls{}", "(".repeat(500), ")".repeat(500)),
        format!("{}ls{}", "$(echo ".repeat(500), ")".repeat(500)),
        "ls;".repeat(3000),
        "sudo ".repeat(2000) + "ls",
        "eval ".repeat(2000) + "ls",
        "nice ".repeat(400) + "rm",
        "\"$(".repeat(2000),
        "`".repeat(6001),
        "<<A ".repeat(2000),
        "a=(".repeat(2000),
        "${x:-".repeat(2000),
        "[[ ".repeat(2000),
        "if ".repeat(3000),
        "case x in ".repeat(1500),
        "$((".repeat(3000),
    ] {
        let found = analyse(&command);
        assert!(!found.marks.is_empty(), "{}", command.get(..40).unwrap_or(&command));
        assert!(found.commands.len() <= MOST_COMMANDS);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_it_panic(text in any::<String>()) {
        let _ = analyse(&text);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = analyse(&String::from_utf8_lossy(&bytes));
    }
}

/// Random commands run by bash itself, with programs that only write down that they ran: whatever bash runs or writes
/// is in the analysis, or the analysis has a mark.
#[cfg(unix)]
mod bash {
    use std::collections::BTreeSet;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::process::{Command, Stdio};

    use super::*;

    const TIMEOUT: &str = "/usr/bin/timeout";

    /// Pieces from which random commands are put together.
    const PIECES: &[&str] = &[
        "ls",
        "rm",
        "cat",
        "echo",
        " ",
        " ",
        " ",
        " ",
        "\n",
        ";",
        "&&",
        "||",
        "|",
        "&",
        "(",
        ")",
        "{ ",
        "; }",
        "$(",
        ")",
        "`",
        "\"",
        "'",
        "\\",
        "\\\n",
        "#",
        "a",
        "b",
        "$x",
        "${x}",
        "${x:-",
        "}",
        "x=",
        "x=ls",
        "<",
        ">",
        ">>",
        ">&",
        "&>",
        ">|",
        "2>&1",
        "<<E\n",
        "\nE\n",
        "<<'E'\n",
        "<<<",
        "if ",
        "; then ",
        "; fi",
        "for i in a b",
        "; do ",
        "; done",
        "while ",
        "case a in ",
        "a) ",
        ";; ",
        "esac",
        "!",
        "$'",
        "\\x72",
        "[[ ",
        " ]]",
        "[ ",
        " ]",
        "((",
        "))",
        "$((",
        "1",
        "+",
        "f() ",
        "f",
        "eval ",
        "command ",
        "nice ",
        "time ",
        "exec ",
        "sh -c ",
        "xargs ",
        "-n",
        "--",
        "=",
        "*",
        "?",
        "~",
        "{a,b}",
        ",",
        "..",
        "\t",
        "rm a",
        "ls b",
        "echo c",
        "cd d",
        "./",
        "$",
        "<(",
        ">(",
        "in",
        "function g ",
        "coproc ",
        "trap ",
        "EXIT",
        "\\ ",
        "E",
        "<<-E\n",
        "\tE\n",
        "%",
        "[",
        "]",
        "@",
        "^",
        ":",
        "true",
        "false",
        "env ",
        "nohup ",
        "set -e",
        "&>>",
    ];

    /// A program that writes its name down.
    fn stub(directory: &Path, name: &str) {
        let path = directory.join(name);
        let run = if matches!(name, "env" | "nice" | "nohup") {
            "\nwhile [ \"${1#-}\" != \"$1\" ]; do shift; done\n[ $# -gt 0 ] && exec \"$@\""
        } else {
            ""
        };
        let run = if name == "xargs" {
            "\nwhile [ \"${1#-}\" != \"$1\" ]; do shift; done\n[ $# -gt 0 ] && exec \"$@\""
        } else {
            run
        };
        let run = if name == "sh" { "\nexec /bin/bash \"$@\"" } else { run };
        fs::write(&path, format!("#!/bin/bash\necho {name} >> \"$LOG\"{run}\nexit 0\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn picks(seed: &mut u64) -> String {
        let mut next = |most: usize| {
            // xorshift: the same commands in every run.
            *seed ^= *seed << 13;
            *seed ^= *seed >> 7;
            *seed ^= *seed << 17;
            (*seed % most as u64) as usize
        };
        let count = 2 + next(9);
        (0..count).map(|_| PIECES.get(next(PIECES.len())).copied().unwrap_or_default()).collect()
    }

    #[test]
    fn bash_runs_nothing_that_the_analysis_does_not_list() {
        if !Path::new("/bin/bash").exists() || !Path::new(TIMEOUT).exists() {
            return;
        }
        let cases: usize = std::env::var("BASH_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(250);
        let mut seed: u64 =
            std::env::var("BASH_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0x9e37_79b9_7f4a_7c15);
        let place = tempfile::tempdir().unwrap();
        let programs = place.path().join("programs");
        fs::create_dir(&programs).unwrap();
        for name in ["ls", "rm", "cat", "env", "nice", "nohup", "xargs", "sh"] {
            stub(&programs, name);
        }
        let mut run = 0;
        let mut wrong = Vec::new();
        while run < cases {
            let command = picks(&mut seed);
            let found = analyse(&command);
            if !found.marks.is_empty() {
                continue;
            }
            run += 1;
            // What an earlier command left running writes into its own place.
            let (work, log) = (place.path().join(format!("work{run}")), place.path().join(format!("log{run}")));
            fs::create_dir_all(work.join("d")).unwrap();
            let ended = Command::new(TIMEOUT)
                .args(["-s", "KILL", "1", "/bin/bash", "-c", &command])
                .env_clear()
                .env("PATH", &programs)
                .env("HOME", &work)
                .env("LOG", &log)
                .current_dir(&work)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            assert!(ended.is_ok());
            let ran: BTreeSet<String> =
                fs::read_to_string(&log).unwrap_or_default().lines().map(str::to_owned).collect();
            let listed: BTreeSet<&str> =
                found.commands.iter().filter_map(|c| c.words.first()).map(|w| w.text.as_str()).collect();
            let hidden: Vec<&String> = ran
                .iter()
                .filter(|name| !listed.iter().any(|listed| listed.rsplit('/').next() == Some(name)))
                .collect();
            let mut made = BTreeSet::new();
            for (directory, before) in [(work.clone(), ""), (work.join("d"), "d/")] {
                for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
                    made.insert(format!("{before}{}", entry.file_name().to_string_lossy()));
                }
            }
            made.remove("d");
            let places: Vec<&Place> =
                found.files.iter().filter(|f| f.how == FileUse::Write).flat_map(|f| &f.places).collect();
            let told = |name: &String| {
                places.iter().any(|place| **place == Place::Inside(name.clone()) || **place == Place::Unknown)
            };
            // A background command may write late; what is there must be told.
            let written: Vec<&String> = made.iter().filter(|name| !told(name)).collect();
            let outside = places.iter().any(|place| !matches!(place, Place::Inside(_)));
            if !hidden.is_empty() || (!written.is_empty() && !outside) {
                wrong.push(format!("{command:?}\n   ran {hidden:?} wrote {written:?}; listed {listed:?}"));
            }
        }
        assert!(wrong.is_empty(), "{} of {run}:\n{}", wrong.len(), wrong.join("\n"));
    }
}
