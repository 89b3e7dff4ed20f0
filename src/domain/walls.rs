//! What keeps an agent's command within its lane, as those need it who start commands.

use std::process::Command;

/// Whom walls are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tenant {
    /// A command of the agent.
    Command,
    /// A program that the configuration names and has confined, a tool server or a hook: it may use the network.
    Program,
    /// One that it does not have confined: it only ends with all that it has started.
    Free,
}

impl Tenant {
    /// Of a program that the configuration names.
    #[must_use]
    pub const fn program(confined: bool) -> Self {
        if confined { Self::Program } else { Self::Free }
    }
}

/// The walls around a lane's commands.
pub trait Sandbox: Send + Sync {
    /// Makes ready for one of these; none where there is nothing to hold it. Blocks.
    ///
    /// # Errors
    /// Why nothing may be started, in words.
    fn prepare(&self, tenant: Tenant) -> Result<Option<Box<dyn Walls>>, String>;
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

    /// Whether it is certain that nothing of the command lives any more.
    fn is_over(&mut self) -> bool;

    /// Ends at once all that came from the command; also dropping the walls does. False where they cannot.
    fn end(&mut self) -> bool;
}
