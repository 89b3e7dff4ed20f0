//! OpenAI's chat completions, as many servers speak them.

pub(super) mod request;
pub(super) mod stream;

#[cfg(test)]
mod stream_tests;
