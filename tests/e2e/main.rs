//! The real program, end to end: in a pseudo terminal, with a real repository, as a person uses it.

#![allow(missing_docs, reason = "a test binary")]

mod arguments;
mod support;
mod up_and_down;
