//! `surefoot studio`: a server on this computer, and its page.

use crate::report::{Failure, Format, print_result, print_status, print_text};
use serde_json::json;
use std::path::PathBuf;
use surefoot_studio::{Studio, StudioError, StudioOptions};

/// Arguments of `studio`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Opened in the page: foot plans, motions, terrains and scenes
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Port on this computer [default: one that is free]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Print the address, and do not open a browser
    #[arg(long)]
    no_open: bool,
}

/// Runs `studio` until it is interrupted.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Failure::new("io", error.to_string()))?;
    runtime.block_on(async {
        let options = StudioOptions { files: args.files.clone(), port: args.port, ..StudioOptions::default() };
        let studio = Studio::start(&options).await.map_err(failure)?;
        match format {
            Format::Json => print_result("studio", &json!({ "url": studio.url() }))?,
            Format::Human => {
                print_text(&format!("{}\n", studio.url()))?;
                print_status("the studio serves this computer alone; Ctrl+C ends it");
            }
        }
        if !args.no_open {
            studio.open_browser();
        }
        studio.serve(interrupted()).await.map_err(failure)
    })
}

fn failure(error: StudioError) -> Failure {
    match error {
        StudioError::File { file, problem } => Failure::of_file("io", file, problem),
        error => Failure::new("studio", error.to_string()),
    }
}

/// Until Ctrl+C, or the system asks the command to end.
async fn interrupted() {
    let pressed = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut asked) = signal(SignalKind::terminate()) {
            tokio::select! { _ = pressed => {}, _ = asked.recv() => {} }
            return;
        }
    }
    let _ = pressed.await;
}
