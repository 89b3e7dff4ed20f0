//! Commands on the workstation's socket without a process for each, so that a process's start is not measured.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

use paralane::protocol::{
    Client, ClientMessage, CommandHello, Decoder, Hello, Packet, ServerMessage, VERSION, encode_message,
};
use serde_json::Value;

use super::World;

/// Runs one command and gives its output; it must succeed.
#[track_caller]
pub fn ask(world: &World, arguments: &[&str]) -> String {
    let mut stream = UnixStream::connect(world.place().socket()).expect("the workstation listens");
    let words = arguments.iter().map(|&word| word.to_owned()).collect();
    let hello = Hello {
        protocol: VERSION,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        client: Client::Command(CommandHello { arguments: words }),
        environment: vec![("PATH".to_owned(), std::env::var("PATH").unwrap())],
    };
    stream.write_all(&encode_message(&ClientMessage::Hello(hello)).unwrap()).unwrap();
    let mut decoder = Decoder::default();
    let mut bytes = vec![0; 64 * 1024];
    loop {
        match decoder.packet::<ServerMessage>().unwrap() {
            Some(Packet::Message(ServerMessage::Reply(reply))) => {
                assert_eq!(reply.status, 0, "{arguments:?}: {reply:?}");
                return reply.output;
            }
            Some(other) => panic!("{arguments:?}: {other:?}"),
            None => {}
        }
        let count = stream.read(&mut bytes).unwrap();
        assert_ne!(count, 0, "the workstation ended\n{}", world.log());
        decoder.push(&bytes[..count]);
    }
}

/// The same for a command's JSON document.
#[track_caller]
pub fn ask_json(world: &World, arguments: &[&str]) -> Value {
    let mut arguments = arguments.to_vec();
    arguments.push("--json");
    serde_json::from_str(&ask(world, &arguments)).unwrap()
}

/// Waits until every lane's set-up is over.
#[track_caller]
pub fn await_lanes(world: &World, count: usize) {
    world.wait_until("all lanes", || {
        let lanes = ask_json(world, &["lane", "list"])["lanes"].as_array().unwrap().clone();
        assert!(!lanes.iter().any(|lane| lane["state"] == "failed"), "{lanes:#?}");
        lanes.len() == count && lanes.iter().all(|lane| lane["state"] != "starting")
    });
}
