//! Skills in a worktree and beside the person's configuration, sound and not.

use super::*;
use crate::sandbox::WorktreeFiles;

struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { directory: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(place.worktree()).unwrap();
        place
    }

    fn worktree(&self) -> std::path::PathBuf {
        self.directory.path().join("lane")
    }

    fn own(&self) -> std::path::PathBuf {
        self.directory.path().join("user/skills")
    }

    fn project(&self, name: &str, text: &str) {
        write(&self.worktree().join(".paralane/skills").join(name), text);
    }

    fn find(&self, wanted: Option<&str>) -> SkillsFound {
        find_skills(&WorktreeFiles::open(&self.worktree()).unwrap(), Some(&self.own()), wanted)
    }

    fn fault(&self, text: &str) -> SkillFault {
        self.project("bad", text);
        let mut found = self.find(None).skills;
        assert!(found.known.is_empty(), "{found:?}");
        found.faults.remove(0)
    }
}

fn write(directory: &Path, text: &str) {
    std::fs::create_dir_all(directory).unwrap();
    std::fs::write(directory.join("SKILL.md"), text).unwrap();
}

fn sound(name: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: >\n  What {name}\n  is for\nallowed-tools: [read, \"shell\"]\nother: 1\n---\n\n# Do it\n"
    )
}

#[test]
fn skills_of_all_places_are_found_and_the_first_of_a_name_counts() {
    let place = Place::new();
    place.project("release", &sound("release"));
    write(
        &place.worktree().join(".claude/skills/review"),
        "---\r\ndescription: Reviews\r\nallowed-tools: Read, Grep\r\n---\r\nLook.\r\n",
    );
    write(&place.own().join("release"), &sound("release"));
    write(&place.own().join("mine"), &sound("mine"));
    std::fs::create_dir_all(place.own().join("no-skill")).unwrap();
    let found = place.find(Some("release"));
    let names: Vec<_> = found.skills.known.iter().map(|skill| (&skill.name[..], skill.layer.word())).collect();
    assert_eq!(names, [("mine", "user"), ("release", "project"), ("review", "project")]);
    assert_eq!(found.text.as_deref(), Some("# Do it"));
    let release = found.skills.find("release").unwrap();
    assert_eq!(
        (release.description.as_str(), release.tools.join(" ")),
        ("What release is for", "read shell".to_owned())
    );
    assert_eq!(found.skills.find("review").unwrap().tools, ["Read", "Grep"]);
    let [fault] = found.skills.faults.as_slice() else { panic!("{:?}", found.skills.faults) };
    assert!(
        fault.file.starts_with('/') && fault.message.contains(".paralane/skills/release/SKILL.md already"),
        "{fault:?}"
    );
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (text, line, words) in [
        ("# No head\n", Some(1), "does not begin with a line `---`"),
        ("---\nname: x\n", Some(1), "does not end"),
        ("---\n---\nbody", Some(2), "is empty"),
        ("---\nname: bad\n---\nbody", Some(1), "lacks a `description`"),
        ("---\nname: Bad Name\ndescription: d\n---\nbody", Some(2), "cannot be a skill's name"),
        ("---\ndescription: d\nname: list\n---\nbody", Some(3), "cannot be a skill's name"),
        ("---\nname: bad\ndescription: [1, 2]\n---\nbody", Some(3), "no YAML that can be used"),
        ("---\nname: bad\ndescription: \"open\n---\nbody", None, "YAML"),
        ("---\nname: bad\n\tdescription: d\n---\nbody", None, "YAML"),
        ("---\nname: bad\ndescription: d\n---\n\n", None, "no instructions"),
    ] {
        let fault = Place::new().fault(text);
        assert!(fault.message.contains(words), "{text:?}: {fault:?}");
        assert!(line.is_none() || fault.line == line, "{text:?}: {fault:?}");
        assert_eq!(fault.file, ".paralane/skills/bad/SKILL.md");
    }
}

#[test]
fn hostile_heads_end_soon_and_are_faults() {
    let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n";
    for head in [
        bomb.to_owned(),
        "[".repeat(4_000),
        format!("description: {}", "x".repeat(HEAD_CAP)),
        "description: &a *a\n".to_owned(),
        "!!python/object/apply:os.system ['true']\n".to_owned(),
        "\u{0}\n".to_owned(),
    ] {
        let place = Place::new();
        place.project("bad", &format!("---\n{head}\n---\nbody"));
        place.project("good", &sound("good"));
        let found = place.find(None).skills;
        assert!(found.find("good").is_some());
        // What is no fault must at least be one harmless line.
        assert!(
            found.faults.len() == 1 || found.find("bad").is_some_and(|bad| bad.description.len() < 2_000),
            "{head}"
        );
    }
    let place = Place::new();
    place.project("long", &format!("{}{}", sound("long"), "x".repeat(FILE_CAP)));
    assert!(place.find(None).skills.faults[0].message.contains("65536 bytes"));
    let place = Place::new();
    std::fs::create_dir_all(place.worktree().join(".paralane/skills/bytes")).unwrap();
    std::fs::write(place.worktree().join(".paralane/skills/bytes/SKILL.md"), b"---\nname: x\n\xff").unwrap();
    assert_eq!(place.find(None).skills.faults[0].line, Some(3));
}

#[test]
fn a_link_out_of_the_worktree_is_refused() {
    let place = Place::new();
    let outside = place.directory.path().join("outside");
    write(&outside, &sound("outside"));
    let skills = place.worktree().join(".paralane/skills");
    std::fs::create_dir_all(skills.join("file")).unwrap();
    std::os::unix::fs::symlink(&outside, skills.join("directory")).unwrap();
    std::os::unix::fs::symlink(outside.join("SKILL.md"), skills.join("file/SKILL.md")).unwrap();
    let found = place.find(Some("outside"));
    assert!(found.skills.known.is_empty() && found.text.is_none());
    assert_eq!(found.skills.faults.len(), 2, "{:?}", found.skills.faults);
    assert!(found.skills.faults.iter().all(|fault| fault.message.contains("outside the worktree")));
    // The directory of all skills as such a link.
    let place = Place::new();
    std::os::unix::fs::symlink(&outside, place.worktree().join(".paralane")).unwrap();
    assert_eq!(place.find(None).skills, Skills::default());
}

#[test]
fn the_model_is_told_names_and_gets_the_text_on_demand() {
    let place = Place::new();
    place.project("release", &sound("release"));
    let told = told_of(&place.find(None).skills.known);
    assert!(told.contains("- release: What release is for\n") && !told.contains("Do it"), "{told}");
    assert_eq!(told_of(&[]), "");
    let files = WorktreeFiles::open(&place.worktree()).unwrap();
    let (text, _) = load(&files, None, "release").unwrap();
    assert!(text.contains("Files that it names stand in `.paralane/skills/release/`"), "{text}");
    assert!(text.contains("needs read, shell; that permits nothing by itself") && text.ends_with("# Do it"), "{text}");
    assert_eq!(load(&files, None, "relase").unwrap_err(), "there is no skill `relase`; there are: release");
    let many: Vec<Skill> = (0..100)
        .map(|number| Skill {
            name: format!("s{number}"),
            description: "x".repeat(400),
            tools: Vec::new(),
            layer: SkillLayer::User,
            file: String::new(),
        })
        .collect();
    let told = told_of(&many);
    assert!(told.len() < TOLD_CAP + 100 && told.contains("more skills are left out here"));
}
