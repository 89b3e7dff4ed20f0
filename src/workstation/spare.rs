//! Memory that nobody needs any more goes back to the system.
//!
//! The allocator keeps what a burst of calls has used and freed, and keeps it apart for each thread: after a few bursts
//! half of the process is memory that nothing stands in. So threads share two arenas, and when a burst is over what is
//! free is given back. The program's own code counts too: most of what a start or a rare command runs is not run again
//! soon. It stays in the file, and what is needed comes back by itself, sixteen pages at a time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::shared::Shared;

/// How long nothing must have been asked for before memory is given back.
const QUIET: Duration = Duration::from_millis(300);
/// However much is asked for, this often it is given back all the same.
const LONGEST: Duration = Duration::from_secs(10);
/// How often code is given back at most: what is needed of it comes back with the next request, which takes a fraction of
/// a millisecond longer for it.
const CODE: Duration = Duration::from_secs(10);

/// Gives free memory back after each burst of requests. While nothing is asked for it does nothing.
pub(super) fn give_back_when_quiet(shared: &Arc<Shared>) {
    let background = shared.background.clone();
    let shared = Arc::clone(shared);
    background.spawn(async move {
        let giving = async {
            // A start has used code that is never used again.
            let (mut used, mut given) = (true, Instant::now());
            loop {
                let due = tokio::time::sleep_until((given + CODE).into());
                tokio::select! {
                    () = shared.asked.heard() => used = true,
                    () = due, if used => {}
                }
                let since = Instant::now();
                while shared.asked.silence() && since.elapsed() < LONGEST {
                    tokio::time::sleep(QUIET).await;
                }
                let with_code = used && given.elapsed() >= CODE;
                if with_code {
                    (used, given) = (false, Instant::now());
                }
                let give = move || {
                    give_back();
                    if with_code {
                        code::give_back();
                    }
                };
                // Nothing depends on it.
                let _ = tokio::task::spawn_blocking(give).await;
            }
        };
        tokio::select! { () = giving => {}, () = shared.ending.cancelled() => {} }
    });
}

#[cfg(not(target_os = "linux"))]
mod code {
    pub(super) const fn give_back() {}
}

#[cfg(target_os = "linux")]
mod code {
    use std::fs;

    /// Lets go of the pages that the program's code stands in.
    pub(super) fn give_back() {
        let (Ok(own), Ok(maps)) = (fs::read_link("/proc/self/exe"), fs::read_to_string("/proc/self/maps")) else {
            return;
        };
        let own = own.to_string_lossy();
        for (start, length) in maps.lines().filter_map(|line| code(line, &own)) {
            #[allow(unsafe_code, reason = "code is only read, and stands in the file as it does in memory")]
            // Refused, it stays where it is.
            let _refused = unsafe { libc::madvise(start as *mut libc::c_void, length, libc::MADV_DONTNEED) };
        }
    }

    /// Where a line of the list of mappings has code of this program: nothing that can be written to.
    fn code(line: &str, own: &str) -> Option<(usize, usize)> {
        let mut words = line.split_ascii_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let (start, end) = (usize::from_str_radix(start, 16).ok()?, usize::from_str_radix(end, 16).ok()?);
        let plain = words.next()? == "r-xp" && line.ends_with(own);
        plain.then_some((start, end.checked_sub(start)?))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn only_the_programs_own_code_is_let_go() {
            let own = "/usr/bin/paralane";
            let text = "55d0c0800000-55d0c1a00000 r-xp 00800000 fe:00 123    /usr/bin/paralane";
            assert_eq!(code(text, own), Some((0x55d0_c080_0000, 0x120_0000)));
            for other in [
                "55d0c0800000-55d0c1a00000 rw-p 00800000 fe:00 123    /usr/bin/paralane",
                "55d0c0800000-55d0c1a00000 r--p 00800000 fe:00 123    /usr/bin/paralane",
                "7fd0c0800000-7fd0c1a00000 r-xp 00800000 fe:00 123    /usr/lib/libc.so.6",
                "7ffd0c080000-7ffd0c082000 r-xp 00000000 00:00 0      [vdso]",
                "",
            ] {
                assert_eq!(code(other, own), None, "{other}");
            }
        }

        #[test]
        fn the_program_runs_on_without_its_pages() {
            give_back();
            give_back();
            assert_eq!(code("no line", ""), None);
        }
    }
}

/// Has the threads that come share a few arenas. To be called while there are hardly any.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn share_arenas() {
    /// More cost memory, fewer cost time: threads would wait for each other.
    const ARENAS: i32 = 2;
    #[allow(unsafe_code, reason = "a setting of the allocator has no other door; it only reads its two numbers")]
    // Where it is refused there are more arenas.
    let _taken = unsafe { libc::mallopt(libc::M_ARENA_MAX, ARENAS) };
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn give_back() {
    #[allow(unsafe_code, reason = "the allocator has no other door; it touches only what is free")]
    let _any = unsafe { libc::malloc_trim(0) };
}

/// Other allocators do it by themselves, or cannot be told.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) const fn share_arenas() {}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
const fn give_back() {}
