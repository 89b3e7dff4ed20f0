//! Mail to the person, newest first.

use crate::app::window::text::{Row, Run, Tone, clean, wrap};
use crate::app::window::{Deed, MAIL, coarse_age};
use crate::base::one_line;
use crate::domain::{MailHead, Party};

use super::{Item, key_rows, spread};
use crate::ui::view::Scene;

/// Only the messages around the chosen one can be seen.
pub(super) fn items(scene: &Scene<'_>, cells: usize, height: usize) -> Vec<Item> {
    let chosen = scene.window.panel.chosen_mail(scene.state).map(|mail| mail.id);
    let all = || scene.state.model.shared.mail.recent.iter().rev();
    let first = all().position(|mail| Some(mail.id) == chosen).unwrap_or(0).saturating_sub(height);
    all().skip(first).take(2 * height + 1).map(|mail| one(scene, mail, chosen == Some(mail.id), cells)).collect()
}

fn one(scene: &Scene<'_>, mail: &MailHead, chosen: bool, cells: usize) -> Item {
    let model = &scene.state.model;
    let boxes = &model.shared.mail;
    let unread = boxes.unread.get(&Party::Operator).is_some_and(|unread| unread.contains_key(&mail.id));
    let from = model.party(mail.from);
    let head = Row::new(Tone::Accent, if chosen { "▸ " } else { "  " })
        .with(Tone::Accent, if unread { "* " } else { "  " })
        .with(Tone::Strong, &from)
        .with(Tone::Dim, &format!(" · {}", mail.id));
    let mut rows = vec![spread(head, &coarse_age(mail.created, scene.now), cells)];
    let tone = if unread { Tone::Text } else { Tone::Dim };
    let subject = wrap(&[Run::new(tone, clean(&one_line(&mail.subject)).into_owned())], cells.saturating_sub(4));
    for row in subject.into_iter().take(if chosen { 4 } else { 1 }) {
        let mut full = Row::new(Tone::Dim, "    ");
        full.0.extend(row.0);
        rows.push(full);
    }
    let owed = boxes.owes(Party::Operator, mail.id);
    if owed {
        rows.push(Row::new(Tone::Warn, "    ! wants to be acknowledged"));
    }
    if chosen {
        // What cannot be done with this one is not offered.
        let does = |deed: Deed| match deed {
            Deed::Acknowledge => owed,
            Deed::Reply => matches!(mail.from, Party::Lane(_)),
            _ => true,
        };
        let keys: Vec<_> = MAIL.iter().copied().filter(|binding| does(binding.deed)).collect();
        rows.extend(key_rows(&keys, "    ", 3));
    }
    rows.push(Row::default());
    Item { rows, chosen }
}
