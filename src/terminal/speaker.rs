//! Who speaks for the work of a pane, and what was said last: the program's own reports, else a title that tells.
//! What was said holds only while the process group lives that had the terminal then: a program that was killed
//! takes nothing back.

use super::asides::Asides;
use super::pane::Says;
use super::processes::group_lives;
use super::program_status::from_title;
use crate::domain::{ProgramState, ProgramStatus};

/// What was said last.
#[derive(Debug, Default)]
pub(super) struct Speaker {
    status: Option<ProgramStatus>,
    says: Option<Says>,
    /// How many reports had been heard then.
    told: u64,
    title: String,
    /// How often a title told something new.
    told_by_title: u64,
    /// How often a title began to tell of work.
    begun_by_title: u64,
    /// How often a report did.
    begun_by_report: u64,
}

impl Speaker {
    /// Takes what the program has said by now. `foreground` tells who has the terminal.
    pub(super) fn hear(&mut self, asides: &mut Asides, title: &str, foreground: impl Fn() -> Option<u32>) {
        if asides.told == self.told && title == self.title {
            self.forget_the_dead(asides, foreground);
            return;
        }
        let reports = asides.status.is_some();
        // A title that changes beside a report changes nothing.
        let news = asides.told != self.told || !reports;
        self.told = asides.told;
        title.clone_into(&mut self.title);
        self.begun_by_report = asides.begun;
        if !news {
            return;
        }
        let status = asides.status.clone().or_else(|| from_title(title));
        let working = |status: &Option<ProgramStatus>| status.as_ref().map(|s| s.state) == Some(ProgramState::Working);
        self.begun_by_title += u64::from(!reports && working(&status) && !working(&self.status));
        self.told_by_title += u64::from(!reports && status != self.status);
        self.says = status.as_ref().map(|status| Says { state: status.state, reports, by: foreground() });
        self.status = status;
    }

    fn forget_the_dead(&mut self, asides: &mut Asides, foreground: impl Fn() -> Option<u32>) {
        let Some(by) = self.says.and_then(|says| says.by) else { return };
        if foreground() != Some(by) && !group_lives(by) {
            asides.status = None;
            self.says = None;
            self.status = None;
        }
    }

    /// What was said, for those who look into the state.
    pub(super) const fn says(&self) -> Option<Says> {
        self.says
    }

    /// Whether it waits for an answer of its person.
    pub(super) fn asks(&self) -> bool {
        self.says.is_some_and(|says| matches!(says.state, ProgramState::Blocked(_)))
    }

    /// The same with its words.
    pub(super) const fn status(&self) -> Option<&ProgramStatus> {
        self.status.as_ref()
    }

    /// How often something was told.
    pub(super) const fn told(&self) -> u64 {
        self.told + self.told_by_title
    }

    /// How often something was begun.
    pub(super) const fn begun(&self) -> u64 {
        self.begun_by_title + self.begun_by_report
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, Command, Stdio};

    use super::*;
    use crate::domain::NeedKind;
    use crate::terminal::Colours;

    /// Above the kernel's highest number (proc(5), pid_max).
    const DEAD: u32 = 1 << 30;

    struct Talk {
        speaker: Speaker,
        asides: Asides,
        /// Leads a process group of its own, and lives as long as this.
        program: Child,
    }

    impl Drop for Talk {
        fn drop(&mut self) {
            self.program.kill().unwrap();
            self.program.wait().unwrap();
        }
    }

    impl Talk {
        fn new() -> Self {
            let program = Command::new("cat").stdin(Stdio::piped()).process_group(0).spawn().unwrap();
            Self { speaker: Speaker::default(), asides: Asides::new(Colours::default()), program }
        }

        fn own(&self) -> u32 {
            self.program.id()
        }

        fn report(&mut self, report: &str) -> Option<ProgramState> {
            self.asides.osc(&[b"7501", report.as_bytes()]);
            self.after("", Some(self.own()))
        }

        fn after(&mut self, title: &str, foreground: Option<u32>) -> Option<ProgramState> {
            self.speaker.hear(&mut self.asides, title, || foreground);
            self.speaker.says().map(|says| says.state)
        }
    }

    #[test]
    fn a_report_goes_before_a_title() {
        let mut talk = Talk::new();
        let own = Some(talk.own());
        assert_eq!(talk.after("◇  Ready (x)", own), Some(ProgramState::Idle));
        assert_eq!(talk.after("✦  Working… (x)", own), Some(ProgramState::Working));
        assert_eq!((talk.speaker.begun(), talk.speaker.says().unwrap().reports), (1, false));
        assert_eq!(talk.speaker.told(), 2);
        assert_eq!(talk.report("state=done"), Some(ProgramState::Done));
        assert_eq!(talk.after("[ ! ] Action Required | x", own), Some(ProgramState::Done));
        assert_eq!(talk.report("state=working"), Some(ProgramState::Working));
        assert_eq!((talk.speaker.begun(), talk.speaker.says().unwrap().reports), (2, true));
        assert_eq!(talk.report("state=clear"), None);
        let asks = ProgramState::Blocked(NeedKind::Unnamed);
        assert_eq!(talk.after("✋  Action Required (x)", own), Some(asks));
        assert_eq!(talk.after("sh", own), None);
    }

    #[test]
    fn what_a_program_said_goes_with_its_process_group() {
        let mut talk = Talk::new();
        talk.asides.osc(&[b"7501", b"state=working"]);
        assert_eq!(talk.after("", Some(DEAD)), Some(ProgramState::Working));
        assert_eq!(talk.after("", Some(DEAD)), Some(ProgramState::Working), "it has the terminal");
        assert_eq!(talk.after("", Some(talk.own())), None);
        assert_eq!((&talk.asides.status, talk.speaker.status()), (&None, None));
    }

    #[test]
    fn a_child_that_has_the_terminal_takes_nothing_away() {
        let mut talk = Talk::new();
        assert_eq!(talk.report("state=working"), Some(ProgramState::Working));
        assert_eq!(talk.after("", Some(DEAD)), Some(ProgramState::Working));
    }
}
