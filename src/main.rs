//! The `paralane` program: everything lives in the library.

fn main() -> std::process::ExitCode {
    paralane::cli::main()
}
