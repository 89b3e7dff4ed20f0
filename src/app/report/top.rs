//! What each lane does, has used and cost: a table whose columns are chosen, fitted to a width, ordered and filtered.
//!
//! A column is one line in [`COLUMNS`]: how it reads, and by what it is ordered.

use std::cmp::Ordering;
use std::fmt::Write as _;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::app::select::over_budget;
use crate::base::{Report, nearest, path_text, width};
use crate::command::{TopView, as_taken};
use crate::domain::{GitFacts, Lane, LaneState, Sum};

use super::money::{self, remarks, sum_json, thousands};
use super::text::{age, line, table};
use super::{Document, Read};

/// What is known of one lane.
struct Facts<'a> {
    lane: &'a Lane,
    state: LaneState,
    since: Timestamp,
    now: Timestamp,
    queued: usize,
    asks: usize,
    conflicts: usize,
    git: Option<&'a GitFacts>,
    model: Option<(String, String)>,
    prompt: Option<String>,
    doing: String,
    today: Sum,
    total: Sum,
    under_way: Sum,
    turn: Option<Sum>,
    over: bool,
}

/// By what a column is ordered.
enum Key {
    Number(u128),
    Text(String),
}

/// One column.
struct Column {
    name: &'static str,
    /// Numbers stand at the right.
    right: bool,
    /// Which goes first where there is no room: the highest.
    rank: u8,
    show: fn(&Facts<'_>) -> String,
    key: fn(&Facts<'_>) -> Key,
}

const COLUMNS: &[Column] = &[
    Column {
        name: "lane",
        right: false,
        rank: 0,
        show: |f| f.lane.name.to_string(),
        key: |f| text(f.lane.name.as_str()),
    },
    Column {
        name: "state",
        right: false,
        rank: 0,
        show: |f| format!("{} {}", f.state.mark(), f.state.word()),
        key: |f| text(f.state.word()),
    },
    Column { name: "for", right: true, rank: 1, show: |f| age(f.since, f.now), key: |f| Key::Number(old(f)) },
    Column {
        name: "prompt",
        right: false,
        rank: 6,
        show: |f| f.prompt.clone().unwrap_or_default(),
        key: |f| text(f.prompt.as_deref().unwrap_or_default()),
    },
    Column { name: "queue", right: true, rank: 4, show: |f| some(f.queued), key: |f| number(f.queued) },
    Column { name: "asks", right: true, rank: 4, show: |f| some(f.asks), key: |f| number(f.asks) },
    Column { name: "meets", right: true, rank: 7, show: |f| some(f.conflicts), key: |f| number(f.conflicts) },
    Column { name: "branch", right: false, rank: 5, show: branch, key: |f| text(&branch(f)) },
    Column {
        name: "commits",
        right: true,
        rank: 6,
        show: commits,
        key: |f| number(f.git.map_or(0, |g| g.ahead as usize)),
    },
    Column {
        name: "changed",
        right: true,
        rank: 7,
        show: |f| f.git.map_or_else(String::new, |git| some(git.dirty.len())),
        key: |f| number(f.git.map_or(0, |git| git.dirty.len())),
    },
    Column { name: "model", right: false, rank: 8, show: model, key: |f| text(&model(f)) },
    Column {
        name: "calls",
        right: true,
        rank: 5,
        show: |f| thousands(f.total.calls),
        key: |f| Key::Number(f.total.calls.into()),
    },
    Column {
        name: "tokens",
        right: true,
        rank: 3,
        show: |f| thousands(f.total.usage.total()),
        key: |f| Key::Number(f.total.usage.total().into()),
    },
    Column {
        name: "today",
        right: true,
        rank: 2,
        show: |f| f.today.cost_words(),
        key: |f| Key::Number(f.today.cost.parts().into()),
    },
    Column {
        name: "total",
        right: true,
        rank: 3,
        show: |f| format!("{}{}", if f.over { "!" } else { "" }, f.total.cost_words()),
        key: |f| Key::Number(f.total.cost.parts().into()),
    },
    Column { name: "doing", right: false, rank: 9, show: |f| line(&f.doing, 60), key: |f| text(&f.doing) },
    Column {
        name: "notes",
        right: false,
        rank: 2,
        show: |f| remarks(&f.total, &f.under_way),
        key: |f| text(&remarks(&f.total, &f.under_way)),
    },
];

fn text(text: &str) -> Key {
    Key::Text(text.to_lowercase())
}

fn number(number: usize) -> Key {
    Key::Number(number as u128)
}

/// Seconds in its state.
fn old(facts: &Facts<'_>) -> u128 {
    facts.now.duration_since(facts.since).as_secs().max(0) as u128
}

fn some(count: usize) -> String {
    if count == 0 { String::new() } else { count.to_string() }
}

/// With `!` and the branch that it has drifted to.
fn branch(facts: &Facts<'_>) -> String {
    let own = facts.lane.place.branch.as_deref().unwrap_or("(base checkout)");
    match facts.git.and_then(|git| git.drifted_to.as_deref()) {
        Some(other) => format!("{own} !{other}"),
        None => own.to_owned(),
    }
}

fn commits(facts: &Facts<'_>) -> String {
    match facts.git {
        Some(git) if git.missing => "gone".to_owned(),
        Some(git) if git.ahead > 0 || git.behind > 0 => format!("+{} −{}", git.ahead, git.behind),
        _ => String::new(),
    }
}

fn model(facts: &Facts<'_>) -> String {
    match (&facts.model, &facts.lane.kind) {
        (_, crate::domain::LaneKind::Pane { command, .. }) => line(command.first().map_or("", String::as_str), 24),
        (Some((provider, model)), _) => line(&format!("{provider}/{model}"), 40),
        (None, _) => String::new(),
    }
}

fn facts<'a>(read: &Read<'a>, lane: &'a Lane) -> Facts<'a> {
    let (state, live) = (read.state, read.state.live(lane.id));
    let (kept, ledger) = (&state.model, &state.model.ledger);
    let newest = kept.active_prompt(lane.id).or_else(|| kept.last_ended(lane.id));
    let agent = matches!(lane.kind, crate::domain::LaneKind::Agent { .. });
    Facts {
        lane,
        state: state.lane_state(lane.id),
        since: kept.state_since(lane.id).unwrap_or(lane.since),
        now: read.now,
        queued: kept.queue(lane.id).iter().filter(|prompt| !prompt.state.active()).count(),
        asks: state.pending_approvals().filter(|asked| asked.lane == lane.id).count(),
        conflicts: kept.open_conflicts().filter(|conflict| conflict.lane == lane.id).count(),
        git: live.and_then(|live| live.git.as_ref()),
        model: state.provider_of(lane.id).filter(|_| agent),
        prompt: newest.map(|prompt| prompt.id.to_string()),
        doing: live.map(|live| live.busy.clone().unwrap_or_else(|| live.feed.phase.clone())).unwrap_or_default(),
        today: ledger.of_lane_day(lane.id, state.today),
        total: state.used(lane.id),
        under_way: ledger.pending(|spend| spend.lane == lane.id),
        turn: newest.map(|prompt| ledger.of_turn(prompt.id)),
        over: over_budget(state, lane),
    }
}

fn column(name: &str, option: &str) -> Result<&'static Column, Report> {
    let names = || COLUMNS.iter().map(|column| column.name);
    COLUMNS.iter().find(|column| column.name == name).ok_or_else(|| {
        let report = Report::usage(format!("`--{option}`: there is no column `{name}`"));
        match nearest(name, names()) {
            Some(near) => report.hint(format!("did you mean `{near}`?")),
            None => report.hint(format!("columns: {}", names().collect::<Vec<_>>().join(", "))),
        }
    })
}

/// The columns that were asked for, or all.
fn columns(view: &TopView) -> Result<Vec<&'static Column>, Report> {
    let Some(list) = &view.columns else { return Ok(COLUMNS.iter().collect()) };
    let chosen: Vec<&str> = list.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    if chosen.is_empty() {
        return Err(Report::usage("`--columns` names no column").hint("write it like `--columns lane,state,total`"));
    }
    chosen.into_iter().map(|name| column(name, "columns")).collect()
}

fn chosen(rows: &mut Vec<Facts<'_>>, view: &TopView) -> Result<(), Report> {
    if let Some(filter) = &view.filter {
        let (of, wanted) = match filter.split_once('=') {
            Some((name, wanted)) => (Some(column(name, "filter")?), wanted.to_lowercase()),
            None => (None, filter.to_lowercase()),
        };
        let fits = |facts: &Facts<'_>, column: &Column| (column.show)(facts).to_lowercase().contains(&wanted);
        rows.retain(|facts| match of {
            Some(column) => fits(facts, column),
            None => COLUMNS.iter().any(|column| fits(facts, column)),
        });
    }
    if let Some(sort) = &view.sort {
        let (name, down) = sort.strip_prefix('-').map_or((sort.as_str(), false), |name| (name, true));
        let by = column(name, "sort")?;
        rows.sort_by(|a, b| {
            let order = match ((by.key)(a), (by.key)(b)) {
                (Key::Number(a), Key::Number(b)) => a.cmp(&b),
                (Key::Text(a), Key::Text(b)) => a.cmp(&b),
                _ => Ordering::Equal,
            };
            if down { order.reverse() } else { order }
        });
    }
    Ok(())
}

/// Rows of cells with the columns that fit; empty columns go as well, unless they were asked for.
fn fitted(rows: &[Facts<'_>], sums: Option<&Sums>, view: &TopView) -> Result<Vec<Vec<String>>, Report> {
    let mut shown = columns(view)?;
    let cells = |column: &Column| -> Vec<String> {
        let head = std::iter::once(if column.name == "notes" { String::new() } else { column.name.to_owned() });
        let mut cells: Vec<String> = head.chain(rows.iter().map(column.show)).collect();
        cells.extend(sums.map(|sums| sums.cell(column.name)));
        let wide = cells.iter().map(|cell| width(cell)).max().unwrap_or(0);
        if column.right {
            for cell in &mut cells {
                *cell = format!("{}{cell}", " ".repeat(wide - width(cell)));
            }
        }
        cells
    };
    let mut filled: Vec<(&Column, Vec<String>)> = shown.drain(..).map(|column| (column, cells(column))).collect();
    if view.columns.is_none() {
        filled.retain(|(column, cells)| column.rank == 0 || cells[1..].iter().any(|cell| !cell.trim().is_empty()));
    }
    let wide = |cells: &[String]| cells.iter().map(|cell| width(cell)).max().unwrap_or(0) + 2;
    while let Some(room) = view.width {
        let all: usize = filled.iter().map(|(_, cells)| wide(cells)).sum();
        let last = filled.iter().enumerate().filter(|(_, (column, _))| column.rank > 0);
        let Some((at, _)) = last.max_by_key(|(at, (column, _))| (column.rank, *at)).filter(|_| all > room + 2) else {
            break;
        };
        filled.remove(at);
    }
    let count = rows.len() + 1 + usize::from(sums.is_some());
    Ok((0..count).map(|row| filled.iter().map(|(_, cells)| cells[row].clone()).collect()).collect())
}

/// The last row: what all lanes come to, closed ones too.
struct Sums {
    today: Sum,
    total: Sum,
    pending: Sum,
}

impl Sums {
    fn cell(&self, column: &str) -> String {
        match column {
            "lane" => "all".to_owned(),
            "calls" => thousands(self.total.calls),
            "tokens" => thousands(self.total.usage.total()),
            "today" => self.today.cost_words(),
            "total" => self.total.cost_words(),
            "notes" => remarks(&self.total, &self.pending),
            _ => String::new(),
        }
    }
}

fn lane_json(facts: &Facts<'_>) -> Value {
    json!({
        "name": facts.lane.name,
        "kind": facts.lane.kind.word(),
        "state": facts.state.json_word(),
        "since": facts.since,
        "age": old(facts),
        "queued": facts.queued,
        "waiting_approvals": facts.asks,
        "conflicts": facts.conflicts,
        "branch": facts.lane.place.branch,
        "drifted_to": facts.git.and_then(|git| git.drifted_to.as_ref()),
        "ahead": facts.git.map(|git| git.ahead),
        "behind": facts.git.map(|git| git.behind),
        "dirty": facts.git.map(|git| git.dirty.len()),
        "doing": (!facts.doing.is_empty()).then_some(&facts.doing),
        "over_budget": facts.over,
        "provider": facts.model.as_ref().map(|(provider, _)| provider),
        "model": facts.model.as_ref().map(|(_, model)| model),
        "prompt": facts.prompt,
        "turn": facts.turn.as_ref().map(sum_json),
        "today": sum_json(&facts.today),
        "total": sum_json(&facts.total),
        "reserved": sum_json(&facts.under_way),
    })
}

/// The document.
///
/// # Errors
/// When a column is named that there is not.
pub(super) fn document(read: &Read<'_>, view: &TopView) -> Result<Document, Report> {
    let state = read.state;
    let ledger = &state.model.ledger;
    let mut rows: Vec<Facts<'_>> = state.model.open_lanes().map(|lane| facts(read, lane)).collect();
    chosen(&mut rows, view)?;
    let sums = Sums { today: ledger.of_day(state.today), total: ledger.total(), pending: ledger.pending(|_| true) };
    let whole = view.filter.is_none();
    let mut text = table(&fitted(&rows, whole.then_some(&sums), view)?);
    if rows.is_empty() {
        let words = if whole { "no lane yet: `paralane lane new NAME` makes one" } else { "no lane fits the filter" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", as_taken(words, read.surface));
    }
    let (models, by_model) = money::models(read);
    if view.columns.is_none() && whole {
        text.push_str(&by_model);
        if state.budgets().next().is_some() {
            let _ = write!(text, "\n{}", money::budgets(read).text);
        }
    }
    let json = json!({
        "project": path_text(state.settings.project.root.as_os_str().as_encoded_bytes()),
        "lanes": rows.iter().map(lane_json).collect::<Vec<_>>(),
        "models": models,
        "days": money::days(read),
        "open": money::open(read),
        "budgets": money::budgets(read).json["budgets"],
        "day": state.today,
        "today": sum_json(&sums.today),
        "total": sum_json(&sums.total),
        "reserved": sum_json(&sums.pending),
    });
    Ok(Document { title: "top".into(), json, text })
}
