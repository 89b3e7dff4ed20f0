//! What clients send, in the loop: windows attach, type and go; commands are parsed and answered.

use std::ffi::OsString;

use super::connection::{CommandClient, FromClient, WindowClient, WindowEvent};
use super::engine::{Engine, theme};
use super::screens::Screen;
use crate::app::{Msg, WindowMsg};
use crate::base::Report;
use crate::command::{self, Action};
use crate::domain::{InputEvent, WindowId};
use crate::protocol::{self, EndReason, Reply, ServerMessage};

impl Engine {
    pub fn on_client(&mut self, client: FromClient) {
        match client {
            FromClient::Window(window) => self.attach(window),
            FromClient::Event(id, event) => self.on_window(id, event),
            FromClient::Command(command) => self.on_command(command),
            FromClient::CommandGone(id) => {
                self.replies.remove(&id);
                self.handle(Msg::RequestGone(id));
            }
        }
    }

    fn on_window(&mut self, id: WindowId, event: WindowEvent) {
        // What a window sent before it heard that it has ended counts no more.
        let Some(screen) = self.screens.get_mut(&id) else { return };
        match event {
            WindowEvent::Input(event) => {
                if matches!(event, InputEvent::Key(_)) {
                    screen.expect_change();
                }
                self.handle(Msg::Window(id, WindowMsg::Input(event)));
            }
            WindowEvent::Resized(size) => {
                screen.resize(size);
                self.handle(Msg::Window(id, WindowMsg::Resized(size)));
            }
            WindowEvent::Gone => {
                self.screens.remove(&id);
                self.handle(Msg::Window(id, WindowMsg::Gone));
            }
        }
    }

    fn attach(&mut self, mut client: WindowClient) {
        let id = client.id;
        self.shared.environment.renew(std::mem::take(&mut client.environment));
        let screen = match theme(&self.state, client.hello.light).and_then(|theme| Screen::new(&client, theme)) {
            Ok(screen) => screen,
            Err(report) => {
                if let Ok(bytes) = protocol::encode_message(&ServerMessage::Refused(report)) {
                    // Its connection ends with what is sent last.
                    let _ = client.out.try_send(bytes);
                }
                return;
            }
        };
        screen.tell(&ServerMessage::Welcome { window: id });
        self.screens.insert(id, screen);
        self.handle(Msg::Window(id, WindowMsg::Attached(client.hello)));
    }

    fn on_command(&mut self, client: CommandClient) {
        let id = client.id;
        self.shared.environment.renew(client.environment);
        let arguments: Vec<OsString> = client.hello.arguments.into_iter().map(Into::into).collect();
        let reply = match command::parse_args(&arguments, None) {
            Ok(line) => match line.action {
                Action::Run(invocation) => {
                    self.replies.insert(id, client.reply);
                    return self.handle(Msg::Request { id, invocation: *invocation, json: line.globals.json });
                }
                Action::Print(text) => Reply::done(text),
                Action::Window(_) => Reply::failed(Report::usage("this is no command")),
            },
            Err(report) => Reply::failed(report),
        };
        // The client may be gone already.
        let _ = client.reply.send(reply);
    }

    /// Tells a window to end. Its connection ends once it has heard it.
    pub fn end_window(&mut self, id: WindowId, reason: EndReason, words: String) {
        if let Some(screen) = self.screens.remove(&id) {
            screen.tell(&ServerMessage::Ended { reason, words });
        }
    }
}
