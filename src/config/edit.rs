//! Changes to a person's own file that keep their comments and order.

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, TableLike, TomlError, value};

use super::keys;
use super::values;
use crate::base::Report;
use crate::domain::RuleText;

/// A provider to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProvider {
    /// Its name.
    pub name: String,
    /// Its address.
    pub base_url: String,
    /// Its model.
    pub model: String,
    /// The environment variable that holds the key, if it needs one.
    pub api_key_env: Option<String>,
    /// Tokens a request may hold, if known.
    pub context_window: Option<u64>,
}

/// The file's text with one more provider; it becomes the default if the file names none.
///
/// # Errors
/// In words, when the text is no TOML, a value is wrong or the name is taken.
pub fn with_provider(text: &str, new: &NewProvider) -> Result<String, Report> {
    let wrong = |key: &str, (message, hint): values::Fault| {
        Report::refused(format!("cannot add the provider `{}`: {key} {message}", new.name)).hint(hint)
    };
    if let Some(fault) = keys::fault(&["providers"], &new.name) {
        return Err(wrong("its name", fault));
    }
    let base_url = values::base_url(&new.base_url).map_err(|fault| wrong("`base_url`", fault))?;
    let model = values::model(&new.model).map_err(|fault| wrong("`model`", fault))?;
    let variable = new.api_key_env.as_deref().map(values::api_key_env).transpose();
    let variable = variable.map_err(|fault| wrong("`api_key_env`", fault))?;
    let doing = format!("add the provider `{}`", new.name);
    let mut document = parse(text, &doing)?;

    let mut table = Table::new();
    table.insert("dialect", value("openai-chat"));
    table.insert("base_url", value(base_url));
    table.insert("model", value(model));
    if let Some(variable) = variable {
        table.insert("api_key_env", value(variable));
    }
    if let Some(window) = new.context_window.and_then(|window| i64::try_from(window).ok()) {
        table.insert("context_window", value(window));
    }
    let mut implicit = Table::new();
    implicit.set_implicit(true);
    let providers = section(&mut document, "providers", implicit, &doing)?;
    if providers.contains_key(&new.name) {
        return Err(Report::refused(format!("cannot add the provider `{}`: there is one of that name", new.name))
            .hint("choose another name, or edit the file"));
    }
    providers.insert(&new.name, Item::Table(table));

    let agent = section(&mut document, "agent", Table::new(), &doing)?;
    if !agent.contains_key("provider") {
        agent.insert("provider", value(&new.name));
    }
    Ok(document.to_string())
}

/// The file's text with this theme.
///
/// # Errors
/// In words, when the text is no TOML or `ui` is not a table.
pub fn with_theme(text: &str, theme: &str) -> Result<String, Report> {
    let doing = "save the theme";
    let mut document = parse(text, doing)?;
    let ui = section(&mut document, "ui", Table::new(), doing)?;
    match ui.get_mut("theme").and_then(Item::as_value_mut) {
        Some(old) => {
            let decor = old.decor().clone();
            *old = theme.into();
            *old.decor_mut() = decor;
        }
        None => drop(ui.insert("theme", value(theme))),
    }
    Ok(document.to_string())
}

/// The file's text with one more rule, behind those that stand there.
///
/// # Errors
/// In words, when the text is no TOML or `rule` is no list of tables.
pub fn with_rule(text: &str, new: &RuleText) -> Result<String, Report> {
    let doing = "add the rule";
    let mut document = parse(text, doing)?;
    let rules = document.entry("rule").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    let Some(rules) = rules.as_array_of_tables_mut() else { return Err(no_list(doing)) };
    let mut table = Table::new();
    table.insert("effect", value(&new.effect));
    table.insert("tool", value(&new.tool));
    table.insert("match", value(&new.matches));
    if let Some(reason) = &new.reason {
        table.insert("reason", value(reason));
    }
    if new.two {
        table.insert("confirm", value(2));
    }
    rules.push(table);
    Ok(document.to_string())
}

/// The file's text without one rule: of those that say the very same, the one in this place (from 0).
///
/// # Errors
/// In words, when the text is no TOML or has no such rule.
pub fn without_rule(text: &str, old: &RuleText, nth: usize) -> Result<String, Report> {
    let doing = "remove the rule";
    let mut document = parse(text, doing)?;
    let gone = || Report::refused(format!("cannot {doing}: it stands there no more")).hint("`policy show` lists them");
    let Some(rules) = document.get_mut("rule") else { return Err(gone()) };
    let Some(rules) = rules.as_array_of_tables_mut() else { return Err(no_list(doing)) };
    let same = |table: &Table| {
        let text = |key: &str| table.get(key).and_then(Item::as_str);
        text("effect") == Some(&old.effect)
            && text("tool") == Some(&old.tool)
            && text("match").unwrap_or("*") == old.matches
            && text("reason") == old.reason.as_deref()
            && (table.get("confirm").and_then(Item::as_integer) == Some(2)) == old.two
    };
    let at = rules.iter().enumerate().filter(|(_, table)| same(table)).nth(nth).ok_or_else(gone)?.0;
    rules.remove(at);
    if rules.is_empty() {
        document.remove("rule");
    }
    Ok(document.to_string())
}

/// The file's text without a tool in `approvals.two_person`.
///
/// # Errors
/// In words, when the text is no TOML or the tool does not stand there.
pub fn without_two_person(text: &str, tool: &str) -> Result<String, Report> {
    let doing = "remove the rule";
    let mut document = parse(text, doing)?;
    let gone = || Report::refused(format!("cannot {doing}: it stands there no more")).hint("`policy show` lists them");
    let approvals = document.get_mut("approvals").and_then(Item::as_table_like_mut).ok_or_else(gone)?;
    let tools = approvals.get_mut("two_person").and_then(Item::as_array_mut).ok_or_else(gone)?;
    let before = tools.len();
    tools.retain(|entry| entry.as_str() != Some(tool));
    if tools.len() == before {
        return Err(gone());
    }
    if tools.is_empty() {
        approvals.remove("two_person");
    }
    if approvals.is_empty() {
        document.remove("approvals");
    }
    Ok(document.to_string())
}

fn no_list(doing: &str) -> Report {
    Report::refused(format!("cannot {doing}: `rule` is not a list of `[[rule]]` tables")).hint("mend the file first")
}

pub(super) fn parse(text: &str, doing: &str) -> Result<DocumentMut, Report> {
    text.parse().map_err(|error: TomlError| {
        Report::refused(format!("cannot {doing}: the file is not valid TOML: {}", error.message()))
            .hint("mend the file first")
    })
}

/// A table of the file; `new` if there is none yet.
pub(super) fn section<'a>(
    document: &'a mut DocumentMut,
    key: &str,
    new: Table,
    doing: &str,
) -> Result<&'a mut dyn TableLike, Report> {
    document
        .entry(key)
        .or_insert(Item::Table(new))
        .as_table_like_mut()
        .ok_or_else(|| Report::refused(format!("cannot {doing}: `{key}` is not a table")).hint("mend the file first"))
}
