//! How the program is linked.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |name| std::env::var(name).unwrap_or_default();
    if target("CARGO_CFG_TARGET_OS") == "linux" && target("CARGO_CFG_TARGET_ENV") == "gnu" {
        // At a fixed address. Else sixty thousand pointers in tables are set right each time that the program begins,
        // which copies a megabyte of them: more than a third of what a command or a hook takes in all.
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
