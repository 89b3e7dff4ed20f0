//! Commands of coordination: issues, reservations, mail, reports, plans, deadlines.

use super::spec::{Arg, Kind, Need, Shape, Spec};
use super::table::{OF_LANE, TEXT, acts, arg, flag, option, place, reads};
use crate::domain::WorkState;

const STATES: Kind = Kind::Words(WorkState::WORDS);

const fn several(name: &'static str, value: &'static str, kind: Kind, about: &'static str) -> Arg {
    arg(name, kind, Shape::Repeated(value), Need::Never, about)
}

/// The lane that acts; in a window the focused one if none is named.
const ACTING: Arg = arg("lane", Kind::Lane, Shape::Option("NAME"), Need::InShell, "The lane that acts");
const HOLDER: Arg = arg("lane", Kind::Lane, Shape::Option("NAME"), Need::InShell, "The lane that holds them");
const AS_LANE: Arg = option("lane", "NAME", Kind::Lane, "In the name of this lane; default you");
const ISSUE: Arg = place("N", Kind::Issue, Need::Always, "The issue's number");
const OFFER: Arg = place("ID", Kind::Offer, Need::Always, "The offer's id, such as o3");
const MESSAGE: Arg = place("ID", Kind::Message, Need::Always, "The message's id, such as msg12");
const KEY: Arg = option("key", "KEY", Kind::Text, "The same key again does nothing new, and answers as the first time");
const WITHIN: Arg =
    option("within", "TIME", Kind::Within, "When it is due: 30m, 2h, 1d from now; being late moves nothing");
const REMAINING: Arg = several("remaining", "TEXT", Kind::Text, "What is left to do; once for each thing");
const BEFORE: Arg = option("before", "ID", Kind::Message, "Only what came before this one");
const LIMIT: Arg = option("limit", "COUNT", Kind::Number, "At most so many; default 20");

pub(super) static WORK: &[Spec] = &[
    acts(
        &["issue", "claim"],
        "Claim an issue that nobody owns",
        &[ISSUE, ACTING, WITHIN, KEY],
        "7 --lane api --within 2h",
    ),
    acts(
        &["issue", "release"],
        "Give an issue back; offers of it lapse and holds for it end",
        &[ISSUE, ACTING, KEY],
        "7 --lane api",
    ),
    acts(
        &["issue", "offer"],
        "Offer an issue that a lane owns to another one, which accepts or declines",
        &[
            ISSUE,
            ACTING,
            arg("to", Kind::Lane, Shape::Option("NAME"), Need::Always, "The lane that is to have it"),
            arg("summary", Kind::Text, Shape::Option("TEXT"), Need::Always, "How the work stands"),
            REMAINING,
            WITHIN,
            KEY,
        ],
        "7 --lane api --to web --summary 'the routes are done' --remaining 'the tests'",
    ),
    acts(
        &["issue", "assign"],
        "Assign an issue to a lane, which accepts it; its owner is asked if it has one",
        &[
            ISSUE,
            place("LANE", Kind::Lane, Need::Always, "The lane that is to have it"),
            option("reason", "TEXT", Kind::Text, "Why"),
            WITHIN,
            KEY,
        ],
        "7 web",
    ),
    acts(
        &["issue", "request"],
        "Ask the owner of an issue for it",
        &[ISSUE, ACTING, arg("summary", Kind::Text, Shape::Option("TEXT"), Need::Always, "Why"), WITHIN, KEY],
        "7 --lane web --summary 'it touches my router'",
    ),
    acts(
        &["issue", "accept"],
        "Accept an offer, an assignment or a request: the issue changes hands",
        &[OFFER, ACTING, WITHIN, KEY],
        "o3 --lane web",
    ),
    acts(
        &["issue", "decline"],
        "Decline an offer, an assignment or a request",
        &[OFFER, ACTING, option("reason", "TEXT", Kind::Text, "Why"), KEY],
        "o3 --lane web --reason 'busy with #4'",
    ),
    acts(&["issue", "cancel"], "Take an offer, an assignment or a request back", &[OFFER, AS_LANE, KEY], "o3"),
    acts(
        &["issue", "block"],
        "Say that an issue waits for another one",
        &[
            ISSUE,
            arg("on", Kind::Issue, Shape::Option("M"), Need::Always, "The issue that must be done first"),
            AS_LANE,
            KEY,
        ],
        "7 --on 3",
    ),
    acts(
        &["issue", "unblock"],
        "Say that an issue does not wait for another one any more",
        &[
            ISSUE,
            arg("on", Kind::Issue, Shape::Option("M"), Need::Always, "The issue that it waited for"),
            AS_LANE,
            KEY,
        ],
        "7 --on 3",
    ),
    acts(
        &["issue", "reopen"],
        "Open an issue again that is done; what waits for it waits again",
        &[ISSUE, AS_LANE, KEY],
        "7",
    ),
    acts(&["issue", "title"], "Say what an issue is called", &[ISSUE, TEXT], "7 rate limiting on login"),
    reads(
        &["issue", "next"],
        "List issues that could be begun, best first, and why; nothing is claimed",
        &[option("lane", "NAME", Kind::Lane, "As seen by this lane"), LIMIT],
        "--lane api",
    ),
    reads(&["issue", "list"], "List issues, owners and offers", &[flag("all", "Done ones too"), OF_LANE], "--lane api"),
    reads(&["issue", "show"], "Show one issue: owner, offers, what it waits for, reports, holds", &[ISSUE], "7"),
    acts(
        &["reserve"],
        "Hold paths or named resources for a lane; other lanes' writes wait",
        &[
            HOLDER,
            arg(
                "PATH",
                Kind::Path,
                Shape::Many,
                Need::Always,
                "Paths or globs from the repository's root, a directory ends in /; or resources such as port:5432",
            ),
            flag("shared", "Shared holds do not conflict with each other"),
            flag("wait", "Queue for what others hold; it is granted when it is released"),
            option("ttl", "TIME", Kind::Within, "End by itself after 30m, 2h, 1d; the same again renews it"),
            option("reason", "TEXT", Kind::Text, "Why; shown to whoever meets it"),
            option("issue", "N", Kind::Issue, "For this issue: it goes where the issue goes, and ends with it"),
            KEY,
        ],
        "--lane api src/router/ 'tests/router*.rs' --ttl 30m",
    ),
    acts(
        &["release"],
        "End a lane's holds and its places in queues: these, or all",
        &[HOLDER, arg("PATH", Kind::Path, Shape::Many, Need::Never, "Paths or globs as they were reserved"), KEY],
        "--lane api src/router/",
    ),
    reads(&["reservations"], "List what lanes hold, and who waits for it", &[OF_LANE], ""),
    acts(
        &["say"],
        "Write to lanes, to all of them, or as a lane to you",
        &[
            place("TO", Kind::Lane, Need::Always, "A lane, several with commas between, `all` or `operator`"),
            TEXT,
            AS_LANE,
            option("subject", "TEXT", Kind::Text, "What it is about; default its first line"),
            option("reply", "ID", Kind::Message, "It answers this message"),
            option("topic", "WORD", Kind::Text, "It takes the place of unread older ones of the same topic"),
            flag("ack", "It has to be acknowledged"),
            option("within", "TIME", Kind::Within, "With --ack: when that is due"),
            flag("decision", "It records a decision for everybody to find"),
            option("issue", "N", Kind::Issue, "The issue it is about"),
            several("attach", "FILE", Kind::Path, "A file that comes with it; at most 8 of 256 KiB"),
            option("after", "TIME", Kind::Within, "Send it after 30m, 2h, 1d"),
            option("at", "TIME", Kind::Time, "Send it at 18:30, +10m or RFC 3339"),
            option("when-released", "N", Kind::Issue, "Send it when nobody owns this issue"),
            option("every", "TIME", Kind::Interval, "Send it again after each 30m, 2h, 1d"),
            option("until", "TIME", Kind::Time, "With --every: not after then"),
            option("times", "COUNT", Kind::Number, "With --every: so many in all, at most 25"),
            KEY,
        ],
        "api,web the schema has changed: rebase before you go on --ack",
    ),
    reads(
        &["mail", "list"],
        "List messages, newest first",
        &[
            AS_LANE,
            flag("all", "Everybody's"),
            flag("unread", "Only what is not read"),
            flag("unacknowledged", "Only what is to be acknowledged"),
            flag("decisions", "Only what records a decision"),
            BEFORE,
            LIMIT,
        ],
        "--lane api --unread",
    ),
    reads(
        &["mail", "show"],
        "Show one message; nothing is marked as read",
        &[MESSAGE, AS_LANE, option("attachment", "NAME", Kind::Text, "Print this attachment instead")],
        "msg12",
    ),
    reads(
        &["mail", "thread"],
        "Show a thread, oldest message first",
        &[MESSAGE, AS_LANE, option("after", "ID", Kind::Message, "Only what came after this one"), LIMIT],
        "msg12",
    ),
    reads(
        &["mail", "search"],
        "Find messages with all of these words",
        &[AS_LANE, flag("decisions", "Only what records a decision"), BEFORE, LIMIT, TEXT],
        "schema rebase",
    ),
    acts(
        &["mail", "read"],
        "Show a message and mark it as read, or mark all",
        &[
            place("ID", Kind::Message, Need::Never, "The message's id, such as msg12"),
            AS_LANE,
            flag("all", "Mark everything as read"),
            option("attachment", "NAME", Kind::Text, "Print this attachment instead; nothing is marked"),
            option("from", "BYTE", Kind::Number, "Begin at this byte of the text"),
            option("page", "BYTES", Kind::Number, "So many at once; read is what was shown to its end"),
        ],
        "msg12 --lane api",
    ),
    acts(
        &["mail", "wait"],
        "Wait for mail and list what is unread; status 1 when none came in time",
        &[AS_LANE, option("timeout", "SECONDS", Kind::Number, "So long at most: up to 600; default 50"), LIMIT],
        "--lane api --timeout 300",
    ),
    acts(&["mail", "ack"], "Acknowledge a message", &[MESSAGE, AS_LANE, KEY], "msg12 --lane api"),
    reads(&["mail", "pending"], "List messages that go out later", &[], ""),
    acts(
        &["mail", "cancel"],
        "Cancel a message that goes out later",
        &[place("ID", Kind::Text, Need::Always, "Its id in `mail pending`, such as later2")],
        "later2",
    ),
    acts(
        &["report"],
        "Report how a lane's work stands, or list the newest reports",
        &[
            option("lane", "NAME", Kind::Lane, "The lane that reports"),
            option("state", "STATE", STATES, "ready, blocked, partial or waiting; without it reports are listed"),
            option("issue", "N", Kind::Issue, "The issue it is about; default the one it owns"),
            several("evidence", "TEXT", Kind::Text, "What shows it; a report of `ready` has some"),
            REMAINING,
            option("until", "TEXT", Kind::Text, "With `waiting`: what it waits for"),
            option("summary", "TEXT", Kind::Text, "In your words"),
            KEY,
        ],
        "--lane api --state ready --evidence 'cargo test passes'",
    ),
    acts(
        &["plan", "apply"],
        "Put a plan in force: titles, what waits for what, groups",
        &[place("FILE", Kind::Path, Need::Always, "The plan, in TOML"), KEY],
        "plan.toml",
    ),
    reads(
        &["plan", "diff"],
        "Show what a plan would change",
        &[place("FILE", Kind::Path, Need::Always, "The plan, in TOML")],
        "plan.toml",
    ),
    reads(&["plan", "show"], "Show the plan in force as a tree with owners", &[], ""),
    reads(&["deadlines", "show"], "Show when things are due, and what is late", &[], ""),
    acts(
        &["deadlines", "set"],
        "Set when things are due unless somebody says otherwise; `none` for never",
        &[
            option("claim", "TIME", Kind::Text, "From a claim to its release"),
            option("offer", "TIME", Kind::Text, "From an offer to its answer"),
            option("request", "TIME", Kind::Text, "From a request to its answer"),
            option("ack", "TIME", Kind::Text, "From a message to its acknowledgement"),
            option("attempts", "COUNT", Kind::Text, "How often a claim may be reported as blocked"),
        ],
        "--claim 4h --offer 10m --attempts 3",
    ),
];
