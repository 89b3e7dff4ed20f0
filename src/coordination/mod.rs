//! Rules: who holds which paths; path and glob overlap.
