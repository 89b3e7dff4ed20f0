//! What `doctor` found: told to whoever asked.

use crate::app::report::{self, Finding};
use crate::app::{Asker, Effect};
use crate::command::Surface;
use crate::protocol::Reply;

use super::contexts;
use super::step::Step;

pub(super) fn found(step: &mut Step<'_>, asker: Asker, found: &[Finding]) {
    let read = report::Read { state: step.state, now: step.env.now, focused: None, surface: Surface::Shell };
    let document = report::doctor_document(&read, found);
    match asker {
        Asker::Window(_) => contexts::tell(step, asker, Ok(document)),
        Asker::Shell { id, json } => {
            let status = u8::from(report::anything_bad(&document));
            step.then.push(Effect::Reply(id, Reply { status, ..Reply::done(report::render(&document, json)) }));
        }
    }
}
