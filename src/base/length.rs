//! Lengths of time as people write them: `2h30m`.

/// The longest that can be written: about ten years. Longer ones are slips.
const LONGEST: u64 = 10 * 366 * 24 * 3600;

/// The units and their seconds, from the largest.
const UNITS: [(char, u64); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

/// `2h30m` in seconds; units `d h m s`, each at most once, from the largest. None for anything else.
#[must_use]
pub fn read_length(text: &str) -> Option<u64> {
    let mut total: u64 = 0;
    let mut rest = text;
    let mut units = UNITS.iter();
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let number: u64 = rest.get(..digits)?.parse().ok()?;
        let unit = rest.get(digits..)?.chars().next()?;
        // What was passed over is gone: a unit stands once, and after the larger ones.
        let (_, seconds) = units.find(|(name, _)| *name == unit)?;
        total = total.checked_add(number.checked_mul(*seconds)?)?;
        rest = rest.get(digits + unit.len_utf8()..)?;
    }
    (!text.is_empty() && total <= LONGEST).then_some(total)
}

/// So many seconds as they are written; `0s` for none.
#[must_use]
pub fn length_words(seconds: u64) -> String {
    let (mut words, mut rest) = (String::new(), seconds);
    for (unit, length) in UNITS {
        if rest >= length {
            words.extend([(rest / length).to_string(), unit.to_string()]);
            rest %= length;
        }
    }
    if words.is_empty() { "0s".to_owned() } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_read_as_it_is_shown() {
        for (text, seconds) in [("1s", 1), ("30m", 1_800), ("2h30m", 9_000), ("1d", 86_400), ("1d1h1m1s", 90_061)] {
            assert_eq!((read_length(text), length_words(seconds)), (Some(seconds), text.to_owned()));
        }
        for slip in ["", "m", "30", "1m1h", "1m1m", "-1m", "1 m", "1ä", "99999999999999999999d", "4000d"] {
            assert_eq!(read_length(slip), None, "{slip}");
        }
        assert_eq!((read_length("0m"), length_words(0)), (Some(0), "0s".to_owned()));
    }
}
