//! Serves the scripted model of the tests on a port, to try lanes by hand:
//! `cargo run --example model_server -- 8080`, then prompts such as `%sh ls`.
#![allow(clippy::print_stdout, reason = "a development aid")]

#[path = "model_server.rs"]
mod model_server;

fn main() {
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok()).unwrap_or(8080);
    let server = model_server::ModelServer::on(port);
    println!("base_url = \"{}\"  (model: scripted; ends with Ctrl-C)", server.base_url());
    server.forever();
}
