//! An amount of money as an integer, so that sums are exact and the same everywhere.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use serde::{Deserialize, Serialize};

/// Of one whole (a dollar): a price of one per million tokens is then a million of these for each token, and six
/// further digits of a price are exact.
const UNIT: u64 = 1_000_000_000_000;
/// Digits after the point that count.
const DIGITS: usize = 12;
/// What fits into every column and document: some nine million.
const MOST: u64 = i64::MAX as u64;

/// The text is no amount of money.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no amount of money: write it like `5` or `2.50`")]
pub struct MoneyError(pub String);

/// Money, in millionths of a millionth of a whole. Arithmetic stops at the most and never wraps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Money(u64);

impl Money {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// An amount of the smallest parts.
    #[must_use]
    pub const fn of_parts(parts: u64) -> Self {
        Self(if parts > MOST { MOST } else { parts })
    }

    /// The smallest parts in it.
    #[must_use]
    pub const fn parts(self) -> u64 {
        self.0
    }

    /// So many times as much.
    #[must_use]
    pub const fn times(self, count: u64) -> Self {
        Self::of_parts(self.0.saturating_mul(count))
    }

    /// For each of a million, rounded up: no price becomes cheaper than it was given.
    #[must_use]
    pub const fn per_million(self) -> Self {
        Self(self.0.div_ceil(1_000_000))
    }

    /// What is left after an amount was taken away; nothing at least.
    #[must_use]
    pub const fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Reads `5`, `2.50`, `$2.50`. Digits beyond the smallest part round up.
    ///
    /// # Errors
    /// When it is no number of 0 or more, or more than fits.
    pub fn parse(text: &str) -> Result<Self, MoneyError> {
        let wrong = || MoneyError(text.to_owned());
        let bare = text.trim();
        let bare = bare.strip_prefix('$').unwrap_or(bare);
        let (whole, part) = bare.split_once('.').unwrap_or((bare, ""));
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if (whole.is_empty() && part.is_empty()) || !digits(whole) || !digits(part) {
            return Err(wrong());
        }
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| wrong())? };
        let (counted, beyond) = part.split_at(part.len().min(DIGITS));
        let mut parts: u64 = format!("{counted:0<DIGITS$}").parse().map_err(|_| wrong())?;
        if beyond.bytes().any(|b| b != b'0') {
            parts += 1;
        }
        let all = whole.checked_mul(UNIT).and_then(|whole| whole.checked_add(parts));
        all.filter(|all| *all <= MOST).map(Self).ok_or_else(wrong)
    }

    /// A number as configuration files have it, digit by digit.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn of_number(number: f64) -> Result<Self, MoneyError> {
        Self::parse(&number.to_string())
    }

    /// As a number for programs that read documents; never summed.
    #[must_use]
    pub fn number(self) -> f64 {
        self.0 as f64 / UNIT as f64
    }
}

impl std::str::FromStr for Money {
    type Err = MoneyError;

    fn from_str(text: &str) -> Result<Self, MoneyError> {
        Self::parse(text)
    }
}

impl Add for Money {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::of_parts(self.0.saturating_add(other.0))
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Money {
    /// `$12.40`; below a whole with four digits, and something that is not nothing never looks like nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (digits, step) = if self.0 > 0 && self.0 < UNIT / 10 { (4, UNIT / 10_000) } else { (2, UNIT / 100) };
        if self.0 > 0 && self.0 < UNIT / 10_000 {
            return f.write_str("<$0.0001");
        }
        let rounded = self.0.saturating_add(step / 2) / step;
        let whole = 10_u64.pow(digits);
        write!(f, "${}.{:0wide$}", rounded / whole, rounded % whole, wide = digits as usize)
    }
}
