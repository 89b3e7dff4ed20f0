//! The processes that the system lists in `/proc`; none where it has no such list.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;

/// Bytes that the line of a process has at most: some fifty numbers and a short name.
const LINE: usize = 2048;

/// What `/proc/PID/stat` says of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// Its parent's number.
    pub parent: u32,
    /// Its process group.
    pub group: u32,
    /// Its session.
    pub session: u32,
    /// Its terminal, by device number.
    device: u32,
    /// When it started, in the kernel's ticks since boot.
    pub start_time: u64,
    /// Whether it has ended and only its parent has not looked yet.
    pub dead: bool,
}

impl Process {
    /// The process of this number, if there is one.
    #[must_use]
    pub fn of(pid: u32) -> Option<Self> {
        // The kernel makes the line anew for each read: one has to do.
        let mut line = [0; LINE];
        let count = File::open(format!("/proc/{pid}/stat")).ok()?.read(&mut line).ok()?;
        // The program's name in it may be any bytes.
        Self::parse(pid, &String::from_utf8_lossy(line.get(..count)?))
    }

    /// The name in the line may hold spaces and brackets: the fields begin behind the last `)`.
    fn parse(pid: u32, stat: &str) -> Option<Self> {
        let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split_ascii_whitespace().collect();
        Some(Self {
            pid,
            dead: matches!(*fields.first()?, "Z" | "X"),
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            session: fields.get(3)?.parse().ok()?,
            device: fields.get(4)?.parse::<i32>().ok()?.cast_unsigned(),
            start_time: fields.get(19)?.parse().ok()?,
        })
    }

    /// The terminal that it belongs to: `pts/3`, `tty1`; none without one.
    #[must_use]
    pub fn terminal(&self) -> Option<String> {
        terminal_name(self.device)
    }

    /// Whether it was started with exactly this word among its arguments.
    #[must_use]
    pub fn has_argument(&self, wanted: &str) -> bool {
        let all = std::fs::read(format!("/proc/{}/cmdline", self.pid)).unwrap_or_default();
        all.split(|byte| *byte == 0).skip(1).any(|word| word == wanted.as_bytes())
    }

    /// Its environment, `NAME=value` with a zero byte behind each. Only readable for processes of this user.
    #[must_use]
    pub fn environment(&self) -> Option<Vec<u8>> {
        std::fs::read(format!("/proc/{}/environ", self.pid)).ok()
    }

    /// Whether its environment has exactly this `NAME=value`.
    #[must_use]
    pub fn has_variable(&self, wanted: &str) -> bool {
        self.environment().is_some_and(|all| all.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes()))
    }
}

/// A terminal by its device number, as `/proc` gives it.
fn terminal_name(device: u32) -> Option<String> {
    let (major, minor) = ((device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xf_ff00));
    match major {
        136..=143 => Some(format!("pts/{}", (major - 136) * 256 + minor)),
        4 if minor < 64 => Some(format!("tty{minor}")),
        0 => None,
        _ => Some(format!("terminal {major}:{minor}")),
    }
}

/// Every process but this one, also the dead, by number.
#[must_use]
pub fn processes() -> BTreeMap<u32, Process> {
    let own = std::process::id();
    let Ok(entries) = std::fs::read_dir("/proc") else { return BTreeMap::new() };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|&pid| pid != own)
        .filter_map(|pid| Some((pid, Process::of(pid)?)))
        .collect()
}

/// The living ones of `all` that `belongs` chooses, with all their descendants.
#[must_use]
pub fn families(all: &BTreeMap<u32, Process>, belongs: impl Fn(&Process) -> bool) -> Vec<Process> {
    let mut found: BTreeMap<u32, Process> =
        all.iter().filter(|(_, process)| belongs(process)).map(|(pid, process)| (*pid, *process)).collect();
    loop {
        let before = found.len();
        for process in all.values() {
            if found.contains_key(&process.parent) {
                found.insert(process.pid, *process);
            }
        }
        if found.len() == before {
            return found.into_values().filter(|process| !process.dead).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_does_not_shift_the_fields() {
        let stat = "77 (a) b (c)) S 5 78 76 34816 77 4194304 1 0 0 0 0 0 0 0 20 0 1 0 12345 1 1";
        let process = Process::parse(77, stat).unwrap();
        let expected =
            Process { pid: 77, parent: 5, group: 78, session: 76, device: 34816, start_time: 12345, dead: false };
        assert_eq!(process, expected);
        assert!(Process::parse(77, "77 (a) Z 5 77 76 0 0 0 0 0 0 0 0 0 0 0 0 20 0 1 0 1 1").unwrap().dead);
        assert_eq!(Process::parse(77, "garbage"), None);
    }

    #[test]
    fn terminals_are_called_as_people_know_them() {
        let names = [0x8803, 0x8800, 0x0401, 0x8800 | (1 << 20), 0].map(terminal_name);
        let names: Vec<Option<&str>> = names.iter().map(Option::as_deref).collect();
        assert_eq!(names, [Some("pts/3"), Some("pts/0"), Some("tty1"), Some("pts/256"), None]);
    }

    #[test]
    fn descendants_belong_and_the_dead_do_not() {
        let process =
            |pid, parent| Process { pid, parent, group: pid, session: pid, device: 0, start_time: 1, dead: pid == 3 };
        // 4 was started by the dead 3, 5 by a stranger.
        let all = [(1, 0), (2, 1), (3, 2), (4, 3), (5, 1)].map(|(pid, parent)| (pid, process(pid, parent)));
        let found: Vec<u32> = families(&all.into(), |p| p.pid == 2).iter().map(|p| p.pid).collect();
        assert_eq!(found, [2, 4]);
    }
}
