//! Running text: emphasis, code, links, line by line.
//!
//! The parser sees a whole paragraph, so that what spans lines is found; what it makes of each line stays in that
//! line, whatever else it takes the paragraph for. Every text comes out clean.

use std::sync::Arc;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

use crate::app::window::addresses;
use crate::app::window::text::{Run, Tone, clean};

/// Bytes of a link's target at most.
const TARGET: usize = 2_000;

/// The runs of each line of a text whose plain words have this tone; always as many as it has lines.
pub(in crate::app::window::transcript) fn inline(text: &str, plain: Tone) -> Vec<Vec<Run>> {
    let mut lines = Lines::new(text, plain);
    if text.bytes().any(special) {
        for (event, range) in Parser::new_ext(text, Options::ENABLE_STRIKETHROUGH).into_offset_iter() {
            lines.event(event, range.start);
        }
    }
    lines.finish()
}

/// Whether a text with this byte has to be read as Markdown.
const fn special(byte: u8) -> bool {
    matches!(byte, b'*' | b'_' | b'`' | b'[' | b'<' | b'&' | b'\\' | b'~')
}

struct Lines<'a> {
    text: &'a str,
    plain: Tone,
    /// Where each line begins.
    starts: Vec<usize>,
    out: Vec<Vec<Run>>,
    strong: usize,
    emphasis: usize,
    struck: usize,
    /// The link that is open, and what it shows so far.
    link: Option<(Arc<str>, String)>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str, plain: Tone) -> Self {
        let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let out = vec![Vec::new(); starts.len()];
        Self { text, plain, starts, out, strong: 0, emphasis: 0, struck: 0, link: None }
    }

    fn event(&mut self, event: Event<'_>, at: usize) {
        match event {
            Event::Start(Tag::Strong) => self.strong += 1,
            Event::End(TagEnd::Strong) => self.strong = self.strong.saturating_sub(1),
            Event::Start(Tag::Emphasis) => self.emphasis += 1,
            Event::End(TagEnd::Emphasis) => self.emphasis = self.emphasis.saturating_sub(1),
            Event::Start(Tag::Strikethrough) => self.struck += 1,
            Event::End(TagEnd::Strikethrough) => self.struck = self.struck.saturating_sub(1),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                self.link = Some((Arc::from(&*dest_url), String::new()));
            }
            Event::End(TagEnd::Link | TagEnd::Image) => self.end_link(at),
            Event::Text(text) => self.words(&text, at),
            Event::Code(text) => self.push(at, Tone::Code, &text),
            Event::Html(text) | Event::InlineHtml(text) => self.html(&text, at),
            _ => {}
        }
    }

    fn tone(&self) -> Tone {
        if self.strong > 0 {
            Tone::Strong
        } else if self.emphasis > 0 {
            Tone::Emphasis
        } else if self.struck > 0 {
            Tone::Struck
        } else {
            self.plain
        }
    }

    fn words(&mut self, words: &CowStr<'_>, at: usize) {
        let tone = self.tone();
        if self.link.is_some() {
            return self.push(at, Tone::Link, words);
        }
        let mut from = 0;
        for address in addresses(words) {
            self.push(at, tone, &words[from..address.start]);
            let target: Arc<str> = Arc::from(&words[address.clone()]);
            self.push_run(at, Run { link: Some(target), ..Run::new(Tone::Link, words[address.clone()].to_owned()) });
            from = address.end;
        }
        self.push(at, tone, &words[from..]);
    }

    /// What looks like HTML is shown as it is.
    fn html(&mut self, text: &str, at: usize) {
        let mut from = at;
        for line in text.split_inclusive('\n') {
            self.push(from, self.tone(), line.trim_end_matches(['\n', '\r']));
            from += line.len();
        }
    }

    /// A link that says it leads elsewhere than it does tells where.
    fn end_link(&mut self, at: usize) {
        let Some((target, shown)) = self.link.take() else { return };
        let address = shown.contains("://") || shown.starts_with("www.");
        if address && *shown != *target && leads(&target) {
            self.push(at, Tone::Dim, &format!(" ({target})"));
        }
    }

    fn push(&mut self, at: usize, tone: Tone, text: &str) {
        if text.is_empty() {
            return;
        }
        if let Some((_, shown)) = &mut self.link {
            shown.push_str(text);
        }
        let link = self.link.as_ref().filter(|(target, _)| leads(target)).map(|(target, _)| Arc::clone(target));
        self.push_run(at, Run { tone, text: text.to_owned(), link });
    }

    fn push_run(&mut self, at: usize, mut run: Run) {
        run.text = clean(&run.text).into_owned();
        let line = self.starts.partition_point(|start| *start <= at).saturating_sub(1);
        let runs = &mut self.out[line];
        match runs.last_mut().filter(|last| last.tone == run.tone && last.link == run.link) {
            Some(last) => last.text.push_str(&run.text),
            None => runs.push(run),
        }
    }

    /// A line of which nothing came out, though something stands in it, is shown as it is.
    fn finish(mut self) -> Vec<Vec<Run>> {
        self.link = None;
        (self.strong, self.emphasis, self.struck) = (0, 0, 0);
        for line in 0..self.starts.len() {
            let start = self.starts[line];
            let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
            let raw = self.text[start..end].trim();
            if self.out[line].is_empty() && !raw.is_empty() {
                self.words(&CowStr::Borrowed(raw), start);
            }
        }
        self.out
    }
}

/// Whether a target may be laid under a text for the terminal to open.
fn leads(target: &str) -> bool {
    let known = ["https://", "http://", "mailto:", "file://"];
    target.len() <= TARGET
        && known.iter().any(|scheme| target.get(..scheme.len()).is_some_and(|t| t.eq_ignore_ascii_case(scheme)))
}
