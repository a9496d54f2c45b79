//! Opens the page in the user's browser, as far as the system knows one.

use std::process::{Command, Stdio};

/// Asks the system for its browser. Whether one opens is not known; the address was printed.
pub(crate) fn open_browser(url: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let opened = Command::new(program)
        .args(arguments)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    // Nobody waits for a browser to be closed, and a system without one is no error.
    if let Ok(mut child) = opened {
        std::thread::spawn(move || child.wait());
    }
}
