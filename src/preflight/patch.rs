//! The paths that a patch names, before anybody has judged the patch.

/// Marks of the two ways to write a patch, each followed by a path.
const MARKS: [&str; 4] = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];

/// Every path that a patch may touch, in its order, each once. Lines of its content that look like a head count too: a
/// hold on a path too many is harmless, one too few is not.
#[must_use]
pub fn named_in_patch(patch: &str) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for line in patch.lines() {
        let marked = MARKS.iter().find_map(|mark| line.trim_start().strip_prefix(mark)).map(str::trim);
        let head = || line.strip_prefix("--- ").or_else(|| line.strip_prefix("+++ ")).and_then(header_path);
        let renamed = || line.strip_prefix("rename from ").or_else(|| line.strip_prefix("rename to ")).map(str::trim);
        let Some(path) = marked.or_else(head).or_else(renamed).filter(|path| !path.is_empty()) else { continue };
        if !paths.iter().any(|known| known == path) {
            paths.push(path.to_owned());
        }
    }
    paths
}

/// The path in a `---` or `+++` line: without `a/`, `b/` and a time stamp; none for `/dev/null`.
#[must_use]
pub fn header_path(head: &str) -> Option<&str> {
    let path = head.split('\t').next().unwrap_or(head).trim_end();
    let path = path.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(path);
    if path == "/dev/null" {
        return None;
    }
    Some(path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_write_a_patch_name_their_paths() {
        let unified = "--- a/src/x.rs\t2026-01-01\n+++ b/src/x.rs\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/new\n";
        assert_eq!(named_in_patch(unified), ["src/x.rs", "new"]);
        let marked = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** Delete File: c d\n*** Add File: e\n+x\n";
        assert_eq!(named_in_patch(marked), ["a", "b", "c d", "e"]);
        assert_eq!(named_in_patch("rename from x\nrename to y\n"), ["x", "y"]);
        assert!(named_in_patch("nothing").is_empty());
    }
}
