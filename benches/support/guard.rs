//! Tidies up also when the measurement itself is interrupted or killed.
//!
//! A shell waits at the end of a pipe that this process holds. However this process ends, the pipe does too, and
//! the shell runs what ends the measured programs.

use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The waiting shell. Dropping it runs the script and waits for it.
#[derive(Debug)]
pub struct Guard(Child);

impl Guard {
    /// Runs the script, with its arguments as `$1` and on, once this process or this value has gone.
    pub fn new(script: &str, args: &[&str], directory: &Path, env: &[(String, String)]) -> Self {
        // An interrupt from the keyboard reaches the shell too; it has to stay for it.
        let whole = format!("trap '' INT TERM HUP; cat > /dev/null; {script}");
        let mut command = Command::new("sh");
        command.args(["-c", &whole, "guard"]).args(args).current_dir(directory);
        command.env_clear().envs(env.iter().cloned());
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        Self(child.expect("a shell"))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.stdin.take();
        // The script's own failures mean that there was nothing left to do.
        let _ = self.0.wait();
    }
}
