//! The one command tree: slash command, CLI subcommand, palette entry, completion and help.
