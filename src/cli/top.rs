//! `top` that stays on the terminal: the same table as printed once, asked for anew each second, of the workstation
//! through its socket, or of the store where none runs.

use std::process::ExitCode;
use std::time::Duration;

use super::one_shot;
use super::site::Site;
use crate::base::{Report, clip};
use crate::command::{Globals, Invocation, TopView};
use crate::domain::Size;
use crate::window;

/// Between two questions: the workstation answers in a fraction of a millisecond.
const EVERY: Duration = Duration::from_secs(1);

/// Marks of states, and the colours that go with them. Each says the same without colour.
const COLOURS: &[(&str, &str)] =
    &[("●", "36"), ("▲", "33"), ("✓", "32"), ("✗", "31"), ("‖", "2"), ("□", "2"), ("·", "2")];

/// Shows the table until the person presses `q`.
///
/// # Errors
/// When there is no terminal, the view names what there is not, or the workstation does not answer.
pub(super) fn live(site: &Site, globals: &Globals, view: &TopView) -> Result<ExitCode, Report> {
    one_shot::restart_stranger(site)?;
    let coloured = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    window::live(EVERY, |size| {
        let view = TopView { width: Some(usize::from(size.columns).max(20)), ..view.clone() };
        let arguments = arguments(&view);
        let reply = one_shot::ask(site, globals, &Invocation::Top { once: true, view }, arguments)?;
        match reply.error {
            Some(report) => Err(report),
            None => Ok(lines(&reply.output, size, coloured)),
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The view as a shell writes it.
fn arguments(view: &TopView) -> Vec<String> {
    let width = view.width.map(|width| width.to_string());
    let options = [("sort", &view.sort), ("filter", &view.filter), ("columns", &view.columns), ("width", &width)];
    let given = options.into_iter().filter_map(|(name, value)| Some(format!("--{name}={}", value.as_ref()?)));
    ["top".to_owned(), "--once".to_owned()].into_iter().chain(given).collect()
}

fn lines(text: &str, size: Size, coloured: bool) -> Vec<String> {
    let columns = usize::from(size.columns);
    let mut lines: Vec<String> = text.lines().map(|line| clip(line, columns)).collect();
    if coloured {
        for line in &mut lines {
            let mark = COLOURS.iter().find(|(mark, _)| line.contains(&format!(" {mark} ")));
            if let Some((mark, colour)) = mark {
                *line = line.replacen(mark, &format!("\x1b[{colour}m{mark}\x1b[m"), 1);
            }
        }
    }
    let room = usize::from(size.rows).saturating_sub(2);
    if lines.len() > room {
        let rest = lines.len() + 1 - room.max(1);
        lines.truncate(room.saturating_sub(1));
        lines.push(clip(
            &format!("… {rest} more lines: a larger terminal, `--filter` or `top --once` shows them"),
            columns,
        ));
    }
    lines.push(String::new());
    lines.push(clip("q leaves", columns));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_only_the_mark_is_coloured() {
        let text = "lane  state\napi  ▲ needs you\n";
        let size = Size { columns: 12, rows: 24 };
        assert_eq!(lines(text, size, true)[1], "api  \x1b[33m▲\x1b[m need…");
        assert!(!lines(text, size, false).concat().contains('\x1b'));
        let low = lines(&"x\n".repeat(40), Size { columns: 80, rows: 10 }, false);
        assert_eq!(low.len(), 10);
        assert!(low[7].contains("33 more"), "{low:?}");
    }

    #[test]
    fn the_view_travels_as_it_was_typed() {
        let view = TopView { sort: Some("-tokens".into()), width: Some(80), ..TopView::default() };
        assert_eq!(arguments(&view), ["top", "--once", "--sort=-tokens", "--width=80"]);
    }
}
