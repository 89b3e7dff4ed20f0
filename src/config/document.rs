//! One file: its keys with their places, and its values.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::de::{DeArray, DeTable, DeValue};

use super::keys;
use super::model::{Layer, LayerFile, Origin};
use super::problem::Problem;
use super::raw::RawConfig;

/// A file that parsed.
#[derive(Debug)]
pub(super) struct Document {
    pub layer: Layer,
    pub raw: RawConfig,
    places: Places,
}

/// Where each key stands.
#[derive(Debug)]
struct Places {
    file: String,
    text: String,
    /// By dotted key: the key's bytes, the value's bytes.
    keys: BTreeMap<String, (Range<usize>, Range<usize>)>,
}

impl Document {
    /// Parses a file.
    ///
    /// # Errors
    /// Every unknown key, or the first value of a wrong type, or the first fault of the TOML itself.
    pub fn parse(layer: Layer, file: &LayerFile) -> Result<Self, Vec<Problem>> {
        let mut places = Places { file: file.file.clone(), text: file.text.clone(), keys: BTreeMap::new() };
        let table = DeTable::parse(&file.text).map_err(|error| vec![places.broken(&error)])?;
        let mut problems = Vec::new();
        places.walk(table.get_ref(), &mut Vec::new(), &mut problems);
        if !problems.is_empty() {
            return Err(problems);
        }
        match toml::from_str(&file.text) {
            Ok(raw) => Ok(Self { layer, raw, places }),
            Err(error) => Err(vec![places.broken(&error)]),
        }
    }

    /// Where a key of this file stands.
    pub fn origin(&self, key: &str) -> Origin {
        let line = self.places.keys.get(key).map_or(1, |(key, _)| self.places.position(key.start).0);
        Origin::File { layer: self.layer, file: self.places.file.clone(), line }
    }

    /// Something is wrong with a key's value.
    pub fn problem(&self, key: &str, message: impl Into<String>, hint: impl Into<String>) -> Problem {
        let at = self.places.keys.get(key).map_or(0, |(_, value)| value.start);
        self.places.problem(at, Some(key), message, hint)
    }

    /// Something is wrong with a table: told at its header.
    pub fn table_problem(&self, key: &str, message: impl Into<String>, hint: impl Into<String>) -> Problem {
        let at = self.places.keys.get(key).map_or(0, |(key, _)| key.start);
        self.places.problem(at, Some(key), message, hint)
    }

    /// A key at the top that is another one than this.
    pub fn other_than(&self, key: &str) -> Option<String> {
        let top = |known: &str| known.split(['.', '[']).next().unwrap_or_default().to_owned();
        self.places.keys.keys().map(|known| top(known)).find(|top| top != key)
    }

    /// Whether this file names a key.
    pub fn has(&self, key: &str) -> bool {
        self.places.keys.contains_key(key)
    }
}

impl Places {
    fn walk<'i>(&mut self, table: &'i DeTable<'i>, path: &mut Vec<&'i str>, problems: &mut Vec<Problem>) {
        for (key, value) in table {
            let name: &str = key.get_ref();
            let dotted = path.iter().copied().chain([name]).collect::<Vec<_>>().join(".");
            if let Some((message, hint)) = keys::fault(path, name) {
                problems.push(self.problem(key.span().start, Some(&dotted), message, hint));
                continue;
            }
            self.keys.insert(dotted, (key.span(), value.span()));
            match value.get_ref() {
                DeValue::Table(inner) => {
                    path.push(name);
                    self.walk(inner, path, problems);
                    path.pop();
                }
                DeValue::Array(items) if path.is_empty() => self.tables(name, items, problems),
                _ => {}
            }
        }
    }

    /// The tables of `[[name]]`: their keys are known as `name[0].key`, and so on.
    fn tables<'i>(&mut self, name: &'i str, items: &'i DeArray<'i>, problems: &mut Vec<Problem>) {
        for (number, item) in items.iter().enumerate() {
            let DeValue::Table(table) = item.get_ref() else { continue };
            let dotted = format!("{name}[{number}]");
            self.keys.insert(dotted.clone(), (item.span(), item.span()));
            for (key, value) in table {
                let leaf: &str = key.get_ref();
                let dotted = format!("{dotted}.{leaf}");
                if let Some((message, hint)) = keys::fault(&[name], leaf) {
                    problems.push(self.problem(key.span().start, Some(&dotted), message, hint));
                    continue;
                }
                self.keys.insert(dotted, (key.span(), value.span()));
            }
        }
    }

    /// Our words for the parser's error. Only its message is used: its long form quotes the line, which may
    /// hold a secret.
    fn broken(&self, error: &toml::de::Error) -> Problem {
        let at = error.span().map_or(0, |span| span.start);
        let innermost = |(_, value): &(&String, &Range<usize>)| value.len();
        let within = self.keys.iter().map(|(key, (_, value))| (key, value)).filter(|(_, value)| value.contains(&at));
        let key = within.min_by_key(innermost).map(|(key, _)| key.clone());
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        let message =
            message.replace("expected i64", "expected a whole number").replace("expected f64", "expected a number");
        let hint = if key.is_some() { "give it a value of that kind" } else { "mend the TOML there" };
        self.problem(at, key.as_deref(), message, hint)
    }

    fn problem(&self, at: usize, key: Option<&str>, message: impl Into<String>, hint: impl Into<String>) -> Problem {
        let (line, column) = self.position(at);
        Problem {
            file: self.file.clone(),
            line,
            column,
            key: key.map(str::to_owned),
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// Line and column, from 1, of a byte.
    fn position(&self, at: usize) -> (usize, usize) {
        let before = self.text.get(..at).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (line, column)
    }
}
