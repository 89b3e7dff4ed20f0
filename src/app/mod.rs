//! The running whole as values: State, Msg, update, Effects.
