//! Confining commands on Linux: namespaces give a view of the files and a network, Landlock rules hold beside that,
//! a filter keeps system calls away. Where namespaces cannot be made, rules and filter stand alone.

mod build;
mod enter;
mod filter;
mod keeper;
mod plan;
mod rules;
mod sys;

use std::fs::DirBuilder;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use self::build::Spaces;
use self::enter::{Entry, News, Told};
use self::filter::Sockets;
use self::keeper::Leash;
use self::plan::{Place, What};
use super::bounds::{Bounds, SERVICES};
use super::door::{self, Door, Porter};
use super::facts::Facts;
use crate::base::lock;
use crate::domain::Walls;

/// What an administrator's commands keep where no namespace takes all: the rights over files that others own (CHOWN,
/// DAC_OVERRIDE, FOWNER, FSETID).
const FILE_RIGHTS: u64 = 0b1_1011;

/// What this machine offers.
pub(super) fn facts() -> Facts {
    let spaces = build::build(&[], true, None);
    Facts {
        landlock: sys::landlock_version(),
        tree: spaces.as_ref().map_err(Clone::clone).and_then(enter::probe),
        namespaces: spaces.map(drop),
        filter: filter::program(Sockets::Usual).is_ok_and(|program| !program.is_empty()),
        administrator: rustix::process::geteuid().is_root(),
    }
}

/// The walls of one lane's commands. What they need and takes time to make is kept.
#[derive(Debug)]
pub struct Confinement {
    facts: Facts,
    porter: Option<Porter>,
    view: Mutex<Option<View>>,
}

/// The namespaces of a lane, and of what they were made.
#[derive(Debug)]
struct View {
    network: bool,
    places: Vec<Place>,
    identities: Vec<Option<(u64, u64)>>,
    spaces: Arc<Spaces>,
    /// Stays with the network, whatever becomes of the files' view.
    door: Option<Arc<Door>>,
}

impl Confinement {
    /// With what this machine offers.
    #[must_use]
    pub fn new(facts: Facts) -> Self {
        Self { facts, porter: None, view: Mutex::default() }
    }

    /// With somebody at the door to listed hosts.
    #[must_use]
    pub fn with_porter(self, porter: Porter) -> Self {
        Self { porter: Some(porter), ..self }
    }

    /// Makes ready for one command within these bounds. Blocks.
    ///
    /// # Errors
    /// Why it may not be started, in words.
    pub fn prepare(&self, bounds: &Bounds) -> Result<Box<dyn Walls>, String> {
        let lacks = self.facts.lacks();
        let foreign = foreign(&bounds.worktree);
        if bounds.required
            && let Some(lack) = lacks.first().or(foreign.as_ref().err())
        {
            return Err(format!("the configuration demands the sandbox (`sandbox.required`), and {lack}"));
        }
        let temporary = &bounds.temporary;
        let made = DirBuilder::new().recursive(true).mode(0o700).create(temporary);
        made.map_err(|error| format!("cannot make the temporary directory `{}`: {error}", temporary.display()))?;
        let spaces = match (&self.facts.namespaces, foreign) {
            (Ok(()), Ok(())) => Some(self.spaces(bounds)?),
            _ => None,
        };
        let ruleset = match (self.facts.landlock, &spaces) {
            (0, _) => None,
            (_, Some(spaces)) => rules::in_view(bounds, &spaces.devices)?,
            (_, None) => rules::alone(bounds)?,
        };
        let sockets = match (&spaces, bounds.network) {
            (Some(_), _) => Sockets::Usual,
            (None, true) => Sockets::Internet,
            (None, false) => Sockets::None,
        };
        let mut limits = vec![(libc::RLIMIT_CORE, 0), (libc::RLIMIT_DATA, bounds.memory)];
        if spaces.is_some() {
            // Elsewhere every process of the person would count.
            limits.push((libc::RLIMIT_NPROC, bounds.processes));
        }
        let directory = plan::real(&bounds.worktree).unwrap_or_else(|| bounds.worktree.clone());
        let (keeper, leash) = new_keeper(spaces.is_some() && self.facts.tree.is_ok())?;
        let entry = Entry {
            keeper,
            directory: Some(plan::c_path(&directory).map_err(|error| error.to_string())?),
            ruleset,
            filter: filter::program(sockets)?,
            limits,
            confines: true,
            keep: if spaces.is_some() { 0 } else { FILE_RIGHTS },
            spaces,
        };
        let (tell, told) = enter::telling().map_err(|error| format!("cannot make a pipe: {error}"))?;
        let temporary =
            if entry.spaces.is_some() { PathBuf::from(rules::temporary_in_view()) } else { temporary.clone() };
        let mut variables = bounds.variables.clone();
        if bounds.door && !bounds.network && entry.spaces.is_some() && self.porter.is_some() {
            let address = format!("http://127.0.0.1:{}", build::DOOR);
            let proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
            variables.extend(proxies.map(|name| (name.to_owned(), address.clone())));
            variables
                .extend(["NO_PROXY", "no_proxy"].map(|name| (name.to_owned(), "localhost,127.0.0.1,::1".to_owned())));
        }
        variables.push(("TMPDIR".to_owned(), temporary.display().to_string()));
        let services = SERVICES;
        Ok(Box::new(Confined { way: Some((entry, tell)), told: Some(told), services, variables, mark: None, leash }))
    }

    /// Makes ready for one command without walls: it only ends with all that it has started.
    ///
    /// # Errors
    /// Why it may not be started, in words.
    pub fn keep() -> Result<Option<Box<dyn Walls>>, String> {
        let (keeper, leash) = new_keeper(false)?;
        let entry = Entry {
            spaces: None,
            keeper,
            directory: None,
            ruleset: None,
            filter: Vec::new(),
            limits: Vec::new(),
            confines: false,
            keep: 0,
        };
        let (tell, told) = enter::telling().map_err(|error| format!("cannot make a pipe: {error}"))?;
        let (services, variables) = (&[][..], Vec::new());
        let way = Some((entry, tell));
        Ok(Some(Box::new(Confined { way, told: Some(told), services, variables, mark: None, leash })))
    }

    /// The lane's namespaces. What they show may go while they are made: then it is looked at anew.
    fn spaces(&self, bounds: &Bounds) -> Result<Arc<Spaces>, String> {
        const TRIES: usize = 4;
        let again = (1..TRIES).find_map(|_| self.try_spaces(bounds).ok());
        again.map_or_else(|| self.try_spaces(bounds), Ok)
    }

    /// The lane's namespaces, made anew where what they show has changed.
    fn try_spaces(&self, bounds: &Bounds) -> Result<Arc<Spaces>, String> {
        let places = plan::plan(bounds);
        let identities = places.iter().map(identity).collect::<Vec<_>>();
        let mut view = lock(&self.view);
        let known = view.as_ref().filter(|view| view.network == bounds.network);
        if let Some(known) = known.filter(|known| known.places == places && known.identities == identities) {
            return Ok(Arc::clone(&known.spaces));
        }
        // The network and its servers stay.
        let kept = known.map(|known| known.spaces.again()).transpose();
        let kept = kept.map_err(|error| format!("cannot keep the lane's network: {error}"))?;
        let open = known.and_then(|known| known.door.clone());
        let spaces = build::build(&places, !bounds.network, kept);
        let mut spaces = spaces.map_err(|words| format!("cannot confine the command: {words}"))?;
        let door = match (open, spaces.door.take(), &self.porter) {
            (Some(open), ..) => Some(open),
            (None, Some(socket), Some(porter)) => {
                let opened =
                    door::open(socket, porter).map_err(|error| format!("cannot open the door to hosts: {error}"))?;
                Some(Arc::new(opened))
            }
            _ => None,
        };
        let spaces = Arc::new(spaces);
        *view = Some(View { network: bounds.network, places, identities, spaces: Arc::clone(&spaces), door });
        Ok(spaces)
    }
}

fn new_keeper(tree: bool) -> Result<(keeper::Keeper, Leash), String> {
    keeper::keeper(tree).map_err(|error| format!("cannot make a pipe: {error}"))
}

/// What a mount shows now: a file that was replaced has another number.
fn identity(place: &Place) -> Option<(u64, u64)> {
    let (What::Writable(from) | What::Readable(from)) = &place.what else { return None };
    std::fs::metadata(from).ok().map(|facts| (facts.dev(), facts.ino()))
}

/// Whether the worktree is the user's own: in a namespace only one's own files can be written, also for root.
fn foreign(worktree: &Path) -> Result<(), String> {
    let owner = std::fs::metadata(worktree).map(|facts| facts.uid());
    match owner {
        Ok(owner) if owner != rustix::process::geteuid().as_raw() => {
            Err(format!("`{}` belongs to another user, so it cannot be used in a namespace", worktree.display()))
        }
        _ => Ok(()),
    }
}

/// The walls of one command.
struct Confined {
    way: Option<(Entry, std::io::PipeWriter)>,
    told: Option<Told>,
    /// Variables that are taken away.
    services: &'static [&'static str],
    variables: Vec<(String, String)>,
    mark: Option<u64>,
    leash: Leash,
}

impl Walls for Confined {
    fn enclose(&mut self, command: &mut Command) {
        for name in self.services {
            command.env_remove(name);
        }
        command.envs(self.variables.drain(..));
        if let Some((entry, tell)) = self.way.take() {
            enter::enclose(command, entry, tell);
        }
    }

    fn settle(&mut self) -> Option<String> {
        match self.told.take().map_or(News::Nothing, Told::read) {
            News::Mark(mark) => self.mark = Some(mark),
            News::Failed(step) => return Some(format!("cannot confine the command ({step})")),
            News::Nothing => {}
        }
        None
    }

    fn members(&self) -> Vec<u32> {
        let Some(mark) = self.mark else { return Vec::new() };
        let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
        let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
        let marked =
            |pid: &u32| std::fs::metadata(format!("/proc/{pid}/ns/uts")).is_ok_and(|facts| facts.ino() == mark);
        numbers.filter(marked).collect()
    }

    fn is_over(&mut self) -> bool {
        self.leash.is_over()
    }

    fn end(&mut self) -> bool {
        self.leash.let_go();
        true
    }
}
