//! Names for native CLIs that come into a person's own file and go from it, comments and order kept.

use toml_edit::{Array, InlineTable, Item, Table, value};

use super::edit::{parse, section};
use super::raw::RawCli;
use super::values::Fault;
use super::{clis, keys};
use crate::base::Report;

/// A name to write down.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewCli {
    /// The name.
    pub name: String,
    /// The CLI that carries it; none when it only takes one away that comes with the program.
    pub cli: Option<String>,
    /// Its model.
    pub model: Option<String>,
    /// Variables as they stand here.
    pub set: Vec<(String, String)>,
    /// Variables, by the name of the person's.
    pub from: Vec<(String, String)>,
    /// Arguments of its program.
    pub args: Vec<String>,
}

impl NewCli {
    /// Whether it takes away what comes with the program.
    #[must_use]
    pub const fn off(&self) -> bool {
        self.cli.is_none()
    }

    /// As it stands in a file.
    fn raw(&self) -> RawCli {
        RawCli {
            cli: self.cli.clone(),
            model: self.model.clone(),
            set: self.set.iter().cloned().collect(),
            from: self.from.iter().cloned().collect(),
            args: Some(self.args.clone()),
            off: self.off(),
        }
    }
}

/// The file's text with one more name for a native CLI.
///
/// # Errors
/// In words, when the text is no TOML, a value is wrong or the name stands there already.
pub fn with_cli(text: &str, new: &NewCli) -> Result<String, Report> {
    let doing = format!("write `[clis.{}]`", new.name);
    let wrong = |(message, hint): Fault| Report::refused(format!("cannot {doing}: {message}")).hint(hint);
    if let Some((message, hint)) = keys::fault(&["clis"], &new.name) {
        return Err(wrong((format!("`{}` {message}", new.name), hint)));
    }
    clis::preset(&new.name, &new.raw(), None).map_err(wrong)?;
    let mut document = parse(text, &doing)?;
    let mut implicit = Table::new();
    implicit.set_implicit(true);
    let clis = section(&mut document, "clis", implicit, &doing)?;
    if clis.contains_key(&new.name) {
        return Err(Report::refused(format!("cannot {doing}: your file has one already"))
            .hint(format!("`provider remove {}` takes it out; or edit the file", new.name)));
    }
    clis.insert(&new.name, Item::Table(table(new)));
    Ok(document.to_string())
}

fn table(new: &NewCli) -> Table {
    let mut table = Table::new();
    let Some(cli) = &new.cli else {
        table.insert("off", value(true));
        return table;
    };
    table.insert("cli", value(cli));
    if let Some(model) = &new.model {
        table.insert("model", value(model));
    }
    for (key, pairs) in [("set", &new.set), ("from", &new.from)] {
        if !pairs.is_empty() {
            let pairs: InlineTable = pairs.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            table.insert(key, value(pairs));
        }
    }
    if !new.args.is_empty() {
        table.insert("args", value(new.args.iter().map(String::as_str).collect::<Array>()));
    }
    table
}

/// The file's text without a name for a native CLI.
///
/// # Errors
/// In words, when the text is no TOML or does not have it.
pub fn without_cli(text: &str, name: &str) -> Result<String, Report> {
    let doing = format!("remove `{name}`");
    let mut document = parse(text, &doing)?;
    let gone = || {
        Report::refused(format!("cannot {doing}: your file has no `[clis.{name}]`"))
            .hint("`provider list` tells the names there are, `config` where each stands")
    };
    let clis = document.get_mut("clis").and_then(Item::as_table_like_mut).ok_or_else(gone)?;
    clis.remove(name).ok_or_else(gone)?;
    if clis.is_empty() {
        document.remove("clis");
    }
    Ok(document.to_string())
}
