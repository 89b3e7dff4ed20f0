//! OpenAI's Responses, without anything kept at the server: the conversation goes along whole each time.

pub(super) mod request;
pub(super) mod stream;

#[cfg(test)]
mod stream_tests;
