//! The server for lanes' programs: the coordination tools by MCP, over HTTP on loopback and over a stream.
//!
//! A program reaches the server by `PARALANE_MCP_URL` with `PARALANE_TOKEN` as its bearer token ([`Listener`]), or by
//! `paralane mcp`, whose standard input and output travel through the workstation's socket ([`serve_stream`]). Either
//! way the token says which lane speaks; no argument does. What a tool does is decided behind the
//! [`LaneDoor`](crate::domain::LaneDoor).

mod calls;
mod check;
mod http;
mod patience;
mod server;

pub use http::Listener;
pub use server::serve_stream;

#[cfg(test)]
mod tests;
