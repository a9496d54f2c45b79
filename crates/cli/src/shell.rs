//! Shell completions and man pages, made from the command's own description.

use crate::Cli;
use crate::output::Force;
use crate::report::Failure;
use clap::CommandFactory;
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

/// Prints completions.
pub(crate) fn completions(args: &CompletionArgs) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "surefoot", &mut text);
    Force { force: false }.write(Path::new("-"), &text)
}

/// Writes a man page for the command, for each of its parts, and for theirs.
pub(crate) fn man(args: &ManArgs) -> Result<(), Failure> {
    std::fs::create_dir_all(&args.folder)
        .map_err(|error| Failure::of_file("output", &args.folder, error.to_string()))?;
    let mut command = Cli::command();
    command.build();
    let page = |command: clap::Command, name: &str| -> Result<(), Failure> {
        let mut text = Vec::new();
        let path = args.folder.join(format!("{name}.1"));
        clap_mangen::Man::new(command)
            .render(&mut text)
            .map_err(|error| Failure::of_file("output", &path, error.to_string()))?;
        args.force.write(&path, &text)
    };
    let mut left = vec![("surefoot".to_string(), &command)];
    while let Some((name, command)) = left.pop() {
        page(command.clone(), &name)?;
        let parts = command.get_subcommands().filter(|part| part.get_name() != "help");
        left.extend(parts.map(|part| (format!("{name}-{}", part.get_name()), part)));
    }
    Ok(())
}
