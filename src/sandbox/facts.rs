//! What the machine offers to confine commands, and in words what it lacks.

use std::sync::OnceLock;

/// What the machine offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The version of Landlock; 0 for none.
    pub landlock: u32,
    /// Whether namespaces can be made; if not, why.
    pub namespaces: Result<(), String>,
    /// Whether each command's processes get a namespace of their own; if not, why.
    pub tree: Result<(), String>,
    /// Whether system calls can be filtered.
    pub filter: bool,
    /// Whether it is the machine's administrator who asks, whose processes no limit counts.
    pub administrator: bool,
}

impl Facts {
    /// Those of this machine, found out once.
    pub fn of_machine() -> &'static Self {
        static FACTS: OnceLock<Facts> = OnceLock::new();
        FACTS.get_or_init(super::machine::facts)
    }

    /// What is missing for all walls, in whole sentences without a full stop; nothing where all stand.
    #[must_use]
    pub fn lacks(&self) -> Vec<String> {
        let mut lacks = Vec::new();
        let namespaces = self.namespaces.is_ok();
        match (self.landlock, namespaces) {
            (0, false) => lacks.push(
                "neither Landlock nor namespaces are there, so commands read and write whatever you may".to_owned(),
            ),
            (0, true) => lacks.push(
                "Landlock is not there, so commands can send signals to your processes; files are kept by read-only \
                 mounts alone"
                    .to_owned(),
            ),
            (version, false) if version < 3 => {
                lacks.push("this Landlock does not keep commands from cutting files to nothing".to_owned());
            }
            _ => {}
        }
        if let Err(why) = &self.namespaces {
            let network = if self.filter {
                "commands get no local sockets and, unless `sandbox.network` is on, no network, not even to themselves"
            } else {
                "the network is not kept from commands"
            };
            lacks.push(format!(
                "namespaces cannot be made ({why}): {network}; refs of other lanes, modes and times of files are not \
                 kept from them; no terminals"
            ));
        }
        if let (Ok(()), Err(why)) = (&self.namespaces, &self.tree) {
            lacks.push(format!(
                "commands get no list of processes of their own ({why}): they see all, and what they leave running is \
                 ended one by one"
            ));
        }
        if (1..6).contains(&self.landlock) {
            lacks.push("this Landlock does not keep commands from sending signals to your processes".to_owned());
        }
        if !self.filter {
            lacks.push("system calls cannot be filtered on this processor".to_owned());
        }
        lacks
    }

    /// What stands, one fact a line.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let landlock = match self.landlock {
            0 => "landlock: not there".to_owned(),
            version => format!("landlock: version {version}"),
        };
        let namespaces = match &self.namespaces {
            Ok(()) => "namespaces: can be made".to_owned(),
            Err(why) => format!("namespaces: cannot be made ({why})"),
        };
        let tree = match &self.tree {
            Ok(()) => "processes: end with their command".to_owned(),
            Err(why) => format!("processes: end with their command one by one ({why})"),
        };
        let filter = if self.filter { "system calls: filtered" } else { "system calls: not filtered" };
        let mut lines = vec![landlock, namespaces, tree, filter.to_owned()];
        if self.administrator {
            lines.push("processes: not limited, since the kernel does not count those of root".to_owned());
        }
        lines
    }
}
