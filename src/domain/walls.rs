//! What keeps an agent's command within its lane, as those need it who start commands.

use std::process::Command;

/// The walls around a lane's commands.
pub trait Sandbox: Send + Sync {
    /// Makes ready for one command; none where commands are not confined. Blocks.
    ///
    /// # Errors
    /// Why nothing may be started, in words.
    fn prepare(&self) -> Result<Option<Box<dyn Walls>>, String>;
}

/// The walls around one command.
pub trait Walls: Send + Sync {
    /// Puts the command behind them. To be called once, when everything else is said of the command: it sets and
    /// removes variables of its environment.
    fn enclose(&mut self, command: &mut Command);

    /// To be called when the command has been started, or could not be: takes what was told on the way in. Gives words
    /// for a failure, where there are better ones than the system's.
    fn settle(&mut self) -> Option<String>;

    /// The living processes that came from the command, however they hid; none where the walls do not tell.
    fn members(&self) -> Vec<u32>;
}
