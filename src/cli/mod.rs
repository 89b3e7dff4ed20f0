//! Arguments, one-shot commands and their output, the demo, the guided set-up.
