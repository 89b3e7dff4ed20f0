//! Interpreters and editors: they run what their arguments, their input or a file says.

use super::super::model::Word;
use super::Look;
use super::shells::is_stream;

/// Programs that run code by nature; their versions (`python3.12`) count as well.
const INTERPRETERS: &[&str] = &[
    "python",
    "pypy",
    "ipython",
    "perl",
    "ruby",
    "irb",
    "node",
    "nodejs",
    "deno",
    "bun",
    "tsx",
    "ts-node",
    "php",
    "lua",
    "luajit",
    "tclsh",
    "wish",
    "expect",
    "Rscript",
    "R",
    "julia",
    "guile",
    "racket",
    "scheme",
    "sbcl",
    "clisp",
    "ecl",
    "scala",
    "groovy",
    "java",
    "jshell",
    "kotlin",
    "ghci",
    "runghc",
    "runhaskell",
    "stack",
    "ocaml",
    "erl",
    "escript",
    "elixir",
    "iex",
    "mix",
    "osascript",
    "pwsh",
    "powershell",
    "raku",
    "gdb",
    "lldb",
    "emacs",
    "emacsclient",
    "vi",
    "vim",
    "nvim",
    "view",
    "vimdiff",
    "ex",
    "ed",
    "nano",
    "micro",
    "hx",
    "kak",
    "m4",
    "bc",
    "dc",
    "gnuplot",
    "octave",
    "sqlite3",
    "psql",
    "mysql",
    "mongosh",
    "redis-cli",
    "jupyter",
    "dotnet",
    "mono",
    "wine",
];

/// Those whose words are code or settings in any case.
const ALWAYS: &[&str] = &[
    "m4",
    "bc",
    "dc",
    "gnuplot",
    "octave",
    "sqlite3",
    "psql",
    "mysql",
    "mongosh",
    "redis-cli",
    "jupyter",
    "gdb",
    "lldb",
    "expect",
    "ed",
    "ex",
    "vi",
    "vim",
    "nvim",
    "view",
    "vimdiff",
    "osascript",
    "emacsclient",
    "wine",
];

/// Options without a value that run no code: what they ask for, or how the program speaks.
const HARMLESS: &[(&str, &[&str])] = &[
    ("python", &["-u", "-B", "-O", "-OO", "-q", "-s", "-S", "-v", "-E", "-I", "-b", "-bb", "-P"]),
    ("pypy", &["-u", "-B", "-O", "-OO", "-q", "-s", "-S", "-v", "-E", "-I"]),
    ("perl", &["-w", "-W", "-t", "-T", "-v"]),
    ("ruby", &["-w", "-W", "-v"]),
    ("node", &["-v", "--watch", "--trace-warnings", "--no-warnings", "--enable-source-maps", "--expose-gc"]),
    ("php", &["-v", "-n"]),
];

/// Modules of python that run code from their words or their input.
const MODULES: &[&str] = &[
    "timeit",
    "trace",
    "runpy",
    "code",
    "pdb",
    "cProfile",
    "profile",
    "asyncio",
    "idlelib",
    "bdb",
    "IPython",
    "ptpython",
    "ptipython",
    "bpython",
    "xonsh",
    "fire",
    "memray",
    "pyinstrument",
    "viztracer",
    "pty",
];

/// Modules of python that leave the files alone which they are given, as far as anybody can tell.
const CHECKERS: &[&str] =
    &["pytest", "unittest", "doctest", "mypy", "pylint", "flake8", "ruff", "coverage", "json.tool"];

/// Those that are there to write.
const EDITORS: &[&str] = &["emacs", "emacsclient", "vi", "vim", "nvim", "ex", "ed", "nano", "micro", "hx", "kak"];

/// Looks whether it is such a program.
pub(super) fn look(base: &str, args: &[Word], look: &mut Look) -> bool {
    let versioned = base.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    let Some(name) = INTERPRETERS.iter().find(|known| **known == base || **known == versioned) else { return false };
    look.runs(format!("`{base}` runs code"));
    let asks = args.len() == 1
        && args.iter().all(|word| matches!(word.text.as_str(), "--version" | "-version" | "-V" | "-v" | "--help"));
    if !asks && (ALWAYS.contains(name) || !runs_a_file(name, args)) {
        look.hides(format!("what `{base}` runs cannot be seen"));
    }
    words(name, args, look);
    true
}

/// What its words are: those of the program that it runs. The editors among them write what they name.
fn words(name: &str, args: &[Word], look: &mut Look) {
    let first = args.iter().position(|word| !word.text.starts_with(['-', '+']));
    let module = args.iter().position(|word| word.text == "-m").filter(|_| matches!(name, "python" | "pypy"));
    let module = module.filter(|at| first == Some(at + 1)).and_then(|at| args.get(at + 1)).and_then(Word::exact);
    if let Some(module) = module {
        look.verb = first.map(|at| at + 1);
        look.handed = CHECKERS.contains(&module);
    } else if !EDITORS.contains(&name) {
        look.script = first.map(|at| at + 1);
    }
    look.unknown = !look.handed;
}

/// Whether a word of a task is code, or says that code follows.
fn is_code(word: &Word) -> bool {
    let text = word.text.as_str();
    is_stream(word)
        || matches!(text, "-e" | "--eval" | "-r" | "--exec")
        || text.starts_with("data:")
        || text.starts_with("--exec=")
}

/// Whether it runs a file that is named, or something that has a name: a module, a task.
fn runs_a_file(name: &str, args: &[Word]) -> bool {
    let harmless = HARMLESS.iter().find(|(known, _)| *known == name).map(|(_, options)| *options).unwrap_or_default();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let Some(text) = word.exact() else { return false };
        match text {
            "-" | "--" => return false,
            "-m" if matches!(name, "python" | "pypy") => {
                let module = words.next().and_then(Word::exact).unwrap_or_default();
                return !module.is_empty() && !MODULES.contains(&module);
            }
            "-jar" if name == "java" => return true,
            // What these do with their words is their own, as with `npm run`.
            "run" | "test" | "build" | "install" | "fmt" | "lint" | "check" | "publish" | "restore"
                if matches!(name, "deno" | "bun" | "dotnet" | "mix" | "stack") =>
            {
                return !words.any(is_code);
            }
            "--version" | "--help" => return true,
            "--test" if name == "node" => return true,
            _ if harmless.contains(&text) => {}
            _ if text.starts_with(['-', '+']) => return false,
            // Any other word of theirs is a command, or a package that is run, unless it is a file.
            _ if matches!(name, "deno" | "bun" | "dotnet" | "mix" | "stack") && !text.contains('.') => return false,
            // What it reads there nobody has seen.
            _ => return !text.contains([' ', '\n', ';', '(']) && !is_stream(word),
        }
    }
    false
}
