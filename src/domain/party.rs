//! Who acts, who is written to.

use serde::{Deserialize, Serialize};

use super::LaneId;

/// Who acts in coordination, or is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Party {
    /// The person.
    Operator,
    /// A lane: its agent, or the person in its name.
    Lane(LaneId),
    /// Paralane itself: it tells what happened. Nobody can write to it.
    House,
}

impl Party {
    /// The word that stands for the person.
    pub const OPERATOR: &str = "operator";
    /// The word that stands for Paralane itself.
    pub const HOUSE: &str = "paralane";

    /// As one number, for columns: a lane's own, 0 for the person, -1 for Paralane.
    #[must_use]
    pub const fn number(self) -> i64 {
        match self {
            Self::Operator => 0,
            Self::House => -1,
            Self::Lane(lane) => lane.0,
        }
    }

    /// The party of such a number.
    #[must_use]
    pub const fn of_number(number: i64) -> Self {
        match number {
            0 => Self::Operator,
            lane if lane > 0 => Self::Lane(LaneId(lane)),
            _ => Self::House,
        }
    }

    /// The lane, if it is one.
    #[must_use]
    pub const fn lane(self) -> Option<LaneId> {
        match self {
            Self::Lane(lane) => Some(lane),
            Self::Operator | Self::House => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_back() {
        for party in [Party::Operator, Party::House, Party::Lane(LaneId(7))] {
            assert_eq!(Party::of_number(party.number()), party);
        }
    }
}
