//! Errands: mail, files and history that a command has to read first. Also when no workstation runs.

use std::fs::OpenOptions;
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::Duration;

use super::engine::Engine;
use super::shared::aside;
use crate::app::Msg;
use crate::app::errand::{Errand, Finding, Quest};
use crate::base::{Report, clip, one_line, visible};
use crate::coordination::Target;
use crate::domain::{ChangeHistory, ForgeIssue, ForgeKind, IssueId, MailQuery};
use crate::store::Store;
use crate::{forge, git};

/// A forge that does not answer in this time tells no titles.
const PATIENCE: Duration = Duration::from_secs(5);
/// Issues that a forge is asked for.
const ISSUES: usize = 1_000;
/// Cells of a title.
const TITLE: usize = 200;

/// Reads what a quest wants. Blocks.
///
/// # Errors
/// When the store or a file cannot be read.
pub fn look(store: &Path, history: &dyn ChangeHistory, quest: &Quest) -> Result<Finding, Report> {
    let mail = |query: &MailQuery| Store::mail(store, query).map_err(|error| Report::refused(error.to_string()));
    match quest {
        Quest::Mail(query) => mail(query).map(Finding::Mail),
        Quest::Letter { reply, files, most } => {
            let answered = match reply {
                Some(id) => mail(&MailQuery::One(*id))?.messages.into_iter().next().map(Box::new),
                None => None,
            };
            let files = files.iter().map(|file| read(file, *most)).collect::<Result<_, _>>()?;
            Ok(Finding::Letter(answered, files))
        }
        Quest::CoChanges(texts) => {
            let targets: Vec<Target> = texts.iter().filter_map(|text| text.parse().ok()).collect();
            let meant = |file: &str| targets.iter().filter_map(Target::paths).any(|pattern| pattern.meets_file(file));
            Ok(Finding::CoChanges(history.changed_with(&meant)))
        }
        Quest::Head(directory) => Ok(Finding::Head(git::head_of(directory))),
        Quest::Titles { kind, root } => Ok(Finding::Titles(titles(*kind, root))),
    }
}

/// What the forge calls its issues. It tells, or it does not: nothing depends on it.
fn titles(kind: ForgeKind, root: &Path) -> Vec<(IssueId, String)> {
    let Some(forge) = forge::find(kind, root, git::origin_of(root).as_deref(), PATIENCE) else { return Vec::new() };
    let issues = forge.issues(ISSUES).unwrap_or_default();
    let title = |issue: ForgeIssue| Some((issue.id.parse().ok()?, clip(&one_line(&visible(&issue.title)), TITLE)));
    issues.into_iter().filter_map(title).collect()
}

/// A file's name and content. What is no plain file is refused: reading it might never end.
fn read(path: &Path, most: usize) -> Result<(String, Vec<u8>), Report> {
    let shown = path.display();
    let wrong = |error: std::io::Error| {
        Report::refused(format!("cannot read `{shown}`: {error}")).hint("name a file that exists and that you may read")
    };
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path).map_err(wrong)?;
    if !file.metadata().map_err(wrong)?.is_file() {
        return Err(Report::refused(format!("cannot read `{shown}`: it is no plain file")));
    }
    let mut content = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut content).map_err(wrong)?;
    if content.len() > most {
        return Err(Report::refused(format!("`{shown}` has more than {most} bytes, the most that is taken")));
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok((name, content))
}

/// Goes in the background and tells the loop.
pub(super) fn go(engine: &Engine, errand: Errand) {
    let (store, quest) = (engine.state.settings.store.clone(), errand.quest.clone());
    aside(
        &engine.shared,
        move |shared| look(&store, &*shared.history, &quest),
        move |found| Msg::Errand(Box::new(errand), found),
    );
}
