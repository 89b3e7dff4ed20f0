//! Gemini's generateContent, streamed.

pub(super) mod request;
pub(super) mod stream;

#[cfg(test)]
mod stream_tests;
