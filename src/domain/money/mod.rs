//! What model calls use and cost: tokens, money, prices, spends, their sums, and budgets.
//!
//! A call is reserved before it is made, with the most that it can come to, and settled after it with what it really
//! came to. What was never settled stays counted at the most. All sums are integers. A price that is not known is no
//! price of nothing: tokens are counted, and the cost is said to be unknown.

mod amount;
mod budget;
mod ledger;
mod price;
mod spend;

pub use amount::{Money, MoneyError};
pub use budget::{Admission, Budget, BudgetScope, Limit, Period, Standing, WARN_PERCENT, admit};
pub use ledger::{Account, Ledger, Sum};
pub use price::{Price, Usage};
pub use spend::{Spend, SpendAsk, SpendEnd, SpendState};

#[cfg(test)]
mod tests;
