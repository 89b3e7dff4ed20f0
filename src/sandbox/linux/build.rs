//! Makes a lane's namespaces: a helper process makes them, hands them over as descriptors, and ends.
//!
//! The namespaces live as long as somebody holds a descriptor, so that all commands of a lane share one loopback
//! network (a server in the background, a test against it) without a process that keeps them.

#![allow(unsafe_code, reason = "namespaces can only be made between fork and exec")]

use std::ffi::{CStr, CString, c_int};
use std::fs::File;
use std::io::{Error, Read, Result};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use super::plan::{Place, What, c_path};
use super::sys::{self, Mounted};

/// A lane's namespaces.
#[derive(Debug)]
pub(super) struct Spaces {
    pub user: OwnedFd,
    /// None where the network of the machine is used.
    pub network: Option<OwnedFd>,
    pub messages: OwnedFd,
    pub mounts: OwnedFd,
    /// The directory `/dev` in it, which no path of the outside leads to.
    pub devices: OwnedFd,
    /// The socket behind the door to listed hosts, until somebody takes it.
    pub door: Option<OwnedFd>,
}

/// Where the door listens. Servers of a lane's own hardly want this port.
pub(super) const DOOR: u16 = 61_080;

impl Spaces {
    /// The same ones, held once more.
    pub fn again(&self) -> Result<Self> {
        Ok(Self {
            user: self.user.try_clone()?,
            network: self.network.as_ref().map(OwnedFd::try_clone).transpose()?,
            messages: self.messages.try_clone()?,
            mounts: self.mounts.try_clone()?,
            devices: self.devices.try_clone()?,
            door: None,
        })
    }
}

/// What the helper was doing when it failed, in words; told as the number of its place.
const STEPS: &[&str] = &[
    "making a user namespace",
    "entering the lane's user namespace",
    "mapping the user",
    "forbidding further user namespaces",
    "bringing the loopback device up",
    "making the door to listed hosts",
    "detaching the mounts",
    "copying a mount",
    "making the files read-only",
    "making a place for a mount",
    "mounting",
    "filling `/dev`",
];

/// Device files that programs need; all others are not there.
const DEVICES: &[&CStr] = &[c"null", c"zero", c"full", c"random", c"urandom", c"tty"];
/// Names in `/dev` that lead elsewhere.
const LINKS: &[(&CStr, &CStr)] = &[
    (c"/proc/self/fd", c"/dev/fd"),
    (c"/proc/self/fd/0", c"/dev/stdin"),
    (c"/proc/self/fd/1", c"/dev/stdout"),
    (c"/proc/self/fd/2", c"/dev/stderr"),
    (c"pts/ptmx", c"/dev/ptmx"),
];
const BLANK: &CStr = c"/dev/.blank";

/// A mount, ready for the helper.
struct Mount {
    at: CString,
    make: Vec<CString>,
    file: bool,
    kind: Kind,
}

enum Kind {
    Covered,
    Empty,
    Blank,
    /// The place among the sources; whether it may be written.
    Bound(usize, bool),
}

/// Everything the helper needs.
struct Job {
    join: Option<RawFd>,
    network: bool,
    user_map: Vec<u8>,
    group_map: Vec<u8>,
    devices: Vec<(CString, CString)>,
    sources: Vec<CString>,
    mounts: Vec<Mount>,
    /// Through which the socket of the door is handed out.
    door: RawFd,
    /// Descriptors of the copies, filled on the way.
    trees: Vec<RawFd>,
    device_trees: Vec<RawFd>,
    told: RawFd,
}

/// Makes namespaces with this view of the files. `known` ones give everything but the view.
pub(super) fn build(places: &[Place], network: bool, known: Option<Spaces>) -> std::result::Result<Spaces, String> {
    try_build(places, network, known).map_err(|(step, error)| match step.and_then(|step| STEPS.get(step)) {
        Some(words) => format!("{words}: {error}"),
        None => format!("starting the helper: {error}"),
    })
}

type Failed = (Option<usize>, Error);

fn try_build(places: &[Place], network: bool, known: Option<Spaces>) -> std::result::Result<Spaces, Failed> {
    let plain = |error: Error| (None, error);
    let (mut told, tell) = std::io::pipe().map_err(plain)?;
    let mut job = job(places, network, known.as_ref().map(|known| known.user.as_raw_fd())).map_err(plain)?;
    job.told = tell.as_raw_fd();
    let (ours, theirs) = UnixStream::pair().map_err(plain)?;
    job.door = theirs.as_raw_fd();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "read -r _"]).env_clear().stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: the closure makes system calls only, by `sys`; whatever it uses was allocated before the fork.
    unsafe {
        command.pre_exec(move || {
            let mut step = 0;
            job.run(&mut step).inspect_err(|_| {
                // If it cannot be told, the error itself still is.
                let _ = sys::write(job.told, &[step]);
            })
        });
    }
    let started = command.spawn();
    drop((tell, theirs, command));
    let mut child = started.map_err(|error| {
        let mut step = [0];
        (told.read(&mut step).ok().filter(|read| *read == 1).map(|_| usize::from(step[0])), error)
    })?;
    crate::base::started(child.id());
    let door = if network && known.is_none() { handed(&ours) } else { Ok(None) };
    let taken = door.and_then(|door| take(child.id(), network, known, door));
    drop(child.stdin.take());
    // It has read the end of its input and goes; nothing is to be learnt from how.
    let _ = child.wait();
    taken.map_err(plain)
}

/// The socket of the door: it was sent before the helper's program began.
fn handed(from: &UnixStream) -> Result<Option<OwnedFd>> {
    from.set_nonblocking(true)?;
    crate::base::recv_with_fd(from, &mut [0]).map(|(_, door)| door)
}

fn take(helper: u32, network: bool, known: Option<Spaces>, door: Option<OwnedFd>) -> Result<Spaces> {
    let space = |name: &str| File::open(format!("/proc/{helper}/ns/{name}")).map(OwnedFd::from);
    let mounts = space("mnt")?;
    let devices = File::open(format!("/proc/{helper}/root/dev"))?.into();
    if let Some(known) = known {
        return Ok(Spaces { mounts, devices, door, ..known });
    }
    let network = network.then(|| space("net")).transpose()?;
    Ok(Spaces { user: space("user")?, network, messages: space("ipc")?, mounts, devices, door })
}

fn job(places: &[Place], network: bool, join: Option<RawFd>) -> Result<Job> {
    let mut sources = Vec::new();
    let mut mounts = Vec::new();
    for place in places {
        let mut bound = |from: &Path, writable| -> Result<Kind> {
            sources.push(c_path(from)?);
            Ok(Kind::Bound(sources.len() - 1, writable))
        };
        let kind = match &place.what {
            What::Covered => Kind::Covered,
            What::Empty => Kind::Empty,
            What::Blank => Kind::Blank,
            What::Writable(from) => bound(from, true)?,
            What::Readable(from) => bound(from, false)?,
        };
        let make = place.make.iter().map(|path| c_path(path)).collect::<Result<_>>()?;
        mounts.push(Mount { at: c_path(&place.at)?, make, file: place.file, kind });
    }
    let device = |name: &&CStr| c_path(&Path::new("/dev").join(name.to_string_lossy().as_ref()));
    let devices = DEVICES.iter().map(|name| Ok((device(name)?, device(name)?))).collect::<Result<Vec<_>>>()?;
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    Ok(Job {
        join,
        network,
        user_map: format!("{user} {user} 1\n").into_bytes(),
        group_map: format!("{group} {group} 1\n").into_bytes(),
        trees: vec![-1; sources.len()],
        device_trees: vec![-1; devices.len()],
        devices,
        sources,
        mounts,
        told: -1,
        door: -1,
    })
}

impl Job {
    /// Runs in the helper, between fork and exec. `step` is the one that is being done.
    fn run(&mut self, step: &mut u8) -> Result<()> {
        if let Some(user) = self.join {
            *step = 1;
            sys::setns(user, libc::CLONE_NEWUSER)?;
            sys::unshare(libc::CLONE_NEWNS)?;
        } else {
            *step = 0;
            let network = if self.network { libc::CLONE_NEWNET } else { 0 };
            sys::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS | libc::CLONE_NEWIPC | network)?;
            *step = 2;
            sys::write_file(c"/proc/self/setgroups", b"deny")?;
            sys::write_file(c"/proc/self/uid_map", &self.user_map)?;
            sys::write_file(c"/proc/self/gid_map", &self.group_map)?;
            *step = 3;
            // Who can make one has every right in it, which opens much of the kernel to a command.
            sys::write_file(c"/proc/sys/user/max_user_namespaces", b"0")?;
            if self.network {
                *step = 4;
                sys::loopback_up()?;
                *step = 5;
                let door = sys::listen(DOOR)?;
                // SAFETY: both are open here, and nobody else closes them.
                let (to, socket) = unsafe { (BorrowedFd::borrow_raw(self.door), BorrowedFd::borrow_raw(door)) };
                crate::base::send_with_fd(to, b"d", socket)?;
                sys::close(door);
            }
        }
        *step = 6;
        sys::detach_from_outside()?;
        *step = 7;
        for (tree, source) in self.trees.iter_mut().zip(&self.sources) {
            *tree = sys::copy_tree(source)?;
        }
        for (tree, (device, _)) in self.device_trees.iter_mut().zip(&self.devices) {
            *tree = sys::copy_tree(device).unwrap_or(-1);
        }
        *step = 8;
        sys::read_only(Mounted::Below(c"/"))?;
        *step = 11;
        self.devices()?;
        for mount in &self.mounts {
            *step = 9;
            make(mount)?;
            *step = 10;
            self.mount(mount)?;
        }
        *step = 8;
        sys::read_only(Mounted::At(c"/dev"))?;
        for mount in &self.mounts {
            if matches!(mount.kind, Kind::Covered | Kind::Empty) {
                sys::read_only(Mounted::At(&mount.at))?;
            }
        }
        Ok(())
    }

    /// A `/dev` with what programs need, and no device of the machine.
    fn devices(&self) -> Result<()> {
        sys::mount(c"tmpfs", c"/dev", 0, c"mode=0755,size=64k")?;
        for (tree, (_, at)) in self.device_trees.iter().zip(&self.devices) {
            if *tree >= 0 {
                sys::make_file(at)?;
                sys::attach_tree(*tree, at)?;
            }
        }
        for (to, at) in LINKS {
            sys::symlink(to, at)?;
        }
        sys::make_file(BLANK)?;
        sys::mkdir(c"/dev/pts", 0o755)?;
        sys::mount(c"devpts", c"/dev/pts", libc::MS_NOEXEC, c"newinstance,ptmxmode=0666,mode=0620")?;
        sys::mkdir(c"/dev/shm", 0o755)?;
        sys::mount(c"tmpfs", c"/dev/shm", libc::MS_NODEV | libc::MS_NOEXEC, c"mode=1777")
    }

    fn mount(&self, mount: &Mount) -> Result<()> {
        const PLAIN: std::ffi::c_ulong = libc::MS_NODEV | libc::MS_NOEXEC;
        match mount.kind {
            Kind::Covered => sys::mount(c"tmpfs", &mount.at, PLAIN, c"mode=0111,size=64k"),
            Kind::Empty => sys::mount(c"tmpfs", &mount.at, PLAIN, c"mode=0755,size=64k"),
            Kind::Blank => {
                let tree = sys::copy_tree(BLANK)?;
                sys::read_only(Mounted::Tree(tree))?;
                sys::attach_tree(tree, &mount.at)
            }
            Kind::Bound(source, writable) => {
                let tree: c_int = self.trees.get(source).copied().unwrap_or(-1);
                if !writable {
                    sys::read_only(Mounted::Tree(tree))?;
                }
                sys::attach_tree(tree, &mount.at)
            }
        }
    }
}

/// Makes the place of a mount that lies in a covered directory.
fn make(mount: &Mount) -> Result<()> {
    for path in &mount.make {
        sys::mkdir(path, 0o755)?;
    }
    match &mount.kind {
        Kind::Bound(..) if !mount.make.is_empty() || !exists(&mount.at) => {
            if mount.file {
                if exists(&mount.at) { Ok(()) } else { sys::make_file(&mount.at) }
            } else {
                sys::mkdir(&mount.at, 0o755)
            }
        }
        _ => Ok(()),
    }
}

/// Whether something is at the path.
fn exists(path: &CStr) -> bool {
    sys::namespace_number(path).is_ok()
}
