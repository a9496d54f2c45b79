//! `surefoot signal`: clips edited as signals, one command for each tool, and recipes of several.

mod apply;
mod edit_clip;
mod tools;

use crate::report::{Failure, Format};
use tools::{
    BlendArgs, ConcatArgs, DisplaceArgs, EqualizeArgs, FilterArgs, LoopArgs, ShapeArgs, ToolArgs, TransferArgs,
    WarpArgs,
};

/// Arguments of `signal`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
#[command(after_help = CHAINS)]
enum Command {
    /// Make bands of frequencies larger or smaller: exaggerate a motion, tone it down, make it nervous
    #[command(after_help = tools::EQUALIZE_EXAMPLES)]
    Equalize(Box<ToolArgs<EqualizeArgs>>),
    /// Mix a clip with others, registered in time, each with a share in movement and in timing
    #[command(after_help = tools::BLEND_EXAMPLES)]
    Blend(Box<ToolArgs<BlendArgs>>),
    /// Play a clip at the pace of another, wholly or in part
    #[command(after_help = tools::WARP_EXAMPLES)]
    Warp(Box<ToolArgs<WarpArgs>>),
    /// Replace every value by a function of itself: caps, undulations, exaggeration
    #[command(after_help = tools::SHAPE_EXAMPLES)]
    Shape(Box<ToolArgs<ShapeArgs>>),
    /// Change a motion smoothly by a few keys: joints turned or moved, hands and feet that reach, poses
    #[command(after_help = tools::DISPLACE_EXAMPLES)]
    Displace(Box<ToolArgs<DisplaceArgs>>),
    /// Lead a clip over into others, one after another
    #[command(after_help = tools::CONCAT_EXAMPLES)]
    Concat(Box<ToolArgs<ConcatArgs>>),
    /// Cut a cycle from a clip where it is most like itself, and close it
    #[command(after_help = tools::LOOP_EXAMPLES)]
    Loop(Box<ToolArgs<LoopArgs>>),
    /// Clean a recording: spikes, noise
    #[command(after_help = tools::FILTER_EXAMPLES)]
    Filter(Box<ToolArgs<FilterArgs>>),
    /// Give a clip the style in which two others differ, such as a neutral walk and a tired one
    #[command(after_help = tools::TRANSFER_EXAMPLES)]
    Transfer(Box<ToolArgs<TransferArgs>>),
    /// Make the edits of a recipe, on one clip or on many
    #[command(after_help = apply::EXAMPLES)]
    Apply(Box<apply::Args>),
}

const CHAINS: &str = "\
Edits in a row, without a file between them (`-` passes everything on: contacts, body map, channels):
  surefoot signal equalize walk.bvh --preset exaggerate -o - | surefoot signal loop - -o cycle.glb --keep-plants
The same as a recipe, for a hundred clips:
  surefoot signal equalize walk.bvh --preset exaggerate -o out.bvh --write-recipe big.toml
  surefoot signal apply big.toml clips/*.bvh -o edited/

Joints are named by groups (all, travel, trunk, head, arms, left-arm, right-arm, legs, left-leg, right-leg, feet,
hands), by name, or `Name..` for a joint and all below it: --joints legs,arms,LeftForeArm";

/// Runs `signal`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    match &args.command {
        Command::Equalize(args) => args.run(format),
        Command::Blend(args) => args.run(format),
        Command::Warp(args) => args.run(format),
        Command::Shape(args) => args.run(format),
        Command::Displace(args) => args.run(format),
        Command::Concat(args) => args.run(format),
        Command::Loop(args) => args.run(format),
        Command::Filter(args) => args.run(format),
        Command::Transfer(args) => args.run(format),
        Command::Apply(args) => apply::run(args, format),
    }
}
