//! Confining commands where the system has nothing for it: it says so, and refuses where that is demanded.

use std::process::Command;

use super::bounds::{Bounds, SERVICES};
use super::door::Porter;
use super::facts::Facts;
use crate::domain::Walls;

/// What this machine offers: nothing.
pub(super) fn facts() -> Facts {
    let namespaces = Err("only Linux has them".to_owned());
    Facts {
        landlock: 0,
        tree: namespaces.clone(),
        namespaces,
        filter: false,
        administrator: rustix::process::geteuid().is_root(),
    }
}

/// The walls of one lane's commands.
#[derive(Debug)]
pub struct Confinement {
    facts: Facts,
}

impl Confinement {
    /// With what this machine offers.
    #[must_use]
    pub fn new(facts: Facts) -> Self {
        Self { facts }
    }

    /// With somebody at a door that there is not here.
    #[must_use]
    pub fn with_porter(self, _: Porter) -> Self {
        self
    }

    /// Makes ready for one command.
    ///
    /// # Errors
    /// When walls are demanded: there are none.
    pub fn prepare(&self, bounds: &Bounds) -> Result<Box<dyn Walls>, String> {
        match self.facts.lacks().first() {
            Some(lack) if bounds.required => {
                Err(format!("the configuration demands the sandbox (`sandbox.required`), and {lack}"))
            }
            _ => {
                let temporary = bounds.temporary.clone();
                let made = std::fs::create_dir_all(&temporary);
                made.map_err(|e| format!("cannot make the temporary directory `{}`: {e}", temporary.display()))?;
                let mut variables = bounds.variables.clone();
                variables.push(("TMPDIR".to_owned(), temporary.display().to_string()));
                Ok(Box::new(Named(variables)))
            }
        }
    }

    /// Makes ready for one command without walls.
    ///
    /// # Errors
    /// None here: there is nothing to hold a command.
    pub fn keep() -> Result<Option<Box<dyn Walls>>, String> {
        Ok(None)
    }
}

/// Only the environment is what it would be.
struct Named(Vec<(String, String)>);

impl Walls for Named {
    fn enclose(&mut self, command: &mut Command) {
        for name in SERVICES {
            command.env_remove(name);
        }
        command.envs(self.0.drain(..));
    }

    fn settle(&mut self) -> Option<String> {
        None
    }

    fn members(&self) -> Vec<u32> {
        Vec::new()
    }

    fn is_over(&mut self) -> bool {
        false
    }

    fn end(&mut self) -> bool {
        false
    }
}
