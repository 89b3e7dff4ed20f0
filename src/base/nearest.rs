//! The nearest known word to a mistyped one.

/// The candidate a person most likely meant: a known word that begins with the typed one, or one
/// that differs in few letters. Nothing when every candidate is far off.
pub fn nearest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    if typed.is_empty() {
        return None;
    }
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let lower = candidate.to_lowercase();
            let score = if lower.starts_with(&typed) { 0.95 } else { strsim::jaro_winkler(&typed, &lower) };
            let edits = strsim::damerau_levenshtein(&typed, &lower);
            let close = edits <= (typed.chars().count() / 3).max(1);
            (close || score >= 0.84).then_some((score + if close { 1.0 } else { 0.0 }, candidate))
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_finds_its_word_and_nonsense_finds_none() {
        let words = ["prompt", "approve", "approvals", "lane", "queue", "--priority"];
        assert_eq!(nearest("promt", words), Some("prompt"));
        assert_eq!(nearest("aprove", words), Some("approve"));
        assert_eq!(nearest("lanes", words), Some("lane"));
        assert_eq!(nearest("--priorty", words), Some("--priority"));
        assert_eq!(nearest("zebra", words), None);
        assert_eq!(nearest("", words), None);
    }
}
