//! What a lane's next request would hold, layer by layer.

use serde_json::json;

use crate::domain::{ContextView, Counted, Layer, LayerShare, Money};

use super::Document;
use super::text::{line, table};

/// Cells of a part's name or note.
const CELLS: usize = 100;

/// The document of a lane's context.
#[must_use]
pub fn context_document(lane: &str, view: &ContextView) -> Document {
    let total = view.total();
    let of = view.window.unwrap_or(total).max(1);
    let share = |tokens: u64| (tokens as f64 * 1000.0 / of as f64).round() / 10.0;
    let (counted, scale) = match view.counted {
        Counted::Estimated | Counted::BeforeNotes | Counted::WithTurns | Counted::Doubted { .. } => ("estimated", None),
        Counted::ByServer { scale } => ("server", Some(scale)),
    };
    let json = json!({
        "lane": lane,
        "layers": view.layers.iter().map(|layer| json!({
            "layer": layer.layer.word(),
            "on": layer.on,
            "optional": layer.layer.optional(),
            "tokens": layer.tokens,
            "share": if layer.on { share(layer.tokens) } else { 0.0 },
            "parts": layer.parts.iter().map(|part| json!({
                "name": part.name,
                "tokens": part.tokens,
                "note": part.note,
            })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "tokens": total,
        "window": view.window,
        "reserve": view.reserve,
        "share": view.window.map(|_| share(total)),
        "left_out": view.left_out,
        "counted": counted,
        "scale": scale,
        "server_count": if let Counted::Doubted { told, .. } = view.counted { Some(told) } else { None },
        "cost": view.cost().map(Money::number),
    });
    let mut rows = vec![["layer", " tokens", "  share", ""].map(str::to_owned).to_vec()];
    for layer in &view.layers {
        rows.push(row(layer, share(layer.tokens)));
        for part in &layer.parts {
            let note = part.note.as_deref().map(|note| line(note, CELLS)).unwrap_or_default();
            rows.push(vec![format!("  {}", line(&part.name, CELLS)), number(part.tokens), String::new(), note]);
        }
    }
    let in_all = view.window.map_or_else(|| "the window is not known".into(), |window| format!("of {window}"));
    rows.push(vec!["in all".into(), number(total), percent(share(total)), in_all]);
    let text = format!("{}\n{}", table(&rows), words(view).join("\n"));
    Document { title: format!("context of {lane}"), json, text }
}

/// What there is to say of it, one line each.
fn words(view: &ContextView) -> Vec<String> {
    let mut words = Vec::new();
    words.push(if view.window.is_some() {
        format!("{} more are kept free for the answer.", view.reserve)
    } else {
        "Set `context_window` of the provider: what does not fit is then left out in time.".to_owned()
    });
    if view.left_out > 0 {
        let messages = if view.left_out == 1 { "message is" } else { "messages are" };
        words.push(format!("The {} oldest {messages} left out of requests; the transcript keeps all.", view.left_out));
    }
    words.push(match view.counted {
        Counted::Estimated => "Tokens are estimated from the text; no server has counted yet.".to_owned(),
        Counted::BeforeNotes => {
            "Tokens are estimated from the text; no server has counted since the conversation was compacted.".to_owned()
        }
        Counted::WithTurns => {
            "Tokens are estimated from the text; what servers have counted was with the turns that are off.".to_owned()
        }
        Counted::Doubted { told, estimated } => format!(
            "Tokens are estimated from the text; the server counted {told} where the text comes to {estimated}, so its \
             count is not gone by."
        ),
        Counted::ByServer { scale } => {
            format!(
                "Tokens are estimated from the text, times {scale:.2} by the server's own count of its last request."
            )
        }
    });
    if view.layers.iter().any(|layer| layer.layer == Layer::Memory && !layer.parts.is_empty()) {
        words.push("Facts are found anew for each prompt: these fit the one that runs, or the last one.".to_owned());
    }
    if let Some(cost) = view.cost() {
        words.push(format!("To send it costs {cost} without the server's cache."));
    }
    words.push("`/context off LAYER` leaves a layer out, `/context on LAYER` brings it back.".to_owned());
    words
}

fn number(tokens: u64) -> String {
    format!("{tokens:>7}")
}

fn percent(share: f64) -> String {
    format!("{share:>5.1} %")
}

fn row(layer: &LayerShare, share: f64) -> Vec<String> {
    let (share, state) = match (layer.on, layer.layer.optional()) {
        (true, true) => (percent(share), "on"),
        (true, false) => (percent(share), ""),
        (false, _) => ("      -".to_owned(), "off"),
    };
    vec![layer.layer.word().to_owned(), number(layer.tokens), share, state.to_owned()]
}
