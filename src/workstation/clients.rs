//! What clients send, in the loop: windows attach, type and go; commands are parsed and answered.

use std::ffi::OsString;

use tokio::sync::oneshot;

use super::colours;
use super::connection::{CommandClient, FromClient, OpenClient, OpenFirst, WindowClient, WindowEvent};
use super::desktop::Desktop;
use super::doors::ToolClient;
use super::engine::Engine;
use super::hook_door::HookClient;
use super::pastes;
use super::screens::Screen;
use crate::app::{Msg, RequestId, WindowMsg, window};
use crate::base::Report;
use crate::command::{self, Action, Invocation};
use crate::domain::{InputEvent, KeyKind, LaneId, LaneKind, WindowId};
use crate::protocol::{self, EndReason, NewPane, Reply, ServerMessage};

impl Engine {
    pub fn on_client(&mut self, client: FromClient) {
        match client {
            FromClient::Window(window) => self.attach(window),
            FromClient::Event(id, event) => self.on_window(id, event),
            FromClient::Command(command) => self.on_command(command),
            FromClient::Open(open) => self.on_open(open),
            FromClient::Tool(call) => self.on_tool(call),
            FromClient::Hook(HookClient { id, lane, call, reply }) => {
                self.hooks.insert(id, reply);
                self.handle(Msg::Hook(lane, id, call));
            }
            FromClient::CommandGone(id) => {
                self.replies.remove(&id);
                self.hooks.remove(&id);
                self.handle(Msg::RequestGone(id));
            }
        }
    }

    fn on_window(&mut self, id: WindowId, event: WindowEvent) {
        // What a window sent before it heard that it has ended counts no more.
        let Some(screen) = self.screens.get_mut(&id) else { return };
        match event {
            WindowEvent::Input(event) => {
                match &event {
                    InputEvent::Key(_) => screen.expect_change(),
                    InputEvent::RichKey(key) if key.kind != KeyKind::Release => screen.expect_change(),
                    _ => {}
                }
                let pasted = matches!(event, InputEvent::Paste { .. });
                self.pastes.begin();
                self.handle(Msg::Window(id, WindowMsg::Input(event)));
                if pasted {
                    pastes::taken(self, id);
                }
            }
            WindowEvent::Resized(size) => {
                screen.resize(size);
                self.handle(Msg::Window(id, WindowMsg::Resized(size)));
            }
            WindowEvent::Edited(result) => {
                screen.reopen();
                self.handle(Msg::Window(id, WindowMsg::Edited(result)));
            }
            WindowEvent::Gone => {
                self.screens.remove(&id);
                self.handle(Msg::Window(id, WindowMsg::Gone));
            }
        }
    }

    fn attach(&mut self, mut client: WindowClient) {
        let id = client.id;
        let mut environment = std::mem::take(&mut client.environment);
        let desktop = Desktop::take(&mut environment);
        self.shared.environment.renew(environment);
        let theme = colours::theme(&self.state, client.hello.light);
        let screen = match theme.map(|theme| Screen::new(&client, theme, desktop)) {
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
        let mut environment = client.environment;
        Desktop::take(&mut environment);
        self.shared.environment.renew(environment);
        self.carry_out(id, client.hello.arguments, client.reply);
    }

    /// Has the words of a command carried out.
    fn carry_out(&mut self, id: RequestId, words: Vec<String>, to: oneshot::Sender<Reply>) {
        let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
        let reply = match command::parse_args(&words, None) {
            Ok(line) => match line.action {
                Action::Run(invocation) => {
                    self.replies.insert(id, to);
                    return self.handle(Msg::Request { id, invocation: *invocation, json: line.globals.json });
                }
                Action::Print(text) => Reply::done(text),
                Action::Window(_) => Reply::failed(Report::usage("this is no command")),
            },
            Err(report) => Reply::failed(report),
        };
        // The client may be gone already.
        let _ = to.send(reply);
    }

    fn on_tool(&mut self, call: ToolClient) {
        let lane = self.state.model.lanes.get(&call.lane).map(|lane| &lane.name);
        let words = match lane {
            Some(lane) => command::tool_words(&call.tool, lane, &call.arguments),
            None => Err("this lane is no more".to_owned()),
        };
        match words {
            Ok(words) => self.carry_out(call.id, words, call.reply),
            Err(text) => {
                // The caller may have given up already.
                let _ = call.reply.send(Reply::failed(Report::usage(text)));
            }
        }
    }

    fn on_open(&mut self, client: OpenClient) {
        let OpenFirst { pane, hello, environment } = client.open;
        self.shared.environment.renew(environment);
        let NewPane { command, here } = pane;
        if command.is_empty() {
            // The client may be gone already.
            let _ = client.reply.send(Reply::failed(Report::usage("a pane needs a program to run")));
            return;
        }
        self.replies.insert(client.id, client.reply);
        let invocation =
            Invocation::LaneNew { name: None, kind: LaneKind::plain(command), base: None, here, prompt: None };
        let last = self.state.model.last_ids.lane;
        self.handle(Msg::Request { id: client.id, invocation, json: true });
        let lane = LaneId(self.state.model.last_ids.lane);
        if lane != LaneId(last)
            && let Some(size) = window::pane_to_come(&self.state, &hello, lane)
        {
            self.state.pane_sizes.insert(lane, size);
        }
    }

    /// Tells a window to end. Its connection ends once it has heard it.
    pub fn end_window(&mut self, id: WindowId, reason: EndReason, words: String) {
        if let Some(screen) = self.screens.remove(&id) {
            screen.tell(&ServerMessage::Ended { reason, words });
        }
    }
}
