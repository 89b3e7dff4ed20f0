//! Every command there is, once. What is not built yet does not stand here.

use std::sync::LazyLock;

use super::spec::{Arg, Kind, Need, Shape, Spec, Surface};
use super::table_work::WORK;
use crate::domain::{Cli, HISTORY_KINDS, Layer};

const PRIORITIES: Kind = Kind::Words(&["high", "normal", "low"]);
const SCOPES: Kind = Kind::Words(&["once", "session", "always"]);
const SESSIONS: Kind = Kind::Words(&["agent", "pane"]);
const SWITCHES: Kind = Kind::Words(Layer::OPTIONAL);
const PLACES: Kind = Kind::Words(&["first", "last", "up", "down", "before"]);
const PERIODS: Kind = Kind::Words(&["day", "week", "month", "total"]);
const EFFECTS: Kind = Kind::Words(&["deny", "ask", "allow"]);
const STATES: Kind =
    Kind::Words(&["starting", "working", "waiting", "needs-you", "done", "idle", "paused", "failed", "ended"]);
const OUTCOMES: Kind = Kind::Words(&["done", "failed", "cancelled", "none"]);
const TOPICS: Kind = Kind::Words(HISTORY_KINDS);
const SHELLS: Kind = Kind::Words(&["bash", "zsh", "fish"]);

pub(super) const fn arg(name: &'static str, kind: Kind, shape: Shape, need: Need, about: &'static str) -> Arg {
    Arg { name, kind, shape, need, only: None, about }
}

pub(super) const fn place(name: &'static str, kind: Kind, need: Need, about: &'static str) -> Arg {
    arg(name, kind, Shape::One, need, about)
}

pub(super) const fn option(name: &'static str, value: &'static str, kind: Kind, about: &'static str) -> Arg {
    arg(name, kind, Shape::Option(value), Need::Never, about)
}

pub(super) const fn flag(name: &'static str, about: &'static str) -> Arg {
    arg(name, Kind::Text, Shape::Flag, Need::Never, about)
}

const fn in_shell(arg: Arg) -> Arg {
    Arg { only: Some(Surface::Shell), ..arg }
}

/// A lane, or none where lanes are chosen by what they are like.
const ONE_LANE: Arg = place("NAME", Kind::Lane, Need::Never, "The lane; or choose several by the options");
const ALL_LANES: Arg = flag("all", "Every open lane");
const BY_PROVIDER: Arg = option("provider", "PROVIDER", Kind::Provider, "Lanes whose agent uses this provider");
const BY_STATE: Arg = option("state", "STATE", STATES, "Lanes in this state");
const BY_OUTCOME: Arg = option("outcome", "OUTCOME", OUTCOMES, "Lanes whose last prompt came to this");
const DRIFTED: Arg = flag("drifted", "Lanes that have another branch checked out than their own");
const IDLE: Arg = flag("idle", "Lanes that have nothing to do and nothing queued");
const OVER_BUDGET: Arg = flag("over-budget", "Lanes counted by a budget that is used up");
const YES: Arg = flag("yes", "Do not ask whether these lanes are meant");
const KIND: Arg = option("kind", "KIND", TOPICS, "Only what concerns this");
const SINCE: Arg = option("since", "TIME", Kind::Text, "Nothing before this: 30m, 2h, 7d ago, or RFC 3339");
const LIMIT: Arg = option("limit", "N", Kind::Number, "At most so many, the newest; default 200");
const OUTPUT: Arg =
    in_shell(option("output", "FILE", Kind::Path, "Write it to this file; replaced whole, readable by you only"));

const NEW_NAME: Arg = place("NAME", Kind::Text, Need::Always, "The name, for `lane new --cli NAME`");
const CARRIER: Arg = option("cli", "CLI", Kind::Words(Cli::WORDS), "The CLI that carries it");
const CLI_MODEL: Arg = option("model", "MODEL", Kind::Text, "Its model, unless a lane names another");
const CLI_SET: Arg =
    arg("set", Kind::Text, Shape::Repeated("VARIABLE=VALUE"), Need::Never, "A variable of the CLI, as it stands here");
const CLI_FROM: Arg = arg(
    "from",
    Kind::Text,
    Shape::Repeated("VARIABLE=YOURS"),
    Need::Never,
    "A variable of the CLI, from the one of yours; a key's value never stands in a file",
);
const CLI_ARGS: Arg = arg("COMMAND", Kind::Text, Shape::Program, Need::Never, "Arguments of its program");

/// The lane a command is about; in a window the focused one if none is named.
const LANE: Arg = place("NAME", Kind::Lane, Need::InShell, "The lane");
pub(super) const OF_LANE: Arg = option("lane", "NAME", Kind::Lane, "Only this lane");
const PROMPT_ID: Arg = place("ID", Kind::Prompt, Need::Always, "The prompt's id, such as p12");
pub(super) const TEXT: Arg =
    arg("TEXT", Kind::Text, Shape::Rest, Need::Always, "The text; begin it after `--` if it starts with `-`");
const ALL_ENDED: Arg = flag("all", "Ended ones too");

pub(super) const fn reads(
    path: &'static [&'static str],
    about: &'static str,
    args: &'static [Arg],
    example: &'static str,
) -> Spec {
    Spec { path, about, args, reads: true, only: None, example }
}

pub(super) const fn acts(
    path: &'static [&'static str],
    about: &'static str,
    args: &'static [Arg],
    example: &'static str,
) -> Spec {
    Spec { path, about, args, reads: false, only: None, example }
}

const fn only(surface: Surface, spec: Spec) -> Spec {
    Spec { only: Some(surface), ..spec }
}

static TABLE: &[Spec] = &[
    acts(
        &["lane", "new"],
        "Make a lane: a worktree, a branch and a session",
        &[
            place("NAME", Kind::Text, Need::Never, "Its name; one is made up if absent"),
            option("kind", "KIND", SESSIONS, "Our own agent, or a program in a pane"),
            option("provider", "PROVIDER", Kind::Provider, "The provider of its agent"),
            option("model", "MODEL", Kind::Model, "The model of its agent, or of its native CLI"),
            option("cli", "CLI", Kind::Cli, "A coding agent's own program in a pane, governed by our rules"),
            option("credentials", "NAME", Kind::Text, "The login of its native CLI, by `[credentials.NAME]`"),
            option("base", "REF", Kind::Text, "What its branch starts from; default the base checkout's HEAD"),
            flag("here", "Work in the base checkout, without a worktree"),
            option("prompt", "TEXT", Kind::Text, "Its first prompt"),
            option(
                "rules",
                "FILE",
                Kind::Path,
                "A file of `[[rule]]`s that hold in it alone, from the repository's root",
            ),
            arg("COMMAND", Kind::Text, Shape::Program, Need::Never, "A program to run in a pane"),
        ],
        "sh --base main -- bash -l",
    ),
    reads(&["lane", "list"], "List the lanes", &[flag("all", "Closed ones too")], ""),
    reads(
        &["lane", "show"],
        "Show one lane in full",
        &[LANE, flag("why", "With the evidence that its state rests on")],
        "api",
    ),
    acts(
        &["lane", "focus"],
        "Show a lane in the window",
        &[place("NAME", Kind::Lane, Need::Always, "The lane: its name, its number or a part of its name")],
        "api",
    ),
    acts(
        &["lane", "rename"],
        "Give a lane another name; its branch keeps the old one",
        &[place("NAME", Kind::Lane, Need::Always, "The lane"), place("NEW", Kind::Text, Need::Always, "Its new name")],
        "api backend",
    ),
    acts(
        &["lane", "pause"],
        "Hold a lane, or all that fit, at its next safe point",
        &[ONE_LANE, ALL_LANES, BY_PROVIDER, BY_STATE, BY_OUTCOME, DRIFTED, IDLE, OVER_BUDGET, YES],
        "api",
    ),
    acts(
        &["lane", "resume"],
        "Let a paused lane, or all that fit, go on",
        &[ONE_LANE, ALL_LANES, BY_PROVIDER, BY_STATE, BY_OUTCOME, DRIFTED, IDLE, OVER_BUDGET, YES],
        "api",
    ),
    acts(
        &["lane", "stop"],
        "End the session of a lane, or of all that fit; worktree and queue stay",
        &[ONE_LANE, ALL_LANES, BY_PROVIDER, BY_STATE, BY_OUTCOME, DRIFTED, IDLE, OVER_BUDGET, YES],
        "--over-budget",
    ),
    acts(
        &["lane", "restart"],
        "Start the session of a lane, or of all that fit, again",
        &[
            ONE_LANE,
            ALL_LANES,
            BY_PROVIDER,
            BY_STATE,
            BY_OUTCOME,
            DRIFTED,
            IDLE,
            OVER_BUDGET,
            YES,
            flag("fresh", "A native CLI begins a new conversation instead of going on with its own"),
        ],
        "--state ended",
    ),
    acts(
        &["lane", "close"],
        "Close a lane, or all that fit; refused while that would lose work",
        &[
            ONE_LANE,
            flag("keep-branch", "Keep its branch even if it holds nothing"),
            ALL_LANES,
            BY_PROVIDER,
            BY_STATE,
            BY_OUTCOME,
            DRIFTED,
            IDLE,
            OVER_BUDGET,
            YES,
        ],
        "api",
    ),
    acts(
        &["lane", "restore"],
        "Bring a closed lane back",
        &[place("NAME", Kind::ClosedLane, Need::Always, "The closed lane")],
        "api",
    ),
    acts(
        &["lane", "fork"],
        "Make a lane that goes on from a checkpoint of another, with its files and conversation",
        &[
            place("LANE", Kind::Lane, Need::Always, "The lane to fork"),
            place("NAME", Kind::Text, Need::Always, "The new lane's name"),
            option("at", "N", Kind::Number, "The checkpoint (`rewind LANE` lists them); default as it stands now"),
        ],
        "api api-2 --at 3",
    ),
    acts(
        &["prompt"],
        "Send a prompt to a lane; a busy lane queues it",
        &[
            place("LANE", Kind::Lane, Need::Always, "The lane"),
            TEXT,
            in_shell(flag("wait", "Wait until it is done, failed or cancelled")),
            in_shell(option("timeout", "SECONDS", Kind::Number, "With --wait: give up waiting after this time")),
            in_shell(flag("fail-on-approval", "With --wait: end with status 1 when it needs an approval")),
            option("priority", "PRIORITY", PRIORITIES, "How urgent it is"),
            option("key", "KEY", Kind::Text, "Sending the same key again sends nothing new"),
            option("after", "PROMPT", Kind::Prompt, "Hold it until this prompt has ended"),
            option("at", "TIME", Kind::Time, "Hold it until then: 18:30, +10m, +2h30m or RFC 3339"),
            option(
                "every",
                "TIME",
                Kind::Interval,
                "Send it again after each 30m, 2h30m or 1d; the first one now or --at",
            ),
            option("when-released", "ISSUE", Kind::Issue, "Hold it until nobody owns this issue"),
        ],
        "api add rate limiting to the login route",
    ),
    reads(&["queue", "list"], "List prompts and where they stand", &[ALL_ENDED, OF_LANE], "--all"),
    acts(
        &["queue", "edit"],
        "Change the text of a prompt that has not begun",
        &[PROMPT_ID, TEXT],
        "p12 use the new router",
    ),
    acts(
        &["queue", "move"],
        "Move a prompt within its queue, to another lane or priority",
        &[
            PROMPT_ID,
            place("WHERE", PLACES, Need::Never, "first, last, up, down, or before another prompt"),
            place("OTHER", Kind::Prompt, Need::Never, "With `before`: the other prompt's id"),
            option("lane", "NAME", Kind::Lane, "Move it to this lane"),
            option("priority", "PRIORITY", PRIORITIES, "Give it this priority"),
        ],
        "p12 before p9",
    ),
    acts(&["queue", "cancel"], "Cancel a prompt", &[PROMPT_ID], "p12"),
    acts(
        &["cancel"],
        "Cancel a prompt, or what a lane is doing now",
        &[place("TARGET", Kind::Lane, Need::InShell, "A prompt's id, or a lane for its running prompt")],
        "api",
    ),
    acts(
        &["retry"],
        "Run a failed, cancelled or interrupted prompt again",
        &[place("TARGET", Kind::Lane, Need::InShell, "A prompt's id, or a lane for the one that it had last")],
        "p12",
    ),
    acts(
        &["rewind"],
        "List a lane's checkpoints, or go back to one: conversation and files",
        &[
            place("LANE", Kind::Lane, Need::InShell, "The lane"),
            place("N", Kind::Number, Need::Never, "The checkpoint's number; without it they are listed"),
            flag("both", "Bring back conversation and files (the default)"),
            flag("conversation", "Bring back the conversation only"),
            flag("files", "Bring back the files only"),
        ],
        "api 3 --files",
    ),
    acts(
        &["broadcast"],
        "Send a prompt to every lane, or to all that fit",
        &[BY_PROVIDER, BY_STATE, BY_OUTCOME, DRIFTED, IDLE, OVER_BUDGET, YES, TEXT],
        "commit what you have",
    ),
    only(
        Surface::Window,
        acts(
            &["find"],
            "Find words in what all panes have shown and all lanes have said",
            &[TEXT],
            "connection refused",
        ),
    ),
    reads(&["approvals"], "List the questions that wait for you", &[ALL_ENDED], ""),
    acts(
        &["approve"],
        "Allow a call; exactly that call runs, once",
        &[
            place("ID", Kind::Approval, Need::Always, "The approval's id, such as a3"),
            option("for", "SCOPE", SCOPES, "How long the answer holds for this exact call"),
            option("edit", "JSON", Kind::Text, "Run it with these arguments instead (a JSON object)"),
            option("answer", "TEXT", Kind::Text, "Answer an agent's question: a choice's number, or your words"),
        ],
        "a3 --for session",
    ),
    acts(
        &["deny"],
        "Deny a call; the model is told, with your reason",
        &[
            place("ID", Kind::Approval, Need::Always, "The approval's id, such as a3"),
            arg("reason", Kind::Text, Shape::RestOption("TEXT"), Need::Never, "Why, in words for the model"),
        ],
        "a3 --reason \"use the test database\"",
    ),
    reads(
        &["history", "approvals"],
        "Tell what agents asked, which rule had them ask, who answered what, and when",
        &[OF_LANE, option("last", "N", Kind::Number, "So many lines, the newest; default 200")],
        "--lane api",
    ),
    reads(&["conflicts"], "List what met another lane's hold", &[ALL_ENDED], ""),
    acts(
        &["override"],
        "Override a conflict this once",
        &[place("ID", Kind::Conflict, Need::Always, "The conflict's id, such as c2")],
        "c2",
    ),
    acts(
        &["wait"],
        "Let what met a hold start by itself when the hold ends",
        &[place("ID", Kind::Conflict, Need::Always, "The conflict's id, such as c2")],
        "c2",
    ),
    acts(
        &["mode"],
        "Show or set how freely own agents may act",
        &[
            place("MODE", Kind::Mode, Need::Never, "plan reads only, ask asks, auto-edit edits, full does all"),
            option("lane", "NAME", Kind::Lane, "For this lane only"),
        ],
        "auto-edit --lane api",
    ),
    reads(
        &["policy", "show"],
        "List the rules in force, the strictest first, and where each stands",
        &[option("lane", "NAME", Kind::Lane, "With the rules of this lane")],
        "--lane api",
    ),
    reads(
        &["policy", "explain"],
        "Say whether a call would be allowed, asked about or denied, and which rule decides",
        &[
            place("TOOL", Kind::Text, Need::Always, "The tool, such as shell, write or fetch"),
            arg("ACTION", Kind::Text, Shape::Rest, Need::Always, "The command, path or address"),
            option("lane", "NAME", Kind::Lane, "As this lane; default a new one"),
        ],
        "shell 'git push origin main'",
    ),
    acts(
        &["policy", "add"],
        "Add a rule to your configuration",
        &[
            place("EFFECT", EFFECTS, Need::Always, "deny goes before ask, and ask before allow"),
            place("TOOL", Kind::Text, Need::Always, "shell, read, write, net, mcp, git, spawn or one tool"),
            place("MATCH", Kind::Text, Need::Always, "Words (a beginning if it ends in *), a path's pattern or a host"),
            option("reason", "TEXT", Kind::Text, "Why; shown with each question"),
            flag("two", "Two have to say yes, each at a terminal of their own; for `ask`"),
            option("lane", "NAME", Kind::Lane, "For this lane only; it may deny and ask, not allow"),
            flag("project", "Into the project's configuration, for everybody who trusts it"),
            flag("user", "Into your own; the default"),
        ],
        "ask shell 'git push *' --reason 'pushes are reviewed'",
    ),
    acts(
        &["policy", "remove"],
        "Remove a rule from the configuration, or from a lane",
        &[
            place("NUMBER", Kind::Number, Need::Always, "Its number in `policy show`"),
            option("lane", "NAME", Kind::Lane, "Its number in `policy show --lane NAME`"),
        ],
        "1",
    ),
    acts(&["trust"], "Trust the project's configuration as it stands now", &[], ""),
    acts(
        &["model"],
        "Show or set the model of own agents",
        &[
            place("MODEL", Kind::Model, Need::Never, "A model, or PROVIDER/MODEL"),
            option("lane", "NAME", Kind::Lane, "For this lane only"),
        ],
        "local/some-model --lane api",
    ),
    acts(
        &["context"],
        "Show what goes into a lane's requests and what it weighs, or switch a layer off or on",
        &[
            place("LANE", Kind::Lane, Need::Never, "The lane; or `off` or `on`"),
            place("LAYER", SWITCHES, Need::Never, "With `off` or `on`: the layer"),
            option("lane", "NAME", Kind::Lane, "The lane whose layer it is"),
        ],
        "off rules --lane api",
    ),
    acts(
        &["compact"],
        "Let notes stand for a lane's conversation, so that it takes less of the window",
        &[
            place("LANE", Kind::Lane, Need::InShell, "The lane"),
            arg("FOCUS", Kind::Text, Shape::Many, Need::Never, "What the notes shall keep in view"),
        ],
        "api the error handling",
    ),
    acts(
        &["skill"],
        "Have a lane's agent go by a skill, or list the skills there are",
        &[
            place("NAME", Kind::Skill, Need::Always, "The skill; or `list`"),
            option("lane", "NAME", Kind::Lane, "The lane; in a window the focused one"),
            arg("TEXT", Kind::Text, Shape::Rest, Need::Never, "The task, in your words"),
        ],
        "release --lane api cut 1.2.0",
    ),
    acts(
        &["remember"],
        "Remember a fact: agents are told it with prompts that it fits",
        &[flag("user", "For all your projects; default this one"), TEXT],
        "the staging server needs the VPN",
    ),
    reads(
        &["memory", "list"],
        "List what is remembered, and who had it kept",
        &[flag("project", "Only of this project"), flag("user", "Only for all your projects")],
        "--user",
    ),
    reads(
        &["memory", "search"],
        "Show what an agent would be told with a prompt of these words",
        &[TEXT],
        "deploy to staging",
    ),
    acts(
        &["memory", "edit"],
        "Give a fact another text",
        &[place("ID", Kind::Text, Need::Always, "The fact's id, such as m3 or u1"), TEXT],
        "m3 the staging server needs no VPN",
    ),
    acts(
        &["memory", "forget"],
        "Forget a fact",
        &[place("ID", Kind::Text, Need::Always, "The fact's id, such as m3 or u1")],
        "m3",
    ),
    reads(
        &["problems"],
        "List what needs your hand, oldest first, each with what clears it; status 1 when there is any",
        &[],
        "",
    ),
    acts(
        &["budget", "set"],
        "Limit what calls to models may use or cost; the same scope and period again changes it",
        &[
            option("money", "AMOUNT", Kind::Text, "The limit in money, such as 5 or 2.50"),
            option("tokens", "COUNT", Kind::Number, "Or the limit in tokens, sent and received"),
            option("per", "PERIOD", PERIODS, "When it begins anew; default day"),
            option("lane", "NAME", Kind::Lane, "Count only this lane; default the whole project"),
            option("provider", "PROVIDER", Kind::Provider, "Or count only this provider"),
            option("warn", "PERCENT", Kind::Number, "When to warn; default 80"),
            flag("warn-only", "Never stop a call"),
        ],
        "--money 5 --per day --lane api",
    ),
    reads(&["budget", "list"], "List budgets and what of them is used", &[], ""),
    acts(
        &["budget", "remove"],
        "Remove a budget that was set by command",
        &[place("ID", Kind::Text, Need::Always, "The budget's id, such as b1")],
        "b1",
    ),
    reads(&["servers", "list"], "List the tool servers (MCP) of own agents and how they stand", &[], ""),
    reads(
        &["servers", "show"],
        "Show one tool server: its tools, what is left out, its error output",
        &[place("NAME", Kind::Text, Need::Always, "The server's name in the configuration"), OF_LANE],
        "docs",
    ),
    acts(
        &["servers", "restart"],
        "Start a tool server anew, also one that is off",
        &[place("NAME", Kind::Text, Need::Always, "The server's name in the configuration"), OF_LANE],
        "docs --lane api",
    ),
    reads(
        &["history", "lane"],
        "Show what happened in a lane, oldest first",
        &[place("NAME", Kind::Lane, Need::InShell, "The lane, also a closed one"), KIND, SINCE, LIMIT],
        "api --kind approval --since 7d",
    ),
    reads(
        &["history", "prompt"],
        "Show what became of a prompt, step by step",
        &[PROMPT_ID, KIND, SINCE, LIMIT],
        "p12",
    ),
    reads(
        &["history", "issue"],
        "Show what became of an issue: owners, offers, reports, mail about it",
        &[place("N", Kind::Issue, Need::Always, "The issue's number"), KIND, SINCE, LIMIT],
        "7",
    ),
    reads(
        &["history", "claim"],
        "Show what happened to an issue under one ownership",
        &[place("ID", Kind::Text, Need::Always, "The claim's id in `issue list`, such as k3"), KIND, SINCE, LIMIT],
        "k3",
    ),
    only(
        Surface::Shell,
        reads(
            &["events", "export"],
            "Print history as JSON Lines, oldest first, without keys and passwords",
            &[SINCE, OF_LANE, OUTPUT],
            "--since 7d --output events.jsonl",
        ),
    ),
    only(
        Surface::Shell,
        reads(
            &["watch"],
            "Follow what happens, a line each, until Ctrl-C",
            &[place("LANE", Kind::Lane, Need::Never, "Only this lane")],
            "api",
        ),
    ),
    reads(
        &["top"],
        "Show what each lane does, has used and cost; on a terminal until you press q",
        &[
            in_shell(flag("once", "Print it once")),
            option("sort", "COLUMN", Kind::Column, "Order by this column; `-COLUMN` the other way round"),
            option("filter", "TEXT", Kind::Text, "Only lanes with this in a column, or COLUMN=TEXT"),
            option("columns", "LIST", Kind::Text, "Which columns, such as lane,state,cost; default all that fit"),
            in_shell(option("width", "CELLS", Kind::Number, "Leave out columns that do not fit into so many cells")),
        ],
        "--sort -tokens --filter state=working",
    ),
    reads(
        &["metrics"],
        "Print measurements for Prometheus, or with --json as JSON",
        &[
            OUTPUT,
            in_shell(option(
                "every",
                "TIME",
                Kind::Text,
                "With --output: write it anew after each such time, until Ctrl-C",
            )),
        ],
        "",
    ),
    only(
        Surface::Shell,
        reads(
            &["state", "export"],
            "Write the project's state into one file (tar), without credentials",
            &[place("FILE", Kind::Path, Need::Always, "The file; it must not exist")],
            "shop.tar",
        ),
    ),
    only(
        Surface::Shell,
        reads(
            &["state", "show"],
            "Check such a file and say what is in it",
            &[place("FILE", Kind::Path, Need::Always, "The file")],
            "shop.tar",
        ),
    ),
    only(
        Surface::Shell,
        acts(
            &["state", "import"],
            "Bring such a file in, where this project has no state yet",
            &[
                place("FILE", Kind::Path, Need::Always, "The file"),
                flag("merge", "Into a state that is there: says why that cannot be"),
            ],
            "shop.tar",
        ),
    ),
    reads(&["status"], "Show the project, its lanes and what waits", &[], ""),
    acts(
        &["theme"],
        "Show or set the colours",
        &[place("NAME", Kind::Theme, Need::Never, "The theme")],
        "paralane-light",
    ),
    reads(&["provider", "list"], "List the native CLIs: versions, what is missing, what each cannot do", &[], ""),
    acts(
        &["provider", "add"],
        "Give a native CLI another name, with a model's server behind it, in your configuration",
        &[NEW_NAME, CARRIER, CLI_MODEL, CLI_SET, CLI_FROM, CLI_ARGS],
        "local --cli claude --set ANTHROPIC_BASE_URL=http://127.0.0.1:8080 --from ANTHROPIC_AUTH_TOKEN=LOCAL_KEY",
    ),
    acts(
        &["provider", "shadow"],
        "Put one of your own in the place of a name that comes with Paralane, or take that away",
        &[
            place("NAME", Kind::Cli, Need::Always, "The name that comes with Paralane"),
            CARRIER,
            CLI_MODEL,
            CLI_SET,
            CLI_FROM,
            flag("off", "Only take it away"),
            CLI_ARGS,
        ],
        "kimi --off",
    ),
    acts(
        &["provider", "remove"],
        "Take a name of your own for a native CLI out of your configuration",
        &[place("NAME", Kind::Cli, Need::Always, "The name")],
        "local",
    ),
    reads(
        &["doctor"],
        "Check this machine, the project's state and what runs; status 1 when something is wrong",
        &[],
        "",
    ),
    reads(&["config"], "Show the effective configuration and where each value comes from", &[], ""),
    only(
        Surface::Shell,
        acts(
            &["completion"],
            "Print a completion script for a shell",
            &[place("SHELL", SHELLS, Need::Always, "The shell")],
            "bash",
        ),
    ),
    only(Surface::Shell, acts(&["demo"], "Open a throw-away project with lanes at work", &[], "")),
    only(Surface::Shell, acts(&["up"], "Start the workstation without a window", &[], "")),
    only(Surface::Shell, acts(&["down"], "End the workstation in order; its state is kept", &[], "")),
    reads(
        &["help"],
        "Explain a command, or list them all",
        &[arg("COMMAND", Kind::Command, Shape::Many, Need::Never, "The command")],
        "lane new",
    ),
    only(Surface::Window, acts(&["detach"], "Leave the window; everything goes on", &[], "")),
    acts(&["quit"], "End the workstation; asks if anything runs", &[], ""),
];

/// All of both tables.
static ALL: LazyLock<Vec<Spec>> = LazyLock::new(|| TABLE.iter().chain(WORK).copied().collect());

/// Commands that only group others, with what the group is about.
static GROUPS: &[(&str, &str)] = &[
    ("lane", "Make, list, show, pause and close lanes"),
    ("queue", "See and change what is queued"),
    ("memory", "See and change what is remembered across sessions"),
    ("servers", "See and restart the tool servers (MCP) of own agents"),
    ("history", "See what happened"),
    ("events", "Take history out"),
    ("state", "Take the project's state out, and bring it in elsewhere"),
    ("policy", "See and change what agents may do"),
    ("provider", "Native CLIs: what is there, what each can do, and other names for them"),
    ("budget", "Limit what calls to models may use or cost"),
    ("issue", "Who owns which issue, what is offered, what waits for what"),
    ("mail", "Read what lanes write to each other and to you"),
    ("plan", "Say which issues there are and what waits for what"),
    ("deadlines", "Say when things are late; being late moves nothing"),
];

/// Every command.
pub fn table() -> &'static [Spec] {
    &ALL
}

/// The first words that only group other commands, each with its summary.
pub fn groups() -> &'static [(&'static str, &'static str)] {
    GROUPS
}

/// The command of exactly these words.
pub fn find(path: &[&str]) -> Option<&'static Spec> {
    table().iter().find(|spec| spec.path == path)
}
