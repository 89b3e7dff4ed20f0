//! Own agents: model dialect, turn machine, tools.
