//! Sizes as people read them.

/// Bytes as `8.2 KB`, `29 KB`, `1.4 GB`: powers of a thousand, as disks are sold.
#[must_use]
pub fn size_words(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    let mut value = bytes as f64 / 1000.0;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if value >= 10.0 { format!("{value:.0} {}", UNITS[unit]) } else { format!("{value:.1} {}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_at_a_glance() {
        let words: Vec<String> = [0, 8_192, 29_000, 1_400_000_000, u64::MAX].into_iter().map(size_words).collect();
        assert_eq!(words, ["0.0 KB", "8.2 KB", "29 KB", "1.4 GB", "18446744 TB"]);
    }
}
