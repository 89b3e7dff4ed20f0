//! Messages on the workstation's socket, and how they are framed.
//!
//! A frame is a length (4 bytes, little-endian, of what follows), a kind byte, and a body. Kind 0 is a
//! JSON message; kind 1 is terminal output: an 8-byte frame number and raw bytes for the window.
//! The first message of a client is [`Hello`]; the workstation answers it before anything else.

mod frame;
mod message;

pub use frame::{Decoder, FrameError, MAX_FRAME, Packet, encode_message, encode_output};
pub use message::{
    Client, ClientMessage, CommandHello, EndReason, Hello, Hint, HintUntil, HookHello, NewPane, PASTE_PIECES, Reply,
    ServerMessage, ToolsHello, VERSION, WindowHello,
};
