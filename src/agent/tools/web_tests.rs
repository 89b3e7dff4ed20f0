//! Pages from a real server on loopback, found under names that a stub resolves.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use super::*;

/// A server that answers by path, until it is dropped with the test's runtime.
async fn server() -> u16 {
    let page = |Path(what): Path<String>| async move {
        let html = |text: &str| ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], text.to_owned()).into_response();
        let to = |place: &str| Redirect::temporary(place).into_response();
        let (word, rest) = what.split_once('/').unwrap_or((&what, ""));
        let answer: Response = match word {
            "hello" => html("<html><style>x{}</style><h1>Hello</h1><p>A <a href=\"/x\">link</a> &amp; more\u{1b}[31m"),
            "to" => to(&format!("http://{rest}")),
            "here" => to("/hello"),
            "loop" => to("/loop"),
            "file" => to("file:///etc/passwd"),
            "latin" => ([(header::CONTENT_TYPE, "text/plain; charset=iso-8859-1")], vec![b'g', 0xfc]).into_response(),
            "image" => ([(header::CONTENT_TYPE, "image/png")], vec![0; 9]).into_response(),
            "big" => "x".repeat(CAP + 1).into_response(),
            "gone" => (StatusCode::NOT_FOUND, "nothing here").into_response(),
            _ => StatusCode::NO_CONTENT.into_response(),
        };
        answer
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/{*what}", get(page))).await });
    port
}

fn access(allow: &[&str], private: &[String]) -> Web {
    Web { allow: allow.iter().map(ToString::to_string).collect(), private: private.to_vec() }
}

/// What came of fetching `page.test/PATH`, whose name leads to loopback, with leave to do so.
async fn told(path: &str, raw: bool, allow: &[&str]) -> Result<ToolOutcome, String> {
    let port = server().await;
    let resolve = |_: String, port: u16| async move { Ok(vec![SocketAddr::from(([127, 0, 0, 1], port))]) };
    let private = [format!("page.test:{port}"), format!("other.test:{port}")];
    let path = path.replace("PORT", &port.to_string());
    let allow: Vec<String> = allow.iter().map(|name| name.replace("PORT", &port.to_string())).collect();
    let allow: Vec<&str> = allow.iter().map(String::as_str).collect();
    let url = address(&format!("http://page.test:{port}/{path}")).unwrap();
    follow(&url, raw, &access(&allow, &private), &resolve).await
}

#[tokio::test]
async fn a_page_becomes_text_and_other_answers_are_told() {
    let page = told("hello", false, &[]).await.unwrap();
    assert!(page.output.contains("# Hello") && page.output.contains("& more"), "{}", page.output);
    assert!(!page.output.contains("<h1>") && !page.output.contains("x{}"), "{}", page.output);
    assert!(told("hello", true, &[]).await.unwrap().output.contains("<h1>Hello</h1>"));
    assert!(told("here", false, &[]).await.unwrap().output.contains("# Hello"));
    assert!(told("latin", false, &[]).await.unwrap().output.ends_with("gü"));
    for (path, words) in [
        ("image", "is `image/png`, not text"),
        ("big", "larger than"),
        ("gone", "answered 404 Not Found: nothing here"),
        ("loop", "redirects more than"),
        ("file", "only `https://`"),
    ] {
        let told = told(path, false, &[]).await.unwrap_err();
        assert!(told.contains(words), "{path}: {told}");
    }
}

#[tokio::test]
async fn a_redirect_to_another_host_is_asked_for_unless_it_is_listed() {
    let words = told("to/other.test:PORT/hello", false, &[]).await.unwrap_err();
    assert!(words.contains("redirects to another host: `http://other.test:"), "{words}");
    let page = told("to/other.test:PORT/hello", false, &["other.test:PORT"]).await.unwrap();
    assert!(page.output.starts_with("[http://other.test:"), "{}", page.output);
}

#[tokio::test]
async fn private_addresses_are_refused_by_number_by_name_and_behind_a_redirect() {
    let port = server().await;
    let resolve = |name: String, port: u16| async move {
        let public = SocketAddr::from(([93, 184, 216, 34], port));
        let own = SocketAddr::from(([127, 0, 0, 1], port));
        Ok(if name == "mixed.test" { vec![public, own] } else { vec![own] })
    };
    let open = access(&["*.test", "evil.test", "mixed.test"], &[]);
    for place in [
        "127.0.0.1",
        "localhost",
        "0x7f.1",
        "2130706433",
        "127.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "169.254.169.254",
        "10.0.0.1",
        "evil.test",
        "mixed.test",
        "0.0.0.0",
    ] {
        let url = address(&format!("http://{place}:{port}/hello")).unwrap();
        let words = follow(&url, false, &open, &resolve).await.unwrap_err();
        assert!(words.contains("not on the public internet"), "{place}: {words}");
    }
    // The first host may be fetched from; where it leads to may not, however open the list is.
    let open = access(
        &["127.0.0.1", &format!("127.0.0.1:{port}"), &format!("evil.test:{port}")],
        &[format!("page.test:{port}")],
    );
    for place in ["127.0.0.1", "evil.test"] {
        let url = address(&format!("http://page.test:{port}/to/{place}:{port}/hello")).unwrap();
        let words = follow(&url, false, &open, &resolve).await.unwrap_err();
        assert!(words.contains("not on the public internet"), "{place}: {words}");
    }
}

#[tokio::test]
async fn the_connection_goes_to_the_address_that_was_checked() {
    let port = server().await;
    let asked = Arc::new(Mutex::new(0));
    let count = Arc::clone(&asked);
    // A name that answers with another address every time it is asked: only the first answer may count.
    let resolve = move |_: String, port: u16| {
        let count = Arc::clone(&count);
        async move {
            *count.lock().unwrap() += 1;
            Ok(vec![SocketAddr::from(([127, 0, 0, 1], port))])
        }
    };
    let url = address(&format!("http://rebind.invalid:{port}/hello")).unwrap();
    let page = follow(&url, false, &access(&[], &[format!("rebind.invalid:{port}")]), &resolve).await.unwrap();
    assert!(page.ok, "a name that no resolver knows was reached at the address that was checked");
    assert_eq!(*asked.lock().unwrap(), 1);
}

#[test]
fn what_is_no_web_address_is_refused() {
    for (text, words) in [
        ("docs.rs/x", "is no address"),
        ("file:///etc/passwd", "not on the web"),
        ("ftp://x/", "not on the web"),
        ("https://me:secret@x/", "name or password"),
        ("java\u{1b}script:1", "is no address"),
    ] {
        let told = address(text).unwrap_err();
        assert!(told.contains(words) && !told.contains('\u{1b}') && !told.contains("secret"), "{told}");
    }
}

#[tokio::test]
async fn a_cancel_ends_it_at_once() {
    let stop = CancellationToken::new();
    stop.cancel();
    let url = address("http://127.0.0.1:1/").unwrap();
    assert_eq!(fetch(&url, false, &Web::default(), &stop).await.summary, "cancelled");
}
