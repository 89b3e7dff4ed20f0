//! The system calls that are made between fork and exec: no allocation, no lock, nothing but the kernel.

#![allow(unsafe_code, reason = "between fork and exec only bare system calls are allowed")]

use std::ffi::{CStr, c_int, c_uint, c_ulong, c_void};
use std::io::{Error, Result};
use std::os::fd::RawFd;

/// A failed call's error, else its result.
fn check(result: libc::c_long) -> Result<c_int> {
    if result < 0 { Err(Error::last_os_error()) } else { Ok(result as c_int) }
}

/// `unshare`.
pub(super) fn unshare(flags: c_int) -> Result<()> {
    // SAFETY: takes no pointer.
    check(unsafe { libc::unshare(flags) }.into()).map(drop)
}

/// `setns`.
pub(super) fn setns(fd: RawFd, kind: c_int) -> Result<()> {
    // SAFETY: takes no pointer.
    check(unsafe { libc::setns(fd, kind) }.into()).map(drop)
}

/// Opens for reading.
pub(super) fn open(path: &CStr, flags: c_int) -> Result<RawFd> {
    // SAFETY: the path ends in NUL; no mode is read without O_CREAT.
    check(unsafe { libc::open(path.as_ptr(), flags | libc::O_CLOEXEC) }.into())
}

/// Makes an empty file that nobody may open.
pub(super) fn make_file(path: &CStr) -> Result<()> {
    // SAFETY: the path ends in NUL.
    let fd = check(unsafe { libc::open(path.as_ptr(), libc::O_CREAT | libc::O_CLOEXEC | libc::O_WRONLY, 0) }.into())?;
    close(fd);
    Ok(())
}

/// `close`.
pub(super) fn close(fd: RawFd) {
    // SAFETY: the caller's own descriptor.
    unsafe { libc::close(fd) };
}

/// Writes all of it to a file in one piece, as the kernel's files want it.
pub(super) fn write_file(path: &CStr, text: &[u8]) -> Result<()> {
    let fd = open(path, libc::O_WRONLY)?;
    let written = write(fd, text);
    close(fd);
    written
}

/// `write`, in one piece.
pub(super) fn write(fd: RawFd, text: &[u8]) -> Result<()> {
    // SAFETY: the buffer is as long as said.
    check(unsafe { libc::write(fd, text.as_ptr().cast::<c_void>(), text.len()) } as libc::c_long).map(drop)
}

/// `chdir`.
pub(super) fn chdir(path: &CStr) -> Result<()> {
    // SAFETY: the path ends in NUL.
    check(unsafe { libc::chdir(path.as_ptr()) }.into()).map(drop)
}

/// `mkdir`; one that is there is fine.
pub(super) fn mkdir(path: &CStr, mode: libc::mode_t) -> Result<()> {
    // SAFETY: the path ends in NUL.
    match check(unsafe { libc::mkdir(path.as_ptr(), mode) }.into()) {
        Err(error) if error.raw_os_error() == Some(libc::EEXIST) => Ok(()),
        other => other.map(drop),
    }
}

/// `symlink`.
pub(super) fn symlink(to: &CStr, at: &CStr) -> Result<()> {
    // SAFETY: both paths end in NUL.
    check(unsafe { libc::symlink(to.as_ptr(), at.as_ptr()) }.into()).map(drop)
}

/// Mounts a file system of this kind.
pub(super) fn mount(kind: &CStr, at: &CStr, flags: c_ulong, options: &CStr) -> Result<()> {
    let flags = flags | libc::MS_NOSUID;
    // SAFETY: all strings end in NUL, and `options` is text as tmpfs and devpts take it.
    let done = unsafe { libc::mount(kind.as_ptr(), at.as_ptr(), kind.as_ptr(), flags, options.as_ptr().cast()) };
    check(done.into()).map(drop)
}

/// Lets no mount of ours reach the outside, and ends of outer mounts reach us.
pub(super) fn detach_from_outside() -> Result<()> {
    let none = std::ptr::null();
    // SAFETY: the kernel looks at no source, kind or data for a change of propagation.
    let done = unsafe { libc::mount(none, c"/".as_ptr(), none, libc::MS_REC | libc::MS_SLAVE, std::ptr::null()) };
    check(done.into()).map(drop)
}

/// A detached copy of what is mounted at a path.
pub(super) fn copy_tree(path: &CStr) -> Result<RawFd> {
    let flags = libc::OPEN_TREE_CLONE | libc::OPEN_TREE_CLOEXEC | libc::AT_RECURSIVE as c_uint;
    // SAFETY: the path ends in NUL.
    check(unsafe { libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, path.as_ptr(), flags) })
}

/// Puts a detached copy at a path.
pub(super) fn attach_tree(tree: RawFd, at: &CStr) -> Result<()> {
    let (empty, flags) = (c"".as_ptr(), libc::MOVE_MOUNT_F_EMPTY_PATH);
    // SAFETY: both paths end in NUL.
    check(unsafe { libc::syscall(libc::SYS_move_mount, tree, empty, libc::AT_FDCWD, at.as_ptr(), flags) }).map(drop)
}

/// Where [`read_only`] acts.
pub(super) enum Mounted<'a> {
    /// The one mount at this path.
    At(&'a CStr),
    /// The mount at this path and all below.
    Below(&'a CStr),
    /// A detached copy with all below.
    Tree(RawFd),
}

/// Makes mounts read-only.
pub(super) fn read_only(what: Mounted<'_>) -> Result<()> {
    let below = libc::AT_RECURSIVE;
    let (fd, path, flags) = match what {
        Mounted::At(path) => (libc::AT_FDCWD, path, 0),
        Mounted::Below(path) => (libc::AT_FDCWD, path, below),
        Mounted::Tree(fd) => (fd, c"", below | libc::AT_EMPTY_PATH),
    };
    let wanted = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    let size = size_of::<libc::mount_attr>();
    // SAFETY: the path ends in NUL; the structure is as long as said.
    let done = unsafe { libc::syscall(libc::SYS_mount_setattr, fd, path.as_ptr(), flags, &raw const wanted, size) };
    check(done).map(drop)
}

/// Brings the loopback device up.
pub(super) fn loopback_up() -> Result<()> {
    // SAFETY: takes no pointer.
    let socket = check(unsafe { libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0) }.into())?;
    // SAFETY: all zeros is a valid request.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
        *to = *from as libc::c_char;
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // SAFETY: the request lives through the call.
    let done = check(unsafe { libc::ioctl(socket, libc::SIOCSIFFLAGS, &raw const request) }.into());
    close(socket);
    done.map(drop)
}

/// A socket that listens on the loopback.
pub(super) fn listen(port: u16) -> Result<RawFd> {
    // SAFETY: takes no pointer.
    let socket = check(unsafe { libc::socket(libc::AF_INET, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0) }.into())?;
    // SAFETY: all zeros is a valid address.
    let mut address: libc::sockaddr_in = unsafe { std::mem::zeroed() };
    address.sin_family = libc::AF_INET as libc::sa_family_t;
    address.sin_port = port.to_be();
    address.sin_addr.s_addr = u32::from(std::net::Ipv4Addr::LOCALHOST).to_be();
    let size = size_of::<libc::sockaddr_in>() as libc::socklen_t;
    // SAFETY: the address lives through the call and is as long as said.
    check(unsafe { libc::bind(socket, (&raw const address).cast(), size) }.into())?;
    // SAFETY: takes no pointer.
    check(unsafe { libc::listen(socket, 64) }.into())?;
    Ok(socket)
}

/// The number of the namespace behind a path.
pub(super) fn namespace_number(path: &CStr) -> Result<u64> {
    // SAFETY: all zeros is a valid `stat`, which the call fills; the path ends in NUL.
    let mut facts: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: as above.
    check(unsafe { libc::stat(path.as_ptr(), &raw mut facts) }.into())?;
    Ok(facts.st_ino)
}

/// Lowers a limit of this process; it is never raised.
#[allow(clippy::unnecessary_cast, reason = "the type of a resource's number differs between C libraries")]
pub(super) fn limit(resource: c_uint, most: u64) -> Result<()> {
    let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure lives through the call.
    check(unsafe { libc::getrlimit(resource as _, &raw mut now) }.into())?;
    let wanted = libc::rlimit { rlim_cur: now.rlim_cur.min(most), rlim_max: now.rlim_max.min(most) };
    // SAFETY: as above.
    check(unsafe { libc::setrlimit(resource as _, &raw const wanted) }.into()).map(drop)
}

/// Lets no program that is started from here gain rights, by whatever bits its file has.
pub(super) fn no_new_privileges() -> Result<()> {
    // SAFETY: takes numbers only.
    check(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }.into()).map(drop)
}

/// Which capabilities of whom are meant, as the kernel has it.
#[repr(C)]
struct Header {
    version: u32,
    pid: c_int,
}

/// Thirty-two capabilities, as the kernel has them.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Sets {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

/// Takes away capabilities, whatever program is started later; those with their bit in `keep` stay where they are had.
pub(super) fn drop_capabilities(keep: u64) {
    for capability in 0..=63 {
        if keep & (1 << capability) == 0 {
            // Without the right to do this there is nothing to take either.
            // SAFETY: takes numbers only.
            unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
        }
    }
    // SAFETY: takes numbers only.
    unsafe { libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) };
    let mut header = Header { version: 0x2008_0522, pid: 0 };
    let mut sets = [Sets::default(); 2];
    // SAFETY: version 3 of the interface has two sets, and both structures live through the call.
    let had = unsafe { libc::syscall(libc::SYS_capget, &raw mut header, sets.as_mut_ptr()) };
    if had == 0 {
        for (at, set) in sets.iter_mut().enumerate() {
            let kept = (keep >> (32 * at)) as u32;
            *set = Sets { effective: set.effective & kept, permitted: set.permitted & kept, inheritable: 0 };
        }
        // SAFETY: as above.
        unsafe { libc::syscall(libc::SYS_capset, &raw mut header, sets.as_ptr()) };
    }
}

/// Puts this process behind a Landlock ruleset.
pub(super) fn restrict(ruleset: RawFd) -> Result<()> {
    // SAFETY: takes numbers only.
    check(unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset, 0) }).map(drop)
}

/// Puts this process behind a filter of system calls.
pub(super) fn filter(program: &[libc::sock_filter]) -> Result<()> {
    let program = libc::sock_fprog { len: program.len() as u16, filter: program.as_ptr().cast_mut() };
    // SAFETY: the program lives through the call, which copies it; the kernel does not write to it.
    check(unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) }.into()).map(drop)
}

/// The newest version of Landlock that the kernel knows; 0 for none.
pub(super) fn landlock_version() -> u32 {
    const VERSION: c_uint = 1;
    let none = std::ptr::null::<c_void>();
    // SAFETY: with this flag the kernel looks at no structure.
    let known = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, none, 0_usize, VERSION) };
    u32::try_from(known).unwrap_or(0)
}
