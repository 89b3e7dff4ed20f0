//! A descriptor sent along with bytes over a unix socket (SCM_RIGHTS).
//!
//! The window hands its terminal to the workstation this way, so that even a window killed by -9
//! leaves its terminal in order. Both functions take any socket descriptor: a blocking one waits, a
//! non-blocking one says [`io::ErrorKind::WouldBlock`] and may be asked again.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};

/// Sends all bytes; the descriptor travels with the first of them.
///
/// # Errors
/// Whatever the socket says. A non-blocking socket that fills up half way is an error too: send short
/// messages, first on a connection.
pub fn send_with_fd(socket: impl AsFd, bytes: &[u8], descriptor: BorrowedFd<'_>) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let descriptors = [descriptor];
    let mut sent = 0;
    while sent < bytes.len() {
        let mut control = SendAncillaryBuffer::new(&mut space);
        if sent == 0 && !control.push(SendAncillaryMessage::ScmRights(&descriptors)) {
            return Err(io::Error::other("no room for a descriptor beside the message"));
        }
        sent += match sendmsg(&socket, &[IoSlice::new(&bytes[sent..])], &mut control, SendFlags::empty()) {
            Ok(count) => count,
            Err(rustix::io::Errno::INTR) => 0,
            Err(error) => return Err(error.into()),
        };
    }
    Ok(())
}

/// Receives some bytes and the descriptor that came with them, if one did. No bytes at all means that
/// the other side is gone.
///
/// # Errors
/// Whatever the socket says.
pub fn recv_with_fd(socket: impl AsFd, buffer: &mut [u8]) -> io::Result<(usize, Option<OwnedFd>)> {
    // A peer that sends more than one descriptor has the rest closed by the kernel.
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = loop {
        match recvmsg(&socket, &mut [IoSliceMut::new(buffer)], &mut control, flags()) {
            Err(rustix::io::Errno::INTR) => {}
            other => break other?,
        }
    };
    let mut descriptor = None;
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            for one in descriptors {
                descriptor.get_or_insert(one);
            }
        }
    }
    if let Some(one) = &descriptor {
        // Where the flag below is missing, this keeps it from the children that are started later.
        rustix::io::fcntl_setfd(one, rustix::io::FdFlags::CLOEXEC)?;
    }
    Ok((received.bytes, descriptor))
}

#[cfg(target_os = "linux")]
fn flags() -> RecvFlags {
    RecvFlags::CMSG_CLOEXEC
}

#[cfg(not(target_os = "linux"))]
fn flags() -> RecvFlags {
    RecvFlags::empty()
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn a_descriptor_arrives_with_the_first_bytes() {
        let (near, far) = UnixStream::pair().unwrap();
        let (mut reader, writer) = std::io::pipe().unwrap();
        send_with_fd(&near, b"hello", writer.as_fd()).unwrap();
        drop(writer);

        let mut buffer = [0; 2];
        let (count, descriptor) = recv_with_fd(&far, &mut buffer).unwrap();
        assert_eq!((&buffer[..count], descriptor.is_some()), (&b"he"[..], true));
        std::fs::File::from(descriptor.unwrap()).write_all(b"through").unwrap();

        let mut rest = [0; 8];
        let (count, descriptor) = recv_with_fd(&far, &mut rest).unwrap();
        assert_eq!((&rest[..count], descriptor.is_none()), (&b"llo"[..], true));

        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "through");
    }

    #[test]
    fn no_descriptor_and_no_peer_are_told_apart() {
        let (mut near, far) = UnixStream::pair().unwrap();
        near.write_all(b"x").unwrap();
        drop(near);
        let mut buffer = [0; 8];
        assert!(matches!(recv_with_fd(&far, &mut buffer), Ok((1, None))));
        assert!(matches!(recv_with_fd(&far, &mut buffer), Ok((0, None))));
    }
}
