//! Skills: instructions in Markdown with a head in YAML, told of by name and read when they are needed.
//!
//! The repository's stand in `.paralane/skills/NAME/SKILL.md` and `.claude/skills/NAME/SKILL.md` of the lane's
//! worktree and are read like any of its files: a link that leads out is refused. The person's own stand in `skills`
//! beside their configuration. What is wrong with one is told, and the others go on. The tools that a skill says it
//! needs are shown and grant nothing: rules and person judge each call as ever.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use serde::Deserialize;

use crate::base::{clip, one_line, visible};
use crate::domain::{FileError, FileKind, Files, Skill, SkillFault, SkillLayer, Skills, SkillsFound};

/// Where a repository's skills stand, the first before the others.
const PLACES: [&str; 2] = [".paralane/skills", ".claude/skills"];
/// Bytes of one file.
const FILE_CAP: usize = 64 * 1024;
/// Bytes of a head.
const HEAD_CAP: usize = 8 * 1024;
/// Skills of one place: more than anybody tells apart by one line.
const MOST: usize = 100;
/// Characters of a name.
const NAME_CAP: usize = 64;
/// Cells of a description.
const DESCRIPTION_CELLS: usize = 400;
/// Bytes of all that the model is told before it loads one.
const TOLD_CAP: usize = 16 * 1024;
/// A word that `skill` takes for something else.
const RESERVED: &str = "list";

/// What stands at the head of a skill. Other keys are other programs' and pass.
#[derive(Debug, Deserialize)]
struct Head {
    name: Option<String>,
    description: Option<String>,
    #[serde(default, rename = "allowed-tools", alias = "allowed_tools", alias = "tools", alias = "permissions")]
    tools: Option<Tools>,
}

/// `[read, grep]`, or `read, grep` in one text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Tools {
    Many(Vec<String>),
    One(String),
}

/// A skill and its instructions.
#[derive(Debug)]
struct Loaded {
    skill: Skill,
    body: String,
}

/// What is wrong, and in which line.
type Wrong = (Option<usize>, String);

/// All skills of a lane, and the text of the one that is wanted. Reads files.
#[must_use]
pub fn find_skills(files: &dyn Files, own: Option<&Path>, wanted: Option<&str>) -> SkillsFound {
    let mut found = SkillsFound { skills: Skills::default(), text: None };
    for place in PLACES {
        // One that is not there has no skills.
        let Ok(names) = files.list(place) else { continue };
        let mut count = 0;
        for name in names.iter().filter(|listed| listed.kind != FileKind::File).map(|listed| &listed.name) {
            let file = format!("{place}/{name}/SKILL.md");
            // A directory without the file is no skill.
            let content = match files.read(&file) {
                Err(FileError::Missing { .. } | FileError::NotADirectory { .. }) => continue,
                other => other.map_err(|error| error.to_string()),
            };
            count += 1;
            if count <= MOST {
                take(&mut found, wanted, file, name, SkillLayer::Project, content);
            }
        }
        too_many(&mut found, place, count);
    }
    if let Some(own) = own {
        let mut count = 0;
        for name in directories(own) {
            let path = own.join(&name).join("SKILL.md");
            let Some(content) = read(&path) else { continue };
            count += 1;
            if count <= MOST {
                take(&mut found, wanted, path.display().to_string(), &name, SkillLayer::User, content);
            }
        }
        too_many(&mut found, &own.display().to_string(), count);
    }
    found.skills.known.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// One skill as the model is told of it.
pub(super) fn line_of(skill: &Skill) -> String {
    format!("- {}: {}\n", skill.name, skill.description)
}

/// The skills as the model is told of them.
pub(super) fn told_of(skills: &[Skill]) -> String {
    let mut told = String::new();
    for (number, skill) in skills.iter().enumerate() {
        if told.is_empty() {
            told.push_str(
                "\n# Skills: instructions for certain tasks. Load one with the tool `skill` before such a task.\n\n",
            );
        }
        let line = line_of(skill);
        if told.len() + line.len() > TOLD_CAP {
            let left = skills.len() - number;
            return told + &format!("[{left} more skills are left out here]\n");
        }
        told.push_str(&line);
    }
    told
}

/// A skill as its tool gives it; or words for the model.
pub(super) fn load(files: &dyn Files, own: Option<&Path>, name: &str) -> Result<(String, Skill), String> {
    let found = find_skills(files, own, Some(name));
    let Some((text, skill)) = found.text.zip(found.skills.find(name)) else {
        let names: Vec<&str> = found.skills.known.iter().map(|skill| &skill.name[..]).collect();
        let are =
            if names.is_empty() { "there are none".to_owned() } else { format!("there are: {}", names.join(", ")) };
        return Err(format!("there is no skill `{}`; {are}", clip(&visible(&one_line(name)), NAME_CAP)));
    };
    let beside = match skill.layer {
        SkillLayer::Project => {
            format!(" Files that it names stand in `{}`.", skill.file.trim_end_matches("SKILL.md"))
        }
        SkillLayer::User => String::new(),
    };
    let needs = if skill.tools.is_empty() {
        String::new()
    } else {
        format!(" It says it needs {}; that permits nothing by itself.", skill.tools.join(", "))
    };
    Ok((format!("Skill `{}`, from {}.{beside}{needs}\n\n{text}", skill.name, skill.file), skill.clone()))
}

fn too_many(found: &mut SkillsFound, place: &str, count: usize) {
    if count > MOST {
        let message = format!("holds {count} skills, of which the first {MOST} are used");
        found.skills.faults.push(SkillFault { file: place.to_owned(), line: None, message });
    }
}

fn take(
    found: &mut SkillsFound,
    wanted: Option<&str>,
    file: String,
    directory: &str,
    layer: SkillLayer,
    content: Result<Vec<u8>, String>,
) {
    let loaded = content.map_err(|why| (None, why)).and_then(|content| parse(&content, &file, directory, layer));
    let (skills, fault) = (&mut found.skills, |line, message| SkillFault { file: file.clone(), line, message });
    match loaded {
        Err((line, message)) => skills.faults.push(fault(line, message)),
        Ok(loaded) => {
            if let Some(before) = skills.find(&loaded.skill.name) {
                let message = format!("`{}` is the name of {} already, which counts", before.name, before.file);
                return skills.faults.push(fault(None, message));
            }
            if wanted == Some(&loaded.skill.name[..]) {
                found.text = Some(loaded.body);
            }
            skills.known.push(loaded.skill);
        }
    }
}

fn parse(content: &[u8], file: &str, directory: &str, layer: SkillLayer) -> Result<Loaded, Wrong> {
    if content.len() > FILE_CAP {
        return Err((None, format!("has more than the {FILE_CAP} bytes that a skill may have")));
    }
    let text = std::str::from_utf8(content).map_err(|error| {
        let line = content[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
        (Some(line), "is not UTF-8 text".to_owned())
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (head, body) = split(text)?;
    let head = read_head(head)?;
    let named = |key: &str| text.lines().position(|line| line.starts_with(key)).map_or(1, |at| at + 1);
    let name = head.name.unwrap_or_else(|| directory.to_owned());
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > NAME_CAP || !name.chars().all(plain) || name == RESERVED {
        let shown = clip(&visible(&one_line(&name)), NAME_CAP);
        let words = format!(
            "`{shown}` cannot be a skill's name: up to {NAME_CAP} lower-case letters, digits and `-`, not `{RESERVED}`"
        );
        return Err((Some(named("name:")), words));
    }
    let description = one_line_of(&head.description.unwrap_or_default());
    if description.is_empty() {
        return Err((Some(named("description:")), "lacks a `description`: what the skill is for".to_owned()));
    }
    let tools = match head.tools {
        None => Vec::new(),
        Some(Tools::Many(tools)) => tools,
        Some(Tools::One(tools)) => tools.split([',', ' ']).map(str::to_owned).collect(),
    };
    let tools = tools.iter().map(|tool| clip(&one_line_of(tool), NAME_CAP)).filter(|tool| !tool.is_empty());
    let tools = tools.take(MOST).collect();
    let body = body.trim().to_owned();
    if body.is_empty() {
        return Err((None, "has no instructions after its head".to_owned()));
    }
    let description = clip(&description, DESCRIPTION_CELLS);
    Ok(Loaded { skill: Skill { name, description, tools, layer, file: file.to_owned() }, body })
}

/// Head and body.
fn split(text: &str) -> Result<(&str, &str), Wrong> {
    let open = |line: &str| line.trim_end() == "---";
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| open(line)) else {
        return Err((Some(1), "does not begin with a line `---` and a head with `name` and `description`".to_owned()));
    };
    let mut end = first.len();
    for line in lines {
        if open(line) {
            return Ok((&text[first.len()..end], &text[end + line.len()..]));
        }
        end += line.len();
        if end > HEAD_CAP {
            return Err((Some(1), format!("its head has more than {HEAD_CAP} bytes, or no line `---` after it")));
        }
    }
    Err((Some(1), "its head does not end with a line `---`".to_owned()))
}

fn read_head(head: &str) -> Result<Head, Wrong> {
    if head.trim().is_empty() {
        return Err((Some(2), "its head is empty: it needs a `description`".to_owned()));
    }
    serde_saphyr::from_str(head).map_err(|error| {
        // The first line of the file is the head's opening.
        let line = error.location().and_then(|at| usize::try_from(at.line()).ok()).map_or(1, |line| line + 1);
        let words = error.without_snippet().to_string();
        (Some(line), format!("its head is no YAML that can be used: {}", clip(&visible(&one_line(&words)), 300)))
    })
}

/// Text in one line, its blanks made one.
fn one_line_of(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The names of the directories in a place, sorted.
fn directories(place: &Path) -> Vec<String> {
    let Ok(entries) = place.read_dir() else { return Vec::new() };
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

/// One of the person's own files; none when there is none.
fn read(path: &Path) -> Option<Result<Vec<u8>, String>> {
    match path.metadata() {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return None,
        Err(error) => return Some(Err(format!("cannot be read: {error}"))),
        // A pipe would never end.
        Ok(facts) if !facts.is_file() => return Some(Err("is not a file".to_owned())),
        Ok(_) => {}
    }
    let mut content = Vec::new();
    let read = File::open(path).and_then(|file| file.take(FILE_CAP as u64 + 1).read_to_end(&mut content));
    Some(read.map(|_| content).map_err(|error| format!("cannot be read: {error}")))
}

#[cfg(test)]
#[path = "skills_tests.rs"]
mod tests;
