//! `paralane demo`: the whole of it on a throw-away repository, with a scripted model on loopback.
//!
//! Stage, model server and workstation live in this process and its temporary directory, so that the end of the
//! window is the end of everything, by whatever way it comes. The scene: `api` has changed a file and asks before
//! it runs a command; `ui` wants to change the same file and meets `api`'s hold; `sh` is a shell.

mod script;
mod server;
mod signals;
mod stage;

use std::process::ExitCode;

use super::attach::Begin;
use super::client::{self, Wait};
use super::foreground::InProcess;
use super::site::Site;
use super::start::Link;
use super::{Foreground, attach, environment, output};
use crate::base::Report;
use crate::protocol::{Hint, HintUntil};
use crate::window::{WindowError, require_terminal};
use crate::workstation::home::Home;
use server::Server;
use signals::Signals;
use stage::Stage;

/// What the shell lane runs: a look at the repository, then a shell that keeps no history file.
const SHELL: &str = "git --no-pager log --oneline --no-decorate --stat; echo; \
                     echo 'A pane: any program runs here.'; \
                     echo 'Ctrl-G i types into it, Ctrl-G Esc leaves it.'; \
                     HISTFILE= ENV= exec sh -i";

/// Runs the demo until its window ends.
///
/// # Errors
/// When there is no terminal, or something could not be set up.
pub(super) fn run() -> Result<ExitCode, Report> {
    require_terminal().map_err(WindowError::report)?;
    // From here on a signal no longer ends the process on the spot: what was made is removed first.
    let signals = Signals::watch()?;
    let stage = Stage::new()?;
    let shown = play(&stage, &signals);
    stage.strike()?;
    output::note("this was the demo: all that it made has been removed");
    shown
}

fn play(stage: &Stage, signals: &Signals) -> Result<ExitCode, Report> {
    let server = Server::start()?;
    let config = stage.configure(&server.base_url())?;
    let home = Home::find(Some(&stage.home()))?.with_user_config(config);
    let site = Site::at(&stage.repository(), home)?;
    let workstation = InProcess::start(&site)?;
    let shown = make_lanes(&site).and_then(|()| {
        if signals.came() {
            return Ok(ExitCode::SUCCESS);
        }
        let focus = Some("api".to_owned());
        let begin = Begin { focus, foreground: Foreground::Yes, hints: hints(), ..Begin::default() };
        attach::show(&site, Link::There(attach::connect(&site)?), begin)
    });
    workstation.end()?;
    drop(server);
    shown
}

/// The three lanes, by the same commands that a person types.
fn make_lanes(site: &Site) -> Result<(), Report> {
    let lanes: [&[&str]; 3] = [
        &["lane", "new", "api", "--prompt", script::API_PROMPT],
        &["lane", "new", "ui", "--prompt", script::UI_PROMPT],
        &["lane", "new", "sh", "--", "sh", "-c", SHELL],
    ];
    for words in lanes {
        let arguments = words.iter().map(|&word| word.to_owned()).collect();
        let reply = client::command(attach::connect(site)?, arguments, environment::of(site), Wait::Short)?;
        if let Some(report) = reply.error {
            return Err(report);
        }
    }
    Ok(())
}

/// What leads a newcomer through the scene, one step at a time.
fn hints() -> Vec<Hint> {
    [
        ("when api asks: Alt-y runs its command once, Alt-n denies it", HintUntil::Approval),
        ("ui wants a file that api changed: Ctrl-G c, then o overrides once or w waits", HintUntil::Conflict),
        (
            "type anything and press Enter: it goes to the lane after the → (Alt-1 to Alt-3 change it)",
            HintUntil::Prompt,
        ),
        ("Alt-3, then Ctrl-G i types into the shell; Ctrl-G Esc leaves it", HintUntil::Pane),
        ("Ctrl-G ? shows all keys and commands; Ctrl-P finds one", HintUntil::Help),
        ("Ctrl-G q ends the demo and leaves nothing behind", HintUntil::Asked),
    ]
    .map(|(text, until)| Hint { text: text.to_owned(), until })
    .to_vec()
}
