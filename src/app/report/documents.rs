//! The documents themselves. Field names are fixed by design §4.

use serde_json::{Value, json};

use crate::app::{FoundCli, Model, State};
use crate::base::{Report, size_words, visible};
use crate::command::{Interval, as_taken};
use crate::domain::{
    ApprovalState, Checkpoint, GitFacts, Hold, Lane, LaneKind, LaneStage, ProgramState, ProgramStatus, Prompt,
};

use super::money::thousands;
use super::text::{age, line, path, table};
use super::{Document, Read};

fn lane_json(read: &Read<'_>, lane: &Lane) -> Value {
    let model = &read.state.model;
    json!({
        "name": lane.name,
        "kind": lane.kind.word(),
        "state": state_word(read.state, lane),
        "branch": lane.place.branch,
        "worktree": path(&lane.place.directory),
        "queued": queued(model, lane),
        "cost": read.state.used(lane.id).known_cost().map(crate::domain::Money::number),
        "tokens": read.state.used(lane.id).usage.total(),
        "waiting_approvals": read.state.pending_approvals().filter(|a| a.lane == lane.id).count(),
    })
}

pub(super) fn state_word(state: &State, lane: &Lane) -> String {
    if lane.stage == LaneStage::Closed { "closed".into() } else { state.lane_state(lane.id).json_word() }
}

/// Prompts that wait for their turn.
fn queued(model: &Model, lane: &Lane) -> usize {
    model.queue(lane.id).iter().filter(|p| !p.state.active()).count()
}

pub(super) fn lanes(read: &Read<'_>, all: bool) -> Document {
    let model = &read.state.model;
    let lanes: Vec<&Lane> = model.lanes.values().filter(|l| all || l.stage != LaneStage::Closed).collect();
    let mut rows = Vec::new();
    for lane in &lanes {
        let since = model.state_since(lane.id).unwrap_or(lane.since);
        rows.push(vec![
            model.number(lane.id).map_or_else(|| "-".into(), |n| n.to_string()),
            lane.name.to_string(),
            lane.kind.word().to_owned(),
            state_word(read.state, lane),
            age(since, read.now),
            match queued(model, lane) {
                0 => String::new(),
                n => format!("q{n}"),
            },
            lane.place.branch.clone().unwrap_or_else(|| "(base checkout)".into()),
            format!("from {} {}", lane.place.base.name, short(&lane.place.base.sha)),
            read.state.live(lane.id).and_then(|l| l.git.as_ref()).map(git_words).unwrap_or_default(),
        ]);
    }
    let none = || as_taken("no lane yet: `paralane lane new NAME` makes one", read.surface);
    let text = if rows.is_empty() { none() } else { table(&rows) };
    let json = json!({ "lanes": lanes.iter().map(|l| lane_json(read, l)).collect::<Vec<_>>() });
    Document { title: "lanes".into(), json, text }
}

/// What git says of a lane, in words; nothing is said of what is not known yet.
fn git_words(git: &GitFacts) -> String {
    if git.missing {
        return "its directory is gone".into();
    }
    let commits = format!("+{} −{}", git.ahead, git.behind);
    let changed = if git.dirty.is_empty() { "clean".to_owned() } else { format!("{} changed", git.dirty.len()) };
    let disk = git.disk.map(size_words);
    [Some(commits), Some(changed), disk].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn wanted<'a>(read: &Read<'a>) -> Result<&'a Lane, Report> {
    let lane = read.focused.and_then(|id| read.state.model.lanes.get(&id));
    lane.ok_or_else(|| Report::usage("no lane is named").hint("name the lane"))
}

pub(super) fn lane(read: &Read<'_>, why: bool) -> Result<Document, Report> {
    let lane = wanted(read)?;
    let state = read.state;
    let git = state.live(lane.id).and_then(|l| l.git.as_ref());
    let mut json = lane_json(read, lane);
    let pane = state.live(lane.id).filter(|l| l.pane_running).map(|l| &l.pane);
    let program = pane.and_then(|p| p.program.as_ref());
    let reserved: Vec<String> =
        state.model.reservations.values().filter(|r| r.lane == lane.id).map(|r| r.pattern.clone()).collect();
    let extra = json!({
        "base": lane.place.base.name,
        "base_sha": lane.place.base.sha,
        "mode": state.mode(lane.id).word(),
        "error": lane.error,
        "created": lane.created,
        "since": state.model.state_since(lane.id),
        "ahead": git.map(|g| g.ahead),
        "behind": git.map(|g| g.behind),
        "dirty": git.map(|g| g.dirty.len()),
        "missing": git.map(|g| g.missing),
        "disk": git.and_then(|g| g.disk),
        "reservations": reserved,
        "doing": state.live(lane.id).map(|l| &l.feed.phase).filter(|words| !words.is_empty()),
        "context": state.live(lane.id).and_then(|live| live.used).map(|used| json!({
            "tokens": used.context, "window": used.window,
        })),
        "title": pane.map(|p| &p.title).filter(|title| !title.is_empty()),
        "cli": lane.kind.native().map(|native| native.cli.word()),
        "session": lane.kind.native().and_then(|native| native.session.as_deref()),
        "program": program.map(|p| json!({ "state": p.state.word(), "message": p.message })),
    });
    if let (Value::Object(into), Value::Object(from)) = (&mut json, extra) {
        into.extend(from);
    }
    let mut rows = vec![
        vec!["lane".into(), lane.name.to_string()],
        vec!["state".into(), state_word(state, lane)],
        vec!["kind".into(), kind_text(state, lane)],
        vec!["branch".into(), lane.place.branch.clone().unwrap_or_else(|| "(base checkout)".into())],
        vec!["base".into(), format!("{} {}", lane.place.base.name, short(&lane.place.base.sha))],
        vec!["worktree".into(), path(&lane.place.directory)],
        vec!["mode".into(), state.mode(lane.id).word().into()],
        vec!["queued".into(), queued(&state.model, lane).to_string()],
    ];
    if git.is_some_and(|git| git.missing) {
        rows.push(vec!["missing".into(), "the worktree was removed; restart the lane, or close it".into()]);
    } else if let Some(git) = git {
        rows.push(vec!["commits".into(), format!("{} ahead, {} behind", git.ahead, git.behind)]);
        rows.push(vec!["changed".into(), format!("{} uncommitted", git.dirty.len())]);
        if let Some(disk) = git.disk {
            rows.push(vec!["disk".into(), size_words(disk)]);
        }
    }
    if let Some(used) = state.live(lane.id).and_then(|live| live.used) {
        let of = used.window.map(|window| format!(" of {}", thousands(window))).unwrap_or_default();
        rows.push(vec!["context".into(), format!("{}{of} tokens, by its own count", thousands(used.context))]);
    }
    let doing = state.live(lane.id).map(|l| l.feed.phase.as_str()).filter(|words| !words.is_empty());
    if let Some(doing) = doing {
        rows.push(vec!["doing".into(), line(doing, 200)]);
    }
    if let Some(pane) = pane.filter(|p| !p.title.is_empty()) {
        rows.push(vec!["title".into(), line(&pane.title, 100)]);
    }
    if let Some(program) = program {
        rows.push(vec!["program".into(), line(&program_words(program), 200)]);
    }
    for prompt in state.model.queue(lane.id).into_iter().filter(|p| p.state.needs_person()) {
        let words =
            format!("{0} is {1}: `retry {0}` goes on, `cancel {0}` gives it up", prompt.id, prompt.state.word());
        rows.push(vec!["needs you".into(), words]);
    }
    if !reserved.is_empty() {
        rows.push(vec!["reserved".into(), reserved.join(", ")]);
    }
    if let Some(native) = lane.kind.native() {
        let words = native.session.clone().unwrap_or_else(|| "none yet".into());
        rows.push(vec!["conversation".into(), line(&words, 100)]);
        let found = state.settings.clis.iter().find(|found| found.cli == native.cli);
        rows.extend(found.and_then(FoundCli::untried).map(|words| vec!["version".into(), line(&words, 100)]));
    }
    if why {
        let evidence = evidence(state, lane);
        rows.extend(evidence.iter().map(|words| vec!["because".into(), line(words, 200)]));
        json["evidence"] = json!(evidence);
    }
    if let Some(error) = &lane.error {
        rows.push(vec!["cause".into(), line(error, 200)]);
    }
    Ok(Document { title: format!("lane {}", lane.name), json, text: table(&rows) })
}

/// What a lane's state rests on, what counts most first.
fn evidence(state: &State, lane: &Lane) -> Vec<String> {
    let mut found = match lane.stage {
        LaneStage::Open => Vec::new(),
        LaneStage::Creating => vec!["its worktree is being made and set up".to_owned()],
        LaneStage::Paused => vec!["you have paused it".to_owned()],
        LaneStage::Failed => vec!["its set-up or its session failed".to_owned()],
        LaneStage::Ended => vec!["its program has ended".to_owned()],
        LaneStage::Closed => vec!["it is closed".to_owned()],
    };
    found.extend(state.pending_approvals().filter(|a| a.lane == lane.id).map(|a| format!("{} waits for you", a.id)));
    let queue = state.model.queue(lane.id);
    found.extend(queue.iter().map(|prompt| format!("{} is {}", prompt.id, prompt.state.word())));
    let Some(live) = state.live(lane.id) else { return found };
    if matches!(lane.kind, LaneKind::Agent { .. }) {
        return found;
    }
    if !live.pane_running {
        found.push("no program runs in its pane".into());
        return found;
    }
    match (&live.pane.program, &live.hooked) {
        (Some(program), _) => found.push(format!("{}: {}", program.by.words(), program_words(program))),
        (None, Some(hooked)) => {
            let words = format!("its hook {} told at {:.0}: {}", hooked.event, hooked.at, hooked.state.word());
            found.push(words);
        }
        (None, None) if lane.kind.native().is_some() => {
            found.push(
                "neither a report nor a hook nor its screen has told of it yet: until then it is given nothing".into(),
            );
        }
        (None, None) => {
            let words = if live.pane.ready { "is quiet and waits for input" } else { "writes, or does not wait" };
            found.push(format!("its screen {words}"));
        }
    }
    found
}

/// `asks permission: ls -l`, `working`
fn program_words(program: &ProgramStatus) -> String {
    let what = match program.state {
        ProgramState::Blocked(kind) => format!("asks: {}", kind.word()),
        state => state.word().to_owned(),
    };
    let words = program.words();
    if words.is_empty() { what } else { format!("{what}: {words}") }
}

fn kind_text(state: &State, lane: &Lane) -> String {
    match &lane.kind {
        LaneKind::Agent { .. } => match state.provider_of(lane.id) {
            Some((provider, model)) => format!("agent, {provider}/{model}"),
            None => "agent, no model server configured".into(),
        },
        LaneKind::Pane { command, .. } => format!("pane, {}", line(&command.join(" "), 100)),
    }
}

fn short(sha: &str) -> &str {
    sha.get(..7).unwrap_or(sha)
}

/// One prompt: `prompt`'s answer.
#[must_use]
pub fn prompt_document(model: &Model, prompt: &Prompt) -> Document {
    let lane = model.name(prompt.lane);
    let json = json!({
        "id": prompt.id.to_string(),
        "lane": lane,
        "state": prompt.state.word(),
        "result": prompt.result,
        "error": prompt.error,
    });
    let mut text = format!("{} {lane} {}", prompt.id, prompt.state.word());
    if let Some(more) = prompt.result.as_ref().or(prompt.error.as_ref()) {
        text = format!("{text}\n\n{}", visible(more));
    }
    let over = model.lanes.get(&prompt.lane).filter(|lane| matches!(lane.stage, LaneStage::Ended | LaneStage::Failed));
    if over.is_some() && !prompt.state.ended() {
        text = format!("{text}\nits lane has ended; `paralane lane restart {lane}` starts it again");
    }
    Document { title: format!("prompt {}", prompt.id), json, text }
}

pub(super) fn queue(read: &Read<'_>, all: bool, lane: Option<&str>) -> Result<Document, Report> {
    let model = &read.state.model;
    let only = match lane {
        Some(name) => {
            Some(model.lane_named(name).ok_or_else(|| Report::refused(format!("there is no lane `{name}`")))?.id)
        }
        None => None,
    };
    let mut prompts: Vec<&Prompt> = if all {
        model.prompts.values().collect()
    } else {
        model.open_lanes().flat_map(|l| model.queue(l.id)).collect()
    };
    prompts.retain(|p| only.is_none_or(|lane| p.lane == lane));
    let rows: Vec<Vec<String>> = prompts
        .iter()
        .map(|p| {
            let until = match p.hold.filter(|_| p.state == crate::domain::PromptState::Held) {
                Some(Hold::At(at)) => format!("until {at:.0}"),
                Some(Hold::Every { next, seconds, .. }) => format!("until {next:.0}, every {}", Interval(seconds)),
                Some(Hold::After(other)) => format!("after {other}"),
                Some(Hold::Released(issue)) => format!("until {issue} is released"),
                None => String::new(),
            };
            let state = format!("{} {until}", p.state.word());
            vec![
                p.id.to_string(),
                model.name(p.lane),
                state.trim_end().into(),
                p.priority.word().into(),
                line(&p.text, 80),
            ]
        })
        .collect();
    let json = json!({ "prompts": prompts.iter().map(|p| json!({
        "id": p.id.to_string(),
        "lane": model.name(p.lane),
        "state": p.state.word(),
        "priority": p.priority.word(),
        "text": p.text,
    })).collect::<Vec<_>>() });
    let text = if rows.is_empty() { "nothing is queued".into() } else { table(&rows) };
    Ok(Document { title: "queue".into(), json, text })
}

pub(super) fn checkpoints(read: &Read<'_>) -> Result<Document, Report> {
    let model = &read.state.model;
    let Some(lane) = read.focused else { return Err(Report::usage("name the lane")) };
    let name = model.name(lane);
    let shown: Vec<_> = model.checkpoints(lane).rev().collect();
    let words = |c: &Checkpoint| point_words(model, c);
    let json = json!({ "lane": name, "checkpoints": shown.iter().map(|c| json!({
        "number": c.number,
        "prompt": c.prompt.map(|p| p.to_string()),
        "before": words(c),
        "at": c.at,
        "entries": c.seq,
        "commit": c.commit,
    })).collect::<Vec<_>>() });
    let rows: Vec<Vec<String>> = shown
        .iter()
        .map(|c| {
            let files = if c.commit.is_some() { "" } else { " (without files)" };
            let what = c.prompt.map_or_else(|| "-".into(), |p| p.to_string());
            vec![c.number.to_string(), age(c.at, read.now), what, format!("{}{files}", line(&words(c), 80))]
        })
        .collect();
    let text = if rows.is_empty() {
        format!("lane {name} has no checkpoint; the first is taken before the next turn of its agent")
    } else {
        format!(
            "{}\n`rewind {name} N` goes back to before that; `lane fork {name} NEW --at N` makes a lane of it",
            table(&rows)
        )
    };
    Ok(Document { title: format!("checkpoints of {name}"), json, text })
}

/// What a checkpoint stands before.
pub fn point_words(model: &Model, point: &Checkpoint) -> String {
    let text = point.prompt.and_then(|prompt| model.prompts.get(&prompt)).map(|prompt| prompt.text.clone());
    text.unwrap_or_else(|| match point.prompt {
        Some(prompt) => format!("prompt {prompt}"),
        None => "(a rewind or a fork)".into(),
    })
}

pub(super) fn approvals(read: &Read<'_>, all: bool) -> Document {
    let model = &read.state.model;
    let mut shown: Vec<_> = model.approvals.values().filter(|a| all || a.state == ApprovalState::Pending).collect();
    shown.extend(read.state.copies.questions());
    shown.sort_by_key(|a| a.id);
    let json = json!({ "approvals": shown.iter().map(|a| json!({
        "id": a.id.to_string(),
        "lane": model.name(a.lane),
        "tool": a.tool,
        "action": a.action,
        "reason": format!("{} ({})", a.rule.rule, a.rule.place),
        "state": a.state.word(),
        "directory": a.directory,
        "created": a.created,
        "choices": a.choices().collect::<Vec<_>>(),
        "needed": a.needs,
        "confirmed": a.said_yes(),
        "confirmed_by": a.confirmed.as_ref().map(|by| by.words.as_str()),
        "expires": a.expires,
        "answered_by": a.by.as_ref().map(|by| by.words.as_str()),
    })).collect::<Vec<_>>() });
    let rows: Vec<Vec<String>> = shown
        .iter()
        .map(|a| {
            vec![
                a.id.to_string(),
                model.name(a.lane),
                if a.needs > 1 && a.state == ApprovalState::Pending {
                    format!("{} {} of {}", a.state.word(), a.said_yes(), a.needs)
                } else {
                    a.state.word().into()
                },
                age(a.created, read.now),
                a.tool.clone(),
                line(&a.action, 100),
            ]
        })
        .collect();
    let text = if rows.is_empty() { "no approval waits".into() } else { table(&rows) };
    Document { title: "approvals".into(), json, text }
}

pub(super) fn conflicts(read: &Read<'_>, all: bool) -> Document {
    let model = &read.state.model;
    let shown: Vec<_> = model.conflicts.values().filter(|c| all || c.state.open()).collect();
    let json = json!({ "conflicts": shown.iter().map(|c| json!({
        "id": c.id.to_string(),
        "lane": model.name(c.lane),
        "with": model.met(c),
        "paths": c.paths,
        "state": c.state.word(),
        "kind": c.kind,
        "cause": c.cause,
        "prompt": c.prompt.to_string(),
    })).collect::<Vec<_>>() });
    let rows: Vec<Vec<String>> = shown
        .iter()
        .map(|c| {
            let paths = line(&c.paths.join(", "), 60);
            vec![
                c.id.to_string(),
                model.name(c.lane),
                c.state.word().into(),
                format!("{paths}: {}, {}", model.met(c), c.cause),
            ]
        })
        .collect();
    let text = if rows.is_empty() { "no conflict is open".into() } else { table(&rows) };
    Document { title: "conflicts".into(), json, text }
}

pub(super) fn status(read: &Read<'_>) -> Document {
    let state = read.state;
    let model = &state.model;
    let running = model.prompts.values().filter(|p| p.state.active()).count();
    let queued = model.prompts.queues().len() - running;
    let approvals = state.pending_approvals().count();
    let conflicts = model.open_conflicts().count();
    let project = &state.settings.project;
    let lanes: Vec<Value> = model.open_lanes().map(|l| lane_json(read, l)).collect();
    let json = json!({
        "project": path(&project.root),
        "base": format!("{} {}", project.base.name, project.base.sha),
        "store": path(&state.settings.store),
        "lanes": lanes,
        "running": running,
        "queued": queued,
        "approvals": approvals,
        "conflicts": conflicts,
    });
    let head = table(&[
        vec!["project".into(), path(&project.root)],
        vec!["base".into(), format!("{} {}", visible(&project.base.name), short(&project.base.sha))],
        vec!["store".into(), path(&state.settings.store)],
        vec!["prompts".into(), format!("{running} running, {queued} queued")],
        vec!["needs you".into(), format!("{}, {}", many(approvals, "approval"), many(conflicts, "conflict"))],
    ]);
    let text = format!("{head}\n{}", self::lanes(read, false).text);
    Document { title: "status".into(), json, text }
}

/// `1 approval`, `2 approvals`.
fn many(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

pub(super) fn config(read: &Read<'_>) -> Document {
    let lines = &read.state.settings.explained;
    Document { title: "configuration".into(), json: json!({ "config": lines }), text: lines.join("\n") }
}

pub(super) fn mode(read: &Read<'_>, lane: Option<&str>) -> Result<Document, Report> {
    let state = read.state;
    let mode = match lane {
        Some(name) => {
            let lane =
                state.model.lane_named(name).ok_or_else(|| Report::refused(format!("there is no lane `{name}`")))?;
            state.mode(lane.id)
        }
        None => state.model.mode.unwrap_or(state.settings.mode),
    };
    Ok(Document { title: "mode".into(), json: json!({ "mode": mode.word(), "lane": lane }), text: mode.word().into() })
}

pub(super) fn model(read: &Read<'_>, lane: Option<&str>) -> Result<Document, Report> {
    let state = read.state;
    let chosen = match lane {
        Some(name) => {
            let lane =
                state.model.lane_named(name).ok_or_else(|| Report::refused(format!("there is no lane `{name}`")))?;
            state.provider_of(lane.id)
        }
        None => state.default_provider(),
    };
    let text = chosen.as_ref().map_or_else(|| "no model server is configured".into(), |(p, m)| format!("{p}/{m}"));
    let json =
        json!({ "provider": chosen.as_ref().map(|c| &c.0), "model": chosen.as_ref().map(|c| &c.1), "lane": lane });
    Ok(Document { title: "model".into(), json, text })
}

pub(super) fn theme(read: &Read<'_>) -> Document {
    let settings = &read.state.settings;
    let text = format!("{}\nthemes: {}", settings.theme, settings.themes.join(", "));
    Document { title: "theme".into(), json: json!({ "theme": settings.theme, "themes": settings.themes }), text }
}
