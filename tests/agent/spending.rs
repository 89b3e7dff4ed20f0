//! Each try at a model call is counted before it is made, for the provider that is asked, and settled once.

use paralane::agent::{Backend, ModelClient, Provider};
use paralane::domain::{SpendEnd, TurnOutcome, Usage};
use serde_json::json;

use crate::harness::{Lane, Port, done, error, provider, until};
use crate::model_server::{ModelServer, Reply};

fn ends(port: &Port) -> Vec<(String, SpendEnd)> {
    let spends = port.spends.lock().unwrap();
    spends.iter().map(|(ask, end)| (ask.provider.clone(), end.expect("settled"))).collect()
}

const USED: Usage = Usage { input: 100, cached: 0, cache_write: 0, output: 10, reasoning: 0 };

#[tokio::test]
async fn retries_and_fallbacks_are_counted_for_whoever_was_asked() {
    let second = ModelServer::start();
    let mut lane = Lane::new();
    let named = |name: &str, url: String| ModelClient::new(Provider { name: name.into(), ..provider(url) }).unwrap();
    lane.client = named("first", lane.server.base_url());
    let backend = Backend { client: named("next", second.base_url()), model: "other".into() };
    let port = Port::allowing();
    lane.server.push(Reply::error(503));
    lane.server.push(Reply::calls(&[("list", json!({}))]));
    lane.server.push(Reply::error(401));
    let mut input = lane.input(vec![paralane::domain::EntryBody::Prompt { text: "%list\n%say fine".into() }]);
    input.fallback = vec![backend];
    assert_eq!(lane.start(input, &port).await, done("fine"));
    let first = |end| ("first".to_owned(), end);
    assert_eq!(
        ends(&port),
        [
            first(SpendEnd::Nothing),
            first(SpendEnd::Used(USED)),
            first(SpendEnd::Nothing),
            ("next".to_owned(), SpendEnd::Used(USED))
        ]
    );
    let spends = port.spends.lock().unwrap();
    assert_eq!((spends[1].0.model.as_str(), spends[3].0.model.as_str()), ("scripted", "other"));
    assert!(spends.iter().all(|(ask, _)| ask.input > 500 && ask.output == 32_000), "{spends:?}");
}

#[tokio::test]
async fn a_refused_call_is_not_made_and_ends_the_turn_without_asking_anybody_else() {
    let lane = Lane::new();
    let port = Port::allowing();
    *port.refuse_spends.lock().unwrap() = Some("stopped by budget b1: raise it".into());
    let outcome = lane.prompt("%say hi", &port).await;
    assert_eq!(error(outcome), "stopped by budget b1: raise it");
    assert!(lane.server.seen().is_empty());
}

#[tokio::test]
async fn a_call_that_is_cancelled_or_breaks_off_is_counted_by_what_came() {
    let lane = Lane::new();
    let port = Port::allowing();
    let running = lane.prompt("%slow 60000\n%say never", &port);
    let cancel = async {
        until("the call is under way", || !lane.server.seen().is_empty()).await;
        lane.cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(running, cancel);
    assert_eq!(outcome, TurnOutcome::Cancelled);
    let ends = ends(&port);
    let [(_, SpendEnd::Estimated(usage))] = &ends[..] else { panic!("{ends:?}") };
    assert!(usage.input > 200, "{usage:?}");
}
