//! Native CLIs under names of the person's own: `[clis.NAME]` puts another model's server behind a CLI that is known
//! (its carrier), and `[credentials.NAME]` is another login of one. Both have names of variables, never their values.
//!
//! Only the person's and the machine's files may have them: they decide where a key is sent.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::document::Document;
use super::model::{Origin, Setting};
use super::problem::Problem;
use super::raw::{RawCli, RawCredentials};
use super::servers::speaks_of_secrets;
use super::values::{self, Fault};
use crate::domain::Cli;

/// The ones that come with the program.
const BUILT_IN: &str = include_str!("../../assets/clis.toml");

/// A CLI under another name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CliPreset {
    /// Its name.
    pub name: String,
    /// The CLI that carries it.
    pub cli: Cli,
    /// Its model, unless another is asked for.
    pub model: Option<String>,
    /// Variables that the CLI gets as they stand here.
    pub set: BTreeMap<String, String>,
    /// Variables that the CLI gets from the person's, by the name of theirs.
    pub from: BTreeMap<String, String>,
    /// Arguments of its program.
    pub args: Vec<String>,
    /// Where it stands; none for one that comes with the program.
    pub origin: Option<Origin>,
}

/// Another login of a CLI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// Its name.
    pub name: String,
    /// Where the CLI's configuration stands for it.
    pub home: Option<PathBuf>,
    /// Variables that must be set.
    pub needs: Vec<String>,
    /// Where it stands.
    pub origin: Origin,
}

/// Both kinds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clis {
    /// By name.
    pub presets: Vec<CliPreset>,
    /// By name.
    pub credentials: Vec<Credentials>,
}

impl Clis {
    /// Names of the person's variables that some of them want.
    pub fn variables(&self) -> Vec<String> {
        let from = self.presets.iter().flat_map(|preset| preset.from.values());
        from.chain(self.credentials.iter().flat_map(|profile| &profile.needs)).cloned().collect()
    }
}

fn built_in() -> BTreeMap<String, RawCli> {
    // They are tried by a test.
    toml::from_str(BUILT_IN).unwrap_or_default()
}

/// Whether something of this name comes with the program, whatever the person's files say of it.
#[must_use]
pub fn comes_along(name: &str) -> bool {
    built_in().contains_key(name)
}

/// Reads all files, the highest first.
pub(super) fn read(documents: &[Document], settings: &mut Vec<Setting>, problems: &mut Vec<Problem>) -> Clis {
    let built_in = built_in();
    let mut presets: BTreeMap<String, CliPreset> = BTreeMap::new();
    for (name, raw) in &built_in {
        presets.extend(preset(name, raw, None).ok().flatten().map(|preset| (name.clone(), preset)));
    }
    let mut credentials: BTreeMap<String, Credentials> = BTreeMap::new();
    let mut done: BTreeSet<String> = BTreeSet::new();
    for document in documents {
        let names = document.raw.clis.keys().map(|name| (format!("clis.{name}"), name));
        let profiles = document.raw.credentials.keys().map(|name| (format!("credentials.{name}"), name));
        for (table, name) in names.chain(profiles).collect::<Vec<_>>() {
            let origin = document.origin(&table);
            if origin.is_project() {
                let hint = "put it into your own file: it decides where a key is sent";
                problems.push(document.table_problem(&table, "cannot stand in a project's file", hint));
                continue;
            }
            // The highest file that names it has it whole.
            if !done.insert(table.clone()) {
                continue;
            }
            let raw = document.raw.clis.get(name).filter(|_| table.starts_with("clis."));
            let made = match raw {
                Some(raw) => preset(name, raw, Some(origin.clone())).map(|made| {
                    settings.push(Setting { key: table.clone(), value: told(made.as_ref()), origin });
                    match made {
                        Some(made) => presets.insert(name.clone(), made),
                        None => presets.remove(name),
                    };
                }),
                None => profile(name, &document.raw.credentials[name], origin.clone()).map(|made| {
                    let value = serde_json::json!({ "home": made.home, "env": made.needs });
                    settings.push(Setting { key: table.clone(), value, origin });
                    credentials.insert(name.clone(), made);
                }),
            };
            if let Err((message, hint)) = made {
                problems.push(document.table_problem(&table, message, hint));
            }
        }
    }
    Clis { presets: presets.into_values().collect(), credentials: credentials.into_values().collect() }
}

fn told(preset: Option<&CliPreset>) -> serde_json::Value {
    match preset {
        None => serde_json::json!({ "off": true }),
        Some(made) => serde_json::json!({
            "cli": made.cli, "model": made.model, "set": made.set, "from": made.from, "args": made.args,
        }),
    }
}

/// None when it takes one away that comes with the program.
pub(super) fn preset(name: &str, raw: &RawCli, origin: Option<Origin>) -> Result<Option<CliPreset>, Fault> {
    let fault = |message: String, hint: &str| Err((message, hint.to_owned()));
    if name.parse::<Cli>().is_ok() {
        return fault(format!("`{name}` is a CLI's own name"), "give it another, such as `clis.my-claude`");
    }
    if raw.off {
        return Ok(None);
    }
    let known = Cli::WORDS.join(", ");
    let Some(cli) = raw.cli.as_deref().and_then(|cli| cli.parse::<Cli>().ok()) else {
        return fault("`cli` must name the CLI that carries it".to_owned(), &format!("one of {known}"));
    };
    for variable in raw.set.keys().chain(raw.from.keys()).chain(raw.from.values()) {
        variable_name(variable)?;
    }
    if let Some(secret) = raw.set.keys().find(|name| speaks_of_secrets(name)) {
        return fault(
            format!("`set` has a value for `{secret}`, and a secret never stands in the configuration"),
            &format!("export it and write `from = {{ {secret} = \"MY_VARIABLE\" }}`"),
        );
    }
    let args = raw.args.clone().unwrap_or_default();
    if raw.set.values().chain(&args).any(|text| text.contains('\0')) {
        return fault("has a NUL character in it".to_owned(), "leave it out");
    }
    let (set, from) = (raw.set.clone(), raw.from.clone());
    Ok(Some(CliPreset { name: name.to_owned(), cli, model: raw.model.clone(), set, from, args, origin }))
}

fn profile(name: &str, raw: &RawCredentials, origin: Origin) -> Result<Credentials, Fault> {
    let needs = raw.env.clone().unwrap_or_default();
    for variable in &needs {
        variable_name(variable)?;
    }
    if raw.home.as_ref().is_some_and(|home| !(home.is_absolute() || home.starts_with("~"))) {
        let hint = "write it from `/` or from `~/`".to_owned();
        return Err(("`home` must be a whole path".to_owned(), hint));
    }
    if raw.home.is_none() && needs.is_empty() {
        let hint = "add `home = \"~/.claude-work\"` or `env = [\"MY_KEY\"]`".to_owned();
        return Err(("has neither `home` nor `env`".to_owned(), hint));
    }
    Ok(Credentials { name: name.to_owned(), home: raw.home.clone(), needs, origin })
}

fn variable_name(name: &str) -> Result<(), Fault> {
    let fits = values::api_key_env(name).is_ok_and(|name| !name.starts_with("PARALANE_"));
    // It may be a value that was put in the wrong place: it is not repeated.
    let hint = "write the name of a variable, such as MY_KEY; its value stays in your environment".to_owned();
    if fits { Ok(()) } else { Err(("names something that is no variable".to_owned(), hint)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_with_the_program_is_sound() {
        let built_in: BTreeMap<String, RawCli> = toml::from_str(BUILT_IN).unwrap();
        let made: Vec<CliPreset> =
            built_in.iter().map(|(name, raw)| preset(name, raw, None).unwrap().unwrap()).collect();
        let names: Vec<(&str, Cli)> = made.iter().map(|preset| (preset.name.as_str(), preset.cli)).collect();
        assert_eq!(names, [("deepseek", Cli::Claude), ("grok", Cli::Codex), ("kimi", Cli::Claude)]);
    }

    #[test]
    fn own_ones_are_added_put_in_the_place_of_others_and_taken_away() {
        let raw = |text: &str| toml::from_str::<RawCli>(text).unwrap();
        assert_eq!(preset("kimi", &raw("off = true"), None), Ok(None));
        let mine = preset("mine", &raw("cli = \"gemini\"\nfrom = { A_KEY = \"MY_KEY\" }"), None).unwrap().unwrap();
        assert_eq!((mine.cli, mine.from["A_KEY"].as_str()), (Cli::Gemini, "MY_KEY"));
        for (name, text, said) in [
            ("claude", "cli = \"claude\"", "CLI's own name"),
            ("x", "", "must name the CLI"),
            ("x", "cli = \"claude\"\nset = { MY_TOKEN = \"sk-1\" }", "a secret never stands"),
            ("x", "cli = \"claude\"\nfrom = { A = \"sk-no variable\" }", "no variable"),
            ("x", "cli = \"claude\"\nset = { PARALANE_TOKEN = \"1\" }", "no variable"),
        ] {
            let (message, hint) = preset(name, &raw(text), None).unwrap_err();
            assert!(message.contains(said) && !message.contains("sk-") && !hint.contains("sk-"), "{message}");
        }
        let profile_of = |text: &str| profile("work", &toml::from_str(text).unwrap(), Origin::BuiltIn);
        assert_eq!(profile_of("home = \"~/.claude-work\"").unwrap().home, Some("~/.claude-work".into()));
        assert!(profile_of("home = \"here\"").unwrap_err().0.contains("whole path"));
        assert!(profile_of("").unwrap_err().0.contains("neither"));
    }
}
