//! Shell completions and man pages, made from the command's own description.

use crate::Cli;
use crate::output::Force;
use crate::report::{Failure, Format, print_result, print_status};
use clap::CommandFactory;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Arguments of `completions`.
#[derive(clap::Args)]
pub(crate) struct CompletionArgs {
    /// The shell
    shell: clap_complete::Shell,
}

/// Arguments of `man`.
#[derive(clap::Args)]
pub(crate) struct ManArgs {
    /// Folder for the pages; made if it is missing
    folder: PathBuf,
    #[command(flatten)]
    force: Force,
}

/// What `man` reports.
#[derive(Serialize)]
struct ManReport {
    /// The folder of the pages.
    folder: String,
    /// All pages that were written.
    files: Vec<String>,
}

/// Prints completions.
pub(crate) fn completions(args: &CompletionArgs) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "surefoot", &mut text);
    Force { force: false }.write(Path::new("-"), &text)
}

/// Writes a man page for the command, for each of its parts, and for theirs.
pub(crate) fn man(args: &ManArgs, format: Format) -> Result<(), Failure> {
    std::fs::create_dir_all(&args.folder)
        .map_err(|error| Failure::of_file("output", &args.folder, error.to_string()))?;
    let mut command = Cli::command();
    command.build();
    let page = |command: clap::Command, name: &str| -> Result<String, Failure> {
        let mut text = Vec::new();
        let path = args.folder.join(format!("{name}.1"));
        clap_mangen::Man::new(command)
            .render(&mut text)
            .map_err(|error| Failure::of_file("output", &path, error.to_string()))?;
        args.force.write(&path, &text)?;
        Ok(path.display().to_string())
    };
    let mut files = Vec::new();
    let mut left = vec![("surefoot".to_string(), &command)];
    while let Some((name, command)) = left.pop() {
        files.push(page(command.clone(), &name)?);
        let parts = command.get_subcommands().filter(|part| part.get_name() != "help");
        left.extend(parts.map(|part| (format!("{name}-{}", part.get_name()), part)));
    }
    let folder = args.folder.display().to_string();
    match format {
        Format::Json => print_result("man", &ManReport { folder, files }),
        Format::Human => {
            print_status(&format!("wrote {} files to {folder}", files.len()));
            Ok(())
        }
    }
}
