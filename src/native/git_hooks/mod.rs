//! Git's own hooks, as every process of a governed lane gets them (`GIT_CONFIG_COUNT`): what no look at a command's text
//! can see, such as a script that switches branches, is refused where git changes a ref.
//!
//! `scripts` writes one small file a hook, which runs the repository's own hook of that name with the same arguments
//! and input; `refs` judges what the hook `reference-transaction` is told.

mod refs;
mod scripts;

pub use refs::{RefRules, Repository, Verdict, judge};
pub use scripts::{RULES, install, rules};
