//! The way of one command behind its walls, between fork and exec.

#![allow(unsafe_code, reason = "a process can only be confined between fork and exec")]

use std::ffi::CString;
use std::io::{PipeReader, PipeWriter, Read, Result};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::Arc;

use super::build::Spaces;
use super::keeper::Keeper;
use super::sys;

/// Everything a command needs on its way in; nothing is allocated there any more.
pub(super) struct Entry {
    pub spaces: Option<Arc<Spaces>>,
    pub keeper: Keeper,
    /// None where the command stays where it was started.
    pub directory: Option<CString>,
    pub ruleset: Option<OwnedFd>,
    pub filter: Vec<libc::sock_filter>,
    /// Resource and most.
    pub limits: Vec<(std::ffi::c_uint, u64)>,
    /// Whether it may gain no rights, and loses those that it has.
    pub confines: bool,
    /// Capabilities that are not taken away, as bits.
    pub keep: u64,
}

/// What a command was doing on its way in.
const STEPS: &[&str] = &[
    "entering the lane's namespaces",
    "keeping its processes together",
    "marking the command",
    "going to the worktree",
    "setting the limits",
    "giving up privileges",
    "restricting files",
    "filtering system calls",
];

/// What is told on the way in: the number of a namespace that marks the command's processes, or the step that failed.
#[derive(Debug)]
pub(super) struct Told(PipeReader);

/// What was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum News {
    /// Every process of the command, and no other, has the UTS namespace of this number.
    Mark(u64),
    /// A step failed.
    Failed(&'static str),
    /// Nothing.
    Nothing,
}

impl Told {
    /// Reads it. The command has been started, or could not be: what there is to tell has been told.
    pub fn read(mut self) -> News {
        let mut bytes = Vec::new();
        // The other end may be open still, in the command that was started from; nothing more comes from there.
        if rustix::io::ioctl_fionbio(&self.0, true).is_err() {
            return News::Nothing;
        }
        let mut buffer = [0; 16];
        while let Ok(count @ 1..) = self.0.read(&mut buffer) {
            bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
        }
        if let Some(step) = bytes.get(8).or_else(|| bytes.first().filter(|_| bytes.len() == 1)) {
            return News::Failed(STEPS.get(usize::from(*step)).copied().unwrap_or("confining the command"));
        }
        bytes.try_into().map_or(News::Nothing, |bytes| News::Mark(u64::from_ne_bytes(bytes)))
    }
}

/// Has the command go this way before its program begins.
pub(super) fn enclose(command: &mut Command, entry: Entry, tell: PipeWriter) {
    // SAFETY: the closure makes system calls only, by `sys`; whatever it uses was allocated before the fork.
    unsafe {
        command.pre_exec(move || {
            let mut step = 0;
            entry.go(&tell, &mut step).inspect_err(|_| {
                // If it cannot be told, the error itself still is.
                let _ = sys::write(tell.as_raw_fd(), &[step]);
            })
        });
    }
}

/// Whether a command in these namespaces gets one of processes too, with a list of them in `/proc`.
pub(super) fn probe(spaces: &Spaces) -> std::result::Result<(), String> {
    let spaces = spaces.again().map_err(|error| error.to_string())?;
    let (keeper, _leash) = super::keeper::keeper(true).map_err(|error| error.to_string())?;
    let (tell, told) = telling().map_err(|error| error.to_string())?;
    let entry = Entry {
        spaces: Some(Arc::new(spaces)),
        keeper,
        directory: None,
        ruleset: None,
        filter: Vec::new(),
        limits: Vec::new(),
        confines: true,
        keep: 0,
    };
    let mut command = Command::new("/bin/sh");
    command.args(["-c", ":"]).env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    enclose(&mut command, entry, tell);
    let ended = command.status();
    drop(command);
    match (ended, told.read()) {
        (Ok(status), _) if status.success() => Ok(()),
        (Ok(status), _) => Err(format!("a trial ended with {status}")),
        (Err(error), News::Failed(step)) => Err(format!("{step}: {error}")),
        (Err(error), _) => Err(error.to_string()),
    }
}

/// The pipe for [`enclose`] and what comes through it.
pub(super) fn telling() -> Result<(PipeWriter, Told)> {
    let (reader, writer) = std::io::pipe()?;
    Ok((writer, Told(reader)))
}

impl Entry {
    /// Runs between fork and exec.
    fn go(&self, tell: &PipeWriter, step: &mut u8) -> Result<()> {
        if let Some(spaces) = &self.spaces {
            sys::setns(spaces.user.as_raw_fd(), libc::CLONE_NEWUSER)?;
            sys::setns(spaces.mounts.as_raw_fd(), libc::CLONE_NEWNS)?;
            sys::setns(spaces.messages.as_raw_fd(), libc::CLONE_NEWIPC)?;
            if let Some(network) = &spaces.network {
                sys::setns(network.as_raw_fd(), libc::CLONE_NEWNET)?;
            }
        }
        *step = 1;
        self.keeper.part()?;
        if self.spaces.is_some() {
            *step = 2;
            // A namespace that does nothing: no process can leave it, and so it tells which are this command's.
            sys::unshare(libc::CLONE_NEWUTS)?;
            let number = sys::namespace_number(c"/proc/self/ns/uts")?;
            sys::write(tell.as_raw_fd(), &number.to_ne_bytes())?;
        }
        if let Some(directory) = &self.directory {
            *step = 3;
            sys::chdir(directory)?;
        }
        *step = 4;
        for (resource, most) in &self.limits {
            sys::limit(*resource, *most)?;
        }
        if self.confines {
            *step = 5;
            sys::no_new_privileges()?;
            sys::drop_capabilities(self.keep);
        }
        *step = 6;
        if let Some(ruleset) = &self.ruleset {
            sys::restrict(ruleset.as_raw_fd())?;
        }
        *step = 7;
        if !self.filter.is_empty() {
            sys::filter(&self.filter)?;
        }
        Ok(())
    }
}
