//! Messages on the workstation's socket.
