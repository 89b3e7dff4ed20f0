//! What a lane's next request would hold, layer by layer.

use serde_json::json;

use crate::domain::{ContextView, Counted, LayerShare};

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
    let counted = match view.counted {
        Counted::Estimated => "estimated from the text",
        Counted::ByServer { .. } => "server",
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
        "counted": match view.counted { Counted::Estimated => "estimated", Counted::ByServer { .. } => counted },
        "scale": match view.counted { Counted::Estimated => None, Counted::ByServer { scale } => Some(scale) },
        "cost": view.cost(),
    });
    let mut rows = Vec::new();
    for layer in &view.layers {
        rows.push(row(layer, share(layer.tokens)));
        for part in &layer.parts {
            let note = part.note.as_deref().map(|note| line(note, CELLS)).unwrap_or_default();
            rows.push(vec![format!("  {}", line(&part.name, CELLS)), part.tokens.to_string(), String::new(), note]);
        }
    }
    let in_all = view.window.map_or_else(|| "the window is not known".into(), |window| format!("of {window}"));
    rows.push(vec!["in all".into(), total.to_string(), format!("{:.1} %", share(total)), in_all]);
    let mut text = table(&rows);
    text.push('\n');
    if view.window.is_some() {
        text.push_str(&format!("{} more are kept free for the answer.\n", view.reserve));
    } else {
        text.push_str("Set `context_window` of the provider: then what does not fit is left out in time.\n");
    }
    if view.left_out > 0 {
        let messages = if view.left_out == 1 { "message is" } else { "messages are" };
        text.push_str(&format!(
            "The {} oldest {messages} left out of requests; the transcript keeps all.\n",
            view.left_out
        ));
    }
    match view.counted {
        Counted::Estimated => text.push_str("Tokens are estimated from the text; no server has counted yet.\n"),
        Counted::ByServer { scale } => text.push_str(&format!(
            "Tokens are estimated from the text, times {scale:.2}: the server's own count of its last request.\n"
        )),
    }
    if let Some(cost) = view.cost() {
        text.push_str(&format!("To send all of it costs {cost:.4} without the server's cache.\n"));
    }
    text.push_str("`/context off LAYER` leaves a layer out, `/context on LAYER` brings it back.");
    Document { title: format!("context of {lane}"), json, text }
}

fn row(layer: &LayerShare, share: f64) -> Vec<String> {
    let (share, state) = match (layer.on, layer.layer.optional()) {
        (true, true) => (format!("{share:.1} %"), "on"),
        (true, false) => (format!("{share:.1} %"), ""),
        (false, _) => ("-".to_owned(), "off"),
    };
    vec![layer.layer.word().to_owned(), layer.tokens.to_string(), share, state.to_owned()]
}
