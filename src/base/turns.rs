//! How long a thread runs at a stretch beside others.

/// Has the calling thread run in short turns: beside busy programs it then runs soon after it is woken, instead of at
/// the next tick of the kernel's clock. It gets no larger share of the processor by it. Threads and programs that it
/// starts do not inherit it.
///
/// To be called by threads that sleep most of the time and that somebody waits for. Where the kernel does not know of
/// it (Linux before 6.12) nothing changes.
pub fn take_short_turns() {
    #[cfg(target_os = "linux")]
    linux::set(linux::SHORT);
}

#[cfg(target_os = "linux")]
mod linux {
    /// The shortest turn that the kernel gives, in nanoseconds.
    pub(super) const SHORT: u64 = 100_000;
    /// What is started later has turns of the usual length (`SCHED_FLAG_RESET_ON_FORK`).
    const RESET_ON_FORK: u64 = 1;

    /// `struct sched_attr` of the kernel in its first form.
    #[repr(C)]
    #[derive(Default)]
    struct Attributes {
        size: u32,
        policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        runtime: u64,
        deadline: u64,
        period: u64,
    }

    pub(super) fn set(nanoseconds: u64) {
        let mut own = Attributes::default();
        let size = u32::try_from(size_of::<Attributes>()).unwrap_or(0);
        #[allow(unsafe_code, reason = "the call has no other door; the kernel fills at most `size` bytes of `own`")]
        // 0 is the calling thread.
        let known = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut own, size, 0) };
        // Only what shares the processor by weight has turns; 0 is `SCHED_OTHER`.
        if known != 0 || own.policy != 0 {
            return;
        }
        own.runtime = nanoseconds;
        own.flags |= RESET_ON_FORK;
        own.size = size;
        #[allow(unsafe_code, reason = "the call has no other door; the kernel only reads `own`")]
        // Refused, the turns stay as they are.
        let _refused = unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const own, 0) };
    }
}
