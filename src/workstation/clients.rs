//! What clients send, in the loop: windows attach, type and go; commands are parsed and answered.

use std::ffi::OsString;
use std::time::{Duration, Instant};

use super::answerer::{self, Peer};
use super::colours;
use super::connection::{CommandClient, FromClient, OpenClient, WindowClient, WindowEvent};
use super::desktop::Desktop;
use super::doors::ToolClient;
use super::engine::Engine;
use super::hook_door::HookClient;
use super::pastes;
use super::screens::Screen;
use crate::app::{Client, Msg, RequestId, WindowMsg, window};
use crate::base::Report;
use crate::command::{self, Action, Invocation};
use crate::domain::{InputEvent, KeyKind, LaneId, LaneKind, WindowId};
use crate::protocol::{self, EndReason, NewPane, Reply, ServerMessage};
use tokio::sync::oneshot;

/// Within this time the store has mostly kept a new lane.
const KEPT: Duration = Duration::from_millis(4);

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
            Err(report) => return refuse(&client, report),
        };
        screen.tell(&ServerMessage::Welcome { window: id });
        self.screens.insert(id, screen);
        let answerer = answerer::of(client.peer, "window", &self.project_mark());
        self.handle(Msg::Came(Client::Window(id), answerer));
        self.handle(Msg::Window(id, WindowMsg::Attached(client.hello)));
    }

    fn on_command(&mut self, client: CommandClient) {
        let id = client.id;
        let mut environment = client.environment;
        Desktop::take(&mut environment);
        self.shared.environment.renew(environment);
        self.carry_out(id, client.peer, client.hello.arguments, client.reply);
    }

    /// Has the words of a command carried out.
    fn carry_out(&mut self, id: RequestId, peer: Option<Peer>, words: Vec<String>, to: oneshot::Sender<Reply>) {
        let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
        let reply = match command::parse_args(&words, None) {
            Ok(line) => match line.action {
                Action::Run(invocation) => {
                    self.replies.insert(id, to);
                    if matches!(*invocation, Invocation::Approve { .. } | Invocation::Deny { .. }) {
                        let answerer = answerer::of(peer, "shell", &self.project_mark());
                        self.handle(Msg::Came(Client::Request(id), answerer));
                    }
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

    /// The value that marks the processes of this workstation.
    fn project_mark(&self) -> String {
        self.state.settings.store.display().to_string()
    }

    fn on_tool(&mut self, call: ToolClient) {
        let lane = self.state.model.lanes.get(&call.lane).map(|lane| &lane.name);
        let words = match lane {
            Some(lane) => {
                // Nobody has set it before.
                let _ = call.name.set(lane.to_string());
                command::tool_words(&call.tool, lane, &call.arguments)
            }
            None => Err("this lane is no more".to_owned()),
        };
        match words.map_err(Report::usage).and_then(|words| command::parse_call(&words)) {
            Ok(invocation) => {
                self.replies.insert(call.id, call.reply);
                self.handle(Msg::Request { id: call.id, invocation, json: true });
            }
            Err(report) => {
                // The caller may have given up already.
                let _ = call.reply.send(Reply::failed(report));
            }
        }
    }

    /// The window is made ready while the store keeps the new lane, and drawn while its program starts.
    fn on_open(&mut self, client: OpenClient) {
        let OpenClient { id, pane: NewPane { command, here }, mut window } = client;
        if command.is_empty() {
            return refuse(&window, Report::usage("a pane needs a program to run"));
        }
        let (reply, mut answer) = oneshot::channel();
        self.replies.insert(id, reply);
        let invocation = Invocation::LaneNew {
            name: None,
            kind: LaneKind::plain(command),
            base: None,
            here,
            prompt: None,
            rules: None,
        };
        let last = self.state.model.last_ids.lane;
        self.handle(Msg::Request { id, invocation, json: true });
        if let Ok(Reply { error: Some(report), .. }) = answer.try_recv() {
            return refuse(&window, report);
        }
        // The disk works from now on.
        self.keep();
        let lane = LaneId(self.state.model.last_ids.lane);
        if lane != LaneId(last) {
            if let Some(size) = window::pane_to_come(&self.state, &window.hello, lane) {
                self.state.pane_sizes.insert(lane, size);
            }
            window.hello.focus = Some(self.state.model.name(lane));
        }
        let id = window.id;
        self.attach(window);
        if let Some(screen) = self.screens.get_mut(&id) {
            screen.hold(Instant::now() + KEPT);
        }
    }

    /// Tells a window to end. Its connection ends once it has heard it.
    pub fn end_window(&mut self, id: WindowId, reason: EndReason, words: String) {
        if let Some(screen) = self.screens.remove(&id) {
            screen.tell(&ServerMessage::Ended { reason, words });
        }
    }
}

/// Tells a window that it is not attached. Its connection ends with what is sent last.
fn refuse(client: &WindowClient, report: Report) {
    if let Ok(bytes) = protocol::encode_message(&ServerMessage::Refused(report)) {
        // It may be gone already.
        let _ = client.out.try_send(bytes);
    }
}
