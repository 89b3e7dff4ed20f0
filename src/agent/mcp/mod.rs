//! Tool servers (MCP) that own agents use: a lane's servers, their tools, calling them.
//!
//! A lane's [`Servers`] stand in its tools' memory. A turn wakes them ([`Servers::wake`]): `server` has one task for each,
//! which starts it (`connect`), keeps it, starts it again and ends it. What a server offers is a stranger's text:
//! `offers` bounds it and gives it names that every dialect takes, `fit` checks a call's arguments against its schema,
//! `outcome` turns what comes back into a result. Nothing else of the room knows the protocol.

mod connect;
mod fit;
mod handler;
mod heard;
mod offers;
mod outcome;
mod process;
mod server;
mod servers;
mod spec;

#[cfg(test)]
mod tests;

pub(in crate::agent) use fit::check;
pub(in crate::agent) use offers::Offer;
pub(in crate::agent) use servers::Servers;
pub use spec::ServerSpec;
