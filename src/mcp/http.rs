//! The server over HTTP: loopback only, one bearer token a lane, no cookies, no browsers.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::calls::Calls;
use super::check::{Reader, readable};
use super::patience::Patient;
use super::server::{Acting, LaneServer};
use crate::domain::LaneDoor;

/// Where the server stands below its address.
const PATH: &str = "/mcp";
/// The largest request, in bytes.
pub(super) const REQUEST: usize = 512 * 1024;

/// How long a new connection may take to ask for something.
const PATIENCE: Duration = Duration::from_secs(5);

/// A listening server. It stops when it is dropped.
#[derive(Debug)]
pub struct Listener {
    address: SocketAddr,
    stop: CancellationToken,
}

impl Listener {
    /// Listens on a free port of the loopback interface. Requests are answered on `front`, the runtime of the loop that
    /// decides them: no other thread is woken on the way. Large ones are read on `back`.
    ///
    /// # Errors
    /// When the system gives no port.
    pub fn start(door: Arc<dyn LaneDoor>, front: &Handle, back: &Handle) -> std::io::Result<Self> {
        let _here = front.enter();
        let socket = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        socket.set_nonblocking(true)?;
        let address = socket.local_addr()?;
        let listener = Patient { listener: tokio::net::TcpListener::from_std(socket)?, patience: PATIENCE };
        let stop = CancellationToken::new();
        let app = router(door, &stop, back.clone());
        let stopped = stop.clone().cancelled_owned();
        front.spawn(async move {
            // Serving ends with the token; accepting does not fail for good.
            let _ended = axum::serve(listener, app).with_graceful_shutdown(stopped).await;
        });
        Ok(Self { address, stop })
    }

    /// What a client is to be given.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn router(door: Arc<dyn LaneDoor>, stop: &CancellationToken, back: Handle) -> Router {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(REQUEST)
        .with_cancellation_token(stop.child_token())
        .enforce_origin_validation();
    let calls = Calls::default();
    let server = LaneServer { door: Arc::clone(&door), lane: None, calls: calls.clone() };
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    Router::new()
        .route_service(PATH, service)
        .layer(from_fn_with_state(Reader { calls, back }, readable))
        .layer(from_fn_with_state(door, authorise))
}

/// Lets a request through with the lane that its token stands for.
async fn authorise(State(door): State<Arc<dyn LaneDoor>>, mut request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = given.and_then(|value| value.split_once(' ')).filter(|(kind, _)| kind.eq_ignore_ascii_case("bearer"));
    let lane = token.and_then(|(_, token)| door.lane_of(token.trim()));
    let Some(lane) = lane else {
        let words = "no lane has this token: it is given to a lane's program as PARALANE_TOKEN and ends with it\n";
        return (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], words).into_response();
    };
    request.extensions_mut().insert(Acting(lane));
    next.run(request).await
}
