//! The filter of system calls: what no build or test needs and much of the kernel hangs on, and, where there is no
//! network namespace, every socket that leads out.

use std::collections::BTreeMap;
use std::ffi::c_long;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

/// Calls that fail with "not permitted".
const REFUSED: &[c_long] = &[
    // Sockets and files could be made through it past this filter.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // The keys of the person's session.
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_open_by_handle_at,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fsconfig,
    libc::SYS_mount_setattr,
    libc::SYS_setns,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_quotactl,
];

/// Terminals could be typed into by them: TIOCSTI and TIOCLINUX.
const TYPING: [u64; 2] = [0x5412, 0x541c];

/// Which sockets may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sockets {
    /// Local ones and those of the internet: namespaces say what they reach.
    Usual,
    /// None but those by which a program asks the kernel: there is nothing else to hold them.
    None,
    /// Those of the internet.
    Internet,
}

impl Sockets {
    fn families(self) -> &'static [i32] {
        match self {
            Self::Usual => &[libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK],
            Self::None => &[libc::AF_NETLINK],
            Self::Internet => &[libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK],
        }
    }
}

/// The program for this machine's processor; none where there is no filter for it.
pub(super) fn program(sockets: Sockets) -> Result<Vec<libc::sock_filter>, String> {
    let Ok(arch) = TargetArch::try_from(std::env::consts::ARCH) else { return Ok(Vec::new()) };
    let told = |error: seccompiler::Error| format!("making the filter of system calls: {error}");
    let made = compile(arch, sockets).map_err(|error| told(error.into()))?;
    let mut program = foreign_numbers();
    program.extend(made.into_iter().map(|one| libc::sock_filter { code: one.code, jt: one.jt, jf: one.jf, k: one.k }));
    Ok(program)
}

fn compile(arch: TargetArch, sockets: Sockets) -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<c_long, Vec<SeccompRule>> = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    let other = sockets
        .families()
        .iter()
        .map(|family| SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, *family as u64))
        .collect::<Result<Vec<_>, _>>()?;
    rules.insert(libc::SYS_socket, vec![SeccompRule::new(other)?]);
    let typing = TYPING
        .iter()
        .map(|code| {
            let same = SeccompCondition::new(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, *code)?;
            SeccompRule::new(vec![same])
        })
        .collect::<Result<Vec<_>, _>>()?;
    rules.insert(libc::SYS_ioctl, typing);
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    SeccompFilter::new(rules, SeccompAction::Allow, refused, arch)?.try_into()
}

/// On x86-64 each call has a second number, for the x32 interface, which the list would not see.
fn foreign_numbers() -> Vec<libc::sock_filter> {
    if !cfg!(target_arch = "x86_64") {
        return Vec::new();
    }
    let step = |code: u32, jt, jf, k| libc::sock_filter { code: code as u16, jt, jf, k };
    vec![
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        step(libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K, 0, 1, 0x4000_0000),
        step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
    ]
}
