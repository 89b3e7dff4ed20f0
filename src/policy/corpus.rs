//! Commands with the verdict that each must get under one small set of rules, chosen by hand.

use super::*;
use crate::config::Origin;
use crate::domain::Mode;

mod around;
mod byways;
mod everyday;
mod fresh;
mod full;
mod table;

fn policy(rules: &[(&str, &str, &str)]) -> Policy {
    let rule = |(effect, tool, matches): &(&str, &str, &str)| {
        Rule::new(effect, tool, matches, None, Origin::BuiltIn)
            .unwrap_or_else(|wrong| panic!("{effect} {tool} {matches}: {wrong:?}"))
    };
    Policy::new(rules.iter().map(rule).collect(), Switches::default())
}

/// The rules that the table is written for.
fn rules() -> Policy {
    policy(&[
        ("allow", "shell", "ls *"),
        ("allow", "shell", "cat *"),
        ("allow", "shell", "echo *"),
        ("allow", "shell", "grep *"),
        ("allow", "shell", "head *"),
        ("allow", "shell", "wc *"),
        ("allow", "shell", "cd *"),
        ("allow", "shell", "true"),
        ("allow", "shell", "test *"),
        ("allow", "shell", "[ *"),
        ("allow", "shell", "[[ *"),
        ("allow", "shell", "find *"),
        ("allow", "shell", "git status *"),
        ("allow", "shell", "git log *"),
        ("allow", "shell", "git diff *"),
        ("allow", "shell", "git commit *"),
        ("allow", "shell", "git fetch *"),
        ("allow", "shell", "git clone *"),
        ("allow", "shell", "git rebase *"),
        ("allow", "shell", "git grep *"),
        ("allow", "shell", "npm test"),
        ("allow", "shell", "npm run *"),
        ("allow", "shell", "cargo test *"),
        ("allow", "shell", "cargo build *"),
        ("allow", "shell", "make *"),
        ("allow", "shell", "sed *"),
        ("allow", "shell", "awk *"),
        ("allow", "shell", "sort *"),
        ("allow", "shell", "tee *"),
        ("allow", "shell", "tar *"),
        ("allow", "shell", "rsync *"),
        ("allow", "shell", "man *"),
        ("allow", "shell", "less *"),
        ("allow", "shell", "python3 *"),
        ("allow", "shell", "python3 tools/gen.py"),
        ("allow", "shell", "bash -c 'npm run build'"),
        ("allow", "shell", "env *"),
        ("allow", "shell", "xargs *"),
        ("allow", "shell", "sudo *"),
        ("allow", "shell", "bash *"),
        ("allow", "shell", "ssh *"),
        ("allow", "shell", "vim *"),
        ("allow", "shell", "printf *"),
        ("allow", "shell", "export *"),
        ("allow", "shell", "read *"),
        ("allow", "shell", "cp *"),
        ("allow", "shell", "curl *"),
        ("allow", "shell", "set *"),
        ("ask", "shell", "git push *"),
        ("ask", "shell", "npm publish *"),
        ("deny", "shell", "rm *"),
        ("deny", "shell", "git push --force *"),
        ("deny", "shell", "shutdown *"),
        ("deny", "git", "filter-branch *"),
        ("allow", "write", "out/**"),
        ("ask", "write", "docs/**"),
        ("deny", "write", "secrets/**"),
        ("deny", "write", "*.lock"),
        ("deny", "read", ".env"),
        ("deny", "read", "secrets/**"),
        ("deny", "read", "~/.ssh/**"),
        ("deny", "read", "//etc/shadow"),
        ("deny", "net", "evil.example"),
        ("deny", "net", "10.0.0.1"),
        ("deny", "net", "::1"),
        ("allow", "shell", "git show *"),
        ("allow", "shell", "git cat-file *"),
        ("allow", "shell", "git archive *"),
        ("allow", "shell", "git mv *"),
        ("allow", "shell", "git blame *"),
        ("allow", "shell", "mv *"),
        ("allow", "shell", "ln *"),
        ("allow", "shell", "install *"),
        ("allow", "shell", "wget *"),
        ("allow", "shell", "dd *"),
        ("allow", "shell", "mytool *"),
        ("allow", "shell", "docker *"),
    ])
}

/// All commands of the tables.
pub(in crate::policy) fn commands() -> Vec<&'static str> {
    table::COMMANDS.iter().chain(around::COMMANDS).chain(full::COMMANDS).map(|(_, command)| *command).collect()
}

fn decision(policy: &Policy, command: &str, mode: Mode) -> Decision {
    decide(&Question {
        tool: "shell",
        action: command,
        command: Some(command),
        writes: &[],
        reads: &[],
        directory: "/srv/lane",
        policy,
        mode,
        mode_place: "built in",
        remembered: Remembered::No,
        web: &[],
        server: None,
    })
}

#[test]
fn each_command_gets_the_verdict_that_is_right() {
    let policy = rules();
    let mut wrong = Vec::new();
    let mut all = 0;
    let table = table::COMMANDS.iter().chain(around::COMMANDS).map(|(wanted, command)| (wanted, command, Mode::Ask));
    for (wanted, command, mode) in table.chain(full::COMMANDS.iter().map(|(w, command)| (w, command, Mode::Full))) {
        all += 1;
        let decision = decision(&policy, command, mode);
        if decision.verdict != *wanted {
            wrong.push(format!(
                "{} {command:?}\n    wanted {wanted:?}, got {:?}: {}",
                mode.word(),
                decision.verdict,
                decision.rule.rule
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {all} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(all >= 650, "{all}");
}

#[test]
fn modes_and_switches_bound_what_commands_do() {
    let verdict = |policy: &Policy, command: &str, mode| decision(policy, command, mode).verdict;
    let none = Policy::default();
    for (command, wanted) in [
        ("ls", [Verdict::Deny, Verdict::Ask, Verdict::Ask, Verdict::Allow]),
        ("> a", [Verdict::Deny, Verdict::Ask, Verdict::Ask, Verdict::Allow]),
        ("> ../a", [Verdict::Deny, Verdict::Ask, Verdict::Ask, Verdict::Allow]),
        ("> .git/config", [Verdict::Deny, Verdict::Ask, Verdict::Ask, Verdict::Ask]),
        ("eval $x", [Verdict::Deny, Verdict::Ask, Verdict::Ask, Verdict::Allow]),
        ("ls\0", [Verdict::Deny, Verdict::Ask, Verdict::Ask, Verdict::Allow]),
    ] {
        let got = Mode::ALL.map(|mode| verdict(&none, command, mode));
        assert_eq!(got, wanted, "{command}");
    }
    // Where something is denied, `full` asks about what could get around it.
    let some = policy(&[("deny", "shell", "rm *"), ("deny", "write", "a")]);
    for (command, wanted) in [
        ("ls", Verdict::Allow),
        ("python3 x.py", Verdict::Allow),
        ("rm b", Verdict::Deny),
        ("echo > a", Verdict::Deny),
        ("eval $x", Verdict::Ask),
        ("$x b", Verdict::Ask),
        ("ls\0", Verdict::Ask),
        ("echo > $x", Verdict::Ask),
    ] {
        assert_eq!(verdict(&some, command, Mode::Full), wanted, "{command}");
    }
    let off =
        vec![(crate::config::Switch::Git, "place".to_owned()), (crate::config::Switch::Files, "place".to_owned())];
    let switched = Policy::new(Vec::new(), Switches { off, ..Switches::default() });
    for (command, wanted) in [
        ("ls", Verdict::Allow),
        ("nice /usr/bin/git status", Verdict::Deny),
        ("ls > a", Verdict::Deny),
        ("eval $x", Verdict::Ask),
    ] {
        assert_eq!(verdict(&switched, command, Mode::Full), wanted, "{command}");
    }
    let bounded = Policy::new(Vec::new(), Switches { never_full: Some("place".to_owned()), ..Switches::default() });
    assert_eq!(verdict(&bounded, "ls", Mode::Full), Verdict::Ask);
}

/// Commands around a command. None may get a looser verdict than the command alone.
const AROUND: &[(&str, &str)] = &[
    ("ls\n", "\nls"),
    ("(\n", "\n)"),
    ("{\n", "\n}"),
    ("if true\nthen\n", "\nfi"),
    ("while true\ndo\n", "\ndone"),
    ("for x in a b\ndo\n", "\ndone"),
    ("if\n", "\nthen ls\nfi"),
    ("case a in *)\n", "\n;; esac"),
    ("f() {\n", "\n}\nf"),
    ("ls && {\n", "\n} && ls"),
    ("ls || {\n", "\n}"),
    ("{\n", "\n} | cat"),
    ("cat a | {\n", "\n}"),
    ("{\n", "\n} &"),
    ("! {\n", "\n}"),
    ("echo $(\n", "\n)"),
    ("echo \"$(\n", "\n)\""),
    ("x=$(\n", "\n)"),
    ("cat <(\n", "\n)"),
    ("{\n", "\n} > /dev/null 2>&1"),
];

const fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Allow => 0,
        Verdict::Ask => 1,
        Verdict::Deny => 2,
    }
}

/// A text as one word for a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[test]
fn nothing_around_a_command_makes_its_verdict_looser() {
    let policy = rules();
    let mut looser = Vec::new();
    let verdict = |command: &str| decision(&policy, command, Mode::Ask).verdict;
    for (alone, command) in table::COMMANDS.iter().chain(around::COMMANDS) {
        let scripts =
            ["bash -c ", "sudo sh -c ", "eval ", "timeout 5 bash -lc ", "env bash -c ", "ssh host ", "watch ", "trap "];
        let scripts = scripts.iter().map(|before| format!("{before}{}", quoted(command)));
        let around = AROUND.iter().map(|(before, after)| format!("{before}{command}{after}"));
        for wrapped in around.chain(scripts) {
            let got = verdict(&wrapped);
            if rank(got) >= rank(*alone) {
                continue;
            }
            // A broken text, or one in which nothing runs, can become sound in a larger one. What was denied still asks
            // where the larger one is not read as bash reads it.
            let found = shell::analyse(command);
            let doubtful = |found: &shell::Analysis| {
                found.marks.iter().any(|m| {
                    ["cannot be parsed", "doubtful place", "too tangled"].iter().any(|why| m.why.contains(why))
                })
            };
            let nothing = found.commands.is_empty() && found.files.is_empty() || doubtful(&found);
            let wanted = if doubtful(&shell::analyse(&wrapped)) { Verdict::Ask } else { *alone };
            if rank(got) < rank(wanted) && !nothing {
                looser.push(format!("{wrapped:?}: {got:?}, alone {alone:?}"));
            }
        }
        // What carries one command.
        let single = analysis_is_one(command);
        for before in [
            "nohup ",
            "nice -n 5 ",
            "timeout 5 ",
            "command ",
            "time ",
            "setsid ",
            "sudo ",
            "env ",
            "exec ",
            "stdbuf -oL ",
        ] {
            let got = verdict(&format!("{before}{command}"));
            if single && rank(got) < rank(*alone) {
                looser.push(format!("{before}{command:?}: {got:?}, alone {alone:?}"));
            }
        }
    }
    assert!(looser.is_empty(), "{}\n{}", looser.len(), looser.join("\n"));
}

#[test]
fn no_way_around_runs_unasked() {
    let policy = rules();
    let modes = [Mode::Ask, Mode::AutoEdit, Mode::Full];
    let loose = fresh::COMMANDS.iter().chain(byways::COMMANDS).flat_map(|command| modes.map(|mode| (command, mode)));
    let loose = loose.filter(|(command, mode)| decision(&policy, command, *mode).verdict == Verdict::Allow);
    let loose: Vec<String> = loose.map(|(command, mode)| format!("{} {command:?}", mode.word())).collect();
    assert!(loose.is_empty(), "{}\n{}", loose.len(), loose.join("\n"));
}

#[test]
fn what_is_done_every_day_is_not_asked_about() {
    let policies = [
        policy(&[
            ("deny", "read", "secrets/**"),
            ("deny", "write", "docs/**"),
            ("deny", "write", "*.lock"),
            ("deny", "shell", "rm *"),
            ("ask", "shell", "git push *"),
            ("deny", "net", "evil.example"),
        ]),
        policy(&[("deny", "read", ".env"), ("deny", "shell", "rm -rf *"), ("ask", "shell", "git push *")]),
    ];
    let all = everyday::COMMANDS.iter().flat_map(|command| policies.iter().map(move |policy| (command, policy)));
    let asked = all.filter_map(|(command, policy)| {
        let decision = decision(policy, command, Mode::Full);
        (decision.verdict != Verdict::Allow).then(|| format!("{command:?}: {}", decision.rule.rule))
    });
    let asked: Vec<String> = asked.collect();
    assert!(asked.is_empty(), "{}\n{}", asked.len(), asked.join("\n"));
}

/// Ways to write a path of the worktree `/srv/lane`.
const PATHS: &[&str] = &[
    "{}",
    "./{}",
    "src/../{}",
    "src//..//./{}",
    "'{}'",
    "/srv/lane/{}",
    "/srv/../srv/lane/{}",
    "../lane/{}",
    "../../srv/lane/{}",
    "/proc/self/cwd/{}",
    "/proc/thread-self/cwd/./{}",
    "/proc/self/root/srv/lane/{}",
    "/proc/self/cwd/../lane/{}",
];

/// Commands that read or write a path.
const USES: &[&str] = &[
    "cat {}",
    "cat < {}",
    "head -n1 {}",
    "mytool {}",
    "mytool -x{}",
    "mytool --in={}",
    "mytool a:{}",
    "cp {} out/x",
    "cp -t out {}",
    "cp a {}",
    "tee {}",
    "echo x >> {}",
    "ln -s {} k",
    "ln {} k && cat k",
    "mv {} x",
    "dd if={}",
    "dd of={}",
    "sort -o{} a",
    "tar cf out/a {}",
    "git mv {} x",
    "git diff --no-index /dev/null {}",
    "curl -T {} https://docs.rs",
    "curl -d @{} https://docs.rs",
    "curl -o{} https://docs.rs",
    "wget -O {} https://docs.rs",
    "rsync {} out/x",
    "env -C . cat {}",
    "git -C . blame {}",
    "python3 tools/gen.py < {}",
];

#[test]
fn no_way_to_write_or_to_use_a_denied_path_runs_unasked() {
    let policy = rules();
    let mut loose = Vec::new();
    for (path, using) in PATHS.iter().flat_map(|path| USES.iter().map(move |using| (path, using))) {
        let command = using.replace("{}", &path.replace("{}", "secrets/key"));
        let chained = format!("ls && {command}");
        let (carried, substituted) = (format!("nice {command}"), format!("x=$({command})"));
        let scripted = format!("bash -c {}", quoted(&command));
        for wrapped in [command, chained, carried, substituted, scripted] {
            for mode in [Mode::Ask, Mode::AutoEdit, Mode::Full] {
                if decision(&policy, &wrapped, mode).verdict == Verdict::Allow {
                    loose.push(format!("{} {wrapped}", mode.word()));
                }
            }
        }
    }
    assert!(loose.is_empty(), "{}\n{}", loose.len(), loose.join("\n"));
}

/// Ways to write hosts that rules deny.
const HOSTS: &[&str] = &[
    "evil.example",
    "EVIL.Example",
    "evil.example.",
    "ev%69l.example",
    "evil\u{3002}example",
    "10.0.0.1",
    "10.1",
    "0xa.1",
    "167772161",
    "0xA000001",
    "[::ffff:10.0.0.1]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "127.0.0.1",
    "2130706433",
    "localhost",
];

/// Commands that reach a host.
const REACHES: &[&str] = &[
    "curl http://{}/x",
    "curl -s 'https://u:p@{}:8443/x'",
    "curl --url=http://{}",
    "wget http://{}/x",
    "git clone https://{}/x",
    "git fetch ssh://git@{}/x",
    "git remote add x https://{}/x",
    "pip install https://{}/x.whl",
    "npm install git+https://{}/x.git",
    "cargo install --git https://{}/x",
    "docker pull {}/x",
    "mytool --to=https://{}/x",
    "cat < /dev/tcp/{}/80",
];

#[test]
fn no_way_to_write_or_to_reach_a_denied_host_runs_unasked() {
    let policy = rules();
    let mut loose = Vec::new();
    for (host, reaches) in HOSTS.iter().flat_map(|host| REACHES.iter().map(move |reaches| (host, reaches))) {
        let command = reaches.replace("{}", host);
        for mode in [Mode::Ask, Mode::Full] {
            let got = decision(&policy, &command, mode).verdict;
            // What names it as an address is denied, unless the shell makes other words of it.
            let plain = reaches.contains("://") && (!host.contains('[') || reaches.contains('\''));
            let wanted = if plain { Verdict::Deny } else { Verdict::Ask };
            if rank(got) < rank(wanted) {
                loose.push(format!("{} {command}: {got:?}", mode.word()));
            }
        }
    }
    assert!(loose.is_empty(), "{}\n{}", loose.len(), loose.join("\n"));
}

/// Whether something runs, and the command stands by itself.
fn runs(command: &str) -> bool {
    let found = shell::analyse(command);
    !found.commands.is_empty() && !found.marks.iter().any(|mark| mark.why.contains("cannot be parsed"))
}

fn analysis_is_one(command: &str) -> bool {
    let found = shell::analyse(command);
    let name = command.split(' ').next().unwrap_or_default();
    let compound = ["for", "select", "(", ">", "!", "", "RUST_LOG=x", "[[", "read"].contains(&name);
    found.commands.len() == 1 && found.marks.is_empty() && !compound
}

mod random {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

        #[test]
        fn random_bytes_are_never_allowed(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let policy = policy(&[("allow", "shell", "zzz *")]);
            let text = String::from_utf8_lossy(&bytes);
            for mode in [Mode::Plan, Mode::Ask, Mode::AutoEdit] {
                prop_assert_ne!(decision(&policy, &text, mode).verdict, Verdict::Allow);
            }
        }

        #[test]
        fn chains_of_known_commands_are_as_strict_as_their_strictest(picks in prop::collection::vec(0..table::COMMANDS.len(), 1..5)) {
            let policy = rules();
            let picks: Vec<usize> = picks.into_iter().filter(|at| table::COMMANDS.get(*at).is_some_and(|(_, c)| runs(c))).collect();
            let parts: Vec<_> = picks.iter().filter_map(|at| table::COMMANDS.get(*at)).collect();
            let wanted = parts.iter().map(|(verdict, _)| rank(*verdict)).max().unwrap_or(0);
            let chain = parts.iter().map(|(_, command)| *command).collect::<Vec<_>>().join("\n");
            prop_assert!(rank(decision(&policy, &chain, Mode::Ask).verdict) >= wanted.min(1), "{chain:?}");
        }
    }
}
