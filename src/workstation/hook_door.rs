//! One hook of a lane's native CLI: who asks, what it tells, and the loop's answer in the CLI's form.
//!
//! Which lane speaks is told by the token, and only processes that the lane's program has started speak for it. What a payload
//! means is read here, beside the loop.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::sync::oneshot;

use super::connection::{FromClient, ToLoop};
use super::doors::Kin;
use crate::app::RequestId;
use crate::base::{Process, Report};
use crate::domain::{Cli, HookAnswer, HookCall, LaneDoor as _, LaneId, NativeEvent};
use crate::native::{self, Ground, Output};
use crate::protocol::{self, HookHello, Reply, ServerMessage};

/// How often and in which steps it is looked whether the lane's program is known, which has just started, or has written
/// its record.
const LOOKS: usize = 40;
const BETWEEN: Duration = Duration::from_millis(25);

/// A hook on its way to the loop.
pub(super) struct HookClient {
    pub id: RequestId,
    pub lane: LaneId,
    pub call: Box<HookCall>,
    pub reply: oneshot::Sender<HookAnswer>,
}

/// Serves one hook.
pub(super) async fn serve(mut stream: UnixStream, id: RequestId, hello: HookHello, to: ToLoop) {
    let output = match known(&stream, &hello, &to).await {
        Err(words) => Some(Output::refused(&hello.event, &words)),
        Ok((lane, cli, ground)) => {
            until_recorded(cli, &hello).await;
            answered(&mut stream, id, (lane, cli, ground), &hello, &to).await
        }
    };
    let Some(Output { stdout, stderr, status }) = output else { return };
    let error = (!stderr.is_empty()).then(|| Report::refused(stderr.trim_end()));
    let reply = Reply { output: stdout, error, status };
    if let Ok(bytes) = protocol::encode_message(&ServerMessage::Reply(reply)) {
        // A hook that was ended needs no answer.
        let _ = stream.write_all(&bytes).await;
    }
}

/// What the hook is answered; none when it was ended meanwhile.
async fn answered(
    stream: &mut UnixStream,
    id: RequestId,
    (lane, cli, ground): (LaneId, Cli, Arc<Ground>),
    hello: &HookHello,
    to: &ToLoop,
) -> Option<Output> {
    let call = match native::read(cli, &hello.event, hello.payload.as_bytes(), &ground) {
        Err(unread) => return Some(Output::refused(&hello.event, &format!("{unread}; nothing was allowed"))),
        Ok(call) => counted(hello, lane, cli, call, to).await,
    };
    Some(native::answer(cli, &hello.event, &ask(stream, id, lane, call, to).await?))
}

/// Waits, not long, until the record of the conversation has the turn whose end is told.
async fn until_recorded(cli: Cli, hello: &HookHello) {
    for _ in 0..LOOKS {
        if native::recorded(cli, &hello.event, hello.payload.as_bytes()) {
            return;
        }
        tokio::time::sleep(BETWEEN).await;
    }
}

/// Which lane speaks.
async fn known(stream: &UnixStream, hello: &HookHello, to: &ToLoop) -> Result<(LaneId, Cli, Arc<Ground>), String> {
    let Some(lane) = to.doors.lane_of(&hello.token) else {
        return Err("no lane has this token: it ended with the program that it was given to".to_owned());
    };
    let pid = stream.peer_cred().ok().and_then(|peer| peer.pid()).and_then(|pid| u32::try_from(pid).ok());
    // Where the system tells nothing of processes, the token alone counts.
    let told = || Process::of(std::process::id()).is_some();
    let mut kin = Kin::Unknown;
    for _ in 0..LOOKS {
        kin = pid.map_or(Kin::Unknown, |pid| to.doors.kin(lane, pid));
        // One that has ended before it was looked at is nobody's.
        if kin != Kin::Unknown || !told() || pid.is_none_or(|pid| Process::of(pid).is_none()) {
            break;
        }
        tokio::time::sleep(BETWEEN).await;
    }
    match kin {
        Kin::Of(_) => return Err("this process belongs to another lane than its token".to_owned()),
        Kin::Outside => return Err("this process was not started by the lane's program".to_owned()),
        Kin::Unknown if told() => {
            return Err("the lane's program is not known to run, so nothing speaks for it".to_owned());
        }
        Kin::Own | Kin::Unknown => {}
    }
    let (cli, ground) =
        to.doors.native(lane).ok_or_else(|| "this lane's program is no native CLI under our hooks".to_owned())?;
    Ok((lane, cli, ground))
}

/// With what the conversation has used, at the end of a turn and of the session: then its record is whole.
async fn counted(hello: &HookHello, lane: LaneId, cli: Cli, mut call: HookCall, to: &ToLoop) -> HookCall {
    let place = matches!(call.event, NativeEvent::Stop { .. } | NativeEvent::Ended)
        .then(|| native::transcript(hello.payload.as_bytes()));
    if let Some(file) = place.flatten() {
        let doors = Arc::clone(&to.doors);
        // Without a count the answer is as good.
        call.usage = tokio::task::spawn_blocking(move || doors.used(lane, cli, &file)).await.ok().flatten();
    }
    call
}

/// Asks the loop; none when the hook was ended meanwhile.
async fn ask(stream: &mut UnixStream, id: RequestId, lane: LaneId, call: HookCall, to: &ToLoop) -> Option<HookAnswer> {
    let ended = || Some(HookAnswer::Deny("the workstation is ending".to_owned()));
    let (reply, answered) = oneshot::channel();
    let client = HookClient { id, lane, call: Box::new(call), reply };
    if to.clients.send(FromClient::Hook(client)).await.is_err() {
        return ended();
    }
    let mut end = [0u8; 1];
    tokio::select! {
        answer = answered => answer.ok().or_else(ended),
        // A hook sends nothing more: whatever comes is its end.
        _ = stream.read(&mut end) => {
            let _ending = to.clients.send(FromClient::CommandGone(id)).await;
            None
        }
    }
}
