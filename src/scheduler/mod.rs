//! Rules: which prompt runs next, under which limit.
