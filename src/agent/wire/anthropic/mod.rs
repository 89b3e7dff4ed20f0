//! Anthropic's Messages, as Anthropic and servers that imitate it speak them.

pub(super) mod request;
pub(super) mod stream;

#[cfg(test)]
mod stream_tests;
